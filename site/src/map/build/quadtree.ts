import type { Position } from '../page/position.ts'
import { cellCapacity, cellMaxZoom } from '../data/cell.ts'

/** A square of the map and the items in it, in Z-order. */
export interface Square<Item> {
  /** `zoom-x-y`, numbered like tiles. */
  readonly key: string
  readonly items: readonly Item[]
}

const cellsPerSide = 2 ** cellMaxZoom

/** The smallest square of a position, as a number whose base-4 digits are the path in the tree. */
function quadcode({ latitude, longitude }: Position): number {
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
 * Divides items into squares of at most `capacity` (default {@link cellCapacity}), each as large as it can be. Empty
 * squares are left out. The order depends on the positions alone; items at one place keep their order.
 */
export function divide<Item extends Position>(
  items: readonly Item[],
  capacity = cellCapacity,
): Square<Item>[] {
  const codes = Float64Array.from(items, quadcode)
  const order = Uint32Array.from(items, (_, place) => place).toSorted(
    (a, b) => (codes[a] ?? 0) - (codes[b] ?? 0) || a - b,
  )
  const squares: Square<Item>[] = []
  const split = (zoom: number, x: number, y: number, from: number, to: number): void => {
    if (from === to) return
    if (to - from <= capacity || zoom === cellMaxZoom) {
      const inside = Array.from(order.subarray(from, to), (place) => items[place])
      squares.push({ key: `${zoom}-${x}-${y}`, items: inside.filter((item) => item !== undefined) })
      return
    }
    const quarter = 4 ** (cellMaxZoom - zoom - 1)
    let start = from
    for (let child = 0; child < 4; child += 1) {
      const [childX, childY] = [x * 2 + (child & 1), y * 2 + (child >> 1)]
      const last = (spread(childX) + spread(childY) * 2 + 1) * quarter
      let end = start
      while (end < to && (codes[order[end] ?? 0] ?? 0) < last) end += 1
      split(zoom + 1, childX, childY, start, end)
      start = end
    }
  }
  split(0, 0, 0, 0, items.length)
  return squares
}
