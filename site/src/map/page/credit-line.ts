import type { Cells } from '../data/cells.ts'
import type { Bounds, MapConfig } from '../data/config.ts'
import { type CreditFile, creditedIn, type Newer } from '../data/credits.ts'
import { jsonReader } from './loading.ts'

/** What the line of credits needs to know of the map. */
export interface CreditSource {
  /** The publisher's number; undefined where nobody can contribute. */
  readonly own: number | undefined
  /** Reads map/credits.json. */
  read(): Promise<CreditFile>
  newer(): Iterable<Newer>
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
 * The line of credits on the map: of those whom the page names, it shows the ones credited for what is in view. It stays as it
 * was where nothing is in view, and names all of them until the file is read, or when it cannot be.
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

  /** Names the parties of what is inside the bounds. */
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
