import { fill } from '../../messages.ts'
import type { FountainList } from './fountain-list.ts'
import type { NearFountain, NearResult } from '../data/cells.ts'
import type { MapPage, PageParts } from '../page/map-page.ts'
import { boundsOfBoth, type Position } from '../page/position.ts'
import { isDry } from '../../status/stage.ts'

/** Most fountains in the list. */
const listLimit = 60
const nearLimit = 20

/** From this zoom on, or with at most this number in view, the fountains in view are listed one by one. */
const listZoom = 11
const fewFountains = 200

/** Beyond walking distance, the list says so. */
const farMetres = 5000

const nearZoom = 15.5
/** The zoom that shows the visitor and a near fountain with their street. */
const nearestMaxZoom = 17

/** The list beside the map: the fountains in view, or the nearest to a place. */
export class ListPanel implements PageParts {
  readonly #page: MapPage
  readonly #list: FountainList
  readonly #directory: HTMLElement | undefined
  #near: Position | undefined
  #run = 0
  #isFollowing = false

  constructor(page: MapPage, list: FountainList, directory: HTMLElement | undefined) {
    this.#page = page
    this.#list = list
    this.#directory = directory
  }

  onUserMove(): void {
    this.#near = undefined
  }

  onIdle(): void {
    void (this.#near ? this.#showNear(this.#near) : this.#showView())
  }

  /** Asks the browser for the visitor's location, and lists the fountains nearest to it. */
  nearMe(): void {
    const { toast, config } = this.#page
    const { map: strings } = config.strings
    if (!('geolocation' in navigator)) return toast.show(strings.locationFailed)
    toast.show(strings.locating, 0)
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        toast.hide()
        this.#near = coords
        this.#page.locate(coords)
        this.#follow()
        void this.#showNear(coords)
        void this.#goNear(coords)
      },
      ({ code, PERMISSION_DENIED }) =>
        toast.show(code === PERMISSION_DENIED ? strings.locationDenied : strings.locationFailed, 10),
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 30_000 },
    )
  }

  /** Follows the visitor's position, so that map and card show the remaining distance. */
  #follow(): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    navigator.geolocation.watchPosition(
      ({ coords }) => this.#page.locate(coords),
      // The last position stays.
      () => undefined,
      { enableHighAccuracy: true, maximumAge: 5000 },
    )
  }

  /** Lists the fountains nearest to the middle of the map. */
  nearCentre(): void {
    this.#page.withMap(({ place }) => {
      this.#near = place
      void this.#showNear(place)
    })
  }

  #nearest(from: Position): Promise<NearResult> {
    const { cells, filter } = this.#page
    return cells.nearest(from, nearLimit, filter)
  }

  /** Shows the visitor together with the fountain that is listed first. */
  async #goNear(from: Position): Promise<void> {
    const first = await this.#nearest(from).then(
      ({ found }) => found[0]?.fountain,
      () => undefined,
    )
    if (this.#near !== from) return
    if (first) this.#page.fit(boundsOfBoth(from, first), nearestMaxZoom)
    else this.#page.withMap((map) => map.goTo(from, Math.max(nearZoom, map.place.zoom)))
  }

  async #showNear(from: Position): Promise<void> {
    const run = this.#begin()
    const { config, status, toast } = this.#page
    const { map: strings } = config.strings
    try {
      const { found, complete } = await this.#nearest(from)
      if (run !== this.#run) return
      const note = this.#noteOn(found, complete)
      this.#list.show({ title: strings.nearest, fountains: found, from, note })
      status.textContent = note ?? strings.nearest
      this.#showDirectory(false)
    } catch {
      if (run === this.#run) toast.show(strings.detailFailed)
    }
  }

  /** The note about the nearest fountains; undefined when there is none. */
  #noteOn(found: readonly NearFountain[], complete: boolean): string | undefined {
    const { config, wording } = this.#page
    const { map: strings } = config.strings
    const [nearest] = found
    if (!nearest) return strings.nothingNear
    if (nearest.metres > farMetres)
      return fill(strings.farAway, { distance: wording.distance(nearest.metres) })
    if (!complete) return strings.nearestIncomplete
    const closer = isDry(nearest.fountain.state)
      ? []
      : found.filter(({ fountain, metres }) => isDry(fountain.state) && metres < nearest.metres)
    return closer.length === 0 ? undefined : wording.count(strings.dryCloser, closer.length)
  }

  async #showView(): Promise<void> {
    const run = this.#begin()
    const { map, cells, filter, config, status, wording } = this.#page
    if (!map || map.busy) return
    const { map: strings } = config.strings
    const count = map.countInView()
    const none = (!this.#hasBegun() && config.live?.words.none) || strings.noneInView
    const about = count === 0 ? none : wording.count(strings.inView, count)
    const listed = count > 0 && (map.place.zoom >= listZoom || count <= fewFountains)
    if (!listed) {
      this.#list.show({ title: about, fountains: [] })
      this.#announce(status, about)
      this.#showDirectory(true)
      return
    }
    try {
      const middle = map.place
      const { found } = await cells.nearest(middle, listLimit, filter, map.bounds)
      if (run !== this.#run) return
      // The tiles round positions, so that counts may be off by one at the edges; a complete list is exact.
      const exact = found.length < listLimit ? found.length : Math.max(count, found.length)
      const title = wording.count(strings.inView, exact)
      const more = exact - found.length
      const note = [
        ...(more > 0 ? [fill(strings.listMore, { n: wording.format.number(more) })] : []),
        ...(found.length > 0 ? [strings.fromMiddle] : []),
      ].join(' ')
      this.#list.show({ title, fountains: found, from: middle, ...(note !== '' && { note }) })
      this.#announce(status, title)
      this.#showDirectory(false)
    } catch {
      if (run === this.#run) this.#list.show({ title: about, fountains: [], note: strings.detailFailed })
    }
  }

  #begin(): number {
    this.#run += 1
    this.#list.expect()
    return this.#run
  }

  /** Announces a count to screen readers when it is a new one. */
  #announce(status: HTMLElement, title: string): void {
    if (status.textContent !== title) status.textContent = title
  }

  #showDirectory(shown: boolean): void {
    if (this.#directory) this.#directory.hidden = !shown || this.#hasBegun()
  }

  /** Whether a site built without fountains, whose directory says so, has some now. */
  #hasBegun(): boolean {
    const { config, cells } = this.#page
    return !config.bounds && [...(cells.updates?.fountains() ?? [])].length > 0
  }
}
