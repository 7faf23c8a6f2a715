import type { StateOfWaypoint } from '@openfountain/core/status'
import { render } from 'preact'
import type { Bounds } from '../../data/region.ts'
import { type Condition, conditionsIn, type Filter, noFilter } from './filter.ts'
import { FountainList, type ListContent, type Offer } from './fountain-list.tsx'
import type { NearFountain, NearResult } from '../data/cells.ts'
import type { MapPage, PageParts } from '../page/map-page.ts'
import { boundsOfBoth, type Position } from '../page/position.ts'
import { shortOf } from '../../status/words.ts'
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
  readonly #setFilter: (filter: Filter) => void
  #near: Position | undefined
  #run = 0
  #isFollowing = false

  /**
   * @param section where the list is
   * @param directory the regions, shown where there is no list
   * @param setFilter of the page and its form
   */
  constructor(
    page: MapPage,
    section: HTMLElement,
    directory: HTMLElement,
    setFilter: (filter: Filter) => void,
  ) {
    this.#page = page
    this.#section = section
    this.#directory = directory
    this.#setFilter = setFilter
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
    // Nobody is sent where there is nothing to drink.
    return cells.nearest(from, nearLimit, { ...filter, usable: true })
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
    return complete ? undefined : words.text('map.nearestIncomplete')
  }

  async #showView(): Promise<void> {
    const run = this.#begin()
    const { map, cells, filter, config, status, words } = this.#page
    if (!map || map.busy) return
    const { shown: count, unusable } = map.countInView()
    const isEmpty = !config.bounds && !this.#hasBegun()
    const none = words.text(isEmpty ? 'home.emptyTitle' : 'map.noneInView')
    const about = count === 0 ? none : words.plural('map.inView', count)
    const conditions = conditionsIn(filter)
    const hidden = unusable > 0 && words.plural('map.unusable', unusable)
    const offersBeside = (shown: number): Offer[] =>
      conditions
        .filter(({ name }) => name === 'usable' && unusable > 0)
        .map((one) => this.#offer([one], one.without, shown + unusable))
    const listed = count > 0 && (map.place.zoom >= listZoom || count <= fewFountains)
    if (!listed) {
      const { title, offers } =
        count > 0
          ? { title: about, offers: offersBeside(count) }
          : ((await this.#emptied(conditions, map.bounds)) ?? { title: about, offers: [] })
      if (run !== this.#run) return
      this.#show({ title, fountains: [], note: hidden || undefined, offers })
      this.#announce(status, title)
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
        hidden,
      ].filter(Boolean)
      this.#show({
        title,
        fountains: found,
        from: middle,
        note: note.join(' ') || undefined,
        offers: offersBeside(exact),
      })
      this.#announce(status, title)
      this.#showDirectory(false)
    } catch {
      if (run === this.#run) this.#show({ title: about, fountains: [], note: words.text('map.detailFailed') })
    }
  }

  /** Which conditions leave nothing inside the bounds, and the filters without them; undefined where there is nothing. */
  async #emptied(
    conditions: readonly Condition[],
    bounds: Bounds,
  ): Promise<{ readonly title: string; readonly offers: readonly Offer[] } | undefined> {
    const { cells, words } = this.#page
    if (conditions.length === 0) return undefined
    const filters = [...conditions.map(({ without }) => without), noFilter]
    const counts = (await cells.counts(bounds, filters).catch(() => undefined)) ?? []
    const each = conditions.map((one, at) => ({
      dropped: [one],
      filter: one.without,
      count: counts[at] ?? 0,
    }))
    const all = { dropped: conditions, filter: noFilter, count: counts.at(-1) ?? 0 }
    const single = each.filter(({ count }) => count > 0)
    const offered = single.length > 0 || all.count === 0 ? single : [all]
    if (offered.length === 0) return undefined
    return {
      title: words.text('map.emptied', { filter: this.#namesOf(offered.flatMap(({ dropped }) => dropped)) }),
      offers: offered.map(({ dropped, filter, count }) => this.#offer(dropped, filter, count)),
    }
  }

  #offer(conditions: readonly Condition[], filter: Filter, count: number): Offer {
    const { words } = this.#page
    const without = words.text('map.without', { filter: this.#namesOf(conditions) })
    const text = words.plural('fountains', count)
    return { label: words.text('site.labelled', { label: without, text }), filter }
  }

  /** Conditions as the form calls them. */
  #namesOf(conditions: readonly Condition[]): string {
    const { words } = this.#page
    const nameOf = ({ name, value }: Condition): string => {
      if (name === 'amenity') return words.amenity(value)
      if (name === 'region') return words.format.isolate(value)
      if (name !== 'status') return words.text(`map.only.${name}`)
      const states = value.split(',') as StateOfWaypoint[]
      return states
        .map((state) => words.find(`map.states.${state}`) ?? shortOf(words.strings, state))
        .join(', ')
    }
    return conditions.map(nameOf).join(', ')
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
    const list = (
      <FountainList
        content={content}
        onChoose={(fountain) => void page.openAt(fountain)}
        onFilter={(filter) => {
          this.#setFilter(filter)
          section.querySelector<HTMLElement>('#list-heading')?.focus()
        }}
      />
    )
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
