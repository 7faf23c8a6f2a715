import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { MapColours } from './colours.ts'
import { labelFont, nameLayer } from './label-font.ts'
import { sources } from './sources.ts'
import { markedStates, markName } from './marks.ts'
import type { Turns } from '../data/turns.ts'

/** From this zoom on fountains are not clustered; the same holds for the tiles. */
export const singleZoom = 12

/** From this zoom on each fountain shows its symbol instead of a dot. */
export const symbolZoom = 13.2

export const nameZoom = 15.5

/** Sets of fountains: of the tiles, of the source of points, and the open one, which is drawn whatever the filter. */
const fountainSets = ['tiles', 'points', 'selected'] as const

export const fountainLayerIds = fountainSets.flatMap((set) => [`${set}-dot`, `${set}-symbol`, `${set}-state`])

export interface FountainState {
  readonly colours: MapColours
  readonly language: string
  /** Whether the tiles are drawn, with newer fountains as points; else points are all fountains. */
  readonly hasTiles: boolean
  readonly turns: Turns
  readonly hidden: readonly number[]
  /** Whether only usable fountains of the tiles are drawn; the points are chosen ones. */
  readonly isUsableOnly: boolean
}

const between = (
  input: ExpressionSpecification,
  ...stops: (number | ExpressionSpecification)[]
): ExpressionSpecification => ['interpolate', ['linear'], input, ...stops]

export const byZoom = (...stops: (number | ExpressionSpecification)[]): ExpressionSpecification =>
  between(['zoom'], ...stops)

const isCluster: ExpressionSpecification = ['==', ['get', 'cluster'], true]
/** Ten times the number of fountains makes a disc about 1.5 times as wide. */
const discRadius = (count: ExpressionSpecification): ExpressionSpecification =>
  between(['log10', ['max', 1, ['to-number', count, 1]]], 0.3, 12, 2, 17, 4, 26, 6, 34)
const verified: ExpressionSpecification = ['==', ['get', 'verified'], true]
const noState = 'none'

/** The state of a fountain, as of today where the tiles are older. */
function stateNow(turns: Turns): ExpressionSpecification {
  const given: ExpressionSpecification = ['coalesce', ['get', 'state'], noState]
  if (turns.size === 0) return given
  // Ids grouped by state: a list of labels is looked up by a table, in constant time.
  const byState = Map.groupBy(turns, ([, state]) => state ?? noState)
  return [
    'match',
    ['get', 'id'],
    ...[...byState].flatMap(([state, some]) => [some.map(([id]) => id), state]),
    given,
  ] as unknown as ExpressionSpecification
}

export const fountainLayers = (state: FountainState): LayerSpecification[] => [
  ...layersOf('tiles', state),
  ...layersOf('points', current(state)),
  ...layersOf('selected', current(state))
    .filter(({ id }) => fountainLayerIds.includes(id))
    .map((layer) => ({ ...layer, minzoom: Math.max(layer.minzoom ?? 0, singleZoom) })),
]

/** Of fountains that were filtered already, with their states of today. */
const current = (state: FountainState): FountainState => ({
  ...state,
  hasTiles: true,
  turns: new Map(),
  hidden: [],
  isUsableOnly: false,
})

