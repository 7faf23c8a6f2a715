import type { Registry, Waypoint, WaypointFilterInput } from '@openfountain/core'
import { osmTagsOf } from '@openfountain/core/vocabulary'

/** A media type in which GET /api/waypoints answers its waypoints beside JSON. */
export interface WaypointFormat {
  /** As clients name it in Accept, without parameters. */
  readonly mediaType: string
  /** What it holds, for the docs. */
  readonly description: string
  /**
   * The address of the module that has this format in its export `waypointFormats`. With it long lists are made in
   * a thread of their own; without it in the one that serves.
   */
  readonly module?: string
  /** The text in pieces of any size, of the waypoints that the filter leaves and in its order. */
  text(registry: Registry, filter: WaypointFilterInput): AsyncIterable<string> | Iterable<string>
}

const featuresAtATime = 500

/** RFC 7946, with the column names of the exports. */
export const geojson: WaypointFormat = {
  mediaType: 'application/geo+json',
  description: 'A GeoJSON FeatureCollection: the position as geometry, all other columns as properties',
  module: import.meta.url,
  async *text(registry, filter) {
    const { license, author } = registry
    yield `{"type":"FeatureCollection","license":${JSON.stringify(license)},"author":${JSON.stringify(author)},"features":[`
    let separator = ''
    let features: string[] = []
    for await (const waypoint of registry.waypoints.each(filter)) {
      features.push(featureOf(waypoint))
      if (features.length < featuresAtATime) continue
      yield separator + features.join(',')
      separator = ','
      features = []
    }
    yield `${features.length === 0 ? '' : separator}${features.join(',')}]}`
  },
}

function featureOf(waypoint: Waypoint): string {
  const { id, latitude, longitude, addedByUserId, createdAt, updatedAt, ...rest } = waypoint
  return JSON.stringify({
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: {
      id,
      ...rest,
      added_by: addedByUserId,
      created_at: createdAt,
      updated_at: updatedAt,
      osm_tags: osmTagsOf(waypoint.amenities),
    },
  })
}

/** What is answered unless an app is told otherwise. */
export const waypointFormats: readonly WaypointFormat[] = [geojson]
