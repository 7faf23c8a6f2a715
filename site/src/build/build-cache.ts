import { join } from 'node:path'
import { BlockCache } from '../data/block-cache.ts'
import type { CellEntry } from '../map/data/cell.ts'
import { FileCache } from './file-cache.ts'
import type { Output } from './output.ts'

/** The build cache of a site: that of the earlier build, and that for the next. */
export interface BuildCache {
  /** Blocks of waypoints with their rows. */
  readonly rows: BlockCache
  /** Blocks of the log. */
  readonly log: BlockCache
  /** Files of the search. */
  readonly search: FileCache<true>
  /** Cells of the map, below its folder. */
  readonly cells: FileCache<CellEntry>
  /** Writes the cache of the next build. */
  write(): Promise<void>
}

export async function openBuildCache(output: Output): Promise<BuildCache> {
  const { folder, earlier, cache } = output
  const [rows, log] = [await BlockCache.open('rows.ndjson', cache), await BlockCache.open('log.txt', cache)]
  const search = await FileCache.open<true>(output, 'search.json')
  const ofMap = { cache, folder: join(folder, 'map'), earlier: join(earlier, 'map') }
  const cells = await FileCache.open<CellEntry>(ofMap, 'cells.json')
  return {
    rows,
    log,
    search,
    cells,
    async write() {
      for (const blocks of [rows, log]) await blocks.write(cache)
      for (const files of [search, cells]) await files.write()
    },
  }
}
