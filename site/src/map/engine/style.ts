import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { MapColours } from './colours.ts'

/** Names of the sources that the map keeps. */
export const sources = {
  /** Fountains in clustered tiles. */
  tiles: 'fountain-tiles',
  /** Fountains of the cells in view, clustered here; used with filters and where there are no tiles. */
  cells: 'fountain-cells',
  /** Fountains that are newer than the tiles, clustered here; drawn with the tiles. */
  live: 'fountain-live',
  /** Fountains with changes of the visitor that are not sent yet. */
  waiting: 'waiting',
  areas: 'areas',
  places: 'places',
  selected: 'selected',
  me: 'me',
} as const

/** From this zoom on fountains are not clustered; the same holds for the tiles. */
export const singleZoom = 12

/** From this zoom on each fountain shows its symbol instead of a dot. */
const symbolZoom = 13.2

/** Labels are drawn with the visitor's own fonts: no style of this site has a glyph server. */
const font = ['ui-sans-serif', 'system-ui', 'Segoe UI', 'Roboto', 'Noto Sans', 'DejaVu Sans', 'sans-serif']

/** The layers over the base map, from below to above, for the sources that are named in {@link sources}. */
export function overlayLayers(colours: MapColours, language: string): LayerSpecification[] {
  return [
    ...areaLayers(colours),
    placeLabels(colours),
    ...fountainLayers('tiles', colours, language),
    ...fountainLayers('cells', colours, language),
    districtLabels(colours),
    ...markLayers(colours),
  ]
}

/** What is drawn once something changed since the site was built: below {@link aboveFountains}. */
export function liveLayers(colours: MapColours, language: string): LayerSpecification[] {
  return [
    ...fountainLayers('live', colours, language),
    {
      id: 'waiting',
      type: 'circle',
      source: sources.waiting,
      paint: {
        'circle-color': 'transparent',
        'circle-radius': 14,
        'circle-stroke-color': colours.warm,
        'circle-stroke-width': 2,
      },
    },
  ]
}

/** The lowest of the layers over the fountains. */
export const aboveFountains = 'district-name'

/** The layers of the tiles' fountains with their filters, without the fountains of some ids. */
export function filtersWithout(ids: readonly number[]): readonly (readonly [string, FilterSpecification])[] {
  // A list of labels is looked up by a table, however long it is. A cluster has no id.
  const isKept: ExpressionSpecification =
    ids.length === 0 ? ['literal', true] : ['match', ['get', 'id'], [...ids], false, true]
  return [
    ['tiles-dot', ['any', isCluster, isKept]],
    ['tiles-symbol', ['all', single, isKept]],
    ['tiles-name', ['all', single, isKept]],
  ]
}

/** The layer whose features are marked areas, for clicks. */
export const areaLayerId = 'area-fill'

/** Layers whose features are fountains or clusters, for clicks. */
export const fountainLayerIds = (['tiles', 'cells', 'live'] as const).flatMap((set) => [
  `${set}-dot`,
  `${set}-symbol`,
])

/** Layers that are shown with one set of fountains. */
export function layersOf(set: FountainSource): string[] {
  return ['dot', 'count', 'symbol', 'name'].map((part) => `${set}-${part}`)
}

type FountainSource = 'tiles' | 'cells' | 'live'

const isCluster: ExpressionSpecification = ['==', ['get', 'cluster'], true]
const cluster: FilterSpecification = isCluster
const single: ExpressionSpecification = ['!=', ['get', 'cluster'], true]
/** Ten times as many fountains make a disc about 1.5 times as wide. */
const discRadius: ExpressionSpecification = [
  'interpolate',
  ['linear'],
  ['log10', ['max', 1, ['to-number', ['get', 'point_count'], 1]]],
  0.3,
  12,
  2,
  17,
  4,
  26,
  6,
  34,
]
const verified: ExpressionSpecification = ['==', ['get', 'verified'], true]
/** A fountain that gives no water according to its source is paler than others and drawn below them. */
const hasState: ExpressionSpecification = ['has', 'state']
const paler: ExpressionSpecification = ['case', hasState, 0.5, 1]

