import { describe, expect, test } from 'vitest'
import proj4 from 'proj4'
import { angleOf, geometryIn, numberOf, pairOf } from '../../src/import/coordinates.ts'
import { representative, type Geometry } from '../../src/import/geometry.ts'
import { emptyRegistry, feature, geojson, importContent, imported } from './fixture.ts'

const berlin = { longitude: 13.4, latitude: 52.52 }

function metres(code: string): [number, number] {
  const definitions: Record<string, string> = {
    'EPSG:3857': 'EPSG:3857',
    'EPSG:25833': '+proj=utm +zone=33 +ellps=GRS80 +units=m',
    'EPSG:32633': '+proj=utm +zone=33 +datum=WGS84 +units=m',
    'EPSG:32733': '+proj=utm +zone=33 +south +datum=WGS84 +units=m',
    'EPSG:26910': '+proj=utm +zone=10 +ellps=GRS80 +units=m',
  }
  const from: [number, number] =
    code === 'EPSG:32733' ? [16.37, -22.57] : code === 'EPSG:26910' ? [-123.1, 49.25] : [13.4, 52.52]
  const [x = 0, y = 0] = proj4('EPSG:4326', definitions[code] ?? code, from)
  return [x, y]
}

function declared(crs: string, ...features: object[]): string {
  return JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: crs } },
    features,
  })
}

describe('numbers, angles and pairs', () => {
  test.each([
    ['48.85', 48.85],
    ['48,85', 48.85],
    ['1.234.567,8', 1_234_567.8],
    ['1,234,567.8', 1_234_567.8],
    ["492'277.26", 492_277.26],
    ['1 234,5', 1234.5],
    ['\u22123', -3],
    ['1e2', 100],
    [7, 7],
  ])('%s is the number %d', (text, number) => expect(numberOf(text)).toBe(number))

  test.each(['', 'NA', '-', '12 Main Street', '1.2.3', 'Infinity', null, Number.NaN])(
    '%s is no number',
    (text) => expect(numberOf(text)).toBeUndefined(),
  )

  test.each([
    [`E8°35'57.31`, 8.599253, 'longitude'],
    [`N47°22'11.10`, 47.36975, 'latitude'],
    [`47° 22′ 11.1″ N`, 47.36975, 'latitude'],
    [`8°35'57"W`, -8.599167, 'longitude'],
    ['33,5 S', -33.5, 'latitude'],
    ['2°21′ Ouest', -2.35, 'longitude'],
    ['13°24′ Ost', 13.4, 'longitude'],
  ])('%s is an angle', (text, degrees, axis) => {
    expect(angleOf(text)?.degrees).toBeCloseTo(degrees, 5)
    expect(angleOf(text)?.axis).toBe(axis)
  })

  test('a lone O is east in German and west in French, so it is no angle', () => {
    expect(angleOf(`13°24'O`)).toBeUndefined()
    expect(angleOf(`13°75'E`)).toBeUndefined()
  })

  test.each([
    ['48.85, 2.29', [48.85, 2.29]],
    ['48.85,2.29', [48.85, 2.29]],
    ['48,85; 2,29', [48.85, 2.29]],
    ['48.85 2.29', [48.85, 2.29]],
    ['(48.85, 2.29)', [48.85, 2.29]],
    ['[48.85, 2.29]', [48.85, 2.29]],
    [
      [48.85, 2.29],
      [48.85, 2.29],
    ],
    [`E2°17'24", N48°51'`, [48.85, 2.29]],
  ])('%s is a pair', (text, pair) => {
    const found = pairOf(text)
    expect(found?.[0]).toBeCloseTo(pair[0] ?? 0, 6)
    expect(found?.[1]).toBeCloseTo(pair[1] ?? 0, 6)
  })

  test.each([
    ['POINT (8.5 47.4)', { type: 'Point', coordinates: [8.5, 47.4] }],
    ['POINT Z (8.5 47.4 400)', { type: 'Point', coordinates: [8.5, 47.4, 400] }],
    ['srid=4326;point(8.5 -47.4)', { type: 'Point', coordinates: [8.5, -47.4] }],
    ['MULTIPOINT ((8.5 47.4))', { type: 'MultiPoint', coordinates: [[8.5, 47.4]] }],
    ['MULTIPOINT (8.5 47.4)', { type: 'MultiPoint', coordinates: [[8.5, 47.4]] }],
    [
      'LINESTRING (0 0, 2 2)',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [2, 2],
        ],
      },
    ],
    [
      'POLYGON ((0 0, 2 0, 2 2, 0 0))',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [2, 0],
            [2, 2],
            [0, 0],
          ],
        ],
      },
    ],
    ['POINT EMPTY', { type: 'Point', coordinates: [] }],
  ])('%s is a geometry', (text, geometry) => expect(geometryIn(text)).toEqual(geometry))
})

