import { describe, expect, it } from 'vitest'
import type { Position } from 'geojson'
import { borders, type Detail, land } from '../../src/map/build/landform.ts'

/** The share of the earth's surface inside a ring: on a cylinder of equal areas rings keep their size. */
function share(ring: readonly Position[]): number {
  let sum = 0
  for (let place = 1; place < ring.length; place += 1) {
    const [fromX = 0, fromY = 0] = ring[place - 1] ?? []
    const [toX = 0, toY = 0] = ring[place] ?? []
    const [from, to] = [Math.sin((fromY * Math.PI) / 180), Math.sin((toY * Math.PI) / 180)]
    sum += fromX * to - toX * from
  }
  return Math.abs(sum) / 2 / 720
}

describe.each<Detail>(['110m', '50m', '10m'])('the land at 1 : %s', (detail) => {
  const { coordinates } = land(detail).geometry

  it('is three tenths of the earth, without lakes and seas', () => {
    const total = coordinates.reduce(
      (sum, [outer = [], ...holes]) =>
        sum + share(outer) - holes.reduce((inner, ring) => inner + share(ring), 0),
      0,
    )
    expect(total).toBeGreaterThan(0.28)
    expect(total).toBeLessThan(0.3)
  })

  it('has no ring that runs across the whole map, but for Antarctica', () => {
    const wide = coordinates.filter(([outer = []]) => {
      const longitudes = outer.map(([x = 0]) => x)
      return Math.max(...longitudes) - Math.min(...longitudes) > 350
    })
    expect(wide).toHaveLength(1)
    expect(Math.max(...wide.flatMap(([outer = []]) => outer.map(([, y = 0]) => y)))).toBeLessThan(-60)
    for (const [x = 0, y = 0] of coordinates.flat(2)) {
      expect(Math.abs(x) <= 180.001 && Math.abs(y) <= 90.001).toBe(true)
    }
  })

  it('has borders that do not jump from one side of the map to the other', () => {
    const lines = borders(detail).geometry.coordinates
    expect(lines.length).toBeGreaterThan(100)
    for (const line of lines) {
      for (let place = 1; place < line.length; place += 1) {
        expect(Math.abs((line[place]?.[0] ?? 0) - (line[place - 1]?.[0] ?? 0))).toBeLessThan(180)
      }
    }
  })
})
