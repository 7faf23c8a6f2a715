import { zxyToTileId } from 'pmtiles'
import type { Edition } from '../edition.ts'
import type { Format } from '../format.ts'
import { attributionHtml } from '../text/attribution-html.ts'
import { writeArchive, type Tile } from './archive.ts'
import { clustered, pointOf, type MapPoint } from './points.ts'
import { vectorTile } from './vector-tile.ts'

/** At the deepest zoom every waypoint is a point of its own, to about two metres. */
const maxZoom = 12
/** Waypoints nearer than this on the screen become one cluster, in pixels of a tile 512 wide. */
const clusterRadius = 40 / 512
const extent = 4096

/** Vector tiles for maps: https://github.com/protomaps/PMTiles */
export const pmtiles: Format = {
  name: 'pmtiles',
  file: 'waypoints.pmtiles',
  mediaType: 'application/vnd.pmtiles',
  title: 'PMTiles for web maps',
  subject: 'waypoints',
  holds:
    'Vector tiles, zoom 0 to 12, one layer `waypoints`: clusters with their number of points (and of ' +
    'usable ones, where some are not), and single waypoints with id, name (where they have one of their own), verified, ' +
    'approved, state, drinkable, access, kind, amenities, region and rating.',
  loses: 'All other columns, and positions to about two metres.',
  write: async (path, edition, tally) => {
    const points: MapPoint[] = []
    for (const record of edition.waypoints()) {
      points.push(pointOf(record))
      tally.rows += 1
      if (tally.rows % 1000 === 0) await new Promise(setImmediate)
    }
    const levels = [points]
    for (let zoom = maxZoom - 1; zoom >= 0; zoom -= 1) {
      levels.unshift(clustered(levels[0] ?? [], clusterRadius / 2 ** zoom))
      await new Promise(setImmediate)
    }
    const bounds = edition.extent() ?? ([-180, -85, 180, 85] as const)
    await writeArchive(path, tilesOf(levels), { minZoom: 0, maxZoom, bounds, metadata: metadataOf(edition) })
  },
}

function* tilesOf(levels: readonly (readonly MapPoint[])[]): Iterable<Tile> {
  for (const [zoom, points] of levels.entries()) {
    const side = 2 ** zoom
    /** Column or row of the tile of a position. */
    const cellOf = (position: number) => Math.min(Math.floor(position * side), side - 1)
    const within = (position: number) =>
      Math.min(Math.floor((position * side - cellOf(position)) * extent), extent - 1)
    const tiles = Map.groupBy(points, ({ x, y }) => zxyToTileId(zoom, cellOf(x), cellOf(y)))
    for (const id of [...tiles.keys()].toSorted((one, other) => one - other)) {
      const inTile = tiles.get(id) ?? []
      const placed = inTile.map(({ x, y, tags }) => ({ x: within(x), y: within(y), tags }))
      // A single waypoint carries its id, so that no other tile of the zoom has the same content.
      const mayRepeat = inTile.every(({ weight }) => weight > 1)
      yield { id, bytes: vectorTile('waypoints', extent, placed), mayRepeat }
    }
  }
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
          drinkable: 'String',
          access: 'String',
          kind: 'String',
          amenities: 'String',
          region: 'String',
          rating: 'Number',
          cluster: 'Boolean',
          point_count: 'Number',
          usable_count: 'Number',
        },
      },
    ],
  }
}
