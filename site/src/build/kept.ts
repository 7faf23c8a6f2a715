import { join } from 'node:path'
import { KnownBlocks } from '../data/known-blocks.ts'
import type { CellEntry } from '../map/data/cell.ts'
import { KeptFiles } from './kept-files.ts'
import type { Output } from './output.ts'

/** The build cache of a site: that of the earlier build, and that for the next. */
export interface KeptOfSite {
  /** Blocks of waypoints with their rows. */
  readonly rows: KnownBlocks
  /** Blocks of the log. */
  readonly log: KnownBlocks
  /** Files of the search. */
  readonly search: KeptFiles<true>
  /** Cells of the map, below its folder. */
  readonly cells: KeptFiles<CellEntry>
  /** Keeps it for the next build. */
  write(): Promise<void>
}

export async function openKept(output: Output): Promise<KeptOfSite> {
  const { folder, earlier, kept } = output
  const [rows, log] = [await KnownBlocks.open('rows.ndjson', kept), await KnownBlocks.open('log.txt', kept)]
  const search = await KeptFiles.open<true>(output, 'search.json')
  const ofMap = { kept, folder: join(folder, 'map'), earlier: join(earlier, 'map') }
  const cells = await KeptFiles.open<CellEntry>(ofMap, 'cells.json')
  return {
    rows,
    log,
    search,
    cells,
    async write() {
      for (const blocks of [rows, log]) await blocks.write(kept)
      for (const files of [search, cells]) await files.write()
    },
  }
}
