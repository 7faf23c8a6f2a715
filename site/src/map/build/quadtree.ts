import { cellCapacity, cellMaxZoom } from '../data/cell.ts'

/** A square of the map and the rows in it, in Z-order. */
export interface Square {
  /** `zoom-x-y`, numbered like tiles. */
  readonly key: string
  readonly rows: Uint32Array
}

const cellsPerSide = 2 ** cellMaxZoom

/** The smallest square of a position, as a number whose base-4 digits are the path in the tree. */
function quadcode(latitude: number, longitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const x = clamp(((longitude + 180) / 360) * cellsPerSide)
  const y = clamp((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * cellsPerSide)
  return spread(x) + spread(y) * 2
}

/** Positions outside the Mercator square are in its outermost row. */
function clamp(value: number): number {
  return Math.min(cellsPerSide - 1, Math.max(0, Math.floor(value)))
}

/** Interleaves the bits of a number with zeros; stays exact, as 32 bits fit a double. */
function spread(value: number): number {
  let bits = value
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return ((bits | (bits << 1)) & 0x55555555) >>> 0
}

/**
 * Divides positions into squares of at most `capacity` rows (default {@link cellCapacity}), each as large as it can be. Empty squares
 * are left out. The order depends on the positions alone; rows at one place keep their order.
 */
export function divide(
  latitudes: ArrayLike<number>,
  longitudes: ArrayLike<number>,
  capacity = cellCapacity,
): Square[] {
  const count = latitudes.length
  const codes = new Float64Array(count)
  for (let row = 0; row < count; row += 1) codes[row] = quadcode(latitudes[row] ?? 0, longitudes[row] ?? 0)
  const order = Uint32Array.from({ length: count }, (_, row) => row).toSorted(
    (a, b) => (codes[a] ?? 0) - (codes[b] ?? 0) || a - b,
  )
  const squares: Square[] = []
  const split = (zoom: number, x: number, y: number, from: number, to: number): void => {
    if (from === to) return
    if (to - from <= capacity || zoom === cellMaxZoom) {
      squares.push({ key: `${zoom}-${x}-${y}`, rows: order.subarray(from, to) })
      return
    }
    const quarter = 4 ** (cellMaxZoom - zoom - 1)
    let start = from
    for (let child = 0; child < 4; child += 1) {
      const [childX, childY] = [x * 2 + (child & 1), y * 2 + (child >> 1)]
      const last = (spread(childX) + spread(childY) * 2 + 1) * quarter
      const end = firstAtLeast(order, codes, last, start, to)
      split(zoom + 1, childX, childY, start, end)
      start = end
    }
  }
  split(0, 0, 0, 0, count)
  return squares
}

function firstAtLeast(
  order: Uint32Array,
  codes: Float64Array,
  code: number,
  from: number,
  to: number,
): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((codes[order[middle] ?? 0] ?? 0) < code) low = middle + 1
    else high = middle
  }
  return low
}
