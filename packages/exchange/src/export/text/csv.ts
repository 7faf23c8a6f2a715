import {
  fieldNames,
  placeColumns,
  waypointFields as waypoint,
  type WaypointField,
} from '@openfountain/core/fields'
import type { PageField, PagePiece } from '@openfountain/core/internal'
import { csvCell, csvValue } from './cell.ts'
import { waypointFields } from '../fields.ts'
import { recordFormat } from './record-format.ts'

const text = (field: PageField): PagePiece => ({ field, form: csvCell })
const plain = (field: PageField): PagePiece => ({ field, form: 'as it is' })

/** The cell of one of the waypoint's own fields, with the comma behind it. */
function cell(name: WaypointField): readonly PagePiece[] {
  const { type } = waypoint[name]
  if (name === 'amenities') return [{ ofAmenities: (amenities) => `${csvValue(amenities)},` }]
  const isPlain = type === 'id' || type === 'degrees' || type === 'flag' || type === 'time'
  return [isPlain ? plain(name) : text(name), ',']
}

/** https://www.rfc-editor.org/rfc/rfc4180, in UTF-8 without a byte order mark. */
export const csv = recordFormat({
  name: 'csv',
  file: 'waypoints.csv',
  mediaType: 'text/csv; charset=utf-8',
  title: 'CSV for spreadsheets',
  subject: 'waypoints',
  isDaily: true,
  holds: 'Every column; lists joined by `;`, tags as JSON text.',
  loses:
    'Nothing: texts that a spreadsheet would run have an apostrophe before them, which imports take off.',
  fields: waypointFields,
  before: `${waypointFields.map((field) => field.name).join(',')}\r\n`,
  template: ({ sourceTerms }) => ({
    record: [
      ...fieldNames.flatMap(cell),
      plain('nameIsGenerated'),
      ',',
      plain('state'),
      ',',
      plain('stateSince'),
      ',',
      plain('lastConfirmed'),
      ',',
      plain('lastListed'),
      ',',
      plain('sourceUpdated'),
      ',',
      ...placeColumns.flatMap(([column]) => [text(column), ',']),
      plain('rating'),
      ',',
      plain('reviewCount'),
      ',',
      text('osmType'),
      ',',
      plain('osmId'),
      ',',
      text('osmObjectTags'),
      ',"',
      { osmTags: 'json in a cell' },
      '",',
      { ofSources: (ids) => `${csvValue(sourceTerms(ids).sources)},` },
      text('sourceRefs'),
      {
        ofSources: (ids) => {
          const { license, attribution } = sourceTerms(ids)
          return `,${csvValue(license)},${csvValue(attribution)}\r\n`
        },
      },
    ],
  }),
})
