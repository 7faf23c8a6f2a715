import { describe, expect, test } from 'vitest'
import { angleOf, geometryIn, numberOf, pairOf } from '../../src/import/understand/coordinates.ts'
import { representative, type Geometry } from '../../src/import/read/geometry.ts'
import { feature, geojson, imported } from './fixture.ts'

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
    '%s is not a number',
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

  test('a lone O is east in German and west in French, so it is not an angle', () => {
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
