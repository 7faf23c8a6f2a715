import type { Position } from '../page/position.ts'
import { cellCapacity, cellMaxZoom } from '../data/cell.ts'

export interface Square<Item> {
  /** `zoom-x-y`, numbered like tiles. */
  readonly key: string
  readonly items: readonly Item[]
}

const cellsPerSide = 2 ** cellMaxZoom

/** An item with its smallest square, whose code has the path in the tree as its base-4 digits. */
interface Coded<Item> {
  readonly item: Item
  readonly x: number
  readonly y: number
  readonly code: number
}

function coded<Item extends Position>(item: Item): Coded<Item> {
  const sine = Math.sin((item.latitude * Math.PI) / 180)
  const x = clamp(((item.longitude + 180) / 360) * cellsPerSide)
  const y = clamp((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * cellsPerSide)
  return { item, x, y, code: spread(x) + spread(y) * 2 }
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

/** Divides items into squares of at most `capacity` (default {@link cellCapacity}), each as large as can be; none is empty. */
export const divide = <Item extends Position>(
  items: readonly Item[],
  capacity = cellCapacity,
): Square<Item>[] =>
  split(
    items.map(coded).toSorted((a, b) => a.code - b.code),
    0,
    capacity,
  )

function split<Item>(inside: readonly Coded<Item>[], zoom: number, capacity: number): Square<Item>[] {
  const [first] = inside
  if (!first) return []
  if (inside.length <= capacity || zoom === cellMaxZoom) {
    const [x, y] = [first.x, first.y].map((at) => at >> (cellMaxZoom - zoom))
    return [{ key: `${zoom}-${x}-${y}`, items: inside.map(({ item }) => item) }]
  }
  const quarter = 4 ** (cellMaxZoom - zoom - 1)
  const quarters = Map.groupBy(inside, ({ code }) => Math.floor(code / quarter))
  return [...quarters.values()].flatMap((part) => split(part, zoom + 1, capacity))
}
