import { isInside } from '@openfountain/core/geodesy'
import { AttributionControl, Map as MapLibreMap, ScaleControl, setWorkerUrl } from '#engine'
import type { FeatureCollection, LineString, Polygon } from 'geojson'
import type { FilterSpecification, GeoJSONSource } from 'maplibre-gl'
import { PMTiles, ResolvedValueCache } from 'pmtiles'
import { cellBounds, type CellEntry, type CellPoint, type Fountain } from '../data/cell.ts'
import type { PlaceEntry } from '../build/places.ts'
import type { Cells } from '../data/cells.ts'
import { type Hit, hitOf } from '../page/clicks.ts'
import { onColourChange } from './colours.ts'
import { inhabited, type MapConfig } from '../data/config.ts'
import type { Bounds } from '../../data/region.ts'
import { type Covered, nothingCovered } from '../page/covered.ts'
import { landMaxZoom } from '../data/land.ts'
import {
  type Disc,
  discFeatures,
  fountainFeatures,
  markFeatures,
  noPoints,
  placeFeatures,
  positionOf,
} from '../data/features.ts'
import { conditionsIn, type Filter, matches } from '../list/filter.ts'
import { engineWords } from './engine-words.ts'
import { Overlay, styleNow } from './overlay.ts'
import { centre, wrapLongitude, type Position } from '../page/position.ts'
import type { Page } from '../../views/page.ts'
import { drawGlyphsApart, drawOnce, painted } from './painted.ts'
import { jsonReader, nextTask } from '../page/loading.ts'
import { printable } from '../page/print.ts'
import { openTiles, serveTiles } from './protocols.ts'
import type { RangeSource, StreetFiles } from './range-source.ts'
import type { Place } from '../data/state.ts'
import { fountainLayerIds, nameZoom, singleZoom } from './fountain-layers.ts'
import { inCountry } from './layers.ts'
import { sources } from './sources.ts'
import { type TurnFile, turnsUntil } from '../data/turns.ts'
import { today } from '../../status/stage.ts'
import { openStreets } from './streets.ts'
import { boundsOf, corners, fitting, placeOf, roomBeside } from './view.ts'
import { workerUrl } from './worker.ts'

/** Within the one module that pages load the engine with, so that it stays one file. */
export { showPlaces } from './place-map.ts'

/** Of flights, in milliseconds. */
const maxDuration = 1600
/** While many cells are loading, the loaded ones are shown after this time. */
const partialAfterMilliseconds = 700
/** How long the first picture waits for streets, in milliseconds. Their first request is as old as the engine's. */
const streetsWithin = 200
/** Most cells that are read of a view from afar: of the first one, and of others. The rest are discs. */
const [firstCells, mostCells] = [2, 24]

export interface FountainMapOptions {
  readonly config: MapConfig
  readonly words: Page
  readonly container: HTMLElement
  readonly cells: Cells
  /** The largest regions, for names on the map. */
  places(): Promise<readonly PlaceEntry[]>
  /** Absent offline: then the cached cells are shown. */
  readonly tiles: RangeSource | undefined
  /** The bundled base map; absent where a style replaces it. */
  readonly land: RangeSource | undefined
  readonly streets: StreetFiles | undefined
  /** The first view; default all fountains. */
  readonly at: Place | undefined
  readonly filter: Filter
  /** In a frame, scrolling the page takes precedence. */
  readonly framed: boolean
  readonly events: {
    /** The map came to rest, or its fountains changed. */
    onIdle(): void
    onUserMove(): void
    onClick(hit: Hit): void
    /** A file could not be read; the map continues without it. */
    onFailure(): void
  }
}

export class FountainMap {
  readonly map: MapLibreMap
  readonly #options: FountainMapOptions
  readonly #overlay: Overlay
  readonly #draw: () => Promise<unknown>
  #filter: Filter
  #hasTiles = false
  /** Of the cells in view, or newer than the tiles: fountains that match the filter, usable or not. */
  #points: readonly CellPoint[] = []
  /** Of the cells in view whose fountains are not read. */
  #discs: readonly Disc[] = []
  #isFirstView = true
  #run = 0
  #reading = false

