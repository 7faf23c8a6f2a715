import type { Fountain } from '../map/data/cell.ts'
import type { MapPage } from '../map/page/map-page.tsx'
import type { Search } from '../search/search.ts'
import { ChangeCache } from './change-cache.ts'
import { LiveLayer } from './layer.ts'
import { readFountain } from './answers.ts'

/** Fountains whose status is requested at once after new observations. */
const mostAsked = 50

/** Changed fountains that are completed from the files at once, in view or not. */
const mostCompleted = 200

const keepSeconds = 2

export class MapLayer extends LiveLayer {
  readonly #page: MapPage
  readonly #changeCache: ChangeCache
  readonly #api: string
  #isKeeping = false
  /** Fountains to show after the current task: many may be completed at once. */
  readonly #pending = new Set<number>()
  readonly #tried = new Set<number>()
  /** The fountain of the card, now or before, that has no id yet. */
  #unsent: Fountain | undefined

  constructor(page: MapPage, api: string, search: Search | undefined) {
    super(api)
    this.#page = page
    this.#changeCache = new ChangeCache(page.config)
    this.#api = api
    this.onChange = (ids) => this.#show(ids)
    page.cells.updates = this
    if (search) search.updates = this
  }

  /** Shows the changes stored while there was a network. */
  async restoreKept(): Promise<void> {
    this.restore(await this.#changeCache.read())
  }

  #show(ids: Iterable<number>): void {
    const isPlanned = this.#pending.size > 0
    for (const id of ids) this.#pending.add(id)
    if (!isPlanned && this.#pending.size > 0) setTimeout(() => this.#flush(), 0)
  }

  #flush(): void {
    const page = this.#page
    const ids = new Set(this.#pending)
    this.#pending.clear()
    if (page.shown && page.shown.id < 0) this.#unsent = page.shown
    page.updated(ids)
    this.keep()
    void this.#complete()
    void this.#askForStatus()
    const unsent = this.#unsent
    if (!unsent || page.open !== unsent.id || this.get(unsent.id)) return
    const sent = [...ids].find((id) => isAtSamePlace(this.get(id), unsent))
    if (sent !== undefined) void page.openById(sent)
  }

  keep(): void {
    if (this.#isKeeping) return
    this.#isKeeping = true
    setTimeout(() => {
      this.#isKeeping = false
      // Where storage is full or blocked, the map offline shows the built fountains.
      this.#changeCache.write(this.changes()).catch(() => undefined)
    }, keepSeconds * 1000)
  }

  /** Requests the statuses that follow from new observations. */
  async #askForStatus(): Promise<void> {
    for (const id of this.takeObserved(mostAsked)) {
      try {
        const { status } = await readFountain(this.#api, id)
        this.takeStatus({ id, status })
      } catch {
        // It is then as the site was built with it.
      }
    }
  }

  async #complete(): Promise<void> {
    const { cells } = this.#page
    const ids = this.incomplete().filter((id) => !this.#tried.has(id))
    for (const id of ids.slice(0, mostCompleted)) {
      this.#tried.add(id)
      try {
        const key = await cells.cellOf(id)
        // Reading a cell completes all its fountains.
        if (key !== undefined && this.needs(id)) await cells.points(key)
      } catch {
        // Offline it is completed when it comes into view.
      }
    }
  }
}

function isAtSamePlace(one: Fountain | undefined, other: Fountain): boolean {
  return one?.latitude === other.latitude && one.longitude === other.longitude
}
