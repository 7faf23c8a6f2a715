import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSearchIndex } from '../../search/build/index.ts'
import { writeBaseMap } from './kept-basemap.ts'
import { placeEntries, regionsOf } from './places.ts'
import type { RowColumns } from './rows.ts'

export interface MapFilesOptions {
  /** All waypoints, in any order. */
  readonly rows: RowColumns
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Whether the bundled base map is used; not when the operator has a style of their own. */
  readonly baseMap: boolean
}

/**
 * Writes what the map's scripts read beside the export's own files: under `map/` the base map and places, under
 * `search/` the index of names and regions. Cells, which know what has a page, are written by `writeCells`.
 */
export async function writeMapFiles({ rows, outDir, baseMap }: MapFilesOptions): Promise<void> {
  const folder = join(outDir, 'map')
  await mkdir(folder, { recursive: true })
  const regions = regionsOf(rows)
  await writeFile(join(folder, 'places.json'), JSON.stringify(placeEntries(regions)))
  await writeSearchIndex(rows, regions, outDir)
  if (baseMap) await writeBaseMap(join(folder, 'base'))
}
