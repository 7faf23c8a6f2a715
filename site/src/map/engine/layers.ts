import type {
  ExpressionSpecification,
  LayerSpecification,
  StyleSpecification,
  SymbolLayerSpecification,
} from 'maplibre-gl'
import { landMaxZoom } from '../data/land.ts'
import type { MapColours } from './colours.ts'
import { byZoom, fountainLayers, type FountainState, singleZoom } from './fountain-layers.ts'
import { nameLayer, type NameLayer } from './label-font.ts'
import { sources } from './sources.ts'

/** Names of regions, from afar and from near. */
export const placeLayerId = 'place-name'
export const districtLayerId = 'district-name'

/** Names of towns without a region of the registry, of the bundled base map. */
export const townLayerId = 'town-name'
export const firstTownZoom = 2.5

export const areaLayerId = 'area-fill'

export const lowestLayerId = areaLayerId

/** The bundled base map as a MapLibre style: sea, land, lakes, rivers, borders. */
export const baseStyle = (colours: MapColours): StyleSpecification => ({
  version: 8,
  sources: {
    [base]: { type: 'vector', tiles: [`${base}://{z}/{x}/{y}`], minzoom: 0, maxzoom: landMaxZoom },
  },
  layers: baseLayers(colours),
})

const base = 'base'

export function baseLayers(colours: MapColours): LayerSpecification[] {
  const from = (layer: 'land' | 'lake' | 'river' | 'border') => ({ source: base, 'source-layer': layer })
  return [
    { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
    {
      id: 'land',
      type: 'fill',
      ...from('land'),
      paint: { 'fill-color': colours.land, 'fill-antialias': false },
    },
    {
      id: 'coast',
      type: 'line',
      ...from('land'),
      paint: { 'line-color': colours.coast, 'line-width': byZoom(0, 0.6, 8, 1.2) },
    },
    {
      id: 'lake',
      type: 'fill',
      ...from('lake'),
      paint: { 'fill-color': colours.water, 'fill-outline-color': colours.coast },
    },
    {
      id: 'river',
      type: 'line',
      ...from('river'),
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': colours.coast, 'line-width': byZoom(3, 0.5, 8, 1.4, 14, 4) },
    },
    {
      id: 'border',
      type: 'line',
      ...from('border'),
      paint: { 'line-color': colours.border, 'line-width': byZoom(0, 0.6, 8, 1.4), 'line-opacity': 0.75 },
    },
  ]
}

export interface LayerState extends FountainState {
  /** Regions with labels of their own (`inCountry`), which replace those of towns with the same name. */
  readonly regions: readonly string[]
  /** Whether the base map is the bundled one, which has towns. */
  readonly hasTowns: boolean
}

export function overlayLayers(state: LayerState): LayerSpecification[] {
  const { colours } = state
  const areaColour: ExpressionSpecification = ['to-color', ['get', 'color'], colours.area]
  const ring = (
    id: keyof typeof sources,
    radius: number,
    colour: string,
    fill = 'transparent',
    width = 3,
  ): LayerSpecification => ({
    id,
    type: 'circle',
    source: sources[id],
    paint: {
      'circle-color': fill,
      'circle-radius': radius,
      'circle-stroke-color': colour,
      'circle-stroke-width': width,
    },
  })
  const fountains = fountainLayers(state)
  const isLarge: ExpressionSpecification = ['all', ['!', ['get', 'isPart']], ['>=', ['get', 'count'], 50]]
  const isDot = ({ type }: LayerSpecification): boolean => type === 'circle'
  return [
    {
      id: areaLayerId,
      type: 'fill',
      source: sources.areas,
      paint: { 'fill-color': areaColour, 'fill-opacity': 0.1 },
    },
    {
      id: 'area-line',
      type: 'line',
      source: sources.areas,
      paint: { 'line-color': areaColour, 'line-width': 1.5, 'line-opacity': 0.8, 'line-dasharray': [4, 2] },
    },
    {
      id: 'circle-fill',
      type: 'fill',
      source: sources.route,
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colours.warm, 'fill-opacity': 0.12 },
    },
    {
      id: 'route-line',
      type: 'line',
      source: sources.route,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': colours.warm, 'line-width': 4, 'line-opacity': 0.8 },
    },
    ...fountains.filter(isDot),
    // Labels are over the dots, but numbers and symbols take precedence.
    placeLabels(colours, {
      id: placeLayerId,
      minzoom: 3,
      maxzoom: singleZoom,
      filter: ['any', ['!', ['get', 'isPart']], ['>=', ['zoom'], firstPartZoom]],
      layout: {
        'text-size': byZoom(3, 11, 10, ['case', isLarge, 17, 13]),
        'text-padding': 2,
        'text-variable-anchor-offset': besideDiscs,
      },
      paint: { 'text-halo-width': 2 },
    }),
    ...(state.hasTowns ? [townLabels(state)] : []),
    ...fountains.filter((layer) => !isDot(layer)),
    ring('waiting', 14, colours.warm, 'transparent', 2),
    // Where there are no discs any more, the names of regions are drawn over their fountains like districts on a city map.
    placeLabels(colours, {
      id: districtLayerId,
      minzoom: singleZoom,
      maxzoom: 15,
      layout: { 'text-size': 13, 'text-letter-spacing': 0.06, 'text-padding': 12 },
      paint: { 'text-halo-color': colours.land, 'text-halo-width': 2, 'text-opacity': 0.9 },
    }),
    {
      id: 'me-reach',
      type: 'circle',
      source: sources.me,
      paint: { 'circle-color': colours.accent, 'circle-opacity': 0.16, 'circle-radius': 18 },
    },
    ring('me', 7, colours.surface, colours.accent),
    ring('selected', 18, colours.accent),
  ]
}

