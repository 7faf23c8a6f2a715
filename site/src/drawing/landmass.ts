import type { Bounds } from '../data/region.ts'

/** A closed line as longitude, latitude, longitude, latitude … in degrees, the first place not repeated. */
export type Coast = readonly number[]

/** The smallest cached square, in degrees. */
const smallest = 4

/**
 * Land, read window by window. The land of a square is cached for all windows in it, so that thousands of small windows
 * cost little more than the coasts they show.
 */
export class Landmass {
  readonly #coasts: readonly Coast[]
  readonly #squares = new Map<string, readonly Coast[]>()

  /** Coasts in degrees, none of which crosses the antimeridian. */
  constructor(coasts: readonly Coast[]) {
    this.#coasts = coasts
  }

  /** The coasts within bounds, closed along their edges. Bounds may reach beyond the antimeridian. */
  within(bounds: Bounds): Coast[] {
    const [west, south, east, north] = bounds
    const found: Coast[] = []
    for (const turn of [-360, 0, 360]) {
      if (east - turn < -180 || west - turn > 180) continue
      const there: Bounds = [west - turn, south, east - turn, north]
      for (const coast of this.#near(there)) {
        const piece = cut(coast, there)
        if (piece.length > 0) found.push(turn === 0 ? piece : turned(piece, turn))
      }
    }
    return found
  }

  /** The coasts of a square around the bounds, cut from a larger one. */
  #near([west, south, east, north]: Bounds): readonly Coast[] {
    // Squares of one size overlap by half, so that every window up to half as large is inside one of them.
    const size = 2 ** Math.ceil(Math.log2(Math.max(smallest, 2 * (east - west), 2 * (north - south))))
    if (size > 128) return this.#coasts
    const half = size / 2
    const column = Math.floor(west / half)
    const row = Math.floor(south / half)
    const key = `${size} ${column} ${row}`
    const known = this.#squares.get(key)
    if (known) return known
    const square: Bounds = [column * half, row * half, column * half + size, row * half + size]
    const coasts = this.#near(square).flatMap((coast) => {
      const piece = cut(coast, square)
      return piece.length > 0 ? [piece] : []
    })
    this.#squares.set(key, coasts)
    return coasts
  }
}

function turned(coast: Coast, degrees: number): Coast {
  return coast.map((value, place) => (place % 2 === 0 ? value + degrees : value))
}

/** The part of a closed line within bounds (Sutherland–Hodgman): cut along one edge after the other. */
function cut(coast: Coast, [west, south, east, north]: Bounds): Coast {
  let piece = coast
  for (const [axis, edge, side] of [
    [0, west, 1],
    [0, east, -1],
    [1, south, 1],
    [1, north, -1],
  ] as const) {
    piece = cutAlong(piece, axis, edge, side)
    if (piece.length === 0) break
  }
  return piece
}

function cutAlong(coast: Coast, axis: 0 | 1, edge: number, side: 1 | -1): Coast {
  let [inside, outside] = [false, false]
  for (let place = axis; place < coast.length; place += 2) {
    if (((coast[place] ?? 0) - edge) * side >= 0) inside = true
    else outside = true
  }
  if (!inside) return []
  if (!outside) return coast
  const kept: number[] = []
  let x = coast.at(-2) ?? 0
  let y = coast.at(-1) ?? 0
  let depth = ((axis === 0 ? x : y) - edge) * side
  for (let place = 0; place < coast.length; place += 2) {
    const [toX = 0, toY = 0] = [coast[place], coast[place + 1]]
    const toDepth = ((axis === 0 ? toX : toY) - edge) * side
    if (depth >= 0 !== toDepth >= 0) {
      const share = depth / (depth - toDepth)
      kept.push(x + (toX - x) * share, y + (toY - y) * share)
    }
    if (toDepth >= 0) kept.push(toX, toY)
    x = toX
    y = toY
    depth = toDepth
  }
  return kept
}
