import { featureCollection, featureText } from '@openfountain/core/internal'
import { waypointFields } from '../fields.ts'
import { collectionSchema } from '../json-schema.ts'
import { recordFormat } from './record-format.ts'

/** The position is the geometry. */
const properties = waypointFields.filter(({ name }) => name !== 'latitude' && name !== 'longitude')

/** https://www.rfc-editor.org/rfc/rfc7946 */
export const geojson = recordFormat({
  name: 'geojson',
  file: 'waypoints.geojson',
  mediaType: 'application/geo+json',
  title: 'GeoJSON',
  subject: 'waypoints',
  isDaily: true,
  holds:
    'Every column, lists and objects as such, one feature a line; latitude and longitude are the geometry.',
  loses: 'Nothing.',
  fields: waypointFields,
  jsonSchema: collectionSchema('Point', properties),
  before: featureCollection.before,
  template: (edition) => ({
    record: featureText(edition.sourceTerms),
    between: featureCollection.between,
  }),
  after: featureCollection.after,
})
