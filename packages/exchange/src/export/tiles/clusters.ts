import type { Points } from './points.ts'

/** What a map shows at one zoom: single points and clusters of them, in flat memory. */
export interface Level {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  /** Points that an item stands for; 1 for a single point. */
  readonly weight: Uint32Array
  /** The index of a single point; of a cluster, that of its first point. */
  readonly point: Uint32Array
}

/** Every point on its own, in the memory of the positions. */
export function singles({ count, x, y }: Points): Level {
  return {
    count,
    x,
    y,
    weight: new Uint32Array(count).fill(1),
    point: new Uint32Array(count).map((_, index) => index),
  }
}

/**
 * Merges items that are closer than `radius` (in widths of the world) into clusters at their weighted mean.
 * Greedy in the order of the items, like https://github.com/mapbox/supercluster, with a hashed grid of cells
 * as wide as the radius, so that a step is linear in the number of items. The result overwrites the memory of the level:
 * a cluster never comes after an item that is still to be read.
 */
export function clustered({ count, x, y, weight, point }: Level, radius: number): Level {
  const grid = gridOf({ count, x, y }, radius)
  let size = 0
  for (let item = 0; item < count; item += 1) {
    const others = grid.taken(item)
    if (others === undefined) continue
    const own = weight[item] ?? 1
    const [left, top] = [x[item] ?? 0, y[item] ?? 0]
    let total = own
    let sumX = left * own
    let sumY = top * own
    for (const near of others) {
      const share = weight[near] ?? 1
      total += share
      sumX += (x[near] ?? 0) * share
      sumY += (y[near] ?? 0) * share
    }
    x[size] = total === own ? left : sumX / total
    y[size] = total === own ? top : sumY / total
    weight[size] = total
    point[size] = point[item] ?? 0
    size += 1
  }
  return {
    count: size,
    x: x.subarray(0, size),
    y: y.subarray(0, size),
    weight: weight.subarray(0, size),
    point: point.subarray(0, size),
  }
}

interface Grid {
  /**
   * Takes an item, and all others that are closer to it than the radius and not taken yet: returns these, in a fixed order.
   * Undefined for one that is taken. Items are asked for by ascending number.
   */
  taken(item: number): readonly number[] | undefined
}

function gridOf({ count, x, y }: Pick<Level, 'count' | 'x' | 'y'>, radius: number): Grid {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2 * count, 2)))
  const first = new Int32Array(slots).fill(-1)
  const next = new Int32Array(count)
  const isTaken = new Uint8Array(count)
  const slotOf = (column: number, row: number): number =>
    (Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b)) & (slots - 1)
  const cell = (position: number | undefined): number => Math.floor((position ?? 0) / radius)
  for (let item = count - 1; item >= 0; item -= 1) {
    const slot = slotOf(cell(x[item]), cell(y[item]))
    next[item] = first[slot] ?? -1
    first[slot] = item
  }
  const found: number[] = []
  const takeIn = (slot: number, left: number, top: number, after: number) => {
    let other = first[slot] ?? -1
    // All up to the item are taken, and none of them is asked for again.
    while (other >= 0 && other <= after) other = next[other] ?? -1
    first[slot] = other
    for (; other >= 0; other = next[other] ?? -1) {
      if (isTaken[other] === 1) continue
      const across = (x[other] ?? 0) - left
      const down = (y[other] ?? 0) - top
      if (across * across + down * down >= radius * radius) continue
      isTaken[other] = 1
      found.push(other)
    }
  }
  return {
    taken: (item) => {
      if (isTaken[item] === 1) return undefined
      isTaken[item] = 1
      found.length = 0
      const left = x[item] ?? 0
      const top = y[item] ?? 0
      const [middle, centre] = [cell(left), cell(top)]
      for (let column = middle - 1; column <= middle + 1; column += 1)
        for (let row = centre - 1; row <= centre + 1; row += 1) takeIn(slotOf(column, row), left, top, item)
      return found
    },
  }
}