describe('the point that stands for a geometry', () => {
  const square = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
    [0, 0],
  ]
  const horseshoe = [
    [0, 0],
    [6, 0],
    [6, 6],
    [5, 6],
    [5, 1],
    [1, 1],
    [1, 6],
    [0, 6],
    [0, 0],
  ]
  test.each<[string, Geometry, [number, number]]>([
    ['a point, its height ignored', { type: 'Point', coordinates: [8, 47, 400] }, [8, 47]],
    ['a MultiPoint of one', { type: 'MultiPoint', coordinates: [[8, 47]] }, [8, 47]],
    [
      'the middle of a line',
      {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [1, 0],
          [4, 0],
        ],
      },
      [2, 0],
    ],
    ['the centroid of a polygon', { type: 'Polygon', coordinates: [square] }, [2, 2]],
    [
      'the largest of several polygons',
      {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [9, 9],
              [9.1, 9],
              [9, 9.1],
              [9, 9],
            ],
          ],
          [square],
        ],
      },
      [2, 2],
    ],
  ])('%s', (_, geometry, position) => expect(representative(geometry)).toEqual({ position }))

  test('lies inside a horseshoe, whose centroid does not', () => {
    const found = representative({ type: 'Polygon', coordinates: [horseshoe] })
    const [x, y] = 'position' in found ? found.position : [3, 3]
    expect(y).toBeGreaterThan(0)
    expect((x > 0 && x < 1) || (x > 5 && x < 6) || y < 1).toBe(true)
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['an empty point', { type: 'Point', coordinates: [] }],
    ['a point of texts', { type: 'Point', coordinates: ['8', '47'] }],
    ['an empty polygon', { type: 'Polygon', coordinates: [] }],
    [
      'a MultiPoint of two',
      {
        type: 'MultiPoint',
        coordinates: [
          [8, 47],
          [9, 47],
        ],
      },
    ],
    ['an unknown type', { type: 'Blob', coordinates: [1, 2] }],
  ])('refuses %s', (_, geometry) => expect(representative(geometry as Geometry)).toHaveProperty('reason'))

  test('a row without a usable place is refused with its number, reason and text', async () => {
    const { report } = await imported(
      geojson(
        feature(8, 47, { name: 'A' }),
        { type: 'Feature', geometry: null, properties: { name: 'B' } },
        feature(0, 0, { name: 'C' }),
        { type: 'Feature', geometry: { type: 'Point', coordinates: [] }, properties: { name: 'D' } },
      ),
    )
    expect(report.counts).toMatchObject({ rows: 4, created: 1, refused: 3 })
    const { readFile } = await import('node:fs/promises')
    const lines = (await readFile(report.rejectedFile ?? '', 'utf8').catch(() => '')).trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      row: 2,
      reason: 'has no geometry',
      original: expect.stringContaining('"B"'),
    })
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ row: 3, reason: expect.stringContaining('0, 0') })
  })
})