function fountainLayers(set: FountainSource, colours: MapColours, language: string): LayerSpecification[] {
  const from =
    set === 'tiles' ? { source: sources.tiles, 'source-layer': 'waypoints' } : { source: sources[set] }
  const pointColour: ExpressionSpecification = ['case', verified, colours.pointVerified, colours.point]
  return [
    {
      // One layer for dots and discs: a browser has to prepare each kind of layer before it can draw anything.
      id: `${set}-dot`,
      type: 'circle',
      ...from,
      maxzoom: symbolZoom,
      layout: { 'circle-sort-key': ['case', hasState, -1, ['coalesce', ['get', 'point_count'], 0]] },
      paint: {
        'circle-color': ['case', isCluster, colours.cluster, pointColour],
        'circle-opacity': paler,
        'circle-radius': [
          'interpolate',
          ['linear'],
          ['zoom'],
          2,
          ['case', isCluster, discRadius, 4],
          12,
          ['case', isCluster, discRadius, 5],
          symbolZoom,
          ['case', isCluster, discRadius, 7],
        ],
        'circle-stroke-color': colours.surface,
        'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 2, 1, symbolZoom, 1.6],
      },
    },
    {
      id: `${set}-count`,
      type: 'symbol',
      ...from,
      filter: cluster,
      layout: {
        'text-field': countText(language),
        'text-font': font,
        'text-size': ['interpolate', ['linear'], ['log10', ['get', 'point_count']], 0.3, 11.5, 6, 15],
        'text-allow-overlap': true,
        // About as wide as the disc, which no name may cover.
        'text-padding': 8,
      },
      paint: { 'text-color': colours.clusterText },
    },
    {
      // Below the symbols, which are placed first: a name gives way to every symbol.
      id: `${set}-name`,
      type: 'symbol',
      ...from,
      filter: single,
      minzoom: 15.5,
      layout: {
        'text-field': ['coalesce', ['get', 'name'], ''],
        'text-font': font,
        'text-size': 12,
        'text-max-width': 9,
        'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
        'text-radial-offset': 1.8,
        'text-padding': 1,
        'symbol-sort-key': ['case', hasState, 1, 0],
      },
      paint: {
        'text-color': colours.label,
        'text-halo-color': colours.halo,
        'text-halo-width': 1.4,
        'text-opacity': ['case', hasState, 0.7, 1],
      },
    },
    {
      id: `${set}-symbol`,
      type: 'symbol',
      ...from,
      filter: single,
      minzoom: symbolZoom,
      layout: {
        'icon-image': ['concat', ['coalesce', ['get', 'kind'], 'water'], ['case', verified, '-verified', '']],
        'icon-size': ['interpolate', ['linear'], ['zoom'], symbolZoom, 0.7, 16, 1],
        'icon-allow-overlap': true,
        'icon-padding': 0,
        'symbol-sort-key': ['case', hasState, -1, verified, 1, 0],
      },
      paint: { 'icon-opacity': paler },
    },
  ]
}

/** 950, 1 200 and 34k: long numbers do not fit a disc. */
function countText(language: string): ExpressionSpecification {
  const count: ExpressionSpecification = ['get', 'point_count']
  const grouped: ExpressionSpecification = ['number-format', count, { locale: language }]
  const thousands: ExpressionSpecification = ['to-string', ['round', ['/', count, 1000]]]
  return ['case', ['>=', count, 10_000], ['concat', thousands, 'k'], grouped]
}

function areaLayers(colours: MapColours): LayerSpecification[] {
  const colour: ExpressionSpecification = ['to-color', ['get', 'color'], colours.area]
  return [
    {
      id: areaLayerId,
      type: 'fill',
      source: sources.areas,
      paint: { 'fill-color': colour, 'fill-opacity': 0.1 },
    },
    {
      id: 'area-line',
      type: 'line',
      source: sources.areas,
      paint: { 'line-color': colour, 'line-width': 1.5, 'line-opacity': 0.8, 'line-dasharray': [4, 2] },
    },
  ]
}

function placeLabels(colours: MapColours): LayerSpecification {
  return {
    id: 'place-name',
    type: 'symbol',
    source: sources.places,
    minzoom: 3,
    maxzoom: 11.5,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': font,
      'text-size': ['interpolate', ['linear'], ['zoom'], 3, 11, 10, 15],
      'text-max-width': 8,
      'text-padding': 8,
      'text-variable-anchor': ['top', 'bottom', 'center'],
      'text-radial-offset': 1.9,
      'symbol-sort-key': ['-', 0, ['get', 'count']],
    },
    paint: {
      'text-color': colours.label,
      'text-halo-color': colours.halo,
      'text-halo-width': 1.5,
    },
  }
}

/** Close by, the names of regions lie over their fountains like the names of districts on a city map. */
function districtLabels(colours: MapColours): LayerSpecification {
  return {
    id: 'district-name',
    type: 'symbol',
    source: sources.places,
    minzoom: 11.5,
    maxzoom: 15,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': font,
      'text-size': 13,
      'text-letter-spacing': 0.06,
      'text-max-width': 8,
      'text-padding': 12,
      'symbol-sort-key': ['-', 0, ['get', 'count']],
    },
    paint: {
      'text-color': colours.label,
      'text-halo-color': colours.land,
      'text-halo-width': 2,
      'text-opacity': 0.9,
    },
  }
}

function markLayers(colours: MapColours): LayerSpecification[] {
  return [
    {
      id: 'me-reach',
      type: 'circle',
      source: sources.me,
      paint: { 'circle-color': colours.accent, 'circle-opacity': 0.16, 'circle-radius': 18 },
    },
    {
      id: 'me',
      type: 'circle',
      source: sources.me,
      paint: {
        'circle-color': colours.accent,
        'circle-radius': 7,
        'circle-stroke-color': colours.surface,
        'circle-stroke-width': 3,
      },
    },
    {
      id: 'selected',
      type: 'circle',
      source: sources.selected,
      paint: {
        'circle-color': 'transparent',
        'circle-radius': 18,
        'circle-stroke-color': colours.accent,
        'circle-stroke-width': 3,
      },
    },
  ]
}
