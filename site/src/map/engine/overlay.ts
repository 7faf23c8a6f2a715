import type {
  AllLayoutProperties,
  AllPaintProperties,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
} from 'maplibre-gl'
import type { FeatureCollection } from 'geojson'
import { baseStyle } from './base-style.ts'
import type { CellPoint, Fountain } from '../data/cell.ts'
import { isDark, readColours } from './colours.ts'
import type { MapConfig } from '../data/config.ts'
import { fountainFeatures, noPoints, placeFeatures, type Points } from '../data/features.ts'
import type { PlaceEntry } from '../build/places.ts'
import { filtersWithout, fountainLayers, layersOf, singleZoom } from './fountain-layers.ts'
import { sources } from './sources.ts'
import { aboveFountains, liveLayers, overlayLayers, townLayerId } from './style.ts'
import type { Turns } from '../data/turns.ts'
import { drawSymbols } from './symbols.ts'

/** Which set of fountains is visible. */
export type FountainSet = 'tiles' | 'cells'

const clustered = { cluster: true, clusterRadius: 40, clusterMaxZoom: singleZoom - 1 } as const

/** The base map for the current theme. */
export function styleNow(config: MapConfig): StyleSpecification | string {
  if (!config.style) return baseStyle(readColours())
  return isDark() ? (config.style.dark ?? config.style.light) : config.style.light
}

/** The site's layers over a base map: fountains, areas, names, marks. They survive a change of the base map. */
export class Overlay {
  readonly #map: MapLibreMap
  readonly #config: MapConfig
  readonly #shown = new Map<string, Points | FeatureCollection>()
  #points: readonly CellPoint[] = []
  #set: FountainSet = 'cells'
  #turns: Turns = new Map()
  /** The hidden fountains of the tiles; undefined while there are no updates. */
  #hidden: readonly number[] | undefined

  constructor(map: MapLibreMap, config: MapConfig) {
    this.#map = map
    this.#config = config
  }