describe('coordinate systems', () => {
  test.each([
    ['EPSG:3857', 13.4, 52.52],
    ['EPSG:25833', 13.4, 52.52],
    ['urn:ogc:def:crs:EPSG::25833', 13.4, 52.52],
    ['EPSG:32633', 13.4, 52.52],
    ['EPSG:32733', 16.37, -22.57],
    ['EPSG:26910', -123.1, 49.25],
    ['http://www.opengis.net/def/crs/EPSG/0/26910', -123.1, 49.25],
  ])('metres of %s, as the file declares them, become degrees', async (crs, longitude, latitude) => {
    const code = `EPSG:${/\d{4,5}$/u.exec(crs)?.[0]}`
    const { waypoints } = await imported(declared(crs, feature(...metres(code), { name: 'A' })))
    expect(waypoints[0]?.longitude).toBeCloseTo(longitude, 5)
    expect(waypoints[0]?.latitude).toBeCloseTo(latitude, 5)
  })

  test('--crs says what a CSV cannot', async () => {
    const [x, y] = metres('EPSG:25833')
    const { waypoints } = await imported(`name;Rechtswert;Hochwert\nA;${x};${y}\n`, { crs: 'EPSG:25833' })
    expect(waypoints[0]?.longitude).toBeCloseTo(berlin.longitude, 5)
  })

  test('the Swiss grid lands on Bern’s reference point', async () => {
    const { waypoints } = await imported('name;E_Koord;X;Y\nBern;x;2600000;1200000\n', { crs: 'EPSG:2056' })
    expect(waypoints[0]?.longitude).toBeCloseTo(7.438_632, 4)
    expect(waypoints[0]?.latitude).toBeCloseTo(46.951_083, 4)
  })

  test('degrees where metres are declared are believed and told', async () => {
    const { waypoints, report } = await imported(declared('EPSG:25833', feature(13.4, 52.52, { name: 'A' })))
    expect(waypoints[0]).toMatchObject(berlin)
    expect(report.notes.join(' ')).toContain('1 rows are in degrees although EPSG:25833 is declared')
  })

  test('degrees where Web Mercator is declared are believed: as metres they would all lie at 0, 0', async () => {
    const { waypoints } = await imported(declared('EPSG:3857', feature(13.4, 52.52, { name: 'A' })))
    expect(waypoints[0]).toMatchObject(berlin)
  })

  test('metres where degrees are declared are believed when they can be one system alone, and told', async () => {
    // Buenos Aires: no grid of the list and no zone of UTM has such numbers.
    const [x, y] = proj4('EPSG:4326', 'EPSG:3857', [-58.38, -34.6])
    const { waypoints, report } = await imported(
      declared('EPSG:4326', feature(x ?? 0, y ?? 0, { name: 'A' })),
    )
    expect(waypoints[0]?.longitude).toBeCloseTo(-58.38, 5)
    expect(waypoints[0]?.latitude).toBeCloseTo(-34.6, 5)
    expect(report.notes.join(' ')).toContain('1 rows are in metres although degrees are declared')
  })

  test('metres where degrees are declared use the file’s own system when --crs was wrong', async () => {
    const content = declared('EPSG:25833', feature(...metres('EPSG:25833'), { name: 'A' }))
    const { waypoints } = await imported(content, { crs: 'EPSG:4326' })
    expect(waypoints[0]?.longitude).toBeCloseTo(berlin.longitude, 5)
  })

  test('metres that can be several systems are refused with the remedy', async () => {
    const registry = await emptyRegistry()
    await expect(
      importContent(registry, geojson(feature(...metres('EPSG:25833'), { name: 'A' }))),
    ).rejects.toMatchObject({ code: 'CRS_UNKNOWN', message: expect.stringContaining('--crs') })
  })

  test('what is on Earth in no reading is refused row by row', async () => {
    const { report } = await imported(
      declared(
        'EPSG:25833',
        feature(...metres('EPSG:25833'), { name: 'A' }),
        feature(5e8, 5e8, { name: 'B' }),
      ),
    )
    expect(report.counts).toMatchObject({ created: 1, refused: 1 })
  })

  test('an unknown system is refused when a person names it and told when the file does', async () => {
    const registry = await emptyRegistry()
    const content = geojson(feature(13.4, 52.52, { name: 'A' }))
    await expect(importContent(registry, content, { crs: 'EPSG:99999' })).rejects.toMatchObject({
      code: 'CRS_UNKNOWN',
    })
    const { report } = await imported(declared('EPSG:99999', feature(13.4, 52.52, { name: 'A' })))
    expect(report.notes.join(' ')).toContain('EPSG:99999')
  })

  test('a place at the antimeridian stays there', async () => {
    const { waypoints } = await imported(
      geojson(feature(180, -16.8, { name: 'A' }), feature(-179.999, -16.8, { name: 'B' })),
    )
    expect(waypoints.map(({ longitude }) => longitude)).toEqual([180, -179.999])
  })
})

