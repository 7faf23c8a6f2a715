import { jsonMembers, plain, text, type PagePiece } from '@openfountain/core/internal'
import { linesFormat } from '../blocks/lines-format.ts'
import type { Edition } from '../edition.ts'
import { waypointFields } from '../fields.ts'

/** One JSON object a line, gzipped. */
export const ndjson = linesFormat({
  name: 'ndjson',
  file: 'waypoints.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'Newline-delimited JSON, compressed',
  subject: 'waypoints',
  holds:
    'Every column, lists and objects as such, one record a line; every line has every column, `null` where nothing is known.',
  loses: 'Nothing.',
  fields: waypointFields,
  *lines(edition, tally) {
    for (const { bytes, count } of edition.pages({ record: recordOf(edition) })) {
      tally.rows += count
      yield bytes
    }
  },
})

const recordOf = ({ sourceTerms }: Edition): PagePiece[] => [
  '{"id":',
  plain('id'),
  text('name'),
  ',"latitude":',
  plain('latitude'),
  ',"longitude":',
  plain('longitude'),
  ...jsonMembers(sourceTerms, 'null'),
  '}\n',
]
