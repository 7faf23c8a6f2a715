import { featureCollection, featureText } from '@openfountain/core/internal'
import { waypointFields } from '../fields.ts'
import { counted, textFormat } from '../format.ts'
import { collectionSchema } from '../json-schema.ts'

/** The position is the geometry. */
const properties = waypointFields.filter(({ name }) => name !== 'latitude' && name !== 'longitude')

/** https://www.rfc-editor.org/rfc/rfc7946 */
export const geojson = textFormat({
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
  *text(edition, tally) {
    yield featureCollection.before(edition)
    for (const record of counted(edition.waypoints(), tally)) {
      const feature = featureText(record, edition.terms(record))
      yield tally.rows > 1 ? featureCollection.between + feature : feature
    }
    yield featureCollection.after
  },
})
