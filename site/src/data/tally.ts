import type { Row } from './row.ts'
import type { Bounds, Dot } from './region.ts'

export interface Tally {
  readonly waypoints: number
  readonly verified: number
  readonly bounds: Bounds
  readonly dots: readonly Dot[]
}

type Located = Pick<Row, 'longitude' | 'latitude' | 'verified'>

/** @param mostDots every n-th waypoint is a dot, so that there are at most this many */
export function tallyOf(rows: readonly Located[], mostDots: number): Tally {
  const step = Math.ceil(rows.length / mostDots)
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { longitude, latitude } of rows) {
    west = Math.min(west, longitude)
    south = Math.min(south, latitude)
    east = Math.max(east, longitude)
    north = Math.max(north, latitude)
  }
  return {
    waypoints: rows.length,
    verified: rows.filter(({ verified }) => verified).length,
    bounds: [west, south, east, north],
    dots: rows
      .filter((_, index) => index % step === 0)
      .map(({ longitude, latitude, verified }) => [longitude, latitude, verified]),
  }
}