  private constructor(options: FountainMapOptions) {
    const { config, words, container, at, framed } = options
    this.#options = options
    this.#filter = options.filter
    this.map = new MapLibreMap({
      container,
      ...(at && { center: [at.longitude, at.latitude], zoom: at.zoom }),
      maxZoom: 19,
      minZoom: 0.5,
      attributionControl: false,
      dragRotate: false,
      touchPitch: false,
      pitchWithRotate: false,
      maxPitch: 0,
      cooperativeGestures: framed,
      // Fading in names redraws the map needlessly, which is worst on slow devices.
      fadeDuration: 0,
      pixelRatio: Math.min(2, devicePixelRatio),
      locale: engineWords(words),
    })
    this.#draw = drawOnce(this.map)
    this.#overlay = new Overlay(this.map, config)
  }

  /** Makes the map and resolves after the first drawing. @throws when this browser cannot draw it. */
  static async open(options: FountainMapOptions): Promise<FountainMap> {
    const { config } = options
    setWorkerUrl(workerUrl)
    // The other cache of PMTiles keeps failures too.
    const land = options.land && serveTiles(new PMTiles(options.land, new ResolvedValueCache()), 'base')
    const archive = options.tiles && openTiles(options.tiles)
    const streets = options.streets && openStreets(options.streets).catch(() => undefined)
    await nextTask()
    const made = new FountainMap(options)
    await nextTask()
    if (!options.at) made.map.fitBounds(corners(config.bounds ?? inhabited), { ...fitting, animate: false })
    if (land) made.#readAhead(land, landMaxZoom)
    await nextTask()
    made.map.setStyle(styleNow(config))
    const styled = made.map.once('style.load')
    const opened = await archive
    if (opened) made.#readAhead(serveTiles(opened, 'fountains'), singleZoom)
    made.#hasTiles = opened !== undefined
    await made.#start(styled, streets)
    return made
  }

