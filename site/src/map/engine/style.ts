import type { ExpressionSpecification, LayerSpecification, SymbolLayerSpecification } from 'maplibre-gl'
import { baseSource } from './base-style.ts'
import type { MapColours } from './colours.ts'
import { fountainLayers } from './fountain-layers.ts'
import { labelFont } from './label-font.ts'
import { sources } from './sources.ts'
import type { Turns } from '../data/turns.ts'

/**
 * The layers over the base map, from below to above, for the sources that are named in {@link sources}.
 *
 * @param hasTowns whether the base map is the bundled one
 */
export function overlayLayers(
  colours: MapColours,
  language: string,
  turns: Turns,
  hasTowns: boolean,
): LayerSpecification[] {
  const fountains = [
    ...fountainLayers('tiles', colours, language, turns),
    ...fountainLayers('cells', colours, language),
  ]
  const isDot = ({ type }: LayerSpecification): boolean => type === 'circle'
  return [
    ...areaLayers(colours),
    ...fountains.filter(isDot),
    // Labels are over the dots, but numbers and symbols take precedence.
    placeLabels(colours),
    ...(hasTowns ? [townLabels(colours, language)] : []),
    ...fountains.filter((layer) => !isDot(layer)),
    districtLabels(colours),
    ...markLayers(colours),
  ]
}

/** The layers of changes since the build: below {@link aboveFountains}. */
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

/** Names of regions, from afar and from near. */
export const placeLayerId = 'place-name'
export const districtLayerId = 'district-name'

/** The lowest of the layers over the fountains. */
export const aboveFountains = districtLayerId

/** The layer whose features are marked areas, for clicks. */
export const areaLayerId = 'area-fill'

/** The lowest layer over the base map. */
export const lowestLayerId = areaLayerId

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
    id: placeLayerId,
    type: 'symbol',
    source: sources.places,
    minzoom: 3,
    maxzoom: 11.5,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': labelFont,
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

/** At close zooms, the names of regions are drawn over their fountains like districts on a city map. */
function districtLabels(colours: MapColours): LayerSpecification {
  return {
    id: districtLayerId,
    type: 'symbol',
    source: sources.places,
    minzoom: 11.5,
    maxzoom: 15,
    layout: {
      'text-field': ['get', 'name'],
      'text-font': labelFont,
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

/** Towns without a region of the registry are labelled by the bundled base map. */
export const townLayerId = 'town-name'
export const firstTownZoom = 2.5

type VariableAnchorOffset = Extract<
  NonNullable<SymbolLayerSpecification['layout']>['text-variable-anchor-offset'],
  readonly unknown[]
>

/** Beside the disc of a cluster, or of some: anchors, each with its distance in ems. */
const besideDiscs = [
  'center',
  [0, 0],
  ...[1.6, 2.6, 3.8, 5].flatMap((away) => ['top', [0, away], 'bottom', [0, -away]]),
] as VariableAnchorOffset

function townLabels(colours: MapColours, language: string): LayerSpecification {
  const isLarge: ExpressionSpecification = ['<=', ['get', 'rank'], 2]
  return {
    id: townLayerId,
    type: 'symbol',
    source: baseSource,
    'source-layer': 'town',
    minzoom: firstTownZoom,
    maxzoom: 13,
    layout: {
      'text-field': ['coalesce', ['get', language], ['get', 'name']],
      'text-font': labelFont,
      'text-size': [
        'interpolate',
        ['linear'],
        ['zoom'],
        3,
        ['case', isLarge, 12, 10],
        10,
        ['case', isLarge, 17, 13],
      ],
      'text-max-width': 8,
      'text-padding': 6,
      'text-variable-anchor-offset': besideDiscs,
      'symbol-sort-key': ['get', 'rank'],
    },
    paint: { 'text-color': colours.label, 'text-halo-color': colours.halo, 'text-halo-width': 1.5 },
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
