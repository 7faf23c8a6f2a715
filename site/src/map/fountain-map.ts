import {
  type AllPaintProperties,
  AttributionControl,
  config as engine,
  type GeoJSONSource,
  type LayerSpecification,
  Map as MapLibreMap,
  type MapMouseEvent,
  ScaleControl,
  type StyleSpecification,
} from 'maplibre-gl'
import type { FeatureCollection } from 'geojson'
import { BaseMap } from './basemap.ts'
import type { PlaceEntry } from './build/places.ts'
import type { CellPoint } from './cell.ts'
import type { Cells } from './cells.ts'
import { isDark, onColourChange, readColours } from './colours.ts'
import type { Bounds, MapConfig } from './config.ts'
import {
  fountainFeatures,
  markFeatures,
  noPoints,
  placeFeatures,
  type Points,
  positionOf,
  textOf,
} from './features.ts'
import { conditionCount, type Filter, matches } from './filter.ts'
import { inBounds, type Position, wrapLongitude } from './position.ts'
import { openTiles, serveBaseMap, serveTiles } from './protocols.ts'
import type { RangeSource } from './range-source.ts'
import type { Place } from './state.ts'
import { baseStyle, fountainLayerIds, layersOf, overlayLayers, singleZoom, sources } from './style.ts'
import { drawSymbols } from './symbols.ts'

/** A fountain on the map that somebody chose. */
export interface FountainPick extends Position {
  readonly id: number
  readonly name?: string
}

/** A marked area that somebody chose. */
export interface AreaPick {
  readonly name: string
  readonly description: string
}

/** What the map tells the page. */
export interface MapEvents {
  /** The map came to rest, or its fountains changed. */
  onRest(): void
  /** Somebody moved the map by hand. */
  onHand(): void
  onFountain(fountain: FountainPick): void
  onArea(area: AreaPick): void
  /** Nothing was under the click. */
  onNothing(): void
  /** Something could not be read; the map goes on with what it has. */
  onFailure(error: Error): void
}

export interface FountainMapOptions {
  readonly config: MapConfig
  readonly container: HTMLElement
  readonly cells: Cells
  /** Absent without a network: then the cells that are at hand are shown. */
  readonly tiles: RangeSource | undefined
  /** Where to look first; default all fountains. */
  readonly at?: Place
  readonly filter: Filter
  readonly events: MapEvents
  /** In a frame the page's own scrolling comes first. */
  readonly framed: boolean
}

const flightMilliseconds = 1600
const fitting = { padding: 48, maxZoom: 15 }

/** The map of fountains: MapLibre with this site's layers, fed by tiles or by cells. */
export class FountainMap {
  readonly map: MapLibreMap
  readonly #options: FountainMapOptions
  #filter: Filter
  #hasTiles = false
  #points: readonly CellPoint[] = []
  #run = 0
  #reading = false
  /** What the small sources show; kept, because another base style begins without them. */
  readonly #shown = new Map<string, Points | FeatureCollection>()
  readonly #styled: Promise<unknown>

  private constructor(options: FountainMapOptions) {
    const { config, container, at, framed } = options
    this.#options = options
    this.#filter = options.filter
    this.map = new MapLibreMap({
      container,
      style: styleNow(config),
      ...(at
        ? { center: [at.longitude, at.latitude], zoom: at.zoom }
        : config.bounds && { bounds: corners(config.bounds), fitBoundsOptions: fitting }),
      maxZoom: 19,
      minZoom: 0.5,
      attributionControl: false,
      dragRotate: false,
      touchPitch: false,
      pitchWithRotate: false,
      maxPitch: 0,
      cooperativeGestures: framed,
      fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 160,
      locale: { 'Map.Title': config.strings.map.label },
    })
    this.#styled = this.map.once('style.load')
  }

