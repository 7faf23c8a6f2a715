import { zxyToTileId } from 'pmtiles'
import type { Level } from './clusters.ts'
import type { Points } from './points.ts'
import { VectorTile } from './vector-tile.ts'
import type { ZoomPart } from './zoom-part.ts'

/** Units across a tile. */
const extent = 4096
/** Room for the item's index below its tile's number in one exact integer. */
const indexRoom = 2 ** 26

/** Writes the tiles of one zoom. */
export async function writeZoom(part: ZoomPart, zoom: number, level: Level, points: Points): Promise<void> {
  const side = 2 ** zoom
  const order = orderOf(level, zoom)
  const within = (position = 0) =>
    Math.min(Math.floor((position * side - cellOf(position, side)) * extent), extent - 1)
  const tile = new VectorTile('waypoints', extent)
  for (let start = 0, end = 0; start < order.length; start = end) {
    const tileId = Math.floor((order[start] ?? 0) / indexRoom)
    // A single waypoint carries its id, so no other tile of this zoom has the same content.
    let mayRepeat = true
    for (; end < order.length && Math.floor((order[end] ?? 0) / indexRoom) === tileId; end += 1) {
      const item = (order[end] ?? 0) % indexRoom
      const weight = level.weight[item] ?? 1
      const single = weight === 1 ? points.tags[level.point[item] ?? 0] : undefined
      if (single) mayRepeat = false
      const tags = single ?? { cluster: true, point_count: weight }
      tile.add(single?.id, tags, within(level.x[item]), within(level.y[item]))
    }
    await part.add(tileId, tile.finish(), mayRepeat)
  }
  await part.close()
}

/** Column or row of the tile of a position. */
const cellOf = (position = 0, side: number) => Math.min(Math.floor(position * side), side - 1)

/** The items by the number of their tile, and by their own within it. */
function orderOf({ count, x, y }: Level, zoom: number): Float64Array {
  const side = 2 ** zoom
  const order = new Float64Array(count)
  for (let item = 0; item < count; item += 1) {
    order[item] = zxyToTileId(zoom, cellOf(x[item], side), cellOf(y[item], side)) * indexRoom + item
  }
  order.sort()
  return order
}
