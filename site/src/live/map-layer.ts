import type { Fountain } from '../map/data/cell.ts'
import type { MapPage } from '../map/page/map-page.ts'
import type { Search } from '../search/search.ts'
import { isId, type LiveEntry, record } from './entries.ts'
import { ChangeCache } from './change-cache.ts'
import { LiveLayer } from './layer.ts'
import { statusNow } from './status.ts'

/** Fountains whose status is requested at once after new observations. */
const mostAsked = 50

/** Changed fountains that are completed from the files at once, in view or not. */
const mostCompleted = 200

const keepSeconds = 2

/** Shows changes since the build on the map, in its list, its search and its card. */
export class MapLayer {
  readonly #page: MapPage
  readonly #layer: LiveLayer
  readonly #changeCache: ChangeCache
  readonly #api: string
  #isKeeping = false
  /** Fountains to show after the current task: many may be completed at once. */
  readonly #pending = new Set<number>()
  readonly #tried = new Set<number>()
  /** The fountain of the card, now or before, that has no id yet. */
  #unsent: Fountain | undefined

  constructor(page: MapPage, api: string, search: Search | undefined) {
    this.#page = page
    this.#layer = new LiveLayer(api, (id) => this.#show([id]))
    this.#changeCache = new ChangeCache(page.config)
    this.#api = api
    page.cells.updates = this.#layer
    if (search) search.updates = this.#layer
  }

  /** Shows the changes stored while there was a network. */
  async restore(): Promise<void> {
    this.#show(this.#layer.restore(await this.#changeCache.read()))
    await this.#complete()
  }

  /** Takes new entries of the log. */
  fold(entries: readonly LiveEntry[]): void {
    this.#show(this.#layer.fold(entries))
    void this.#complete()
    void this.#askForStatus()
  }

  /** Takes the detail of an event with the visitor's change: `{ id, waypoint?, isWaiting? }`. */
  take(detail: unknown): void {
    const { id, waypoint, isWaiting } = record(detail) ?? {}
    const known = this.#layer.set(id, waypoint, isWaiting === true, new Date().toISOString())
    if (known === undefined) return
    this.#show([known])
    void this.#complete()
  }

  /** Takes the detail of an event with a status: `{ id, status?, isWaiting? }`. */
  takeStatus(detail: unknown): void {
    const { id, status, isWaiting } = record(detail) ?? {}
    if (!isId(id)) return
    this.#layer.setStatus(id, status, isWaiting === true)
    this.#show([id])
    void this.#complete()
  }

  /** Requests the statuses that follow from new observations. */
  async #askForStatus(): Promise<void> {
    for (const id of this.#layer.takeObserved(mostAsked)) {
      try {
        const { status } = await statusNow(this.#api, id)
        this.takeStatus({ id, status })
      } catch {
        // It is then as the site was built with it.
      }
    }
  }

  /** Shows the built fountains. */
  forget(): void {
    this.#show(this.#layer.forget())
  }

  #show(ids: Iterable<number>): void {
    if (this.#pending.size === 0) setTimeout(() => this.#flush(), 0)
    for (const id of ids) this.#pending.add(id)
  }

  #flush(): void {
    const page = this.#page
    const ids = new Set(this.#pending)
    this.#pending.clear()
    if (page.shown && page.shown.id < 0) this.#unsent = page.shown
    page.updated(ids)
    this.keep()
    const unsent = this.#unsent
    if (!unsent || page.open !== unsent.id || this.#layer.get(unsent.id)) return
    const sent = [...ids].find((id) => isAtSamePlace(this.#layer.get(id), unsent))
    if (sent !== undefined) void page.openById(sent)
  }

  /** Stores the changes for offline use, after a delay that joins several calls. */
  keep(): void {
    if (this.#isKeeping) return
    this.#isKeeping = true
    setTimeout(() => {
      this.#isKeeping = false
      void this.#changeCache.write(this.#layer.changes())
    }, keepSeconds * 1000)
  }

  /** Reads the remaining fields of changed fountains from the files. */
  async #complete(): Promise<void> {
    const { cells } = this.#page
    const ids = this.#layer.incomplete().filter((id) => !this.#tried.has(id))
    for (const id of ids.slice(0, mostCompleted)) {
      this.#tried.add(id)
      try {
        const key = await cells.cellOf(id)
        // Reading a cell completes all its fountains.
        if (key !== undefined && this.#layer.needs(id)) await cells.points(key)
      } catch {
        // Offline it is completed when it comes into view.
      }
    }
  }
}

function isAtSamePlace(one: Fountain | undefined, other: Fountain): boolean {
  return one?.latitude === other.latitude && one.longitude === other.longitude
}
