import { describe, expect, test } from 'vitest'
import { countryOf, parseBoundaries, placesIn } from '@openfountain/exchange/places'
import { fileWith } from '../import/fixture.ts'

const square = (west: number, south: number, size: number): [number, number][][] => [
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ],
]

const feature = (properties: object, coordinates: unknown, type = 'Polygon') => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})

const collection = (...features: object[]): string => JSON.stringify({ type: 'FeatureCollection', features })
const at = (longitude: number, latitude: number) => ({ longitude, latitude })

test.for([
  ['Rome', 12.5, 41.9, { country: 'IT' }],
  ['the Vatican', 12.4534, 41.9033, { country: 'VA' }],
  ['London', -0.1, 51.5, { country: 'GB', subdivision: 'GB-ENG' }],
  ['Anchorage', -150, 61.2, { country: 'US', subdivision: 'US-AK' }],
  ['San Juan', -66.1, 18.4, { country: 'PR' }],
  ['Ceuta', -5.32, 35.89, { country: 'ES', subdivision: 'ES-CE' }],
  ['Tenerife', -16.5, 28.3, { country: 'ES' }],
  ['Pristina', 21.16, 42.66, { country: 'XK' }],
  ['the South Pole', 0, -90, { country: 'AQ' }],
  ['the Atlantic', -40, 30, undefined],
] as const)('countries: %s', ([, longitude, latitude, place]) => {
  expect(countryOf({ longitude, latitude })).toEqual(place)
})

describe('boundaries that are given', () => {
  const { lookup, places } = parseBoundaries(
    collection(
      feature({ name: 'Lazio', admin_level: '4', 'ISO3166-2': 'it-62' }, square(11, 41, 2)),
      feature(
        { name: ' Trastevere ', level: 10 },
        [square(12.4, 41.8, 0.1), square(12.8, 41.8, 0.1)],
        'MultiPolygon',
      ),
      feature({ name: 'Roma', level: 8 }, square(12.3, 41.7, 0.6)),
    ),
    'regions.geojson',
  )

  test('the name is that of the smallest, codes are those of the next that has some', () => {
    expect(places).toBe(3)
    const codes = { country: 'IT', subdivision: 'IT-62' }
    expect(lookup(at(12.45, 41.85))).toEqual({ ...codes, name: 'Trastevere' })
    expect(lookup(at(12.85, 41.85))).toEqual({ ...codes, name: 'Trastevere' })
    expect(lookup(at(12.6, 41.85))).toEqual({ ...codes, name: 'Roma' })
    expect(lookup(at(11.5, 41.5))).toEqual({ ...codes, name: 'Lazio' })
    expect(lookup(at(10, 41.5))).toBeUndefined()
  })

  test('holes are outside, and a point on a shared edge is in one of two', () => {
    const { lookup: inBoth } = parseBoundaries(
      collection(
        feature({ name: 'Ring' }, [...square(0, 0, 3), ...square(1, 1, 1)]),
        feature({ name: 'East' }, square(3, 0, 3)),
      ),
      'regions.geojson',
    )
    expect(inBoth(at(1.5, 1.5))).toBeUndefined()
    expect(inBoth(at(0.5, 1.5))).toEqual({ name: 'Ring' })
    expect(inBoth(at(3, 1.5))).toEqual({ name: 'East' })
  })

  test('what they do not say, the countries say', async () => {
    const file = fileWith(
      collection(
        feature({ name: 'Camden' }, square(-0.2, 51.5, 0.1)),
        feature({ name: 'Isle', country: 'IM' }, square(-0.4, 51.5, 0.1)),
      ),
    )
    const found = await placesIn({ regions: file })
    expect(found(at(-0.15, 51.55))).toEqual({ country: 'GB', subdivision: 'GB-ENG', name: 'Camden' })
    expect(found(at(-0.35, 51.55))).toEqual({ country: 'IM', name: 'Isle' })
    expect(found(at(12.5, 41.9))).toEqual({ country: 'IT' })
    expect(found(at(-40, 30))).toBeUndefined()
  })

  test.for([
    ['{', 'is not JSON'],
    ['{}', 'has no features'],
    [collection(feature({}, square(0, 0, 1))), 'features.0.properties.name'],
    [collection(feature({ name: 'A', level: 'high' }, square(0, 0, 1))), 'features.0.properties.level'],
    [collection(feature({ name: 'A', country: 'Italy' }, square(0, 0, 1))), 'two letters'],
    [collection(feature({ name: 'A' }, [0, 0], 'Point')), 'features.0.geometry'],
    [collection(feature({ name: 'A' }, square(0, 89, 2))), 'features.0.geometry.coordinates'],
  ] as const)('%s is refused with what is wrong', ([text, said]) => {
    expect(() => parseBoundaries(text, 'regions.geojson')).toThrow(said)
    expect(() => parseBoundaries(text, 'regions.geojson')).toThrow('regions.geojson')
  })
})