  /** Makes the map and resolves once its first picture stands. @throws when this browser cannot draw it. */
  static async open(options: FountainMapOptions): Promise<FountainMap> {
    const { config } = options
    engine.WORKER_URL = config.worker
    if (!config.style) serveBaseMap(new BaseMap(`${config.base}map/base/`, versionQuery(config)))
    const archive = options.tiles && openTiles(options.tiles)
    const made = new FountainMap(options)
    const opened = await archive
    if (opened) serveTiles(opened)
    made.#hasTiles = opened !== undefined
    await made.#start()
    return made
  }

  async #start(): Promise<void> {
    const { map } = this
    const { config, events } = this.#options
    map.touchZoomRotate.disableRotation()
    map.keyboard.disableRotation()
    map.addControl(new ScaleControl({ maxWidth: 110, unit: 'metric' }), 'bottom-left')
    if (config.style) map.addControl(new AttributionControl({ compact: false }), 'bottom-right')
    map.on('error', (event) => {
      if ('sourceId' in event && event.sourceId === sources.tiles) this.#giveTilesUp()
      events.onFailure(asError(event.error.message))
    })
    addEventListener('offline', () => this.#giveTilesUp())
    await this.#styled
    await this.#dress()
    this.#listen()
    await this.#follow()
    if (!map.loaded()) await map.once('idle')
    void this.#addNames()
  }

  /** Puts symbols, sources and layers over the base map. */
  async #dress(): Promise<void> {
    const { map } = this
    const colours = readColours()
    for (const { name, image, pixelRatio } of await drawSymbols(colours)) {
      if (map.hasImage(name)) map.updateImage(name, image)
      else map.addImage(name, image, { pixelRatio })
    }
    if (!map.getSource(sources.cells)) this.#addSources()
    for (const layer of overlayLayers(colours, this.#options.config.language)) {
      if (!map.getLayer(layer.id)) map.addLayer(layer)
    }
    this.#chooseSet()
  }

  #addSources(): void {
    const { map } = this
    for (const id of [sources.areas, sources.places, sources.selected, sources.me]) {
      map.addSource(id, { type: 'geojson', data: this.#shown.get(id) ?? noPoints })
    }
    map.addSource(sources.cells, {
      type: 'geojson',
      data: fountainFeatures(this.#points),
      cluster: true,
      clusterRadius: 40,
      clusterMaxZoom: singleZoom - 1,
    })
    map.addSource(sources.tiles, {
      type: 'vector',
      tiles: this.#hasTiles ? ['fountains://{z}/{x}/{y}'] : [],
      minzoom: 0,
      maxzoom: singleZoom,
    })
  }

  /** Labels and marked areas come after the fountains: nobody waits for them. */
  async #addNames(): Promise<void> {
    const { config } = this.#options
    this.#show(sources.places, placeFeatures(await this.#read<readonly PlaceEntry[]>('map/places.json', [])))
    if (config.areas)
      this.#show(sources.areas, await this.#read<FeatureCollection>('data/areas.geojson', noPoints))
  }

  #listen(): void {
    const { map } = this
    const { events } = this.#options
    map.on('click', (event) => this.#click(event))
    for (const layer of fountainLayerIds) {
      map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'))
      map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''))
    }
    map.on('movestart', ({ originalEvent }) => {
      if (originalEvent) events.onHand()
    })
    map.on('moveend', () => void this.#follow())
    map.on('idle', () => events.onRest())
    onColourChange(() => void this.#recolour())
  }

  /** Where the map looks. */
  get place(): Place {
    const { lat, lng } = this.map.getCenter()
    return { latitude: lat, longitude: wrapLongitude(lng), zoom: this.map.getZoom() }
  }

  /** What is seen; all longitudes when the whole earth is. */
  get bounds(): Bounds {
    return this.#boundsAround(0)
  }

  #boundsAround(margin: number): Bounds {
    const seen = this.map.getBounds()
    const [west, east] = [seen.getWest(), seen.getEast()]
    const [south, north] = [seen.getSouth(), seen.getNorth()]
    const [across, up] = [(east - west) * margin, (north - south) * margin]
    const wide = east - west + 2 * across >= 360
    return [
      wide ? -180 : wrapLongitude(west - across),
      Math.max(-90, south - up),
      wide ? 180 : wrapLongitude(east + across),
      Math.min(90, north + up),
    ]
  }

