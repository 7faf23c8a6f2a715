import type { Bounds } from '../data/config.ts'

/** A place on the globe, in degrees. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** Mean radius of the earth in metres (IUGG). */
const earthRadiusMetres = 6_371_008.8

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Metres along the great circle, by the haversine formula: within 0.5% of the ellipsoid's distance. */
export function distanceMetres(from: Position, to: Position): number {
  const south = radians(from.latitude)
  const north = radians(to.latitude)
  const half =
    Math.sin((north - south) / 2) ** 2 +
    Math.cos(south) * Math.cos(north) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** The direction in which the great circle leaves, in degrees clockwise from north, 0 up to but not 360. */
export function bearingDegrees(from: Position, to: Position): number {
  const here = radians(from.latitude)
  const there = radians(to.latitude)
  const east = radians(to.longitude - from.longitude)
  const y = Math.sin(east) * Math.cos(there)
  const x = Math.cos(here) * Math.sin(there) - Math.sin(here) * Math.cos(there) * Math.cos(east)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}

const directions = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const

/** One of eight points of the compass. */
export type Direction = (typeof directions)[number]

/** The point of the compass that is nearest to a bearing in degrees. */
export function directionOf(bearing: number): Direction {
  return directions[Math.round(bearing / 45) % 8] ?? 'n'
}

/** Longitude brought into −180 up to but not 180 degrees. */
export function wrapLongitude(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180
}

/** Whether a position lies in bounds, edges included; bounds may cross the antimeridian. */
export function inBounds(bounds: Bounds, { latitude, longitude }: Position): boolean {
  const [west, south, east, north] = bounds
  if (latitude < south || latitude > north) return false
  return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
}

/** The bounds of two positions, the short way around the earth. */
export function boundsOfBoth(one: Position, other: Position): Bounds {
  const isEastwards = wrapLongitude(other.longitude - one.longitude) >= 0
  const [west, east] = isEastwards ? [one, other] : [other, one]
  const [south, north] = one.latitude <= other.latitude ? [one, other] : [other, one]
  return [west.longitude, south.latitude, east.longitude, north.latitude]
}

/** The middle of bounds. */
export function centre([west, south, east, north]: Bounds): Position {
  const width = east >= west ? east - west : east + 360 - west
  return { latitude: (south + north) / 2, longitude: wrapLongitude(west + width / 2) }
}

/** Bounds that reach the given degrees from a position to each side. */
export function boundsAround({ latitude, longitude }: Position, degrees: number): Bounds {
  return [
    wrapLongitude(longitude - degrees),
    Math.max(-90, latitude - degrees),
    wrapLongitude(longitude + degrees),
    Math.min(90, latitude + degrees),
  ]
}

/** Whether two bounds have a point in common; either may cross the antimeridian. */
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

/**
 * The least distance in metres that a point inside bounds can have from a position: 0 inside. Never more than
 * the true one, so that a search by growing distance misses nothing. The bounds must not cross the antimeridian.
 */
export function distanceToBounds(bounds: Bounds, from: Position): number {
  const [west, south, east, north] = bounds
  if (inBounds(bounds, from)) return 0
  const between = from.longitude >= west && from.longitude <= east
  const along = radians(Math.max(0, south - from.latitude, from.latitude - north)) * earthRadiusMetres
  if (between) return along
  return Math.max(along, Math.min(distanceToMeridian(west, from), distanceToMeridian(east, from)))
}

/** Metres to the half circle of a meridian, from pole to pole. */
function distanceToMeridian(longitude: number, from: Position): number {
  const east = Math.abs(wrapLongitude(longitude - from.longitude))
  const latitude = Math.abs(from.latitude)
  if (east >= 90) return radians(90 - latitude) * earthRadiusMetres
  return Math.asin(Math.min(1, Math.cos(radians(latitude)) * Math.sin(radians(east)))) * earthRadiusMetres
}