  /** Reads the tiles in view, which MapLibre asks for once its worker has started. */
  #readAhead(read: (place: string) => Promise<unknown>, maxzoom: number): void {
    for (const { canonical } of this.map.coveringTiles({ tileSize: 512, minzoom: 0, maxzoom })) {
      const { z, x, y } = canonical
      read(`${z}/${x}/${y}`).catch(() => undefined)
    }
  }

  async #start(styled: Promise<unknown>, streets?: ReturnType<typeof openStreets>): Promise<void> {
    const { map } = this
    const { config, events } = this.#options
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    map.addControl(new ScaleControl({ maxWidth: 110, unit: 'metric' }), 'bottom-left')
    if (config.style?.isCredited === false)
      map.addControl(new AttributionControl({ compact: false }), 'bottom-right')
    map.on('error', (event) => {
      if ('sourceId' in event && event.sourceId === sources.tiles) this.#stopUsingTiles()
      events.onFailure()
    })
    addEventListener('offline', () => this.#stopUsingTiles())
    await styled
    drawGlyphsApart(map)
    await nextTask()
    await this.#overlay.addLayers()
    // The first picture has the streets, unless they are slow.
    const waited = new Promise<undefined>((end) => setTimeout(end, streetsWithin))
    const draw = await Promise.race([streets, waited])
    await draw?.(map).catch(() => events.onFailure())
    this.#chooseSet()
    this.#listen()
    void this.#addNames()
    await this.#follow()
    await this.#draw()
    await painted(map.getCanvas())
    if (!draw) void streets?.then((late) => late?.(map))
  }

  /** Adds labels and marked areas, for which fountains do not wait; those that are there in time are in the first picture. */
  async #addNames(): Promise<void> {
    const { config, events, places } = this.#options
    const shown = await places().catch(() => {
      events.onFailure()
      return []
    })
    this.#overlay.show(sources.places, placeFeatures(shown, config.language))
    this.#overlay.draw({ regions: shown.map(([name, , , , , , , , country]) => inCountry(name, country)) })
    if (config.turns !== undefined && config.turns <= today())
      this.#overlay.draw({ turns: turnsUntil(await this.#read<TurnFile>('map/turns.json', []), today()) })
    if (!config.areas) return
    this.#overlay.show(sources.areas, await this.#read<FeatureCollection>('data/areas.geojson', noPoints))
  }

  #listen(): void {
    const { map } = this
    const { events } = this.#options
    map.on('click', (event) => {
      const hit = hitOf(map, event)
      if (hit.cluster) void this.#openCluster(hit.cluster)
      else events.onClick(hit)
    })
    for (const layer of fountainLayerIds) {
      map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'))
      map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''))
    }
    map.on('movestart', ({ originalEvent }) => {
      if (originalEvent) events.onUserMove()
    })
    map.on('moveend', () => {
      this.#isFirstView = false
      if (!this.#usesTiles()) void this.#follow()
    })
    map.on('idle', () => events.onIdle())
    onColourChange(() => void this.#overlay.recolour())
    printable(map)
  }

  get place(): Place {
    return placeOf(this.map)
  }

  /** The bounds of the view; all longitudes when it shows the whole earth. */
  get bounds(): Bounds {
    return boundsOf(this.map)
  }

  /** The number of fountains in view, including those in clusters, and of those that the filter hides as not usable. */
  countInView(): { readonly shown: number; readonly unusable: number } {
    const { bounds, map } = this
    const { updates } = this.#options.cells
    const inView = this.#points.filter((point) => isInside(bounds, point))
    let shown = inView.filter((point) => matches(this.#filter, point)).length
    let all = inView.length
    for (const { at, fountains, unusable } of this.#discs) {
      if (!isInside(bounds, at)) continue
      shown += fountains
      all += fountains + unusable
    }
    if (this.#usesTiles()) {
      const drawn = this.#filter.usable ? ['usable_count', 'point_count'] : ['point_count']
      const count = (filter: FilterSpecification | undefined, names: readonly string[]): number => {
        // A point near the edge of a tile is in its neighbour, too.
        const once = new Map<string, number>()
        for (const feature of map.querySourceFeatures(sources.tiles, {
          sourceLayer: 'waypoints',
          ...(filter && { filter }),
        })) {
          const { properties } = feature
          const position = positionOf(feature)
          if (!isInside(bounds, position) || updates?.replaces(Number(properties['id']))) continue
          const points = names.map((name) => properties[name] as unknown).find((n) => n !== undefined) ?? 1
          const key = properties['id'] ?? `${position.latitude.toFixed(5)} ${position.longitude.toFixed(5)}`
          once.set(String(key), Number(points))
        }
        return once.values().reduce((sum, points) => sum + points, 0)
      }
      shown += count(map.getFilter('tiles-dot') ?? undefined, drawn)
      all += count(undefined, ['point_count'])
    }
    return { shown, unusable: all - shown }
  }

  /** Whether the fountains in view may still change, because files are being loaded. */
  get busy(): boolean {
    return this.#reading || (this.#usesTiles() && !this.map.isSourceLoaded(sources.tiles))
  }

  setFilter(filter: Filter): void {
    this.#filter = filter
    this.#chooseSet()
    this.showUpdates()
  }

  showUpdates(): void {
    const { updates } = this.#options.cells
    const waiting = [...(updates?.fountains() ?? [])].filter(({ isWaiting }) => isWaiting)
    const seen = waiting.filter((fountain) => matches(this.#filter, fountain))
    this.#overlay.show(sources.waiting, fountainFeatures(seen))
    this.#overlay.draw({ hidden: updates?.replaced() ?? [] })
    void this.#follow()
  }

  select(fountain: Position | Fountain | undefined): void {
    const isKnown = fountain !== undefined && 'amenities' in fountain
    this.#overlay.show(sources.selected, isKnown ? fountainFeatures([fountain]) : markFeatures(fountain))
  }

  draw(geometry?: LineString | Polygon): void {
    this.#overlay.show(sources.route, {
      type: 'FeatureCollection',
      features: geometry ? [{ type: 'Feature', properties: {}, geometry }] : [],
    })
  }

  showMe(position: Position): void {
    this.#overlay.show(sources.me, markFeatures(position))
  }

  /** Flies to a place, above the covered bottom, or jumps for visitors who prefer reduced motion. */
  goTo({ latitude, longitude }: Position, zoom = this.map.getZoom(), { bottom } = nothingCovered): void {
    this.map.flyTo({ center: [longitude, latitude], zoom, offset: [0, -bottom / 2], maxDuration })
  }

  /** Whether a place is in the uncovered part of the view, with its mark. */
  shows({ latitude, longitude }: Position, { left, right, bottom } = nothingCovered): boolean {
    const { clientWidth, clientHeight } = this.map.getContainer()
    const { x, y } = this.map.project([longitude, latitude])
    return x >= left && x <= clientWidth - right && y >= 0 && y <= clientHeight - bottom - 20
  }

  middleBeside({ bottom }: Covered): Position {
    if (bottom === 0) return this.place
    const { clientWidth, clientHeight } = this.map.getContainer()
    const { lat, lng } = this.map.unproject([clientWidth / 2, (clientHeight - bottom) / 2])
    return { latitude: lat, longitude: wrapLongitude(lng) }
  }

  /** Shows bounds as large as they fit into the uncovered part, at most at `maxZoom`. */
  fit(bounds: Bounds, covered: Covered = nothingCovered, maxZoom = fitting.maxZoom): void {
    const padding = roomBeside(covered, this.map.getContainer())
    this.map.fitBounds(corners(bounds), { padding, maxZoom, maxDuration })
  }

  zoomBy(steps: number): void {
    this.map.easeTo({ zoom: Math.round(this.map.getZoom() + steps), duration: 300 })
  }

  #usesTiles(): boolean {
    return this.#hasTiles && this.#isUnfiltered()
  }

  #isUnfiltered(): boolean {
    return conditionsIn(this.#filter).every(({ name }) => name === 'usable')
  }

  #chooseSet(): void {
    this.#overlay.draw({ hasTiles: this.#usesTiles(), isUsableOnly: this.#filter.usable })
  }

  /** Browsers do not cache ranges of files; they cache the cells, which are used from now on. */
  #stopUsingTiles(): void {
    if (!this.#hasTiles) return
    this.#hasTiles = false
    this.#chooseSet()
    void this.#follow()
  }

  /** Draws the fountains of the cells in view, unless tiles do, and newer ones. Only the newest run may. */
  async #follow(): Promise<void> {
    const run = (this.#run += 1)
    this.#reading = !this.#usesTiles()
    const { cells, events } = this.#options
    const { onFailure } = events
    const points: CellPoint[] = []
    let discs: readonly Disc[] = []
    const wide = { ...this.#filter, usable: false }
    const draw = () => {
      const shown = points.filter((point) => matches(this.#filter, point))
      const { type, features } = fountainFeatures(shown)
      this.#overlay.show(sources.points, { type, features: [...features, ...discFeatures(discs)] })
    }
    let shown = performance.now()
    try {
      const entries = this.#reading ? await cells.entries(boundsOf(this.map, 0.2), wide) : []
      discs = this.#discsOf(entries)
      const read = discs.length > 0 ? [] : entries
      for await (const batch of cells.pointsOf(read, { named: this.map.getZoom() >= nameZoom, onFailure })) {
        if (run !== this.#run) return
        for (const point of batch) if (matches(wide, point)) points.push(point)
        if (performance.now() - shown < partialAfterMilliseconds) continue
        shown = performance.now()
        draw()
      }
    } catch {
      events.onFailure()
    }
    if (run !== this.#run) return
    for (const newer of cells.updates?.fountains() ?? []) if (matches(wide, newer)) points.push(newer)
    this.#points = points
    this.#discs = discs
    this.#reading = false
    draw()
    this.map.triggerRepaint()
  }

  /** The cells as discs, where they are too many to be read and their numbers are known: from afar, of all or all usable ones. */
  #discsOf(entries: readonly CellEntry[]): Disc[] {
    const isFar = this.map.getZoom() < singleZoom - 1 && this.#isUnfiltered()
    if (!isFar || entries.length <= (this.#isFirstView ? firstCells : mostCells)) return []
    return entries.map((entry) => {
      const [, count, , , , , , , usable] = entry
      const fountains = this.#filter.usable ? usable : count
      return { at: centre(cellBounds(entry)), fountains, unusable: count - fountains }
    })
  }

  /** Zooms to the level where a cluster splits; for clusters of tiles, where it is unknown, two zooms deeper. */
  async #openCluster({ at, source, id }: NonNullable<Hit['cluster']>): Promise<void> {
    const zoom = this.map.getZoom()
    const points = source === sources.points ? this.map.getSource<GeoJSONSource>(source) : undefined
    const apart =
      id === undefined ? undefined : await points?.getClusterExpansionZoom(Number(id)).catch(() => undefined)
    this.goTo(at, Math.max(Math.min(apart ?? Math.floor(zoom) + 2, singleZoom) + 0.3, zoom + 0.7))
  }

  async #read<Content>(file: string, fallback: Content): Promise<Content> {
    const { config, events } = this.#options
    try {
      return (await jsonReader(config, '')(file)) as Content
    } catch {
      events.onFailure()
      return fallback
    }
  }
}