  /** How many fountains are seen, those in clusters counted. */
  countInView(): number {
    const { bounds } = this
    if (!this.#usesTiles()) return this.#points.filter((point) => inBounds(bounds, point)).length
    if (!this.map.getSource(sources.tiles)) return 0
    return this.map
      .querySourceFeatures(sources.tiles, { sourceLayer: 'waypoints' })
      .filter((feature) => inBounds(bounds, positionOf(feature)))
      .reduce((sum, { properties }) => sum + (Number(properties['point_count']) || 1), 0)
  }

  /** Whether what is shown may still change, because files are on their way. */
  get busy(): boolean {
    return this.#reading || !this.map.areTilesLoaded()
  }

  /** Shows only the fountains that a filter wants. */
  setFilter(filter: Filter): void {
    this.#filter = filter
    this.#points = []
    this.#chooseSet()
    void this.#follow()
  }

  /** Puts a ring around a fountain, or takes it away. */
  select(fountain: Position | undefined): void {
    this.#show(sources.selected, markFeatures(fountain))
  }

  /** Marks where the visitor is. */
  showMe(position: Position): void {
    this.#show(sources.me, markFeatures(position))
  }

  /** Goes to a place; MapLibre jumps instead where the visitor wants less motion. */
  goTo({ latitude, longitude }: Position, zoom = this.map.getZoom()): void {
    this.map.flyTo({ center: [longitude, latitude], zoom, maxDuration: flightMilliseconds })
  }

  /** Shows bounds as large as they fit. */
  fit(bounds: Bounds): void {
    this.map.fitBounds(corners(bounds), { ...fitting, maxDuration: flightMilliseconds })
  }

  zoomBy(steps: number): void {
    this.map.easeTo({ zoom: Math.round(this.map.getZoom() + steps), duration: 300 })
  }

  #usesTiles(): boolean {
    return this.#hasTiles && conditionCount(this.#filter) === 0
  }

  /** Tiles cannot be kept by a browser's cache; the cells can, and go on from here. */
  #giveTilesUp(): void {
    if (!this.#hasTiles) return
    this.#hasTiles = false
    this.#chooseSet()
    void this.#follow()
  }

