import { featureFilter, validateStyleMin, type StyleSpecification } from '@maplibre/maplibre-gl-style-spec'
import { expect, it } from 'vitest'
import {
  baseStyle,
  inCountry,
  type LayerState,
  overlayLayers,
  placeLayerId,
  townLayerId,
} from '../../src/map/engine/layers.ts'
import { placeFeatures } from '../../src/map/data/features.ts'
import type { MapColours } from '../../src/map/engine/colours.ts'
import { sources } from '../../src/map/engine/sources.ts'

const colours = new Proxy({}, { get: () => '#123456' }) as MapColours
const first: LayerState = {
  colours,
  language: 'de',
  hasTiles: true,
  turns: new Map(),
  hidden: [],
  isUsableOnly: true,
  regions: [],
  hasTowns: true,
}

function draws(
  state: LayerState,
  id: string,
  properties: Readonly<Record<string, unknown>>,
  zoom = 9,
): boolean {
  const layer = overlayLayers(state).find((one) => one.id === id)
  if (!layer || !('filter' in layer)) throw new Error(`There is no layer ${id} with a filter`)
  return featureFilter(layer.filter, 'filter').filter({ zoom } as never, { type: 1, properties } as never)
}

it.each([first, { ...first, hidden: [3], turns: new Map([[4, 'broken' as const]]), hasTowns: false }])(
  'the layers are right for MapLibre, and in one order whatever they show',
  (state) => {
    const style = baseStyle(colours)
    const empty = { type: 'geojson', data: { type: 'FeatureCollection', features: [] } } as const
    const tiles = { type: 'vector', tiles: ['fountains://{z}/{x}/{y}'] } as const
    const all = Object.values(sources).map((id) => [id, id === sources.tiles ? tiles : empty] as const)
    const whole: StyleSpecification = {
      ...style,
      glyphs: 'https://x.example/{fontstack}/{range}.pbf',
      sources: { ...style.sources, ...Object.fromEntries(all) } as StyleSpecification['sources'],
      layers: [...style.layers, ...overlayLayers(state)] as StyleSpecification['layers'],
    }
    expect(validateStyleMin(whole)).toEqual([])
    const ids = whole.layers.map(({ id }) => id)
    expect(ids.slice(0, 6)).toEqual(['water', 'land', 'coast', 'lake', 'river', 'border'])
    expect(ids.includes(townLayerId)).toBe(state.hasTowns)
    // Names are over dots, and numbers and symbols over names.
    const order = ['points-dot', 'place-name', 'tiles-count', 'points-symbol', 'waiting', 'selected'].map(
      (id) => ids.indexOf(id),
    )
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  },
)

it('a town gives way to the region of its country that has one of its names', () => {
  const vienna = { name: 'Wien', country: 'AT', en: 'Vienna', fr: 'Vienne', rank: 1 }
  expect(draws(first, townLayerId, vienna)).toBe(true)
  for (const region of ['Wien', 'Vienna', 'Vienne'])
    expect(draws({ ...first, regions: ['AT Graz', inCountry(region, 'AT')] }, townLayerId, vienna)).toBe(
      false,
    )
  expect(draws({ ...first, regions: ['AT Graz'] }, townLayerId, vienna)).toBe(true)
  const paris = { ...first, regions: [inCountry('Paris', 'FR')] }
  const shown = ['FR', 'US'].map((country) => draws(paris, townLayerId, { name: 'Paris', country, rank: 3 }))
  expect(shown).toEqual([false, true])
})

it('the name of a district or of a small suburb appears only where its town is large on the map', () => {
  const place = (name: string, count: number, bounds: [number, number, number, number], country = 'FR') =>
    [name, count, (bounds[1] + bounds[3]) / 2, (bounds[0] + bounds[2]) / 2, ...bounds, country] as const
  const { features } = placeFeatures(
    [
      place('Paris', 40, [2.22, 48.81, 2.47, 48.91]),
      place('Paris 15e', 20, [2.27, 48.82, 2.32, 48.86]),
      place('Paris', 10, [2.3, 48.85, 2.31, 48.86], 'US'),
      place('Thiais', 9, [2.38, 48.75, 2.4, 48.77]),
      place('Orly', 8, [2.38, 48.74, 2.4, 48.76]),
      place('Melun', 1, [2.64, 48.53, 2.67, 48.54]),
    ],
    'de',
  )
  const shown = (zoom: number) =>
    features.map(({ properties }) => draws(first, placeLayerId, properties ?? {}, zoom))
  expect([10, 11].map(shown)).toEqual([
    [true, false, true, true, false, true],
    [true, true, true, true, true, true],
  ])
})

it('dots are of usable fountains alone, as of today, and of clusters that have some, unless all are asked for', () => {
  const turned = { ...first, hidden: [3], turns: new Map([[4, 'broken' as const]]) }
  const cases = [
    [{ id: 1 }, true, true],
    [{ id: 2, access: 'private' }, false, true],
    [{ id: 3 }, false, false],
    [{ id: 4, state: 'works' }, false, true],
    [{ id: 5, state: 'off' }, false, true],
    [{ id: 6, drinkable: 'no' }, false, true],
    [{ id: 7, state: 'reported', access: 'customers', drinkable: 'unsigned' }, true, true],
    [{ cluster: true, point_count: 5 }, true, true],
    [{ cluster: true, point_count: 5, usable_count: 1 }, true, true],
    [{ cluster: true, point_count: 5, usable_count: 0 }, false, true],
  ] as const
  for (const [properties, isUsable, isShown] of cases) {
    const shown = [true, false].map((isUsableOnly) =>
      draws({ ...turned, isUsableOnly }, 'tiles-dot', properties),
    )
    expect({ properties, shown }).toEqual({ properties, shown: [isUsable, isShown] })
  }
})

it('the open fountain is drawn where the filter hides it, and a place that is only marked is not', () => {
  for (const layer of ['selected-dot', 'selected-symbol', 'selected-state']) {
    expect(draws(first, layer, { id: 2, access: 'private', state: 'broken' }, 14)).toBe(true)
    expect(draws(first, layer, {}, 14)).toBe(false)
  }
})
