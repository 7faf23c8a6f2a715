import { cellBounds, type CellIndex } from '../map/data/cell.ts'
import type { Bounds } from '../data/region.ts'
import { boundsMeet } from '../map/page/position.ts'

/** Cells that may be saved at once: some tens of thousands of fountains, a few megabytes. */
export const savedCellLimit = 60

/** Cells that are kept of a view that is only looked at: some thousands of fountains, a few hundred kilobytes. */
export const seenCellLimit = 8

/** The index files from ids to cells are saved when there are at most this many: some sixty thousand fountains. */
const savedIdFileLimit = 16

/** The files with the fountains of a part of the map; undefined when the part is too large. */
export function filesToKeep(
  bounds: Bounds,
  index: CellIndex,
  limit = savedCellLimit,
): readonly string[] | undefined {
  const cells = index.cells.filter((entry) => boundsMeet(cellBounds(entry), bounds))
  if (cells.length > limit) return undefined
  return [
    'map/cells/index.json',
    'map/places.json',
    ...cells.flatMap(([key]) => [`map/cells/${key}.json`, `map/cells/${key}.more.json`]),
    ...(index.ids.length > savedIdFileLimit ? [] : index.ids.map((_, file) => `map/cells/ids-${file}.json`)),
  ]
}
