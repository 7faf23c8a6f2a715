import { rowsOf, waypointFields } from './fields.ts'
import { textFormat } from './format.ts'

/** One JSON object a line, gzipped. */
export const ndjson = textFormat({
  name: 'ndjson',
  file: 'waypoints.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'Newline-delimited JSON, compressed',
  subject: 'waypoints',
  holds: 'Every column, lists and objects as such, one record a line.',
  loses: 'Nothing.',
  fields: waypointFields,
  gzip: true,
  *text(edition, tally) {
    for (const row of rowsOf(edition)) {
      tally.rows += 1
      yield `${JSON.stringify(row)}\n`
    }
  },
})
