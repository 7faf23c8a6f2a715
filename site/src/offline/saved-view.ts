import { baseMaxZoom, baseTileFile, type BaseMapIndex } from '../map/engine/basemap.ts'
import { cellBounds, type CellIndex } from '../map/data/cell.ts'
import type { Bounds } from '../map/data/config.ts'
import { boundsMeet } from '../map/page/position.ts'

/** Cells that may be saved at once: some tens of thousands of fountains, a few megabytes. */
export const savedCellLimit = 60

/** The index files from ids to cells are saved when there are at most this many: some sixty thousand fountains. */
const savedIdFileLimit = 16

/** The files that show a part of the map offline; undefined when the part is too large. */
export function filesToKeep(
  bounds: Bounds,
  index: CellIndex,
  base: BaseMapIndex | undefined,
): readonly string[] | undefined {
  const cells = index.cells.filter((entry) => boundsMeet(cellBounds(entry), bounds))
  if (cells.length > savedCellLimit) return undefined
  return [
    'map/cells/index.json',
    'map/places.json',
    ...cells.flatMap(([key]) => [`map/cells/${key}.json`, `map/cells/${key}.more.json`]),
    ...(index.ids.length > savedIdFileLimit ? [] : index.ids.map((_, file) => `map/cells/ids-${file}.json`)),
    ...(base ? ['map/base/index.json', ...baseFiles(bounds, base)] : []),
  ]
}

function baseFiles(bounds: Bounds, base: BaseMapIndex): Set<string> {
  const files = new Set<string>()
  for (let zoom = 0; zoom <= baseMaxZoom; zoom += 1) {
    const side = 2 ** zoom
    for (let x = 0; x < side; x += 1) {
      for (let y = 0; y < side; y += 1) {
        const file = baseTileFile(base, zoom, x, y)
        if (file !== undefined && boundsMeet(tileBounds(zoom, x, y), bounds)) files.add(`map/base/${file}`)
      }
    }
  }
  return files
}

/** The bounds of a Web Mercator tile. */
function tileBounds(zoom: number, x: number, y: number): Bounds {
  const side = 2 ** zoom
  const latitude = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI
  return [(x / side) * 360 - 180, latitude(y + 1), ((x + 1) / side) * 360 - 180, latitude(y)]
}