  /** Adds symbols, sources and layers over the base map. */
  async addLayers(): Promise<void> {
    const map = this.#map
    const colours = readColours()
    for (const { name, image, pixelRatio } of await drawSymbols(colours)) {
      if (map.hasImage(name)) map.updateImage(name, image)
      else map.addImage(name, image, { pixelRatio })
    }
    if (!map.getSource(sources.cells)) this.#addSources()
    for (const layer of overlayLayers(colours, this.#config.language, this.#turns, !this.#config.style)) {
      if (!map.getLayer(layer.id)) map.addLayer(this.#lettered(layer))
    }
    if (this.#hidden) this.#addLive(this.#hidden)
    this.choose(this.#set)
  }

  /** Applies the page's colours: another base map when the operator has two styles, else only new paint. */
  async recolour(): Promise<void> {
    const map = this.#map
    if (this.#config.style) {
      if (this.#config.style.dark === undefined) return
      map.setStyle(styleNow(this.#config), { diff: false })
      await map.once('style.load')
    } else {
      const colours = readColours()
      const { language } = this.#config
      const layers = [...baseStyle(colours).layers, ...overlayLayers(colours, language, this.#turns, true)]
      if (this.#hidden) layers.push(...liveLayers(colours, language))
      for (const { id, paint } of layers) {
        for (const [property, value] of paintOf(paint)) map.setPaintProperty(id, property, value)
      }
    }
    await this.addLayers()
  }

  /** Shows the fountains of the tiles or of the cells. */
  choose(set: FountainSet): void {
    this.#set = set
    for (const one of ['tiles', 'cells', 'live'] as const) {
      if (one === 'live' && !this.#hidden) continue
      const isVisible = (one === 'cells') === (set === 'cells')
      for (const layer of layersOf(one)) {
        this.#map.setLayoutProperty(layer, 'visibility', isVisible ? 'visible' : 'none')
      }
    }
  }

  /** Draws fountains of the tiles with states that changed since the build. */
  turn(turns: Turns): void {
    this.#turns = turns
    for (const { id, paint, layout } of fountainLayers(
      'tiles',
      readColours(),
      this.#config.language,
      turns,
    )) {
      for (const [property, value] of paintOf(paint)) this.#map.setPaintProperty(id, property, value)
      for (const [property, value] of layoutOf(layout)) this.#map.setLayoutProperty(id, property, value)
    }
    this.choose(this.#set)
  }

  /** Draws newer fountains in place of the tiles' fountains with the given ids. */
  update(fountains: readonly Fountain[], hidden: readonly number[]): void {
    if (!this.#hidden && hidden.length === 0 && fountains.length === 0) return
    this.show(sources.live, fountainFeatures(fountains))
    this.show(sources.waiting, fountainFeatures(fountains.filter(({ isWaiting }) => isWaiting)))
    this.#hidden = hidden
    this.#addLive(hidden)
    this.choose(this.#set)
  }

  #addLive(hidden: readonly number[]): void {
    const map = this.#map
    if (!map.getSource(sources.live)) {
      const live = this.#shown.get(sources.live) ?? noPoints
      map.addSource(sources.live, { type: 'geojson', data: live, ...clustered })
      map.addSource(sources.waiting, { type: 'geojson', data: this.#shown.get(sources.waiting) ?? noPoints })
    }
    for (const layer of liveLayers(readColours(), this.#config.language)) {
      if (!map.getLayer(layer.id)) map.addLayer(this.#lettered(layer), aboveFountains)
    }
    for (const [layer, filter] of filtersWithout(hidden)) map.setFilter(layer, filter)
  }

  /** Fills the set of the cells. */
  setPoints(points: readonly CellPoint[]): void {
    this.#points = points
    this.#source(sources.cells)?.setData(fountainFeatures(points))
  }

  /** The zoom at which a cluster of a source splits; undefined for one of the tiles. */
  async expansionZoom(source: string, clusterId: unknown): Promise<number | undefined> {
    if (typeof clusterId !== 'number') return undefined
    return this.#source(source)?.getClusterExpansionZoom(clusterId)
  }

  /** Fills one of the small sources: areas, names or marks. */
  show(id: string, data: Points | FeatureCollection): void {
    this.#shown.set(id, data)
    this.#source(id)?.setData(data)
  }

  /** Labels the regions of the registry, and towns beside them. */
  showPlaces(places: readonly PlaceEntry[]): void {
    this.show(sources.places, placeFeatures(places))
    const names = places.map(([name]) => name)
    if (this.#map.getLayer(townLayerId) && names.length > 0)
      this.#map.setFilter(townLayerId, ['!', ['in', ['get', 'name'], ['literal', names]]])
  }

  #addSources(): void {
    const map = this.#map
    for (const id of [sources.areas, sources.places, sources.selected, sources.me]) {
      map.addSource(id, { type: 'geojson', data: this.#shown.get(id) ?? noPoints })
    }
    map.addSource(sources.cells, {
      type: 'geojson',
      data: fountainFeatures(this.#points),
      ...clustered,
    })
    map.addSource(sources.tiles, {
      type: 'vector',
      tiles: ['fountains://{z}/{x}/{y}'],
      minzoom: 0,
      maxzoom: singleZoom,
    })
  }

  /** A layer with the base map's font, if it has one: its glyph server has no others. */
  #lettered(layer: LayerSpecification): LayerSpecification {
    const font = this.#config.style?.font
    if (!font || layer.type !== 'symbol' || !layer.layout?.['text-field']) return layer
    return { ...layer, layout: { ...layer.layout, 'text-font': [...font] } }
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.getSource<GeoJSONSource>(id)
  }
}

/** The same for the layout, without the font, which depends on the base map. */
function layoutOf(
  layout: LayerSpecification['layout'],
): [keyof AllLayoutProperties, AllLayoutProperties[keyof AllLayoutProperties]][] {
  return Object.entries(layout ?? {}).filter(([property]) => property !== 'text-font') as [
    keyof AllLayoutProperties,
    AllLayoutProperties[keyof AllLayoutProperties],
  ][]
}

/** The paint properties of a layer; the site's layers only have properties that MapLibre knows. */
function paintOf(
  paint: LayerSpecification['paint'],
): [keyof AllPaintProperties, AllPaintProperties[keyof AllPaintProperties]][] {
  return Object.entries(paint ?? {}) as [
    keyof AllPaintProperties,
    AllPaintProperties[keyof AllPaintProperties],
  ][]
}
