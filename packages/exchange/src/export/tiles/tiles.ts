import { writeArchive } from './archive.ts'
import { clustered, singles } from './clusters.ts'
import { attributionHtml } from '../text/attribution-html.ts'
import type { Edition } from '../edition.ts'
import type { Format } from '../format.ts'
import { gatherPoints } from './points.ts'
import { writeZoom } from './zoom.ts'
import { ZoomPart } from './zoom-part.ts'

/** At the deepest zoom every waypoint is a point of its own, to about two metres. */
const maxZoom = 12
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
    'waypoints with id, name (where they have one of their own), verified, approved, state, drinkable, kind, amenities, region and rating.',
  loses: 'All other columns, and positions to about two metres.',
  write: async (path, edition, tally) => {
    const points = await gatherPoints(edition.waypoints(), () => (tally.rows += 1))
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
  },
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
