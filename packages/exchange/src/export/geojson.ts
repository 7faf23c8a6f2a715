import type { TextTemplate } from '@openfountain/core'
import { waypointFields } from './fields.ts'
import { textFormat } from './format.ts'
import { sourceRefOf } from './provenance.ts'
import { ofAmenities, ofTerms } from './texts.ts'

const template: TextTemplate = [
  [
    { before: ',"name":', field: 'name', form: 'json' },
    { before: ',"description":', field: 'description', form: 'json' },
    { before: ',"amenities":', field: 'amenities', form: 'as it is' },
    { before: ',"image":', field: 'image', form: 'json' },
    { before: ',"maintainer":', field: 'maintainer', form: 'json' },
    { before: ',"region":', field: 'region', form: 'json' },
    { before: ',"approved":', field: 'approved', form: 'as it is' },
    { before: ',"verified":', field: 'verified', form: 'as it is' },
    { before: ',"added_by":', field: 'addedByUserId', form: 'json' },
    { before: ',"created_at":"', field: 'createdAt', form: 'as it is' },
    { before: '","updated_at":"', field: 'updatedAt', form: 'as it is' },
    '","last_confirmed":"',
  ],
]

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
    const osmTags = ofAmenities((_, tags) => `,"osm_tags":${JSON.stringify(tags)}`)
    const sourceMember = ofTerms(({ source }) =>
      source === undefined ? '' : `,"source":${JSON.stringify(source)}`,
    )
    const ending = ofTerms(
      ({ license, attribution }) =>
        `,"license":${JSON.stringify(license)},"attribution":${JSON.stringify(attribution)}}}`,
    )
    yield '{"type":"FeatureCollection","features":['
    let separator = '\n'
    for (const record of edition.texts(template)) {
      tally.rows += 1
      const { id, texts, rating } = record
      const terms = edition.terms(record)
      const ref = sourceRefOf(record)
      yield (
        separator +
          `{"type":"Feature","id":${id},"geometry":{"type":"Point","coordinates":[${record.longitude},${record.latitude}]}` +
          `,"properties":{"id":${id}${texts[0]}${record.lastConfirmed}"` +
          (rating === undefined ? '' : `,"rating":${rating}`) +
          `,"review_count":${record.reviewCount}` +
          osmTags(record.amenities) +
          sourceMember(terms) +
          (ref === undefined ? '' : `,"source_ref":${JSON.stringify(ref)}`) +
          ending(terms)
      )
      separator = ',\n'
    }
    yield '\n]}\n'
  },
})
