import { isInside } from '@openfountain/core/geodesy'
import type { PlaceEntry } from '../build/places.ts'
import { elementBy } from '../../client/element-by.ts'
import { formatFor } from '../../messages.ts'
import { Toast } from '../../ui/toast.tsx'
import { Page } from '../../views/page.ts'
import { Card } from '../card/card.tsx'
import type { Fountain } from '../data/cell.ts'
import { Cells } from '../data/cells.ts'
import type { MapConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { CreditLine } from './credit-line.ts'
import { coverOf, watchCover } from './covered.ts'
import type { Filter } from '../list/filter.ts'
import type { FountainMap } from '../engine/fountain-map.ts'
import type { AreaPick, FountainPick } from '../engine/map-events.ts'
import { jsonReader } from './loading.ts'
import { mapControls } from '../engine/map-controls.ts'
import { openMap } from './open-map.ts'
import { PageAddress } from './page-address.ts'
import { boundsAround, boundsOfAll, type Position } from './position.ts'
import { type MapState, readState } from '../data/state.ts'

/** The hooks by which a page extends its map. */
export interface PageParts {
  /** The map came to rest; also called when the filter changed. */
  onIdle(): void
  /** The visitor moved the map. */
  onUserMove(): void
}

/** At this zoom a chosen fountain is visible among its neighbours. */
const closeZoom = 16

/** The zoom from which streets are shown. */
const streetZoom = 14

/** A page with the map: its state, its card and its address, always in agreement. */
export class MapPage {
  readonly config: MapConfig
  readonly cells: Cells
  /** The texts of the page. */
  readonly words: Page
  readonly toast: Toast
  map: FountainMap | undefined
  parts: PageParts = { onIdle: () => undefined, onUserMove: () => undefined }
  /** Called when fountains changed since the site was built. */
  onUpdated: () => void = () => undefined
  /** The query of the address with which the page was opened. */
  readonly firstSearch: string
  readonly #framed: boolean
  readonly #card: Card
  readonly #credits: CreditLine
  #filter: Filter
  #fountain: number | undefined
  readonly #first: MapState
  readonly #address: PageAddress
  #places: Promise<readonly PlaceEntry[]> | undefined
  #controls: HTMLElement | undefined
  /** Calls to run once the map has loaded. */
  readonly #waiting: ((map: FountainMap) => void)[] = []

  constructor(config: MapConfig, { framed }: { readonly framed: boolean }) {
    this.config = config
    this.#framed = framed
    const { base, icons, labels, language } = config
    const own = { hasRegions: false, hasForms: false, isSwitched: false, isBuilt: false, custom: [] }
    const visit = { now: new Date(), userAgent: navigator.userAgent }
    this.words = new Page({ ...labels, ...own, ...visit, base, icons, format: formatFor(language) })
    this.cells = new Cells(jsonReader(config, 'map/cells/'))
    this.firstSearch = location.search
    this.#first = readState(this.firstSearch)
    this.#address = new PageAddress(this.#first)
    this.#filter = this.#first.filter
    this.#fountain = this.#first.fountain
    const stage = this.container.parentElement ?? document.body
    this.toast = new Toast(stage, this.status)
    const credits = elementBy('#attribution')
    watchCover(this.#cardElement, stage, credits)
    this.#credits = new CreditLine(credits, config, this.cells)
    this.#card = new Card(this.#cardElement, this)
  }

  get container(): HTMLElement {
    return elementBy('#map')
  }

  get status(): HTMLElement {
    return elementBy('#status')
  }

  get #cardElement(): HTMLElement {
    return elementBy('#card')
  }

  get filter(): Filter {
    return this.#filter
  }

  /** Loads the map after the page's first paint. */
  async start(): Promise<void> {
    const filter = this.#filter
    const { config, container, cells, toast, words } = this
    this.map = await openMap({
      config,
      container,
      cells,
      places: () => this.places(),
      at: this.#first.at,
      filter,
      framed: this.#framed,
      events: {
        onIdle: () => this.#onIdle(),
        onUserMove: () => this.parts.onUserMove(),
        onFountain: (pick) => void this.openPick(pick),
        onArea: (area) => this.#openArea(area),
        onNothing: () => this.closeCard(),
        onFailure: () => this.#failed(),
      },
      toast,
      words,
    })
    const { map } = this
    if (!map) return
    if (this.#filter !== filter) map.setFilter(this.#filter)
    this.#controls = mapControls(this.words, (steps) => map.zoomBy(steps))
    this.container.before(this.#controls)
    document.documentElement.classList.add('map-ready')
    this.#address.begin(map.place)
    this.#onIdle()
    const waiting = this.#waiting.splice(0)
    for (const act of waiting) act(map)
    if (this.#fountain !== undefined && !this.#card.isOpen)
      await this.#openById(this.#fountain, waiting.length === 0)
  }

  /** Calls back with the map: at once, or as soon as it has loaded. */
  withMap(act: (map: FountainMap) => void): void {
    if (this.map) act(this.map)
    else this.#waiting.push(act)
  }

  /** Shows bounds beside the card, at most at `maxZoom`. */
  fit(bounds: Bounds, maxZoom?: number): void {
    this.withMap((map) => map.fit(bounds, coverOf(this.#cardElement, this.container), maxZoom))
  }

  /** The largest regions, read once. @throws the errors of reading. */
  places(): Promise<readonly PlaceEntry[]> {
    const read = jsonReader(this.config, 'map/')
    this.#places ??= read('places.json').then((file) => file as readonly PlaceEntry[])
    return this.#places
  }

  /** Takes the visitor's position, once it is shared. */
  locate(from: Position): void {
    this.withMap((map) => map.showMe(from))
    this.#card.locate(from)
  }

  /** Adds a button over the map, once it has loaded. */
  addButton(button: HTMLElement): void {
    this.#controls?.append(button)
  }

  /** Shows only fountains that match a filter, and moves to the bounds, if given. */
  setFilter(filter: Filter, bounds?: Bounds): void {
    this.#filter = filter
    this.map?.setFilter(filter)
    if (bounds) this.fit(bounds)
    this.#onIdle()
  }

  /** Opens a fountain chosen outside the map, and moves the map there. */
  async openAt(pick: FountainPick): Promise<void> {
    this.withMap((map) => map.goTo(pick, Math.max(closeZoom, map.place.zoom)))
    await this.openPick(pick)
  }

  /** Opens a fountain whose position is only roughly known. */
  async openPick(pick: FountainPick): Promise<void> {
    const zoom = Math.min(12, this.map?.place.zoom ?? 12)
    const reach = Math.max(2e-4, 360 / 2 ** Math.floor(zoom) / 1024)
    this.#fountain = pick.id
    this.#card.wait(pick.name)
    this.map?.select(pick)
    this.#writeAddress()
    await this.#card.load(pick, () => this.cells.find(pick.id, boundsAround(pick, reach)))
  }

  /** Shows the changed fountains on the map, in the list and in the card. */
  updated(ids: ReadonlySet<number>): void {
    this.map?.showUpdates()
    this.#goToFirst()
    if (this.map) void this.#credits.show(this.map.bounds)
    this.parts.onIdle()
    this.onUpdated()
    const [id, before] = [this.#fountain, this.#card.fountain]
    if (id !== undefined && ids.has(id) && before !== undefined) void this.#fillAgain(id, before)
  }

  /** Moves to the first fountains of a site that was built with none, unless the visitor has moved the map. */
  #goToFirst(): void {
    const isWhereItBegan = this.map && this.#address.isUntouched(this.map.place)
    if (this.config.bounds || !isWhereItBegan || this.#fountain !== undefined) return
    // The visitor is choosing a position: the map must not move under the crosshair.
    if (document.documentElement.classList.contains('contribute-placing')) return
    const bounds = boundsOfAll(this.cells.updates?.fountains() ?? [])
    if (bounds) this.fit(bounds)
  }

  /** Refills the card with the current fountain; a moved one that was in view stays in view. */
  async #fillAgain(id: number, before: Fountain | 'missing'): Promise<void> {
    const { map } = this
    const wasSeen = before !== 'missing' && map !== undefined && isInside(map.bounds, before)
    await this.#card.load({ id }, () => this.cells.byId(id), before === 'missing')
    const { shown } = this
    if (this.#fountain !== id || !shown) return
    if (before === 'missing') this.#goUnlessSeen(shown)
    else if (wasSeen && !isInside(map.bounds, shown)) map.goTo(shown)
  }

  /** The id of the fountain in the card. */
  get open(): number | undefined {
    return this.#fountain
  }

  /** The fountain in the card; undefined while it is loading or when it is not found. */
  get shown(): Fountain | undefined {
    const { fountain } = this.#card
    return typeof fountain === 'object' ? fountain : undefined
  }

  closeCard(): void {
    const isClosed = this.#fountain === undefined && !this.#card.isOpen
    this.#fountain = undefined
    this.#card.close()
    if (isClosed) return
    this.map?.select(undefined)
    this.#writeAddress()
  }

  /** Opens the fountain in the address; `go` also moves the map unless it is in view. */
  async #openById(id: number, go: boolean): Promise<void> {
    const { map } = this
    if (!map) return
    this.#card.wait()
    await this.#card.load({ id }, async () => {
      const near = this.#first.at && (await this.cells.find(id, map.bounds))
      const found = near ?? (await this.cells.byId(id))
      if (go && found && this.#fountain === id) this.#goUnlessSeen(found)
      return found
    })
  }

  /** Moves to the fountain in the address, unless the address has a place with it in view. */
  #goUnlessSeen(fountain: Fountain): void {
    const { map } = this
    if (map && !(this.#first.at && isInside(map.bounds, fountain))) map.goTo(fountain, closeZoom)
  }

  /** Opens the fountain with an id, anywhere on the map. */
  async openById(id: number): Promise<void> {
    this.#fountain = id
    this.#writeAddress()
    await this.#openById(id, true)
  }

  #openArea(area: AreaPick): void {
    this.closeCard()
    this.#card.showArea(area)
  }

  #onIdle(): void {
    const { map } = this
    document.documentElement.classList.toggle(
      'street-level',
      map !== undefined && map.place.zoom >= streetZoom,
    )
    this.#writeAddress()
    if (map) void this.#credits.show(map.bounds)
    this.parts.onIdle()
  }

  #failed(): void {
    if (!navigator.onLine) this.tellOffline()
  }

  /** Says that the visitor is offline, with the time of the data. */
  tellOffline(): void {
    const date = this.words.format.date(this.config.dataTime)
    this.toast.show(this.words.text('map.offlineNow', { date }), 0)
  }

  #writeAddress(): void {
    if (this.map) this.#address.write(this.map.place, this.#filter, this.#fountain)
  }

  /** Shares the address, or copies it. */
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
