import type { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { type CreditFile, creditedIn } from '../data/credits.ts'
import { jsonReader } from './loading.ts'

/**
 * The attribution line on the map: of the page's parties it shows those credited for fountains in view. It stays
 * unchanged where no fountain is in view, and names all parties until the file is read, or when it cannot be.
 */
export class CreditLine {
  readonly #line: HTMLElement
  readonly #config: MapConfig
  readonly #cells: Cells
  #file: Promise<CreditFile | undefined> | undefined
  #run = 0

  constructor(line: HTMLElement, config: MapConfig, cells: Cells) {
    this.#line = line
    this.#config = config
    this.#cells = cells
  }

  /** Names the parties of the fountains inside the bounds. */
  async show(bounds: Bounds): Promise<void> {
    const { credits } = this.#config
    // The line names one party.
    if (!credits) return
    const run = (this.#run += 1)
    const read = jsonReader(this.#config, 'map/')
    this.#file ??= read('credits.json').then(
      (file) => file as CreditFile,
      () => undefined,
    )
    const file = await this.#file
    if (!file || run !== this.#run) return
    const newer = this.#cells.updates?.fountains() ?? []
    const credited = creditedIn(bounds, file, { own: credits.own, newer })
    if (credited.size > 0) this.#name(credited)
  }

  #name(credited: ReadonlySet<number>): void {
    let isFirst = true
    for (const group of elements(this.#line, '[data-credits]')) {
      const parties = elements(group, '[data-credit]')
      for (const party of parties) party.hidden = !credited.has(Number(party.dataset['credit']))
      group.hidden = parties.every(({ hidden }) => hidden)
      for (const between of elements(group, '[data-between]')) between.hidden = isFirst
      if (!group.hidden) isFirst = false
    }
  }
}

const elements = (within: HTMLElement, selector: string): HTMLElement[] => [
  ...within.querySelectorAll<HTMLElement>(selector),
]
