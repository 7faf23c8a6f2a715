import {
  boxAround,
  distanceMetres,
  distanceToBoxMetres,
  earthRadiusMetres,
  isInside,
} from '../../../places/geodesy.ts'
import type { Found } from '../../../places/nearest.ts'
import { insertSorted } from '../../../places/sorted.ts'
import type { Near, WaypointFilter } from '../../../schemas/filter.ts'
import { lengthened } from '../../arrays.ts'
import type { WaypointColumns } from './waypoints.ts'

/** The globe is divided into squares of so many degrees: few enough to sort, small enough that none has too many places. */
const degrees = 5
const wide = 360 / degrees
const high = 180 / degrees

/** Places for which there is room at first. */
const few = 4096

function squareOf(latitude: number, longitude: number): number {
  const column = Math.min(wide - 1, Math.floor((longitude + 180) / degrees))
  const row = Math.min(high - 1, Math.floor((latitude + 90) / degrees))
  return row * wide + column
}

function boxOf(square: number): [number, number, number, number] {
  const west = (square % wide) * degrees - 180
  const south = Math.floor(square / wide) * degrees - 90
  return [west, south, west + degrees, south + degrees]
}

/** The nearest of the places that were put, nearest first, then by id. */
class Nearest {
  readonly #limit: number
  readonly found: Found[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The greatest distance that still counts. */
  get reach(): number {
    return this.found[this.#limit - 1]?.metres ?? Number.POSITIVE_INFINITY
  }

  put(id: number, metres: number): void {
    if (metres > this.reach) return
    insertSorted(
      this.found,
      { id, metres },
      (one, other) => one.metres < other.metres || (one.metres === other.metres && one.id < other.id),
    )
    if (this.found.length > this.#limit) this.found.pop()
  }
}

/**
 * The nearest waypoints that a filter leaves. What it leaves is sorted into squares of the globe first; then distances
 * are measured square by square, until enough places are nearer than the next square.
 */
export function nearestIn(
  columns: WaypointColumns,
  filter: WaypointFilter & { readonly near: Near; readonly limit: number },
): readonly Found[] {
  const { near, limit } = filter
  const { radius = Math.PI * earthRadiusMetres } = near
  const around = near.radius === undefined ? undefined : boxAround(near, near.radius)
  const { latitudes, longitudes } = columns
  let ids = new Uint32Array(few)
  let squares = new Uint16Array(few)
  /** Where the ids of each square begin, once they are sorted. */
  const begins = new Uint32Array(wide * high + 1)
  let count = 0
  for (const found of columns.matching(filter)) {
    if (count + found.length > ids.length) {
      ids = lengthened(ids, (count + found.length) * 2)
      squares = lengthened(squares, ids.length)
    }
    for (const id of found) {
      const place = { latitude: latitudes[id] ?? 0, longitude: longitudes[id] ?? 0 }
      if (around !== undefined && !isInside(around, place)) continue
      const square = squareOf(place.latitude, place.longitude)
      ids[count] = id
      squares[count++] = square
      begins[square + 1] = (begins[square + 1] ?? 0) + 1
    }
  }
  const occupied: { readonly square: number; readonly metres: number }[] = []
  for (let square = 0; square < wide * high; square++) {
    if ((begins[square + 1] ?? 0) > 0)
      occupied.push({ square, metres: distanceToBoxMetres(near, boxOf(square)) })
    begins[square + 1] = (begins[square + 1] ?? 0) + (begins[square] ?? 0)
  }
  const sorted = new Uint32Array(count)
  const next = begins.slice()
  for (let index = 0; index < count; index++) {
    const square = squares[index] ?? 0
    const place = next[square] ?? 0
    next[square] = place + 1
    sorted[place] = ids[index] ?? 0
  }
  const nearest = new Nearest(limit)
  for (const { square, metres } of occupied.toSorted((a, b) => a.metres - b.metres)) {
    if (metres > Math.min(nearest.reach, radius)) break
    for (const id of sorted.subarray(begins[square], begins[square + 1])) {
      const distance = distanceMetres(near, { latitude: latitudes[id] ?? 0, longitude: longitudes[id] ?? 0 })
      if (distance <= radius) nearest.put(id, distance)
    }
  }
  return nearest.found
}
