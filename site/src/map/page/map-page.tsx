import { boxAround } from '@openfountain/core/geodesy'
import { render } from 'preact'
import type { PlaceEntry } from '../build/places.ts'
import { elementBy } from '../../client/element-by.ts'
import { formatFor } from '../../messages.ts'
import { remembered } from '../../remembered.ts'
import { Toast } from '../../ui/toast.tsx'
import { onPage } from '../../views/on-page.tsx'
import { Page } from '../../views/page.ts'
import { Icon } from '../../views/parts.tsx'
import { Card } from '../card/card.tsx'
import type { Fountain } from '../data/cell.ts'
import { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { followCompass } from './compass.ts'
import { creditLine } from './credit-line.ts'
import { coverOf, watchCover, type Covered } from './covered.ts'
import type { Filter } from '../list/filter.ts'
import type { FountainMap } from '../engine/fountain-map.ts'
import { landSource, RangeSource, streetFiles } from '../engine/range-source.ts'
import type { FountainPick, Hit } from './clicks.ts'
import { afterFirstPaint, jsonReader, nextTask } from './loading.ts'
import { boundsOfAll, type Position } from './position.ts'
import { type MapState, readState, writeState } from '../data/state.ts'

export interface PageParts {
  onIdle(): void
  onUserMove?(): void
  /** The map was pressed beside all fountains. @returns whether that was meant */
  onPress?(at: Position): boolean
  /** Fountains changed since the site was built. */
  onUpdated?(): void
}

export interface MapButton {
  readonly id?: string
  readonly icon: string
  readonly label: string
  press(): void
}

/** At this zoom a chosen fountain is visible among its neighbours. */
const closeZoom = 16

const streetZoom = 14

export class MapPage {
  readonly config: MapConfig
  readonly cells: Cells
  readonly words: Page
  readonly toast: Toast
  readonly first: MapState
  readonly container = elementBy('#map')
  readonly status = elementBy('#status')
  map: FountainMap | undefined
  here: Position | undefined
  parts: PageParts = { onIdle: () => undefined }
  readonly #framed: boolean
  readonly #card: Card
  readonly #covers: readonly (HTMLElement | null)[]
  readonly #read: (name: string) => Promise<unknown>
  readonly #showCredits: (bounds: Bounds) => void
  readonly #buttons: MapButton[] = []
  #filter: Filter
  #hasCompass = false
  #open: number | undefined
  #shown: Fountain | 'missing' | undefined
  /** The number of the newest search, which alone fills the card. */
  #search = 0
  /** The map's view before the visitor moves it, where no address named it. */
  #untouched: string | undefined
  readonly #waiting: ((map: FountainMap) => void)[] = []

  constructor(config: MapConfig, { framed }: { readonly framed: boolean }) {
    this.config = config
    this.#framed = framed
    const { base, icons, labels, language } = config
    const own = { hasRegions: false, hasForms: false, isSwitched: false, isBuilt: false, custom: [] }
    const visit = { now: new Date(), userAgent: navigator.userAgent }
    this.words = new Page({ ...labels, ...own, ...visit, base, icons, format: formatFor(language) })
    this.#read = remembered(jsonReader(config, 'map/'))
    this.cells = new Cells(jsonReader(config, 'map/cells/'), config.cells)
    this.first = readState(location.search)
    this.#filter = this.first.filter
    this.#open = this.first.fountain
    const stage = this.container.parentElement ?? document.body
    this.toast = new Toast(stage, this.status)
    const credits = elementBy('#attribution')
    this.#card = new Card(elementBy('#card'), this)
    this.#covers = [this.#card.root, document.querySelector<HTMLElement>('#panel')]
    const sized = [this.#card.root, document.querySelector<HTMLElement>('#panel-body')]
    watchCover(() => this.#covered, sized, stage, credits)
    this.#showCredits = creditLine(credits, config.credits, this.cells, this.#read)
  }

  get filter(): Filter {
    return this.#filter
  }

  get open(): number | undefined {
    return this.#open
  }

  get shown(): Fountain | undefined {
    return this.#shown === 'missing' ? undefined : this.#shown
  }

  /** Loads the map after the page's first paint. @throws the errors of loading, after the toast has shown them */
  async start(): Promise<void> {
    const { config, words } = this
    const archive = `${config.base}data/waypoints.pmtiles?v=${encodeURIComponent(config.version)}`
    const tiles = config.tiles && navigator.onLine ? new RangeSource(archive) : undefined
    const land = config.land === undefined ? undefined : landSource(config.land)
    const streets = config.streets && streetFiles(config.streets)
    await afterFirstPaint()
    const filter = this.#filter
    try {
      const { FountainMap: Engine } = await import('../engine/fountain-map.ts')
      await nextTask()
      this.map = await Engine.open({
        config,
        words,
        container: this.container,
        cells: this.cells,
        places: () => this.places(),
        tiles,
        land,
        streets,
        at: this.first.at,
        filter,
        framed: this.#framed,
        events: {
          onIdle: () => this.#onIdle(),
          onUserMove: () => this.parts.onUserMove?.(),
          onClick: (hit) => this.#onClick(hit),
          onFailure: () => {
            if (!navigator.onLine) this.tellOffline()
          },
        },
      })
    } catch (error) {
      const canDraw = document.createElement('canvas').getContext('webgl2') !== null
      this.toast.show(words.text(canDraw ? 'map.failed' : 'map.noWebgl'), 0)
      if (canDraw) throw error
      return
    }
    const { map } = this
    if (this.#filter !== filter) map.setFilter(this.#filter)
    await nextTask()
    this.addButton(
      { icon: 'zoomIn', label: words.text('map.zoomIn'), press: () => map.zoomBy(1) },
      { icon: 'zoomOut', label: words.text('map.zoomOut'), press: () => map.zoomBy(-1) },
    )
    document.documentElement.classList.add('map-ready')
    if (!this.first.at) this.#untouched = writeState({ at: map.place })
    await nextTask()
    this.#onIdle()
    const waiting = this.#waiting.splice(0)
    for (const act of waiting) act(map)
    if (this.#open === undefined || this.#card.isOpen) return
    this.#card.wait()
    await this.#load(
      { id: this.#open },
      { near: this.first.at && map.bounds, isFollowed: waiting.length === 0 },
    )
  }

  /** Calls back with the map: at once, or as soon as it has loaded. */
  withMap(act: (map: FountainMap) => void): void {
    if (this.map) act(this.map)
    else this.#waiting.push(act)
  }

  get #covered(): Covered {
    return coverOf(this.#covers, this.container)
  }

  get #coveredWithCredits(): Covered {
    return coverOf(this.#covers, this.container, elementBy('#attribution'))
  }

  get lookedAt(): Position | undefined {
    return this.map?.middleBeside(this.#covered)
  }

  fit(bounds: Bounds, maxZoom?: number): void {
    this.withMap((map) => map.fit(bounds, this.#coveredWithCredits, maxZoom))
  }

  /** The largest regions, read once. @throws the errors of reading. */
  places(): Promise<readonly PlaceEntry[]> {
    return this.#read('places.json') as Promise<readonly PlaceEntry[]>
  }

  locate(from: Position): void {
    this.here = from
    this.withMap((map) => map.showMe(from))
    this.#card.locate(from)
  }

  /** Turns the arrows of cards and lists with the device. To be called in answer to a tap, once or again. */
  followCompass(): void {
    if (this.#hasCompass) return
    this.#hasCompass = true
    const { style } = elementBy('#content')
    void followCompass((degrees) => style.setProperty('--heading', `${degrees}deg`))
  }

  addButton(...buttons: readonly MapButton[]): void {
    this.#buttons.push(...buttons)
    const drawn = this.#buttons.map(({ id, icon, label, press }) => (
      <button
        key={icon}
        id={id}
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        onClick={press}
      >
        <Icon name={icon} />
      </button>
    ))
    render(onPage(this.words, drawn), elementBy('#controls'))
  }

  /** Shows only fountains that match a filter, and moves to the bounds, if given. */
  setFilter(filter: Filter, bounds?: Bounds): void {
    this.#filter = filter
    this.map?.setFilter(filter)
    if (bounds) this.fit(bounds)
    this.#onIdle()
  }

  async openAt(pick: FountainPick): Promise<void> {
    const opening = this.#openPick(pick)
    this.withMap((map) => this.#goTo(pick, Math.max(closeZoom, map.place.zoom)))
    await opening
  }

  #goTo(position: Position, zoom?: number): void {
    this.withMap((map) => map.goTo(position, zoom, this.#covered))
  }

  async #openPick(pick: FountainPick): Promise<void> {
    const zoom = Math.min(12, this.map?.place.zoom ?? 12)
    // Tiles round positions to some parts of their size.
    const reachMetres = Math.max(20, 40e6 / 2 ** Math.floor(zoom) / 1024)
    this.#open = pick.id
    this.#card.wait(pick.name)
    this.map?.select(pick)
    this.#writeAddress()
    await this.#load(pick, { near: boxAround(pick, reachMetres) })
  }

  async openById(id: number): Promise<void> {
    this.#open = id
    this.#writeAddress()
    this.#card.wait()
    await this.#load({ id }, { isFollowed: true })
  }

  updated(ids: ReadonlySet<number>): void {
    this.map?.showUpdates()
    this.#goToFirst()
    if (this.map) this.#showCredits(this.map.bounds)
    this.parts.onIdle()
    this.parts.onUpdated?.()
    if (this.#open !== undefined && ids.has(this.#open) && this.#shown)
      void this.#renew(this.#open, this.#shown)
  }

  /** Moves to the first fountains of a site that was built with none, unless the visitor has moved the map. */
  #goToFirst(): void {
    if (this.config.bounds || this.#movedTo || this.#open !== undefined) return
    // The visitor is choosing a position: the map must not move under the crosshair.
    if (document.documentElement.classList.contains('contribute-placing')) return
    const bounds = boundsOfAll(this.cells.updates?.fountains() ?? [])
    if (bounds) this.fit(bounds)
  }

  /** Refills the card with the current fountain; a moved one that was in view stays in view. */
  async #renew(id: number, before: Fountain | 'missing'): Promise<void> {
    const { map } = this
    const isNew = before === 'missing'
    const wasSeen = !isNew && map?.shows(before, this.#covered)
    await this.#load({ id }, { isOpening: isNew, isFollowed: isNew })
    const { shown } = this
    if (this.#open === id && map && wasSeen && shown && !map.shows(shown, this.#covered)) this.#goTo(shown)
  }

  /** Fills the card. @param how `near` is where the fountain may be; `isOpening` moves the focus into it, `isFollowed` the map to the fountain */
  async #load(
    { id, name }: Pick<FountainPick, 'id' | 'name'>,
    how: { readonly near?: Bounds | undefined; readonly isOpening?: boolean; readonly isFollowed?: boolean },
  ): Promise<void> {
    const { near, isOpening = true, isFollowed = false } = how
    const { cells, words } = this
    const search = (this.#search += 1)
    if (isOpening) this.#shown = undefined
    const before = this.shown
    try {
      const found = await cells.find(id, near)
      if (search !== this.#search) return
      this.#shown = found ?? 'missing'
      this.map?.select(found)
      if (!found) {
        const title = name ?? (before ? words.title(before) : `#${id}`)
        const into = cells.updates?.mergedInto(id)
        if (into === undefined) this.#card.say(title, words.text('map.gone'), isOpening)
        else this.#card.showMerged(title, into)
        return
      }
      this.#card.showFountain(found, isOpening)
      if (isFollowed)
        this.withMap((map) => {
          if (!this.first.at || !map.shows(found)) return this.#goTo(found, closeZoom)
          if (!map.shows(found, this.#coveredWithCredits)) this.#goTo(found)
        })
      const reviewed = await cells.updates?.withNews(found)
      if (search === this.#search && reviewed && reviewed !== found) this.#card.showFountain(reviewed, false)
    } catch {
      if (search === this.#search) this.#card.say(name ?? `#${id}`, words.text('map.detailFailed'))
    }
  }

  closeCard(): void {
    const isClosed = this.#open === undefined && !this.#card.isOpen
    this.#search += 1
    this.#open = undefined
    this.#shown = undefined
    this.#card.close()
    if (isClosed) return
    this.map?.select(undefined)
    this.#writeAddress()
  }

  #onClick({ fountain, area, at }: Hit): void {
    if (fountain) return void this.#openPick(fountain)
    if (at && this.parts.onPress?.(at) === true) return
    this.closeCard()
    if (area) this.#card.showArea(area)
  }

  #onIdle(): void {
    const { map } = this
    const isNear = map !== undefined && map.place.zoom >= streetZoom
    document.documentElement.classList.toggle('street-level', isNear)
    this.#writeAddress()
    if (map) this.#showCredits(map.bounds)
    this.parts.onIdle()
  }

  tellOffline(): void {
    const date = this.words.format.date(this.config.dataTime)
    this.toast.show(this.words.text('map.offlineNow', { date }), 0)
  }

  /** The place of the map, unless it is still where it began without an address. */
  get #movedTo(): MapState['at'] {
    const at = this.map?.place
    return writeState({ at }) === this.#untouched ? undefined : at
  }

  /** Writes the state into the address. An unsent fountain has no id that other pages know. */
  #writeAddress(): void {
    if (!this.map) return
    const fountain = this.#open !== undefined && this.#open > 0 ? this.#open : undefined
    const query = writeState({ at: this.#movedTo, filter: this.#filter, fountain })
    if (query !== location.search) history.replaceState(history.state, '', `${location.pathname}${query}`)
  }

  async share(): Promise<void> {
    const url = location.href
    try {
      if (typeof navigator.share === 'function') await navigator.share({ title: document.title, url })
      else {
        await navigator.clipboard.writeText(url)
        this.toast.show(this.words.text('map.linkCopied'))
      }
    } catch {
      // Sharing was cancelled, or the browser refuses to copy: the address bar has the link.
    }
  }
}