function layersOf(
  set: (typeof fountainSets)[number],
  { colours, language, hasTiles, turns, hidden, isUsableOnly }: FountainState,
): LayerSpecification[] {
  const from = { source: sources[set], ...(set === 'tiles' && { 'source-layer': 'waypoints' }) }
  // A list of labels is looked up by a table, in constant time. A cluster has no id.
  const isKept: ExpressionSpecification =
    hidden.length === 0 ? ['literal', true] : ['match', ['get', 'id'], [...hidden], false, true]
  const visibility = hasTiles ? 'visible' : 'none'
  const state = stateNow(turns)
  const isOneOf = (...states: string[]): ExpressionSpecification => ['in', state, ['literal', states]]
  const isBroken = isOneOf('broken', 'gone')
  /** A fountain that is not usable is paler than others and drawn below them; a broken one is a ring. */
  const isDry = isOneOf('broken', 'gone', 'off')
  const isPrivate: ExpressionSpecification = ['==', ['get', 'access'], 'private']
  const isUnusable: ExpressionSpecification = ['any', isDry, isPrivate, ['==', ['get', 'drinkable'], 'no']]
  const count: ExpressionSpecification = isUsableOnly
    ? ['coalesce', ['get', 'usable_count'], ['get', 'point_count']]
    : ['coalesce', ['get', 'fountains'], ['get', 'point_count']]
  const cluster: ExpressionSpecification = isUsableOnly ? ['all', isCluster, ['>', count, 0]] : isCluster
  const single: ExpressionSpecification = [
    'all',
    ['!=', ['get', 'cluster'], true],
    ['has', 'id'],
    isKept,
    ...(isUsableOnly ? [['!', isUnusable] satisfies ExpressionSpecification] : []),
  ]
  const discOr = (radius: number): ExpressionSpecification => ['case', isCluster, discRadius(count), radius]
  const pointColour: ExpressionSpecification = [
    'case',
    isBroken,
    colours.surface,
    verified,
    colours.pointVerified,
    colours.point,
  ]
  return [
    {
      // One layer for dots and discs: a browser has to prepare each layer type before it can draw anything.
      id: `${set}-dot`,
      type: 'circle',
      ...from,
      maxzoom: symbolZoom,
      filter: ['any', cluster, single],
      layout: { visibility, 'circle-sort-key': ['case', isUnusable, -1, ['coalesce', count, 0]] },
      paint: {
        'circle-color': ['case', isCluster, colours.cluster, pointColour],
        'circle-opacity': ['case', ['any', isOneOf('off'), isPrivate], 0.45, 1],
        'circle-radius': byZoom(2, discOr(4), 12, discOr(5), symbolZoom, discOr(7)),
        'circle-stroke-color': ['case', isBroken, colours.danger, colours.surface],
        'circle-stroke-width': byZoom(2, 1, symbolZoom, 1.6),
      },
    },
    {
      id: `${set}-count`,
      type: 'symbol',
      ...from,
      filter: cluster,
      layout: {
        visibility,
        'text-field': countText(count, language),
        'text-font': labelFont,
        'text-size': between(['log10', count], 0.3, 11.5, 6, 15),
        'text-allow-overlap': true,
        // About the size of a disc, which no name may cover; discs of whole cities are larger.
        'text-padding': byZoom(6, 14, 10, 7),
      },
      paint: { 'text-color': colours.clusterText },
    },
    // Below the symbols, which are placed first: a symbol takes precedence over a name.
    nameLayer(colours, {
      id: `${set}-name`,
      ...from,
      filter: single,
      minzoom: nameZoom,
      layout: {
        visibility,
        'text-field': ['coalesce', ['get', 'name'], ''],
        'text-size': 12,
        'text-max-width': 9,
        'text-variable-anchor': ['top', 'bottom', 'left', 'right'],
        'text-radial-offset': 1.8,
        'text-padding': 1,
        'symbol-sort-key': ['case', isUnusable, 1, 0],
      },
      paint: { 'text-opacity': ['case', isUnusable, 0.7, 1] },
    }),
    {
      id: `${set}-symbol`,
      type: 'symbol',
      ...from,
      filter: single,
      minzoom: symbolZoom,
      layout: {
        visibility,
        'icon-image': ['concat', ['coalesce', ['get', 'kind'], 'water'], ['case', verified, '-verified', '']],
        'icon-size': byZoom(symbolZoom, 0.7, 16, 1),
        'icon-allow-overlap': true,
        'icon-padding': 0,
        'symbol-sort-key': ['case', isUnusable, -1, verified, 1, 0],
      },
      paint: { 'icon-opacity': ['case', isUnusable, 0.5, 1] },
    },
    {
      id: `${set}-state`,
      type: 'symbol',
      ...from,
      filter: single,
      minzoom: symbolZoom,
      layout: {
        visibility,
        'icon-image': [
          'case',
          isPrivate,
          markName('private'),
          [
            'match',
            state,
            ...markedStates.flatMap((one) => [one, markName(one)]),
            'gone',
            markName('broken'),
            '',
          ] as unknown as ExpressionSpecification,
        ],
        'icon-size': byZoom(symbolZoom, 0.7, 16, 1),
        // At the corner below that of the tick.
        'icon-offset': [9, 9],
        'icon-allow-overlap': true,
        'icon-ignore-placement': true,
      },
    },
  ]
}

/** 950, 1 200 and 34k: long numbers do not fit a disc. */
function countText(count: ExpressionSpecification, language: string): ExpressionSpecification {
  const grouped: ExpressionSpecification = ['number-format', count, { locale: language }]
  const thousands: ExpressionSpecification = ['to-string', ['round', ['/', count, 1000]]]
  return ['case', ['>=', count, 10_000], ['concat', thousands, 'k'], grouped]
}
