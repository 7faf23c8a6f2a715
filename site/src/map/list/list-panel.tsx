import { boxAround } from '@openfountain/core/geodesy'
import type { StateOfWaypoint } from '@openfountain/core/status'
import { render } from 'preact'
import { elementBy } from '../../client/element-by.ts'
import type { FilterForm } from './filter-form.tsx'
import { type Condition, conditionsIn, type Filter, noFilter } from './filter.ts'
import { FountainList, type ListContent, type Offer } from './fountain-list.tsx'
import type { Route } from './route.ts'
import type { Sheet } from './sheet.ts'
import { areaQuery, type Circle, circleIn, shapeOf, Telling } from './telling.tsx'
import type { NearFountain, NearResult } from '../data/cells.ts'
import type { Bounds } from '../../data/region.ts'
import type { FountainMap } from '../engine/fountain-map.ts'
import type { MapPage } from '../page/map-page.tsx'
import { nextTask } from '../page/loading.ts'
import { boundsOfAll, boundsOfBoth, type Position } from '../page/position.ts'
import { shortOf } from '../../status/words.ts'
import { onPage } from '../../views/on-page.tsx'

const listLimit = 60
const firstShown = 8
const nearLimit = 20

/** From this zoom on, or with at most this number in view, the fountains in view are listed one by one. */
const listZoom = 11
const fewFountains = 200

const nearFilter: Filter = { ...noFilter, usable: true }

/** Beyond walking distance, the list says so. */
const farMetres = 5000

const nearZoom = 15.5
/** The zoom that shows the visitor and a near fountain with their street. */
const nearestMaxZoom = 17

export class ListPanel {
  readonly #page: MapPage
  readonly #filters: FilterForm
  readonly #sheet: Sheet
  readonly #section = elementBy('#list-section')
  readonly #directory = elementBy('#directory')
  #near: Position | undefined
  #route: Route | undefined
  #circle: Circle | undefined
  /** Where the visitor was when the list was made. */
  #here: Position | undefined
  #run = 0
  #watch: number | undefined

  constructor(page: MapPage, filters: FilterForm, sheet: Sheet) {
    this.#page = page
    this.#filters = filters
    this.#sheet = sheet
    const { search } = location
    // The map goes to a waiting place instead of to the fountain of the address.
    if (/[?&]radius=/u.test(search)) page.withMap((map) => this.#draw(circleIn(search, map.place)))
  }

  #draw(circle: Circle | undefined): void {
    const isWider = circle && circle.radius !== this.#circle?.radius
    this.#circle = circle
    this.#page.map?.draw(circle && shapeOf(circle))
    if (isWider) {
      this.#sheet.show('half')
      this.#page.fit(boxAround(circle, circle.radius))
    }
    void this.show()
  }

  moveCircle(to: Position | undefined): boolean {
    if (!this.#circle || !to) return false
    this.#draw({ radius: this.#circle.radius, ...to })
    return true
  }

  leave(): void {
    this.#near = undefined
  }

  /** Lists the fountains nearest to the visitor's location, which the browser is asked for; map and card follow. */
  nearMe(): void {
    const { toast, words } = this.#page
    if (!('geolocation' in navigator)) return toast.show(words.text('map.locationFailed'))
    const { geolocation } = navigator
    if (this.#watch !== undefined) geolocation.clearWatch(this.#watch)
    toast.show(words.text('map.locating'), 0)
    this.#page.followCompass()
    let isFirst = true
    this.#watch = geolocation.watchPosition(
      ({ coords }) => {
        this.#page.locate(coords)
        if (!isFirst) return
        isFirst = false
        toast.hide()
        this.#here = coords
        void this.#list(coords)
        void this.#goNear(coords)
      },
      ({ code, PERMISSION_DENIED }) => {
        // The last position stays.
        if (!isFirst) return
        const problem = code === PERMISSION_DENIED ? 'map.locationDenied' : 'map.locationFailed'
        toast.show(words.text(problem), 10)
      },
      { enableHighAccuracy: true, timeout: 15_000, maximumAge: 5000 },
    )
  }

  nearCentre(): void {
    this.#page.withMap(({ place }) => void this.#list(this.#page.lookedAt ?? place))
  }

  /** Lists the fountains along the route of a file, until it is closed, and draws it. The route stays on this device. */
  async followRoute(file: File): Promise<void> {
    const page = this.#page
    try {
      const { Route } = await import('./route.ts')
      this.#route = await Route.in(file)
    } catch {
      const name = page.words.format.isolate(file.name)
      return page.toast.show(page.words.text('map.routeUnread', { file: name }), 10)
    }
    this.#near = undefined
    const { line, places } = this.#route
    const bounds = boundsOfAll(places)
    this.#circle = undefined
    page.withMap((map) => map.draw({ type: 'LineString', coordinates: line.map((point) => [...point]) }))
    this.#sheet.show('half')
    if (bounds) page.fit(bounds)
    await this.show()
  }

  #endRoute(): void {
    this.#route = undefined
    this.#page.map?.draw()
    void this.show().then(() => elementBy('#list-heading').focus())
  }

