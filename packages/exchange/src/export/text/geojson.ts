import { attributionLine } from '@openfountain/core'
import { waypointFields } from '../fields.ts'
import { jsonMembers, plain, text } from './json-members.ts'
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
  // Foreign members, which section 6.1 of the standard allows.
  before: ({ license, attributions }) =>
    `{"type":"FeatureCollection","license":${JSON.stringify(license)},` +
    `"attribution":${JSON.stringify(attributionLine(attributions))},"features":[\n`,
  template: (edition) => ({
    record: [
      '{"type":"Feature","id":',
      plain('id'),
      ',"geometry":{"type":"Point","coordinates":[',
      plain('longitude'),
      ',',
      plain('latitude'),
      ']},"properties":{"id":',
      plain('id'),
      text('name'),
      ...jsonMembers(edition),
      '}}',
    ],
    between: ',\n',
  }),
  after: '\n]}\n',
})
