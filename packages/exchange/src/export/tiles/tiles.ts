import { isMadeName } from '@openfountain/core/names'
import { kindOf } from '@openfountain/core/vocabulary'
import { zxyToTileId } from 'pmtiles'
import { writeArchive, ZoomPart } from './archive.ts'
import { clustered, singles, type Level } from './clusters.ts'
import { attributionHtml } from '../text/attribution-html.ts'
import type { Edition } from '../edition.ts'
import type { Format, Tally } from '../format.ts'
import { gatherPoints, type Points, type TilePoint } from './points.ts'
import { VectorTile } from './vector-tile.ts'

/** At the deepest zoom every waypoint is a point of its own, to about two metres. */
const maxZoom = 12
/** Units across a tile. */
const extent = 4096
/** Waypoints nearer than this on the screen become one cluster, in pixels of a tile 512 wide. */
const clusterRadius = 40 / 512

/** Vector tiles for maps: https://github.com/protomaps/PMTiles */
export const pmtiles: Format = {
  name: 'pmtiles',
  file: 'waypoints.pmtiles',
  mediaType: 'application/vnd.pmtiles',
  title: 'PMTiles for web maps',
  subject: 'waypoints',
  holds:
    'Vector tiles, zoom 0 to 12, one layer `waypoints`: clusters with their number of points, and single ' +
    'waypoints with id, name (where they have one of their own), verified, approved, state, kind, amenities, region and rating.',
  loses: 'All other columns, and positions to about two metres.',
  write: async (path, edition, tally) => {
    const points = gatherPoints(tilePoints(edition, tally), `${path}.tags`)
    try {
      const parts: ZoomPart[] = []
      let level = singles(points)
      for (let zoom = maxZoom; zoom >= 0; zoom -= 1) {
        if (zoom < maxZoom) level = clustered(level, clusterRadius / 2 ** zoom)
        const part = await ZoomPart.create(`${path}.zoom${zoom}`)
        parts.unshift(part)
        await writeZoom(part, zoom, level, points)
      }
      const { bounds } = points
      await writeArchive(path, parts, { minZoom: 0, maxZoom, bounds, metadata: metadataOf(edition) })
    } finally {
      points.remove()
    }
  },
}

function* tilePoints(edition: Edition, tally: Tally): Iterable<TilePoint> {
  for (const record of edition.waypoints()) {
    tally.rows += 1
    const { id, latitude, longitude, name, verified, approved, state, amenities, region, rating } = record
    const kind = kindOf(amenities)
    const tags = {
      id,
      ...(!isMadeName(name) && { name }),
      verified,
      approved,
      ...(state !== 'unconfirmed' && { state }),
      ...(kind !== undefined && { kind }),
      ...(amenities.length > 0 && { amenities: amenities.join(';') }),
      ...(region !== undefined && { region }),
      ...(rating !== undefined && { rating }),
    }
    yield { latitude, longitude, tags }
  }
}

/** Room for the item's index below its tile's number in one exact integer. */
const indexRoom = 2 ** 26

async function writeZoom(part: ZoomPart, zoom: number, level: Level, points: Points): Promise<void> {
  const side = 2 ** zoom
  const tileOf = (position: number | undefined) => Math.min(Math.floor((position ?? 0) * side), side - 1)
  const order = new Float64Array(level.count)
  for (let item = 0; item < level.count; item += 1) {
    order[item] = zxyToTileId(zoom, tileOf(level.x[item]), tileOf(level.y[item])) * indexRoom + item
  }
  order.sort()
  const tile = new VectorTile('waypoints', extent)
  let repeatable = true
  for (const [place, key] of order.entries()) {
    const tileId = Math.floor(key / indexRoom)
    const item = key % indexRoom
    const x = level.x[item] ?? 0
    const y = level.y[item] ?? 0
    const weight = level.weight[item] ?? 1
    const within = (position: number) =>
      Math.min(Math.floor((position * side - tileOf(position)) * extent), extent - 1)
    if (weight > 1) {
      tile.add(undefined, { cluster: true, point_count: weight }, within(x), within(y))
    } else {
      const index = level.point[item] ?? 0
      // A single waypoint carries its id, so no other tile of this zoom has the same content.
      repeatable = false
      const tags = points.tags(index)
      tile.add(Number(tags['id']), tags, within(x), within(y))
    }
    const following = order[place + 1]
    if (following !== undefined && Math.floor(following / indexRoom) === tileId) continue
    await part.add(tileId, tile.finish(), repeatable)
    repeatable = true
  }
  await part.close()
}

function metadataOf(edition: Edition): object {
  return {
    name: edition.publisher.name,
    description: 'Public water fountains',
    attribution: attributionHtml(edition.attributions),
    type: 'overlay',
    version: String(edition.snapshot.revision),
    license: edition.license,
    vector_layers: [
      {
        id: 'waypoints',
        description: 'Water fountains, and clusters of them',
        minzoom: 0,
        maxzoom: maxZoom,
        fields: {
          id: 'Number',
          name: 'String',
          verified: 'Boolean',
          approved: 'Boolean',
          state: 'String',
          kind: 'String',
          amenities: 'String',
          region: 'String',
          rating: 'Number',
          cluster: 'Boolean',
          point_count: 'Number',
        },
      },
    ],
  }
}
