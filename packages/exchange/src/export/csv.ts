import { csvValue } from './cell.ts'
import { rowsOf, waypointFields } from './fields.ts'
import { textFormat } from './format.ts'

/** https://www.rfc-editor.org/rfc/rfc4180, in UTF-8 without a byte order mark. */
export const csv = textFormat({
  name: 'csv',
  file: 'waypoints.csv',
  mediaType: 'text/csv; charset=utf-8',
  title: 'CSV for spreadsheets',
  subject: 'waypoints',
  holds: 'Every column; amenities joined by `;`, tags as JSON text.',
  loses:
    'Nothing: texts that a spreadsheet would run have an apostrophe before them, which imports take off.',
  fields: waypointFields,
  *text(edition, tally) {
    yield `${waypointFields.map((field) => field.name).join(',')}\r\n`
    for (const row of rowsOf(edition)) {
      tally.rows += 1
      yield `${waypointFields.map((field) => csvValue(row[field.name as keyof typeof row])).join(',')}\r\n`
    }
  },
})
