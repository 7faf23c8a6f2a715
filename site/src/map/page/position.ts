import type { Place } from '@openfountain/core/geodesy'
import type { Bounds } from '../../data/region.ts'

export type Position = Place

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** The initial bearing of the great circle, in degrees clockwise from north, 0 up to but not 360. */
export function bearingDegrees(from: Position, to: Position): number {
  const here = radians(from.latitude)
  const there = radians(to.latitude)
  const east = radians(to.longitude - from.longitude)
  const y = Math.sin(east) * Math.cos(there)
  const x = Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(east)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}

export const directions = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const

export type Direction = (typeof directions)[number]

export function directionOf(bearing: number): Direction {
  return directions[Math.round(bearing / 45) % 8] ?? 'n'
}

/** A longitude normalised to −180 up to but not 180 degrees. */
export function wrapLongitude(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180
}

/** The bounds of two positions, the short way around the earth. */
export function boundsOfBoth(one: Position, other: Position): Bounds {
  const isEastwards = wrapLongitude(other.longitude - one.longitude) >= 0
  const [west, east] = isEastwards ? [one, other] : [other, one]
  const [south, north] = one.latitude <= other.latitude ? [one, other] : [other, one]
  return [west.longitude, south.latitude, east.longitude, north.latitude]
}

/** The bounds of positions, never across the antimeridian; undefined when there are none. */
export function boundsOfAll(positions: Iterable<Position>): Bounds | undefined {
  let bounds: Bounds | undefined
  for (const { latitude, longitude } of positions) {
    const [west, south, east, north] = bounds ?? [longitude, latitude, longitude, latitude]
    bounds = [
      Math.min(west, longitude),
      Math.min(south, latitude),
      Math.max(east, longitude),
      Math.max(north, latitude),
    ]
  }
  return bounds
}

export function roundedOutwards([west, south, east, north]: Bounds, parts: number): Bounds {
  const down = (degrees: number) => Math.floor(degrees * parts) / parts
  const up = (degrees: number) => Math.ceil(degrees * parts) / parts
  return [down(west), down(south), up(east), up(north)]
}

export function centre([west, south, east, north]: Bounds): Position {
  const width = east >= west ? east - west : east + 360 - west
  return { latitude: (south + north) / 2, longitude: wrapLongitude(west + width / 2) }
}

/** Whether two bounds intersect; either may cross the antimeridian. */
export function boundsMeet(one: Bounds, other: Bounds): boolean {
  if (one[1] > other[3] || one[3] < other[1]) return false
  return spans(one).some(([west, east]) => spans(other).some(([from, to]) => west <= to && east >= from))
}

function spans([west, , east]: Bounds): readonly (readonly [number, number])[] {
  return west <= east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ]
}
