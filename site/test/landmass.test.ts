import { describe, expect, it } from 'vitest'
import { borders, type Detail, land } from '../src/map/build/landform.ts'
import { type Coast, Landmass } from '../src/drawing/landmass.ts'

/** The area that coasts enclose, in square degrees. */
function area(coasts: readonly Coast[]): number {
  return coasts.reduce((sum, coast) => {
    let twice = 0
    for (let at = 0; at < coast.length; at += 2) {
      const [x = 0, y = 0] = [coast[at], coast[at + 1]]
      const [toX = 0, toY = 0] = [coast[(at + 2) % coast.length], coast[(at + 3) % coast.length]]
      twice += x * toY - toX * y
    }
    return sum + twice / 2
  }, 0)
}

const box = (west: number, south: number, east: number, north: number): Coast => {
  const eastward = [west, south, east, south]
  return [...eastward, east, north, west, north]
}

/** A continent with a lake in it, its ring the other way round, and an island at the antimeridian. */
const continent = box(0, 0, 60, 40)
const lake = [20, 10, 20, 20, 30, 20, 30, 10]
const landmass = () => new Landmass([continent, lake, box(170, -20, 180, -10), box(-180, -20, -175, -10)])

describe('land within bounds', () => {
  it('is what lies in them, without the lake', () => {
    expect(area(landmass().within([-10, -10, 70, 50]))).toBeCloseTo(60 * 40 - 100)
    expect(area(landmass().within([25, 5, 35, 15]))).toBeCloseTo(100 - 25)
    expect(area(landmass().within([40, 20, 41, 21]))).toBeCloseTo(1)
    expect(area(landmass().within([22, 12, 23, 13]))).toBeCloseTo(0)
    expect(landmass().within([-30, -30, -20, -20])).toEqual([])
  })

  it('is the same whatever was requested before', () => {
    const asked = landmass()
    for (let west = -12; west < 64; west += 1.7) {
      for (let south = -9; south < 44; south += 2.3) {
        const bounds = [west, south, west + 3, south + 1.5] as const
        const whole = landmass().within(bounds)
        expect(area(asked.within(bounds))).toBeCloseTo(area(whole), 6)
      }
    }
  })

  it('continues beyond the antimeridian', () => {
    expect(area(landmass().within([172, -18, 186, -12]))).toBeCloseTo(8 * 6 + 5 * 6)
    expect(area(landmass().within([-186, -18, -172, -12]))).toBeCloseTo(6 * 6 + 5 * 6)
  })
})

describe.each<Detail>(['110m', '50m', '10m'])('the land at 1 : %s', (detail) => {
  /** On a cylinder of equal areas rings keep their size. */
  const equal = (ring: readonly (readonly number[])[]): Coast =>
    ring.slice(1).flatMap(([x = 0, y = 0]) => [x, Math.sin((y * Math.PI) / 180)])

  it('is three tenths of the earth, without lakes and seas, and jumps nowhere across the map but at Antarctica', () => {
    const { coordinates } = land(detail).geometry
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
    const lines = borders(detail).geometry.coordinates
    expect(lines.length).toBeGreaterThan(100)
    const steps = lines.flatMap((line) =>
      line.slice(1).map(([x = 0], at) => Math.abs(x - (line[at]?.[0] ?? 0))),
    )
    expect(Math.max(...steps)).toBeLessThan(180)
  })
})