  #chooseSet(): void {
    const shown = this.#usesTiles() ? 'tiles' : 'cells'
    for (const set of ['tiles', 'cells'] as const) {
      for (const layer of layersOf(set)) {
        this.map.setLayoutProperty(layer, 'visibility', set === shown ? 'visible' : 'none')
      }
    }
  }

  /** Reads the cells in view when they are what is shown. Only the newest run may show its points. */
  async #follow(): Promise<void> {
    this.#run += 1
    const run = this.#run
    this.#reading = !this.#usesTiles()
    if (!this.#reading) return
    const { cells, events } = this.#options
    const points: CellPoint[] = []
    const fail = (error: unknown) => events.onFailure(asError(error))
    try {
      const entries = await cells.entries(this.#boundsAround(0.2), this.#filter)
      for await (const batch of cells.pointsOf(entries, fail)) {
        if (run !== this.#run) return
        points.push(...batch.filter((point) => matches(this.#filter, point)))
      }
    } catch (error) {
      fail(error)
    }
    if (run !== this.#run) return
    this.#points = points
    this.#reading = false
    this.#source(sources.cells)?.setData(fountainFeatures(points))
    this.map.triggerRepaint()
  }

  #click({ point, lngLat }: MapMouseEvent): void {
    const { map } = this
    const { events } = this.#options
    const reach = 8
    const pixels = ({ latitude, longitude }: Position): number => {
      const { x, y } = map.project([longitude, latitude])
      return Math.hypot(x - point.x, y - point.y)
    }
    const [nearest] = map
      .queryRenderedFeatures(
        [
          [point.x - reach, point.y - reach],
          [point.x + reach, point.y + reach],
        ],
        { layers: fountainLayerIds },
      )
      .map((feature) => ({ feature, at: positionOf(feature) }))
      .toSorted((a, b) => pixels(a.at) - pixels(b.at))
    if (nearest) {
      const { feature, at } = nearest
      if (feature.properties['cluster'] === true) void this.#openCluster(at, feature.properties['cluster_id'])
      else {
        const name = textOf(feature, 'name')
        events.onFountain({
          id: Number(feature.properties['id']),
          ...at,
          ...(name !== undefined && { name }),
        })
      }
      return
    }
    const [area] = map.queryRenderedFeatures(map.project(lngLat), { layers: ['area-fill'] })
    if (area)
      events.onArea({ name: textOf(area, 'name') ?? '', description: textOf(area, 'description') ?? '' })
    else events.onNothing()
  }

  /** Zooms to where a cluster falls apart; clusters of tiles do not tell where, so two zooms deeper. */
  async #openCluster(at: Position, id: unknown): Promise<void> {
    const source = this.#source(sources.cells)
    const zoom = this.map.getZoom()
    const apart =
      typeof id === 'number' && source ? await source.getClusterExpansionZoom(id) : Math.floor(zoom) + 2
    this.goTo(at, Math.max(Math.min(apart, singleZoom) + 0.3, zoom + 0.7))
  }

  #show(id: string, data: Points | FeatureCollection): void {
    this.#shown.set(id, data)
    this.#source(id)?.setData(data)
  }

  /** Takes the page's colours over: with the operator's two styles another base map, else other paint alone. */
  async #recolour(): Promise<void> {
    const { map } = this
    const { config } = this.#options
    if (config.style) {
      if (config.style.dark === undefined) return
      map.setStyle(styleNow(config), { diff: false })
      await map.once('style.load')
    } else {
      const colours = readColours()
      for (const { id, paint } of [
        ...baseStyle(colours).layers,
        ...overlayLayers(colours, config.language),
      ]) {
        for (const [property, value] of paintOf(paint)) map.setPaintProperty(id, property, value)
      }
    }
    await this.#dress()
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.map.getSource<GeoJSONSource>(id)
  }

  /** A file that the map can do without. */
  async #read<Content>(file: string, otherwise: Content): Promise<Content> {
    const { config, events } = this.#options
    try {
      const answer = await fetch(`${config.base}${file}${versionQuery(config)}`)
      if (!answer.ok) throw new Error(`${file} answers ${answer.status}`)
      return (await answer.json()) as Content
    } catch (error) {
      events.onFailure(asError(error))
      return otherwise
    }
  }
}

function styleNow(config: MapConfig): StyleSpecification | string {
  if (!config.style) return baseStyle(readColours())
  return isDark() ? (config.style.dark ?? config.style.light) : config.style.light
}

function versionQuery({ version }: MapConfig): string {
  return `?v=${encodeURIComponent(version)}`
}

/** The properties of a layer's paint; the layers of this site have only those that MapLibre knows. */
function paintOf(
  paint: LayerSpecification['paint'],
): [keyof AllPaintProperties, AllPaintProperties[keyof AllPaintProperties]][] {
  return Object.entries(paint ?? {}) as [
    keyof AllPaintProperties,
    AllPaintProperties[keyof AllPaintProperties],
  ][]
}

/** MapLibre wants the east of bounds to be the larger number. */
function corners([west, south, east, north]: Bounds): [number, number, number, number] {
  return [west, south, east < west ? east + 360 : east, north]
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
