import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSearchIndex } from '../../search/build/index.ts'
import { writeCells } from './cells.ts'
import { writeBaseMap } from './kept-basemap.ts'
import { placeEntries, regionsOf } from './places.ts'
import { type MapRow, RowColumns } from './rows.ts'

export interface MapFilesOptions {
  /** All waypoints, in any order; read once. */
  readonly rows: AsyncIterable<MapRow> | Iterable<MapRow>
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Time of the data, ISO 8601 UTC. */
  readonly dataTime: string
  /** Whether the bundled base map is used; not when the operator has a style of their own. */
  readonly baseMap: boolean
  /** Whether a waypoint has a page of its own. */
  hasPage(id: number): boolean
}

/**
 * Writes what the map's scripts read beside the export's own files: under `map/` the base map, cells and places,
 * under `search/` the index of names and regions.
 */
export async function writeMapFiles(options: MapFilesOptions): Promise<void> {
  const folder = join(options.outDir, 'map')
  await mkdir(folder, { recursive: true })
  const rows = new RowColumns()
  for await (const row of options.rows) rows.add(row)
  const regions = regionsOf(rows)
  await writeFile(join(folder, 'places.json'), JSON.stringify(placeEntries(regions)))
  await writeCells(rows, { folder, dataTime: options.dataTime, hasPage: options.hasPage })
  await writeSearchIndex(rows, regions, options.outDir)
  if (options.baseMap) await writeBaseMap(join(folder, 'base'))
}