describe('swapped latitude and longitude', () => {
  const swapped = geojson(
    ...Array.from({ length: 10 }, (_, index) => feature(49.25 + index / 100, -123.1, { name: `B${index}` })),
  )

  test('are suspected when rows are beyond the poles, and told with the flag', async () => {
    const registry = await emptyRegistry()
    await expect(importContent(registry, swapped)).rejects.toMatchObject({
      code: 'SWAPPED',
      message: expect.stringContaining('--swap'),
    })
  })

  test('are exchanged with the flag', async () => {
    const { waypoints } = await imported(swapped, { axes: 'swap' })
    expect(waypoints[0]).toMatchObject({ latitude: 49.25, longitude: -123.1 })
  })

  test.each([
    ['Paris', 48.86, 2.34],
    ['Berlin', 52.52, 13.4],
    ['London', 51.5, -0.12],
    ['New York', 40.71, -74.0],
    ['Stockholm', 59.33, 18.07],
  ])('are suspected when %s would lie in the sea', async (_, latitude, longitude) => {
    const rows = Array.from({ length: 5 }, (_, index) =>
      feature(latitude, longitude + index / 1000, { name: `B${index}` }),
    )
    await expect(importContent(await emptyRegistry(), geojson(...rows))).rejects.toMatchObject({
      code: 'SWAPPED',
      message: expect.stringContaining('in the sea'),
    })
  })

  test.each([
    ['Malta', 35.9, 14.51],
    ['Tenerife', 28.29, -16.63],
    ['the Azores', 37.74, -25.67],
    ['Honolulu', 21.31, -157.86],
    ['Mauritius', -20.16, 57.5],
    ['Singapore', 1.29, 103.85],
    ['Fiji', -16.8, 179.99],
  ])('are not suspected on the islands: %s', async (_, latitude, longitude) => {
    const { report } = await imported(geojson(feature(longitude, latitude, { name: 'A' })))
    expect(report.counts.created).toBe(1)
  })

  test('are suspected when the registry knows fountains only where the exchange would lead', async () => {
    const registry = await emptyRegistry()
    const right = Array.from({ length: 5 }, (_, index) =>
      feature(12.5 + index / 100, 41.9, { name: `A${index}` }),
    )
    const wrong = Array.from({ length: 5 }, (_, index) =>
      feature(41.91, 12.5 + index / 100, { name: `B${index}` }),
    )
    await importContent(registry, geojson(...right))
    const other = { source: { name: 'Other', license: 'CC0-1.0' } }
    await expect(importContent(registry, geojson(...wrong), other)).rejects.toMatchObject({ code: 'SWAPPED' })
    const { counts } = await importContent(registry, geojson(...wrong), { ...other, axes: 'keep' })
    expect(counts.created).toBe(5)
  })
})
