import { expect, test } from 'vitest'
import { attributionLine, attributionsOf, creditOf } from '../src/attribution.ts'

const publisher = { author: 'Friends of Lund', license: 'ODbL-1.0' }
const openStreetMap = { name: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' }

test.each([
  { name: 'OpenStreetMap' },
  { name: 'Drinking water from Open Street Map, 2025' },
  { name: 'osm_chattanooga_2025' },
  { name: 'Fountains of Chattanooga', url: 'https://overpass-api.de/api/interpreter' },
  { name: 'Fountains of Chattanooga', url: 'https://www.openstreetmap.org/' },
  { name: 'Fountains of Chattanooga', attribution: 'OSM contributors' },
])('a source under ODbL that says it is OpenStreetMap is named as OpenStreetMap asks: %o', (given) => {
  expect(creditOf({ license: 'ODbL-1.0', ...given })).toEqual(openStreetMap)
})

test('a source under the Licence Ouverte is named with the day of its data, for data as a whole', () => {
  const line = (source: object, license = 'etalab-2.0') =>
    attributionLine(
      attributionsOf({
        publisher,
        contributed: false,
        sources: [{ name: 'Ville de Paris', license, ...source }],
      }),
    )
  const published = { published: '2025-12-20' }
  expect(line(published)).toBe('Ville de Paris, as of 2025-12-20, etalab-2.0')
  expect(line(published, 'Licence Ouverte v2.0')).toBe(
    'Ville de Paris, as of 2025-12-20, Licence Ouverte v2.0',
  )
  // The day of an import would pretend one.
  expect(line({})).toBe('Ville de Paris, etalab-2.0')
  expect(line(published, 'CC-BY-4.0')).toBe('Ville de Paris, CC-BY-4.0')
})

test('an attribution that names OpenStreetMap in its own words is kept, and any other follows the credit', () => {
  const named = (attribution: string) => creditOf({ name: 'OSM', license: 'ODbL', attribution })
  expect(named('© OpenStreetMap-Mitwirkende')).toEqual({
    ...openStreetMap,
    name: '© OpenStreetMap-Mitwirkende',
  })
  expect(named('Cool Down Map')).toEqual({
    ...openStreetMap,
    name: '© OpenStreetMap contributors, Cool Down Map',
  })
})

test.each([
  { name: 'Ville de Paris', license: 'ODbL-1.0' },
  { name: 'Cosmos club', license: 'ODbL-1.0' },
  { name: 'Chosen from OSM', license: 'CC0-1.0' },
  { name: 'Notosm', license: 'ODbL-1.0', url: 'https://openstreetmap.org.evil.example/' },
])('another source is not taken for OpenStreetMap: $name', (source) => {
  expect(creditOf(source).name).toBe(source.name)
})

test('a source is credited by its attribution, on one line, linked only to http and https addresses', () => {
  const source = { name: 'Trinkbrunnen', license: 'CC-BY-4.0', attribution: 'Stadt Wien –\n data.wien.gv.at' }
  expect(creditOf({ ...source, url: 'https://data.wien.gv.at' })).toEqual({
    name: 'Stadt Wien – data.wien.gv.at',
    url: 'https://data.wien.gv.at/',
  })
  expect(creditOf({ ...source, url: 'javascript:alert(1)' })).toEqual({
    name: 'Stadt Wien – data.wien.gv.at',
  })
})

test.each([
  ['OGL-UK-3.0', 'Bath: contains public sector information licensed under the Open Government Licence v3.0'],
  [
    'Open Government Licence v3.0',
    'Bath: contains public sector information licensed under the Open Government Licence v3.0',
  ],
  ['OGL-Canada-2.0', 'Bath: contains information licensed under the Open Government Licence – Canada'],
  ['CC-BY-4.0', 'Bath'],
])('a source under %s that gives no words of its own is named as the licence asks', (license, name) => {
  expect(creditOf({ name: 'Bath', license }).name).toBe(name)
  expect(creditOf({ name: 'Bath', license, attribution: '© Bath Council' }).name).toBe('© Bath Council')
})

test('publisher and sources are grouped by licence, each once, the largest source first', () => {
  const sources = [
    { name: 'Zürich', attribution: 'Stadt Zürich', license: 'CC0-1.0', waypoints: 3 },
    { name: 'OpenStreetMap 2024', license: 'ODbL-1.0', waypoints: 40 },
    { name: 'OpenStreetMap 2025', license: 'ODbL-1.0', waypoints: 50 },
  ]
  expect(attributionLine(attributionsOf({ publisher, contributed: true, sources }))).toBe(
    'Friends of Lund, © OpenStreetMap contributors, ODbL-1.0; Stadt Zürich, CC0-1.0',
  )
  expect(attributionLine(attributionsOf({ publisher, contributed: false, sources }))).toBe(
    '© OpenStreetMap contributors, ODbL-1.0; Stadt Zürich, CC0-1.0',
  )
})

test('a registry without sources credits its publisher, even when it is empty', () => {
  expect(attributionsOf({ publisher, contributed: false, sources: [] })).toEqual([
    { license: 'ODbL-1.0', parties: [{ name: 'Friends of Lund' }] },
  ])
})
