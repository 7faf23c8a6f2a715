import { describe, expect, it } from 'vitest'
import type { Position } from 'geojson'
import { borders, type Detail, land } from '../../src/map/build/landform.ts'

/** The share of the earth's surface inside a ring: on a cylinder of equal areas rings keep their size. */
const share = (ring: readonly Position[]): number =>
  Math.abs(
    ring.slice(1).reduce((sum, [toX = 0, toY = 0], place) => {
      const [fromX = 0, fromY = 0] = ring[place] ?? []
      const [from, to] = [fromY, toY].map((y) => Math.sin((y * Math.PI) / 180))
      return sum + fromX * (to ?? 0) - toX * (from ?? 0)
    }, 0),
  ) / 1440

describe.each<Detail>(['110m', '50m', '10m'])('the land at 1 : %s', (detail) => {
  const { coordinates } = land(detail).geometry

  it('is three tenths of the earth, without lakes and seas', () => {
    const total = coordinates
      .map(([outer = [], ...holes]) => share(outer) - holes.reduce((sum, ring) => sum + share(ring), 0))
      .reduce((sum, one) => sum + one, 0)
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
    const jumps = lines.flatMap((line) =>
      line.slice(1).map(([x = 0], place) => Math.abs(x - (line[place]?.[0] ?? 0))),
    )
    expect(jumps.filter((jump) => jump >= 180)).toEqual([])
  })
})
