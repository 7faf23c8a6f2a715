import { waypointColumns } from '@openfountain/core/internal'
import { csvValue } from '@openfountain/core/published'
import { waypointFields } from '../fields.ts'
import { textFormat } from '../format.ts'

/** https://www.rfc-editor.org/rfc/rfc4180, in UTF-8 without a byte order mark. */
export const csv = textFormat({
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
  *text(edition, tally) {
    yield `${waypointFields.map((field) => field.name).join(',')}\r\n`
    for (const record of edition.waypoints()) {
      tally.rows += 1
      const terms = edition.terms(record)
      yield `${waypointColumns.map(([, valueOf]) => csvValue(valueOf(record, terms))).join(',')}\r\n`
    }
  },
})
