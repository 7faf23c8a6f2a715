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
  const taken = new Uint8Array(count)
  let size = 0
  for (let item = 0; item < count; item += 1) {
    if (taken[item] === 1) continue
    taken[item] = 1
    const own = weight[item] ?? 1
    const [left, top] = [x[item] ?? 0, y[item] ?? 0]
    let total = own
    let sumX = left * own
    let sumY = top * own
    for (const near of grid.near(item)) {
      if (taken[near] === 1) continue
      taken[near] = 1
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
  /** Items closer to an item than the radius, itself included, in a fixed order. */
  near(item: number): readonly number[]
}

function gridOf({ count, x, y }: Pick<Level, 'count' | 'x' | 'y'>, radius: number): Grid {
  const slots = 2 ** Math.ceil(Math.log2(Math.max(2 * count, 2)))
  const first = new Int32Array(slots).fill(-1)
  const next = new Int32Array(count)
  const slotOf = (column: number, row: number): number =>
    (Math.imul(column, 0x9e3779b1) ^ Math.imul(row, 0x85ebca6b)) & (slots - 1)
  const cell = (position: number | undefined): number => Math.floor((position ?? 0) / radius)
  for (let item = count - 1; item >= 0; item -= 1) {
    const slot = slotOf(cell(x[item]), cell(y[item]))
    next[item] = first[slot] ?? -1
    first[slot] = item
  }
  const found: number[] = []
  return {
    near: (item) => {
      found.length = 0
      const left = x[item] ?? 0
      const top = y[item] ?? 0
      for (let column = cell(left) - 1; column <= cell(left) + 1; column += 1) {
        for (let row = cell(top) - 1; row <= cell(top) + 1; row += 1) {
          for (let other = first[slotOf(column, row)] ?? -1; other >= 0; other = next[other] ?? -1) {
            const across = (x[other] ?? 0) - left
            const down = (y[other] ?? 0) - top
            if (across * across + down * down < radius * radius) found.push(other)
          }
        }
      }
      return found
    },
  }
}
