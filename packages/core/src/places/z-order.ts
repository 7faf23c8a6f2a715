import type { Place } from './geodesy.ts'

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

const within = (number: number): number => Math.max(0, Math.min(side - 1, Math.floor(number * side)))
const columnOf = (longitude: number): number => within((longitude + 180) / 360)
const rowOf = (latitude: number): number => within((latitude + 90) / 180)

/** Twelve bits with a zero in front of each. */
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

/** The four quarters of a piece. */
export function quarters({ level, column, row }: Piece): Piece[] {
  return [0, 1, 2, 3].map((each) => ({
    level: level + 1,
    column: column * 2 + (each >> 1),
    row: row * 2 + (each & 1),
  }))
}

/** Whether a piece is a single cell. */
export const isCell = ({ level }: Piece): boolean => level === bits

/** First and last cell of a piece. */
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

/**
 * The cells of a box: every place in it is in one of these stretches of the curve, and some places outside it are. At
 * most 128 stretches. West, south, east, north in degrees; west greater than east crosses the antimeridian.
 *
 * @param most pieces that it is cut into, twice as many where it crosses the antimeridian
 */
export function cellsOf(box: readonly [number, number, number, number], most = mostPieces): Stretch[] {
  const [west, south, east, north] = box
  return west > east
    ? [...stretchesOf([-180, south, east, north], most), ...stretchesOf([west, south, 180, north], most)]
    : stretchesOf(box, most)
}
