/** Mean radius of the Earth in metres (IUGG R1, Moritz 2000, "Geodetic Reference System 1980"). */
export const earthRadiusMetres = 6_371_008.8

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (radians: number) => (radians * 180) / Math.PI

/** Great-circle distance in metres on a sphere, by the haversine formula (Sinnott 1984). */
export function distanceMetres(from: Place, to: Place): number {
  const north = Math.sin(radians(to.latitude - from.latitude) / 2)
  const east = Math.sin(radians(to.longitude - from.longitude) / 2)
  const chord =
    north * north + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * east * east
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/**
 * The smallest box that holds every place within a distance of a place: west, south, east, north in degrees,
 * west greater than east across the antimeridian. Near a pole it covers all longitudes.
 */
export function boxAround({ latitude, longitude }: Place, metres: number): [number, number, number, number] {
  // Slightly more than the distance, so that rounding excludes nothing.
  const angle = (metres / earthRadiusMetres) * (1 + 1e-9) + 1e-9
  const south = latitude - degrees(angle)
  const north = latitude + degrees(angle)
  if (south <= -90 || north >= 90) return [-180, Math.max(south, -90), 180, Math.min(north, 90)]
  const wide = degrees(
    Math.asin(Math.min(1, Math.sin(Math.min(angle, Math.PI / 2)) / Math.cos(radians(latitude)))),
  )
  if (wide >= 180) return [-180, south, 180, north]
  const west = longitude - wide
  const east = longitude + wide
  return [west < -180 ? west + 360 : west, south, east > 180 ? east - 360 : east, north]
}

/** Whether a place is in a box: west, south, east, north in degrees, west greater than east across the antimeridian. */
export function isInside(
  [west, south, east, north]: readonly [number, number, number, number],
  { latitude, longitude }: Place,
): boolean {
  if (latitude < south || latitude > north) return false
  return west > east ? longitude >= west || longitude <= east : longitude >= west && longitude <= east
}

/**
 * Distance in metres from a place to the nearest point of a box that does not cross the antimeridian; never more than
 * the distance to any place in the box.
 *
 * When the place is not between the box's meridians, the nearest point is on one of them: where the great circle
 * through the place crosses the meridian at a right angle (Napier's rules), or at one of its ends.
 */
export function distanceToBoxMetres(
  from: Place,
  [west, south, east, north]: readonly [number, number, number, number],
): number {
  const { latitude, longitude } = from
  const clamped = (at: number) => Math.max(south, Math.min(north, at))
  if (longitude >= west && longitude <= east) {
    return earthRadiusMetres * radians(Math.abs(latitude - clamped(latitude)))
  }
  const distances = [west, east].flatMap((meridian) => {
    const foot = degrees(Math.atan2(Math.tan(radians(latitude)), Math.cos(radians(longitude - meridian))))
    const feet = foot > -90 && foot < 90 ? [clamped(foot)] : []
    return [south, north, ...feet].map((at) => distanceMetres(from, { latitude: at, longitude: meridian }))
  })
  // Slightly less, so that rounding excludes nothing.
  return Math.max(0, Math.min(...distances) * (1 - 1e-9) - 0.001)
}
