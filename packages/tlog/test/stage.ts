import { Frontier, type TileRoot } from '../src/frontier.ts'
import type { TreeReads } from '../src/index.ts'

export function treeOf(leaves: readonly string[]) {
  const tiles: TileRoot[] = []
  const frontier = new Frontier()
  for (const leaf of leaves) frontier.append(leaf, (tile) => tiles.push(tile))
  const levels = Map.groupBy(tiles, ({ level }) => level)
  const reads: TreeReads = {
    leaves: async (from, count) => leaves.slice(from, from + count),
    tiles: async (level, from, count) =>
      (levels.get(level) ?? []).slice(from, from + count).map(({ root }) => root),
  }
  return { frontier, tiles, reads }
}