  async #list(near: Position): Promise<void> {
    this.#near = near
    this.#sheet.show('half')
    await this.show()
  }

  #nearest(from: Position): Promise<NearResult> {
    const { cells, filter } = this.#page
    // Nobody is sent where there is nothing to drink.
    return cells.nearest(from, nearLimit, { ...filter, usable: true })
  }

  /** Shows the visitor together with the fountain that is listed first. */
  async #goNear(from: Position): Promise<void> {
    const { found } = await this.#nearest(from).catch(() => ({ found: [] }))
    if (this.#near !== from) return
    const [first] = found
    if (first) this.#page.fit(boundsOfBoth(from, first.fountain), nearestMaxZoom)
    else this.#page.withMap((map) => map.goTo(from, Math.max(nearZoom, map.place.zoom)))
  }

  /** Shows the list as it is now, once the map is at rest. */
  async show(): Promise<void> {
    const run = (this.#run += 1)
    const [page, section] = [this.#page, this.#section]
    section.setAttribute('aria-busy', 'true')
    const [near, route] = [this.#near, this.#route]
    const content = near
      ? await this.#contentNear(near)
      : route
        ? await this.#contentAlong(route)
        : page.map && (await this.#contentIn(page.map))
    if (run !== this.#run || !content) return
    const { activeElement } = document
    const middle = (): Position | undefined => page.lookedAt
    const telling = page.config.live && page.map && !route && (
      <Telling
        key="telling"
        area={areaQuery(this.#circle, page.map.bounds, page.filter)}
        circle={this.#circle}
        onRadius={(radius) => {
          const at = this.#circle ?? middle()
          this.#draw(radius === undefined || !at ? undefined : { ...at, radius })
        }}
        onCentre={() => this.moveCircle(middle())}
      />
    )
    // The first entries, all that a phone shows, are drawn before the others.
    for (const many of [firstShown, Infinity]) {
      const shown = { ...content, fountains: content.fountains.slice(0, many) }
      const list = (
        <>
          {this.#circle && telling}
          <FountainList
            key="list"
            content={shown}
            onChoose={(fountain) => void page.openAt(fountain)}
            onFilter={(filter) => {
              this.#filters.set(filter)
              section.querySelector<HTMLElement>('#list-heading')?.focus()
            }}
          />
          {!this.#circle && telling}
        </>
      )
      render(onPage(page.words, list), section)
      if (content.fountains.length <= many) break
      await nextTask()
      if (run !== this.#run) return
    }
    section.setAttribute('aria-busy', 'false')
    // An entry that was moved has lost the focus.
    if (activeElement instanceof HTMLElement && section.contains(activeElement)) activeElement.focus()
    const said = (near && content.note) ?? content.title
    // Screen readers say it again whenever it is set.
    if (page.status.textContent !== said) page.status.textContent = said
    this.#directory.hidden =
      near !== undefined || route !== undefined || content.fountains.length > 0 || this.#hasBegun()
  }

  async #contentNear(from: Position): Promise<ListContent> {
    const { filter, words } = this.#page
    const title = words.text('map.nearest')
    try {
      const { found, complete } = await this.#nearest(from)
      const walk = from === this.#here ? 'fromHere' : 'fromThere'
      const content: ListContent = {
        title,
        fountains: found,
        from,
        walk,
        note: this.#noteOn(found, complete),
      }
      if ((found[0]?.metres ?? Infinity) <= farMetres) return content
      const conditions = conditionsIn({ ...filter, usable: true }).filter(({ name }) => name !== 'usable')
      const around = boxAround(from, farMetres)
      const emptied = await this.#emptied(conditions, around, nearFilter)
      return { ...content, ...(found.length === 0 ? emptied : { offers: emptied?.offers }) }
    } catch {
      return { title, fountains: [], note: words.text('map.detailFailed') }
    }
  }

  async #contentAlong(route: Route): Promise<ListContent> {
    const { cells, filter, words } = this.#page
    const title = words.text('map.routeTitle', { file: words.format.isolate(route.name) })
    const end = { icon: 'close', label: words.text('map.routeEnd'), press: () => this.#endRoute() }
    try {
      // Nobody is sent where there is nothing to drink.
      const { found, isComplete } = await route.fountains(cells, { ...filter, usable: true })
      const label = words.text('map.routeSave')
      const save = { icon: 'download', label, press: () => route.save(found, words) }
      const note = [words.plural('fountains', found.length), !isComplete && words.text('map.routeIncomplete')]
      return {
        title,
        fountains: found,
        note: note.filter(Boolean).join('. '),
        acts: found.length > 0 ? [save, end] : [end],
      }
    } catch {
      return { title, fountains: [], note: words.text('map.detailFailed'), acts: [end] }
    }
  }

  #noteOn([nearest]: readonly NearFountain[], complete: boolean): string | undefined {
    const { words } = this.#page
    if (!nearest) return words.text('map.nothingNear')
    if (nearest.metres > farMetres)
      return words.text('map.farAway', { distance: words.distance(nearest.metres) })
    return complete ? undefined : words.text('map.nearestIncomplete')
  }

  /** The fountains in view; undefined while the view may still change. */
  async #contentIn(map: FountainMap): Promise<ListContent | undefined> {
    const { cells, filter, config, words } = this.#page
    if (map.busy) return undefined
    const { shown: count, unusable } = map.countInView()
    const conditions = conditionsIn(filter)
    const hidden = unusable > 0 ? words.plural('map.unusable', unusable) : undefined
    const offersBeside = (shown: number): Offer[] =>
      conditions
        .filter(({ name }) => name === 'usable' && unusable > 0)
        .map((one) => this.#offer([one], one.without, shown + unusable))
    if (count === 0) {
      const isEmpty = !config.bounds && !this.#hasBegun()
      const title = words.text(isEmpty ? 'home.emptyTitle' : 'map.noneInView')
      return { title, ...(await this.#emptied(conditions, map.bounds)), fountains: [], note: hidden }
    }
    const title = words.plural('map.inView', count)
    if (map.place.zoom < listZoom && count > fewFountains)
      return { title, fountains: [], note: hidden, offers: offersBeside(count) }
    try {
      const from = map.place
      const { found } = await cells.nearest(from, listLimit, filter, map.bounds)
      // The tiles round positions, so that counts may be off by one at the edges; a complete list is exact.
      const exact = found.length < listLimit ? found.length : Math.max(count, found.length)
      const more = exact - found.length
      const note = [
        more > 0 && words.text('map.listMore', { n: words.format.number(more) }),
        found.length > 0 && words.text('map.fromMiddle'),
        hidden,
      ].filter(Boolean)
      return {
        title: words.plural('map.inView', exact),
        fountains: found,
        from,
        note: note.join(' ') || undefined,
        offers: offersBeside(exact),
      }
    } catch {
      return { title, fountains: [], note: words.text('map.detailFailed') }
    }
  }

  /** The conditions that leave nothing inside the bounds, and the filters without them. @param least filters for any case */
  async #emptied(
    conditions: readonly Condition[],
    bounds: Bounds,
    least = noFilter,
  ): Promise<Pick<ListContent, 'title' | 'offers'> | undefined> {
    const { cells, words } = this.#page
    if (conditions.length === 0) return undefined
    const choices = [
      ...conditions.map((one) => ({ dropped: [one], filter: one.without })),
      { dropped: conditions, filter: least },
    ]
    const filters = choices.map(({ filter }) => filter)
    const counts = (await cells.counts(bounds, filters).catch(() => undefined)) ?? []
    const shown = choices
      .map((choice, at) => ({ ...choice, count: counts[at] ?? 0 }))
      .filter(({ count }) => count > 0)
    // Without all of them only where no single one is to blame.
    const offered = shown.length > 1 ? shown.slice(0, -1) : shown
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

  /** Whether a site built without fountains, whose directory says so, has some now. */
  #hasBegun(): boolean {
    const { config, cells } = this.#page
    return !config.bounds && [...(cells.updates?.fountains() ?? [])].length > 0
  }
}
