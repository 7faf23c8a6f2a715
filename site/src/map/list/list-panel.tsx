import { render } from 'preact'
import { FountainList, type ListContent } from './fountain-list.tsx'
import type { NearFountain, NearResult } from '../data/cells.ts'
import type { MapPage, PageParts } from '../page/map-page.ts'
import { boundsOfBoth, type Position } from '../page/position.ts'
import { isDry } from '../../status/stage.ts'
import { onPage } from '../../views/on-page.tsx'

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
  readonly #section: HTMLElement
  readonly #directory: HTMLElement
  #near: Position | undefined
  #run = 0
  #isFollowing = false

  /**
   * @param section where the list is
   * @param directory the regions, shown where there is no list
   */
  constructor(page: MapPage, section: HTMLElement, directory: HTMLElement) {
    this.#page = page
    this.#section = section
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
    const { toast, words } = this.#page
    if (!('geolocation' in navigator)) return toast.show(words.text('map.locationFailed'))
    toast.show(words.text('map.locating'), 0)
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
        toast.show(words.text(code === PERMISSION_DENIED ? 'map.locationDenied' : 'map.locationFailed'), 10),
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
    const { status, toast, words } = this.#page
    const title = words.text('map.nearest')
    try {
      const { found, complete } = await this.#nearest(from)
      if (run !== this.#run) return
      const note = this.#noteOn(found, complete)
      this.#show({ title, fountains: found, from, note })
      status.textContent = note ?? title
      this.#showDirectory(false)
    } catch {
      if (run === this.#run) toast.show(words.text('map.detailFailed'))
    }
  }

  /** The note about the nearest fountains; undefined when there is none. */
  #noteOn(found: readonly NearFountain[], complete: boolean): string | undefined {
    const { words } = this.#page
    const [nearest] = found
    if (!nearest) return words.text('map.nothingNear')
    if (nearest.metres > farMetres)
      return words.text('map.farAway', { distance: words.distance(nearest.metres) })
    if (!complete) return words.text('map.nearestIncomplete')
    const closer = isDry(nearest.fountain.state)
      ? []
      : found.filter(({ fountain, metres }) => isDry(fountain.state) && metres < nearest.metres)
    return closer.length === 0 ? undefined : words.plural('map.dryCloser', closer.length)
  }

  async #showView(): Promise<void> {
    const run = this.#begin()
    const { map, cells, filter, config, status, words } = this.#page
    if (!map || map.busy) return
    const count = map.countInView()
    const isEmpty = !config.bounds && !this.#hasBegun()
    const none = words.text(isEmpty ? 'home.emptyTitle' : 'map.noneInView')
    const about = count === 0 ? none : words.plural('map.inView', count)
    const listed = count > 0 && (map.place.zoom >= listZoom || count <= fewFountains)
    if (!listed) {
      this.#show({ title: about, fountains: [] })
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
      const title = words.plural('map.inView', exact)
      const more = exact - found.length
      const note = [
        more > 0 && words.text('map.listMore', { n: words.format.number(more) }),
        found.length > 0 && words.text('map.fromMiddle'),
      ].filter(Boolean)
      this.#show({ title, fountains: found, from: middle, note: note.join(' ') || undefined })
      this.#announce(status, title)
      this.#showDirectory(false)
    } catch {
      if (run === this.#run) this.#show({ title: about, fountains: [], note: words.text('map.detailFailed') })
    }
  }

  #begin(): number {
    this.#run += 1
    this.#section.setAttribute('aria-busy', 'true')
    return this.#run
  }

  #show(content: ListContent): void {
    const page = this.#page
    const section = this.#section
    const { activeElement } = document
    const list = <FountainList content={content} onChoose={(fountain) => void page.openAt(fountain)} />
    render(onPage(page.words, list), section)
    section.setAttribute('aria-busy', 'false')
    // An entry that was moved has lost the focus.
    if (activeElement instanceof HTMLElement && section.contains(activeElement)) activeElement.focus()
  }

  /** Announces a count to screen readers when it is a new one. */
  #announce(status: HTMLElement, title: string): void {
    if (status.textContent !== title) status.textContent = title
  }

  #showDirectory(shown: boolean): void {
    this.#directory.hidden = !shown || this.#hasBegun()
  }

  /** Whether a site built without fountains, whose directory says so, has some now. */
  #hasBegun(): boolean {
    const { config, cells } = this.#page
    return !config.bounds && [...(cells.updates?.fountains() ?? [])].length > 0
  }
}
