import { featureCollection, featureText } from '@openfountain/core/internal'
import { waypointFields } from '../fields.ts'
import { recordFormat } from './record-format.ts'

/** https://www.rfc-editor.org/rfc/rfc7946 */
export const geojson = recordFormat({
  name: 'geojson',
  file: 'waypoints.geojson',
  mediaType: 'application/geo+json',
  title: 'GeoJSON',
  subject: 'waypoints',
  holds:
    'Every column, lists and objects as such, one feature a line; latitude and longitude are the geometry.',
  loses: 'Nothing.',
  fields: waypointFields,
  before: featureCollection.before,
  template: (edition) => ({
    record: featureText(edition.sourceTerms),
    between: featureCollection.between,
  }),
  after: featureCollection.after,
})
