import type { Card } from '../card/card.ts'
import type { Fountain } from '../data/cell.ts'
import type { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { FountainPick } from '../engine/map-events.ts'

/** The dependencies of a page's card. */
export interface CardParts {
  /** A page without a card still tracks the open fountain. */
  readonly card: Card | undefined
  readonly cells: Cells
  readonly config: MapConfig
  /** The title of a fountain. */
  readonly nameOf: (fountain: Fountain) => string
  /** Rings a fountain on the map, or none. */
  readonly select: (fountain: Fountain | undefined) => void
  /** Opens the merge target of a fountain. */
  readonly openById: (id: number) => Promise<void>
}

/** Fills the card with the found fountain. Only the newest search fills it. */
export class CardFilling {
  readonly #parts: CardParts
  #run = 0
  #content: Fountain | 'missing' | undefined

  constructor(parts: CardParts) {
    this.#parts = parts
  }

  /** The content of the card; undefined while it loads. */
  get content(): Fountain | 'missing' | undefined {
    return this.#content
  }

  /** Ends every search: the card is closed. */
  clear(): void {
    this.#run += 1
    this.#content = undefined
  }

  /** Fills the card; `isOpening` moves the focus into it. */
  async show(
    pick: Pick<FountainPick, 'id' | 'name'>,
    find: () => Promise<Fountain | undefined>,
    isOpening = true,
  ): Promise<void> {
    this.#run += 1
    const run = this.#run
    if (isOpening) this.#content = undefined
    const { card, cells, config, select, openById } = this.#parts
    const { map: strings } = config.strings
    try {
      const fountain = await find()
      if (run !== this.#run) return
      const before = this.#content
      this.#content = fountain ?? 'missing'
      if (fountain) {
        card?.showFountain(fountain, isOpening)
        select(fountain)
        const reviewed = await cells.updates?.withReviews(fountain)
        if (run === this.#run && reviewed && reviewed !== fountain) card?.showFountain(reviewed, false)
        return
      }
      const name = pick.name ?? (typeof before === 'object' ? this.#parts.nameOf(before) : `#${pick.id}`)
      const into = cells.updates?.mergedInto(pick.id)
      if (into === undefined) card?.showFailure(name, strings.gone, isOpening)
      else card?.showMerged(name, into, () => void openById(into))
      select(undefined)
    } catch {
      if (run === this.#run) card?.showFailure(pick.name ?? `#${pick.id}`, strings.detailFailed)
    }
  }
}
