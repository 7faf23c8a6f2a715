import type {
  AllLayoutProperties,
  AllPaintProperties,
  GeoJSONSource,
  GeoJSONSourceSpecification,
  LayerSpecification,
  Map as MapLibreMap,
  StyleSpecification,
} from 'maplibre-gl'
import type { FeatureCollection } from 'geojson'
import type { MapConfig } from '../data/config.ts'
import { noPoints, type Points } from '../data/features.ts'
import { isDark, readColours } from './colours.ts'
import { pauses } from '../page/loading.ts'
import { singleZoom } from './fountain-layers.ts'
import { baseLayers, baseStyle, type LayerState, overlayLayers } from './layers.ts'
import { sources } from './sources.ts'
import { drawSymbols, pixelRatio } from './symbols.ts'

const clustered = {
  cluster: true,
  clusterRadius: 40,
  clusterMaxZoom: singleZoom - 1,
  // Discs of cells have a number already.
  clusterProperties: { fountains: ['+', ['coalesce', ['get', 'fountains'], 1]] },
} as const satisfies Partial<GeoJSONSourceSpecification>

export function styleNow({ style }: Pick<MapConfig, 'style'>): StyleSpecification | string {
  if (!style) return baseStyle(readColours())
  return isDark() ? (style.dark ?? style.light) : style.light
}

export class Overlay {
  readonly #map: MapLibreMap
  readonly #config: MapConfig
  readonly #shown = new Map<string, Points | FeatureCollection>()
  #state: LayerState
  #symbols: ReturnType<typeof drawSymbols>

  constructor(map: MapLibreMap, config: MapConfig) {
    this.#map = map
    this.#config = config
    this.#state = {
      colours: readColours(),
      language: config.language,
      hasTowns: !config.style,
      hasTiles: false,
      turns: new Map(),
      hidden: [],
      isUsableOnly: false,
      regions: [],
    }
    // While the style loads.
    this.#symbols = drawSymbols(this.#state.colours)
  }

  /** Adds what the map has not yet, in several tasks. */
  async addLayers(): Promise<void> {
    const map = this.#map
    const pause = pauses()
    for (const [name, picture] of await this.#symbols) {
      if (map.hasImage(name)) map.updateImage(name, picture)
      else map.addImage(name, picture, { pixelRatio })
    }
    await pause()
    if (!map.getSource(sources.points)) this.#addSources()
    for (const layer of this.#layers()) {
      await pause()
      if (!map.getLayer(layer.id)) map.addLayer(layer)
    }
    await pause()
    this.draw({})
  }

  /** Applies the page's colours: another base map when the operator has two styles, else only new paint. */
  async recolour(): Promise<void> {
    const { style } = this.#config
    if (style && style.dark === undefined) return
    this.#state = { ...this.#state, colours: readColours() }
    this.#symbols = drawSymbols(this.#state.colours)
    if (style) {
      this.#map.setStyle(styleNow(this.#config), { diff: false })
      await this.#map.once('style.load')
    }
    await this.addLayers()
  }

  /** Draws the layers as they are after a change; MapLibre leaves properties alone that stay the same. */
  draw(change: Partial<LayerState>): void {
    const map = this.#map
    this.#state = { ...this.#state, ...change }
    if (!map.getSource(sources.points)) return
    for (const layer of this.#layers()) {
      const { id, paint = {}, layout = {} } = layer
      if (!map.getLayer(id)) {
        map.addLayer(layer)
        continue
      }
      if ('filter' in layer) map.setFilter(id, layer.filter)
      for (const [property, value] of Object.entries(paint))
        map.setPaintProperty(id, property as keyof AllPaintProperties, value as string)
      for (const [property, value] of Object.entries(layout))
        map.setLayoutProperty(id, property as keyof AllLayoutProperties, value as string)
    }
  }

  #layers(): LayerSpecification[] {
    const { style } = this.#config
    const layers = [...(style ? [] : baseLayers(this.#state.colours)), ...overlayLayers(this.#state)]
    // The glyph server of a base map has no other fonts.
    for (const { layout = {} } of style?.font ? layers : [])
      if ('text-field' in layout) Object.assign(layout, { 'text-font': style?.font })
    return layers
  }

  show(id: string, data: Points | FeatureCollection): void {
    this.#shown.set(id, data)
    this.#map.getSource<GeoJSONSource>(id)?.setData(data)
  }

  #addSources(): void {
    const map = this.#map
    const { tiles, ...others } = sources
    for (const id of Object.values(others)) {
      const data = this.#shown.get(id) ?? noPoints
      map.addSource(id, { type: 'geojson', data, ...(id === sources.points && clustered) })
    }
    map.addSource(tiles, {
      type: 'vector',
      tiles: ['fountains://{z}/{x}/{y}'],
      minzoom: 0,
      maxzoom: singleZoom,
    })
  }
}
