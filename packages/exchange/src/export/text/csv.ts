import type { PageField, PagePiece } from '@openfountain/core/internal'
import { osmTagsOf } from '@openfountain/core/vocabulary'
import { csvCell, csvValue } from './cell.ts'
import { waypointFields } from '../fields.ts'
import { recordFormat } from './record-format.ts'

const text = (field: PageField): PagePiece => ({ field, form: csvCell })
const plain = (field: PageField): PagePiece => ({ field, form: 'as it is' })

/** https://www.rfc-editor.org/rfc/rfc4180, in UTF-8 without a byte order mark. */
export const csv = recordFormat({
  name: 'csv',
  file: 'waypoints.csv',
  mediaType: 'text/csv; charset=utf-8',
  title: 'CSV for spreadsheets',
  subject: 'waypoints',
  holds: 'Every column; amenities joined by `;`, tags as JSON text.',
  loses:
    'Nothing: texts that a spreadsheet would run have an apostrophe before them, which imports take off.',
  fields: waypointFields,
  before: `${waypointFields.map((field) => field.name).join(',')}\r\n`,
  template: ({ sourceTerms }) => ({
    record: [
      plain('id'),
      ',',
      text('name'),
      ',',
      plain('latitude'),
      ',',
      plain('longitude'),
      ',',
      text('description'),
      { ofAmenities: (amenities) => `,${csvValue(amenities)},` },
      text('image'),
      ',',
      text('maintainer'),
      ',',
      text('region'),
      ',',
      plain('approved'),
      ',',
      plain('verified'),
      ',',
      text('addedByUserId'),
      ',',
      plain('createdAt'),
      ',',
      plain('updatedAt'),
      ',',
      plain('lastConfirmed'),
      ',',
      plain('lastListed'),
      ',',
      plain('state'),
      ',',
      plain('rating'),
      ',',
      plain('reviewCount'),
      { ofAmenities: (amenities) => `,${csvValue(osmTagsOf(amenities))},` },
      { ofSources: (ids) => `${csvValue(sourceTerms(ids).source)},` },
      text('sourceRef'),
      {
        ofSources: (ids) => {
          const { license, attribution } = sourceTerms(ids)
          return `,${csvValue(license)},${csvValue(attribution)}\r\n`
        },
      },
    ],
  }),
})