/** Names of regions, those with most fountains first. */
const placeLabels = (
  colours: MapColours,
  { layout, ...layer }: Omit<NameLayer, 'source'>,
): LayerSpecification =>
  nameLayer(colours, {
    ...layer,
    source: sources.places,
    layout: { 'text-field': ['get', 'name'], 'symbol-sort-key': ['-', 0, ['get', 'count']], ...layout },
  })

type VariableAnchorOffset = Extract<
  NonNullable<SymbolLayerSpecification['layout']>['text-variable-anchor-offset'],
  readonly unknown[]
>

const firstPartZoom = 11

/** At its place, or beside a disc there: anchors, each with its offset in ems. */
export const besideDiscs = [
  'center',
  [0, 0],
  ...[0.6, 1.2, 1.8, 2.6, 3.4].flatMap((away) =>
    [
      [0, 1],
      [0, -1],
      [1, 0.5],
      [-1, 0.5],
      [1, -0.5],
      [-1, -0.5],
    ].flatMap(([x = 0, y = 0]) => ['center', [x * away, y * away]]),
  ),
] as VariableAnchorOffset

/** A name with its country, by which labels of regions and towns are compared. */
export const inCountry = (name: string, country: string | null | undefined): string =>
  `${country ?? ''} ${name}`

/** Properties with the names of a town: the local one, and those of languages with another. */
const townNames = ['name', 'de', 'en', 'es', 'fr', 'it']

function townLabels({ colours, language, regions }: LayerState): LayerSpecification {
  const isRegion = (name: string): ExpressionSpecification => [
    'in',
    ['concat', ['coalesce', ['get', 'country'], ''], ' ', ['coalesce', ['get', name], '']],
    ['literal', [...regions]],
  ]
  const sizeOf = (large: number, small: number): ExpressionSpecification => [
    'case',
    ['<=', ['get', 'rank'], 2],
    large,
    small,
  ]
  return nameLayer(colours, {
    id: townLayerId,
    source: base,
    'source-layer': 'town',
    minzoom: firstTownZoom,
    maxzoom: 13,
    filter: ['!', ['any', ...townNames.map(isRegion)]],
    layout: {
      'text-field': ['coalesce', ['get', language], ['get', 'name']],
      'text-size': byZoom(3, sizeOf(12, 10), 10, sizeOf(17, 13)),
      'text-padding': 6,
      'text-variable-anchor-offset': besideDiscs,
      'symbol-sort-key': ['get', 'rank'],
    },
  })
}
