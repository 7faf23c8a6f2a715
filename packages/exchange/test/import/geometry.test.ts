import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { angleOf, geometryIn, numberOf, pairOf } from '../../src/import/understand/values.ts'
import { representative, type Geometry } from '../../src/import/read/geometry.ts'
import { feature, geojson, imported } from './fixture.ts'

test('a number is read in any spelling, and what is none is not', () => {
  const numbers: Readonly<Record<string, number>> = {
    '48,85': 48.85,
    '1.234.567,8': 1_234_567.8,
    '1,234,567.8': 1_234_567.8,
    "492'277.26": 492_277.26,
    '1 234,5': 1234.5,
    '\u22123': -3,
    '1e2': 100,
  }
  for (const [text, number] of Object.entries(numbers)) expect([text, numberOf(text)]).toEqual([text, number])
  for (const text of ['', 'NA', '-', '12 Main Street', '1.2.3', 'Infinity', null, Number.NaN])
    expect([text, numberOf(text)]).toEqual([text, undefined])
})

test('an angle is read in any spelling', () => {
  const angles: Readonly<Record<string, string>> = {
    [`E8°35'57.31`]: '8.59925 longitude',
    [`N47°22'11.10`]: '47.36975 latitude',
    [`47° 22′ 11.1″ N`]: '47.36975 latitude',
    [`8°35'57"W`]: '-8.59917 longitude',
    '33,5 S': '-33.50000 latitude',
    '2°21′ Ouest': '-2.35000 longitude',
    '13°24′ Ost': '13.40000 longitude',
  }
  const read = Object.keys(angles).map((text) => [text, angleOf(text)] as const)
  const texts = read.map(([text, angle]) => [text, `${angle?.degrees.toFixed(5)} ${angle?.axis}`])
  expect(Object.fromEntries(texts)).toEqual(angles)
})

test('a lone O is east in German and west in French, so it is not an angle', () => {
  expect([angleOf(`13°24'O`), angleOf(`13°75'E`)]).toEqual([undefined, undefined])
})

const pairs: readonly (string | number[])[] = [
  '48.85, 2.29',
  '48.85,2.29',
  '48,85; 2,29',
  '48.85 2.29',
  '(48.85, 2.29)',
  '[48.85, 2.29]',
  [48.85, 2.29],
  `E2°17'24", N48°51'`,
]
test.each(pairs.map((pair) => [pair]))('%s is a pair', (pair) => {
  expect(pairOf(pair)?.map((number) => number.toFixed(6))).toEqual(['48.850000', '2.290000'])
})

test.each([
  ['POINT (8.5 47.4)', 'Point', '[8.5,47.4]'],
  ['POINT Z (8.5 47.4 400)', 'Point', '[8.5,47.4,400]'],
  ['srid=4326;point(8.5 -47.4)', 'Point', '[8.5,-47.4]'],
  ['MULTIPOINT ((8.5 47.4))', 'MultiPoint', '[[8.5,47.4]]'],
  ['MULTIPOINT (8.5 47.4)', 'MultiPoint', '[[8.5,47.4]]'],
  ['LINESTRING (0 0, 2 2)', 'LineString', '[[0,0],[2,2]]'],
  ['POLYGON ((0 0, 2 0, 2 2, 0 0))', 'Polygon', '[[[0,0],[2,0],[2,2],[0,0]]]'],
  ['POINT EMPTY', 'Point', '[]'],
])('%s is a geometry', (text, type, coordinates) =>
  expect(geometryIn(text)).toEqual({ type, coordinates: JSON.parse(coordinates) }),
)

const square = '[[0,0],[4,0],[4,4],[0,4],[0,0]]'
const geometry = (type: string, coordinates: string) =>
  ({ type, coordinates: JSON.parse(coordinates) }) as Geometry

describe('the point that stands for a geometry', () => {
  test.each<[string, string, string, [number, number]]>([
    ['a point, its height ignored', 'Point', '[8,47,400]', [8, 47]],
    ['a MultiPoint of one', 'MultiPoint', '[[8,47]]', [8, 47]],
    ['the middle of a line', 'LineString', '[[0,0],[1,0],[4,0]]', [2, 0]],
    ['the centroid of a polygon', 'Polygon', `[${square}]`, [2, 2]],
    [
      'the largest of several polygons',
      'MultiPolygon',
      `[[[[9,9],[9.1,9],[9,9.1],[9,9]]],[${square}]]`,
      [2, 2],
    ],
  ])('%s', (_, type, coordinates, position) =>
    expect(representative(geometry(type, coordinates))).toEqual({ position }),
  )

  test('lies inside a horseshoe, whose centroid does not', () => {
    const horseshoe = '[[[0,0],[6,0],[6,6],[5,6],[5,1],[1,1],[1,6],[0,6],[0,0]]]'
    const found = representative(geometry('Polygon', horseshoe))
    const [x, y] = 'position' in found ? found.position : [3, 3]
    expect(y).toBeGreaterThan(0)
    expect((x > 0 && x < 1) || (x > 5 && x < 6) || y < 1).toBe(true)
  })

  test.each<[string, unknown]>([
    ['null', null],
    ['an empty point', geometry('Point', '[]')],
    ['a point of texts', geometry('Point', '["8","47"]')],
    ['an empty polygon', geometry('Polygon', '[]')],
    ['a MultiPoint of two', geometry('MultiPoint', '[[8,47],[9,47]]')],
    ['an unknown type', geometry('Blob', '[1,2]')],
  ])('refuses %s', (_, given) => expect(representative(given as Geometry)).toHaveProperty('reason'))

  test('a row without a usable place is refused with its number, reason and text', async () => {
    const none = (coordinates: unknown, name: string) => ({
      type: 'Feature',
      geometry: coordinates && { type: 'Point', coordinates },
      properties: { name },
    })
    const { report } = await imported(
      geojson(feature(8, 47, { name: 'A' }), none(null, 'B'), feature(0, 0, { name: 'C' }), none([], 'D')),
    )
    expect(report.counts).toMatchObject({ rows: 4, created: 1, refused: 3 })
    const lines = (await readFile(report.rejectedFile ?? '', 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { row: 2, reason: 'has no geometry', original: expect.stringContaining('"B"') },
      { row: 3, reason: expect.stringContaining('0, 0') },
      { row: 4 },
    ])
  })
})
