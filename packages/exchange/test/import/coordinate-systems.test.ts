import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import { emptyRegistry } from '@openfountain/testing/registry'
import { dated, feature, geojson, importContent, imported } from './fixture.ts'

const berlin = [13.4, 52.52] as const
const definitions: Readonly<Record<string, string>> = {
  'EPSG:25833': '+proj=utm +zone=33 +ellps=GRS80 +units=m',
  'EPSG:32633': '+proj=utm +zone=33 +datum=WGS84 +units=m',
  'EPSG:32733': '+proj=utm +zone=33 +south +datum=WGS84 +units=m',
  'EPSG:26910': '+proj=utm +zone=10 +ellps=GRS80 +units=m',
}

function metres(code: string, place: readonly [number, number] = berlin): [number, number] {
  const [x = 0, y = 0] = proj4('EPSG:4326', definitions[code] ?? code, [...place])
  return [x, y]
}

const point = ([x, y]: readonly [number, number], name = 'A') => feature(x, y, { name })
const declared = (crs: string, ...features: object[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: crs } },
    features,
  })
const rows = (count: number, x: number, y: number, name = 'B') =>
  geojson(
    ...Array.from({ length: count }, (_, index) => feature(x, y + index / 1000, { name: `${name}${index}` })),
  )

test.each([
  ['EPSG:3857', ...berlin],
  ['EPSG:25833', ...berlin],
  ['urn:ogc:def:crs:EPSG::25833', ...berlin],
  ['EPSG:32633', ...berlin],
  ['EPSG:32733', 16.37, -22.57],
  ['EPSG:26910', -123.1, 49.25],
  ['http://www.opengis.net/def/crs/EPSG/0/26910', -123.1, 49.25],
])('metres of %s, as the file declares them, become degrees', async (crs, longitude, latitude) => {
  const code = `EPSG:${/\d{4,5}$/u.exec(crs)?.[0]}`
  const { waypoints } = await imported(declared(crs, point(metres(code, [longitude, latitude]))))
  expect(waypoints[0]?.longitude).toBeCloseTo(longitude, 5)
  expect(waypoints[0]?.latitude).toBeCloseTo(latitude, 5)
})

const [x, y] = metres('EPSG:25833')
// Buenos Aires: outside all grids of the list and all UTM zones.
const south = [-58.38, -34.6] as const
const inMetres = declared('EPSG:25833', point([x, y]))
const inDegrees = (crs: string) => declared(crs, point(berlin))
const swiss = 'name;E_Koord;X;Y\nBern;x;2600000;1200000\n'
const believed = (crs: string) => [{ code: 'DEGREES_BELIEVED', rows: 1, crs }]
const mercator = declared('EPSG:4326', point(metres('EPSG:3857', south)))
const unknown = [{ code: 'CRS_UNKNOWN', crs: 'EPSG:99999' }]

test.each<[string, string, string | undefined, readonly [number, number], object[]]>([
  [
    'the caller gives the system of a CSV',
    `name;Rechtswert;Hochwert\nA;${x};${y}\n`,
    'EPSG:25833',
    berlin,
    [],
  ],
  ['the Swiss grid lands on Bern’s reference point', swiss, 'EPSG:2056', [7.438_632, 46.951_083], []],
  ['degrees where metres are declared', inDegrees('EPSG:25833'), undefined, berlin, believed('EPSG:25833')],
  [
    'degrees where Web Mercator is declared',
    inDegrees('EPSG:3857'),
    undefined,
    berlin,
    believed('EPSG:3857'),
  ],
  ['metres of one system alone', mercator, undefined, south, [{ code: 'METRES_BELIEVED', rows: 1 }]],
  ['the file’s own system, when the caller’s was wrong', inMetres, 'EPSG:4326', berlin, expect.any(Array)],
  ['an unknown system, which is noted', inDegrees('EPSG:99999'), undefined, berlin, unknown],
])(
  'positions are believed to be what they can be: %s',
  async (_, content, crs, [longitude, latitude], notes) => {
    const { waypoints, report } = await imported(content, { ...dated, ...(crs !== undefined && { crs }) })
    expect(waypoints[0]?.longitude).toBeCloseTo(longitude, 4)
    expect(waypoints[0]?.latitude).toBeCloseTo(latitude, 4)
    expect(report.notes).toEqual(notes)
  },
)

test('metres that can be several systems are refused with the remedy, and so is an unknown system of the caller', async () => {
  await expect(imported(geojson(point([x, y])))).rejects.toMatchObject({
    code: 'CRS_UNKNOWN',
    message: expect.stringContaining('EPSG:25833'),
  })
  await expect(imported(geojson(point(berlin)), { crs: 'EPSG:99999' })).rejects.toMatchObject({
    code: 'CRS_UNKNOWN',
  })
})

test('rows that are on Earth in no known system are refused one by one', async () => {
  const { report } = await imported(declared('EPSG:25833', point([x, y]), point([5e8, 5e8], 'B')))
  expect(report.counts).toMatchObject({ created: 1, refused: 1 })
})

test('a place at the antimeridian stays there', async () => {
  const { waypoints } = await imported(geojson(point([180, -16.8]), point([-179.999, -16.8], 'B')))
  expect(waypoints.map(({ longitude }) => longitude)).toEqual([180, -179.999])
})

describe('swapped latitude and longitude', () => {
  const swapped = rows(10, 49.25, -123.1)

  test('are suspected when rows are beyond the poles, and exchanged with the flag', async () => {
    await expect(imported(swapped)).rejects.toMatchObject({
      code: 'SWAPPED',
      details: { evidence: 'beyond-pole', rows: 10, of: 10 },
    })
    const { waypoints } = await imported(swapped, { axes: 'swap' })
    expect(waypoints[0]).toMatchObject({ latitude: 49.25, longitude: -123.1 })
  })

  test.each([
    ['Paris', 48.86, 2.34],
    ['New York', 40.71, -74.0],
    ['Stockholm', 59.33, 18.07],
  ])('are suspected when %s would lie in the sea', async (_, latitude, longitude) => {
    await expect(imported(rows(5, latitude, longitude))).rejects.toMatchObject({
      code: 'SWAPPED',
      message: expect.stringContaining('in the sea'),
    })
  })

  test.each([
    ['Malta', 35.9, 14.51],
    ['Tenerife', 28.29, -16.63],
    ['Honolulu', 21.31, -157.86],
    ['Fiji', -16.8, 179.99],
  ])('are not suspected on the islands: %s', async (_, latitude, longitude) => {
    const { report } = await imported(geojson(point([longitude, latitude])))
    expect(report.counts.created).toBe(1)
  })

  test('are suspected when the registry has fountains only at the swapped places', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, rows(5, 12.5, 41.9, 'A'))
    const wrong = rows(5, 41.91, 12.5)
    const other = { source: { name: 'Other', license: 'CC0-1.0' } }
    await expect(importContent(registry, wrong, other)).rejects.toMatchObject({ code: 'SWAPPED' })
    expect((await importContent(registry, wrong, { ...other, axes: 'keep' })).counts.created).toBe(5)
  })
})
