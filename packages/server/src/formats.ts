import type { Registry, Waypoint, WaypointFilterInput } from '@openfountain/core'

/** A media type in which GET /api/waypoints answers its waypoints beside JSON. */
export interface WaypointFormat {
  /** As clients name it in Accept, without parameters. */
  readonly mediaType: string
  /** What it holds, for the docs. */
  readonly description: string
  /** The text in pieces of any size, of the waypoints that the filter leaves and in its order. */
  text(registry: Registry, filter: WaypointFilterInput): AsyncIterable<string> | Iterable<string>
}

const featuresAtATime = 500

/** RFC 7946. Every field of a waypoint but its position is a property. */
export const geojson: WaypointFormat = {
  mediaType: 'application/geo+json',
  description: 'A GeoJSON FeatureCollection: the position as geometry, all other fields as properties',
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

function featureOf({ id, latitude, longitude, ...properties }: Waypoint): string {
  return JSON.stringify({
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { id, ...properties },
  })
}
