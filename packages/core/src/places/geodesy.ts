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

/** The smallest box around a circle, in degrees; west > east across the antimeridian, and all longitudes near a pole. */
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

/**
 * Places in the order of a Z-shaped curve (Morton 1966, "A computer oriented geodetic data base and a new technique
 * in file sequencing"): longitude and latitude in 24 bits each, interleaved, longitude first. A piece of the globe that
 * results from repeated halving is one range of the curve, so that an index of integers finds the places in a box.
 *
 * A cell is 2.1e-5 degrees wide and half as high, about 2.4 by 1.2 metres at the equator.
 */

const bits = 24
const side = 2 ** bits
/** Cells are numbered around zero, so that SQLite stores them in six bytes. */
const origin = 2 ** (2 * bits - 1)

/** The most pieces a box is cut into: fewer cover more outside the box, more take longer to search. */
const mostPieces = 64

const stepOf = (number: number): number => Math.max(0, Math.min(side - 1, Math.floor(number * side)))
const columnOf = (longitude: number): number => stepOf((longitude + 180) / 360)
const rowOf = (latitude: number): number => stepOf((latitude + 90) / 180)

function spread(number: number): number {
  let spaced = (number | (number << 8)) & 0x00ff00ff
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f
  spaced = (spaced | (spaced << 2)) & 0x33333333
  return (spaced | (spaced << 1)) & 0x55555555
}

function interleaved(column: number, row: number): number {
  const high = (spread(column >> 12) << 1) | spread(row >> 12)
  const low = (spread(column & 4095) << 1) | spread(row & 4095)
  return high * side + low - origin
}

/** The number of the cell in which a place lies: an integer of 48 bits, its sign among them. */
export function cellOf({ latitude, longitude }: Place): number {
  return interleaved(columnOf(longitude), rowOf(latitude))
}

/** A piece of the globe after halving its width and height `level` times, which is one stretch of the curve. */
export interface Piece {
  readonly level: number
  readonly column: number
  readonly row: number
}

export const globe: Piece = { level: 0, column: 0, row: 0 }

export function quarters({ level, column, row }: Piece): Piece[] {
  return [0, 1, 2, 3].map((each) => ({
    level: level + 1,
    column: column * 2 + (each >> 1),
    row: row * 2 + (each & 1),
  }))
}

export const holds = ({ level, column, row }: Piece, { latitude, longitude }: Place): boolean =>
  columnOf(longitude) >> (bits - level) === column && rowOf(latitude) >> (bits - level) === row

export function piecesAround(place: Place): Piece[] {
  const pieces = [globe]
  for (let around: Piece | undefined = globe; around !== undefined && !isCell(around);) {
    const four = quarters(around)
    pieces.push(...four)
    around = four.find((piece) => holds(piece, place))
  }
  return pieces
}

export const isCell = ({ level }: Piece): boolean => level === bits

export function stretchOf({ level, column, row }: Piece): Stretch {
  const size = 2 ** (bits - level)
  const first = interleaved(column * size, row * size)
  return [first, first + size * size - 1]
}

/** West, south, east and north of a piece in degrees. Places on its east and north edges belong to its neighbours. */
export function boxOf({ level, column, row }: Piece): [number, number, number, number] {
  const [wide, high] = [360 / 2 ** level, 180 / 2 ** level]
  return [column * wide - 180, row * high - 90, (column + 1) * wide - 180, (row + 1) * high - 90]
}

/** First and last cell of a stretch of the curve. */
export type Stretch = [first: number, last: number]

/** The stretch that is the whole curve. */
export const everywhere: Stretch = stretchOf(globe)

/** Stretches that hold every place of a box whose west is not greater than its east. */
function stretchesOf(
  [west, south, east, north]: readonly [number, number, number, number],
  most: number,
): Stretch[] {
  const [left, right] = [columnOf(west), columnOf(east)]
  const [bottom, top] = [rowOf(south), rowOf(north)]
  // The smallest pieces, 2 ** wide by 2 ** high cells, with few enough in the box.
  let [wide, high] = [0, 0]
  const overlapping = () => ((right >> wide) - (left >> wide) + 1) * ((top >> high) - (bottom >> high) + 1)
  while (overlapping() > most) {
    if (high === wide) high++
    else wide++
  }
  const firsts: number[] = []
  for (let column = left >> wide; column <= right >> wide; column++)
    for (let row = bottom >> high; row <= top >> high; row++)
      firsts.push(interleaved(column << wide, row << high))
  const size = 2 ** (wide + high)
  const stretches: Stretch[] = []
  for (const first of Float64Array.from(firsts).toSorted()) {
    const before = stretches.at(-1)
    if (before?.[1] === first - 1) before[1] += size
    else stretches.push([first, first + size - 1])
  }
  return stretches
}

/** Stretches of the curve, at most twice `most`, that hold every place of a box. West may be greater than east. */
export function cellsOf(box: readonly [number, number, number, number], most = mostPieces): Stretch[] {
  const [west, south, east, north] = box
  return west > east
    ? [...stretchesOf([-180, south, east, north], most), ...stretchesOf([west, south, 180, north], most)]
    : stretchesOf(box, most)
}
