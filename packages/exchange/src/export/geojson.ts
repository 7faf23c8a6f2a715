import { rowsOf, waypointFields, type WaypointRow } from './fields.ts'
import { textFormat } from './format.ts'

/** A GeoJSON Feature of a row: its position as geometry, all other columns as properties. */
export function featureOf(row: WaypointRow): object {
  const { id, latitude, longitude, ...rest } = row
  return {
    type: 'Feature',
    id,
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
    properties: { id, ...rest },
  }
}

/** https://www.rfc-editor.org/rfc/rfc7946 */
export const geojson = textFormat({
  name: 'geojson',
  file: 'waypoints.geojson',
  mediaType: 'application/geo+json',
  title: 'GeoJSON',
  subject: 'waypoints',
  holds:
    'Every column, lists and objects as such, one feature a line; latitude and longitude are the geometry.',
  loses: 'Nothing.',
  fields: waypointFields,
  *text(edition, tally) {
    yield '{"type":"FeatureCollection","features":['
    let separator = '\n'
    for (const row of rowsOf(edition)) {
      tally.rows += 1
      yield separator + JSON.stringify(featureOf(row))
      separator = ',\n'
    }
    yield '\n]}\n'
  },
})
