import {
  get_country_name as countryName,
  get_multiline_name as localName,
  language_script_pairs as scripts,
  layers as layersOf,
} from '@protomaps/basemaps'
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import { labelFont } from '../map/engine/label-font.ts'
import { symbolZoom } from '../map/engine/fountain-layers.ts'
import { besideDiscs } from '../map/engine/layers.ts'
import type { Theme } from '../build/tokens.ts'
import { palettes } from './palette.ts'

const streetSource = 'streets'

/** The bundled land is the ground; shields and arrows need sprites and are of no use on foot. */
const leftOut = new Set(['background', 'landcover', 'roads_shields', 'roads_oneway'])

/** Landmarks for orientation; more would compete with the fountains. */
const landmarks = [
  'aerodrome',
  'attraction',
  'beach',
  'ferry_terminal',
  'garden',
  'library',
  'marina',
  'museum',
  'park',
  'stadium',
  'station',
  'theatre',
  'townhall',
  'university',
  'zoo',
]

/** The family name includes the weight, from which MapLibre takes the weight of local fonts. */
const mediumFont = [...labelFont, 'Noto Sans Medium']

/** Protomaps' layers in a theme, from below, with names in the reader's language, and in the local one where its script is another. */
export function streetLayers(theme: Theme, language: string): LayerSpecification[] {
  const [tongue = language] = language.split('-')
  const made = layersOf(streetSource, palettes[theme], { lang: tongue })
  const text = JSON.stringify(made.filter(({ id }) => !leftOut.has(id)))
    .replaceAll(JSON.stringify(localName(tongue)), JSON.stringify(nameIn(tongue)))
    .replaceAll(JSON.stringify(countryName(tongue)), JSON.stringify(nameIn(tongue)))
    .replaceAll('["Noto Sans Regular"]', JSON.stringify(labelFont))
    .replaceAll('["Noto Sans Italic"]', JSON.stringify(labelFont))
    .replaceAll('["Noto Sans Medium"]', JSON.stringify(mediumFont))
  return (JSON.parse(text) as LayerSpecification[]).map((layer) => ({
    ...withoutPictures(layer),
    // The bundled base map has a layer `water`, too.
    id: `street-${layer.id}`,
  }))
}

function withoutPictures(layer: LayerSpecification): LayerSpecification {
  if (layer.type !== 'symbol') return layer
  const layout = Object.fromEntries(
    Object.entries(layer.layout ?? {}).filter(([property]) => !property.startsWith('icon-')),
  )
  if (layer.id.startsWith('places_')) {
    // Symbols of fountains leave little room for names.
    const padding: ExpressionSpecification = ['step', ['zoom'], 12, Math.floor(symbolZoom), 2]
    return {
      ...layer,
      layout: { ...layout, 'text-padding': padding, 'text-variable-anchor-offset': besideDiscs },
    }
  }
  if (layer.id !== 'pois') return { ...layer, layout }
  const { 'text-offset': _offset, 'text-variable-anchor': _anchor, ...centred } = layout
  return {
    ...layer,
    layout: centred,
    filter: ['all', ['in', ['get', 'kind'], ['literal', landmarks]], ['>=', ['zoom'], ['get', 'min_zoom']]],
  }
}

/** The name of a feature for readers of a language. `script` marks names in other scripts; Protomaps' own expression is seven times as long. */
function nameIn(language: string): ExpressionSpecification {
  const own = scripts.find(({ lang }) => lang === language)?.script ?? 'Latin'
  const name: ExpressionSpecification = ['get', 'name']
  const translated: ExpressionSpecification = [
    'coalesce',
    ['get', `name:${language}`],
    ['get', 'name:en'],
    '',
  ]
  const isOwnScript: ExpressionSpecification =
    own === 'Latin' ? ['!', ['has', 'script']] : ['==', ['get', 'script'], own]
  return [
    'case',
    isOwnScript,
    ['coalesce', ['get', `name:${language}`], name, ''],
    ['!', ['is-supported-script', ['coalesce', name, '']]],
    translated,
    ['==', translated, ''],
    ['coalesce', name, ''],
    ['==', translated, name],
    name,
    ['concat', translated, '\n', name],
  ]
}
