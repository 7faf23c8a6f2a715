import type { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { type CreditFile, creditedIn, type NewerFountain } from '../data/credits.ts'
import { jsonReader } from './loading.ts'

/** The data source of the attribution line. */
export interface CreditSource {
  /** The publisher's number; undefined without contributions. */
  readonly own: number | undefined
  /** Reads map/credits.json. */
  read(): Promise<CreditFile>
  newer(): Iterable<NewerFountain>
}

/** The line of a page's map; undefined where the line names one party. */
export function creditLineOf(line: HTMLElement, config: MapConfig, cells: Cells): CreditLine | undefined {
  const { credits } = config
  if (!credits) return undefined
  return new CreditLine(line, {
    own: credits.own,
    read: async () => (await jsonReader(config, 'map/')('credits.json')) as CreditFile,
    newer: () => cells.updates?.fountains() ?? [],
  })
}

/**
 * The attribution line on the map: of the page's parties it shows those credited for fountains in view. It stays
 * unchanged where no fountain is in view, and names all parties until the file is read, or when it cannot be.
 */
export class CreditLine {
  readonly #line: HTMLElement
  readonly #source: CreditSource
  #file: Promise<CreditFile | undefined> | undefined
  #run = 0

  constructor(line: HTMLElement, source: CreditSource) {
    this.#line = line
    this.#source = source
  }

  /** Names the parties of the fountains inside the bounds. */
  async show(bounds: Bounds): Promise<void> {
    this.#run += 1
    const run = this.#run
    this.#file ??= this.#source.read().catch(() => undefined)
    const file = await this.#file
    if (!file || run !== this.#run) return
    const { own } = this.#source
    const credited = creditedIn(bounds, file, { own, newer: this.#source.newer() })
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
