import { expect, it } from 'vitest'
import { borders, type Detail, land } from '../base/make.ts'
import type { Coast } from '../src/drawing/atlas.ts'
import { landWithin } from '../src/drawing/land.ts'

/** The area that coasts enclose, in square degrees. */
function area(coasts: readonly Coast[]): number {
  let twice = 0
  for (const coast of coasts)
    for (let at = 0; at < coast.length; at += 2) {
      const [x = 0, y = 0] = [coast[at], coast[at + 1]]
      const [toX = 0, toY = 0] = [coast[(at + 2) % coast.length], coast[(at + 3) % coast.length]]
      twice += x * toY - toX * y
    }
  return twice / 2
}

const box = (west: number, south: number, east: number, north: number): Coast =>
  [west, south, east, south].concat(east, north, west, north)

/** A continent with a lake in it, its ring the other way round, and an island at the antimeridian. */
const continent = box(0, 0, 60, 40)
const lake = [20, 10, 20, 20, 30, 20, 30, 10]
const landmass = [continent, lake, box(170, -20, 180, -10), box(-180, -20, -175, -10)]

it.each([
  [[-10, -10, 70, 50], 60 * 40 - 100],
  [[25, 5, 35, 15], 100 - 25],
  [[40, 20, 41, 21], 1],
  [[22, 12, 23, 13], 0],
  [[-30, -30, -20, -20], 0],
  [[172, -18, 186, -12], 8 * 6 + 5 * 6],
  [[-186, -18, -172, -12], 6 * 6 + 5 * 6],
] as const)(
  'land within bounds %j is what lies in them, without the lake, also beyond the antimeridian: %d',
  (bounds, size) => {
    expect(area(landWithin(landmass, bounds))).toBeCloseTo(size)
  },
)

/** In an equal-area cylindrical projection, rings keep their area. */
const equal = (ring: readonly (readonly number[])[]): Coast =>
  ring.slice(1).flatMap(([x = 0, y = 0]) => [x, Math.sin((y * Math.PI) / 180)])

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
