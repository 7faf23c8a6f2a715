import { waypointText } from '@openfountain/core/internal'
import { waypointFields } from '../fields.ts'
import { counted, textFormat } from '../format.ts'

/** One JSON object a line, gzipped. */
export const ndjson = textFormat({
  name: 'ndjson',
  file: 'waypoints.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'Newline-delimited JSON, compressed',
  subject: 'waypoints',
  holds:
    'Every column, lists and objects as such, one record a line; every line has every column, `null` where nothing is known.',
  loses: 'Nothing.',
  fields: waypointFields,
  gzip: true,
  *text(edition, tally) {
    for (const record of counted(edition.waypoints(), tally))
      yield `${waypointText(record, edition.terms(record), 'null')}\n`
  },
})
