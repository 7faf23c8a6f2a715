import { expect, it } from 'vitest'
import { borders, type Detail, land } from '../base/make.ts'
import { baseShapes, type WorldPoint } from '../src/drawing/base-tiles.ts'
import { cut, worldOf } from '../src/drawing/land.ts'

function area(rings: readonly (readonly WorldPoint[])[]): number {
  let twice = 0
  for (const ring of rings)
    for (const [at, [toX, toY]] of ring.entries()) {
      const [x, y] = ring.at(at - 1) ?? [toX, toY]
      twice += x * toY - toX * y
    }
  return twice / 2
}

const box = (west: number, north: number, east: number, south: number): WorldPoint[] => [
  [west, north],
  [east, north],
  [east, south],
  [west, south],
]

const continent = box(0, 0, 60, 40)
const lake = box(20, 10, 30, 20).toReversed()

it.each([
  [[-10, -10, 70, 50], 60 * 40 - 100],
  [[25, 5, 35, 15], 100 - 25],
  [[40, 20, 41, 21], 1],
  [[22, 12, 23, 13], 0],
  [[-30, -30, -20, -20], 0],
] as const)('land within bounds %j is what lies in them, without the lake: %d', (bounds, size) => {
  expect(area([continent, lake].map((ring) => cut(ring, bounds)))).toBeCloseTo(size)
})

it('land around a corner of the bounds stays whole', () => {
  const ring: WorldPoint[] = [[-1, 0.9], [-1, -2], [-0.5, -3], ...box(0.9, -0.1, 2, 2).with(3, [-1, 2])]
  expect(area([cut(ring, [0, 0, 1, 1])])).toBeCloseTo(1)
})

it('shapes of the base map are on both sides of the antimeridian, and have lakes', async () => {
  const fiji = await baseShapes(worldOf(176, -14), worldOf(184, -20))
  const ends = fiji('land').flatMap((rings) => rings.flat().map(([x]) => x))
  expect([Math.min(...ends) < 1, Math.max(...ends) > 1]).toEqual([true, true])
  const zurich = await baseShapes(worldOf(8.4, 47.5), worldOf(8.9, 47.1))
  expect(zurich('lake').flat().length).toBeGreaterThan(0)
})

/** In an equal-area cylindrical projection, rings keep their area. */
const equal = (ring: readonly (readonly number[])[]): WorldPoint[] =>
  ring.slice(1).map(([x = 0, y = 0]) => [x, Math.sin((y * Math.PI) / 180)])

it.each<Detail>(['110m', '50m', '10m'])(
  'the land at 1 : %s is three tenths of the earth, without lakes and seas, and jumps nowhere across the map but at Antarctica',
  (detail) => {
    const { coordinates } = land(detail)
    const sizes = coordinates.map(([outer = [], ...holes]) => {
      const [whole = 0, ...less] = [outer, ...holes].map((ring) => Math.abs(area([equal(ring)])))
      return whole - less.reduce((sum, one) => sum + one, 0)
    })
    const share = sizes.reduce((sum, one) => sum + one, 0) / 720
    expect([share > 0.28, share < 0.3]).toEqual([true, true])
    const wide = coordinates.filter(([outer = []]) => {
      const longitudes = outer.map(([x = 0]) => x)
      return Math.max(...longitudes) - Math.min(...longitudes) > 350
    })
    expect(wide).toHaveLength(1)
    expect(Math.max(...wide.flatMap(([outer = []]) => outer.map(([, y = 0]) => y)))).toBeLessThan(-60)
    const lines = borders(detail).coordinates
    expect(lines.length).toBeGreaterThan(100)
    for (const line of lines)
      for (const [at, [x = 0]] of line.slice(1).entries())
        expect(Math.abs(x - (line[at]?.[0] ?? 0))).toBeLessThan(180)
  },
)
