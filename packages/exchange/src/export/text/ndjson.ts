import { jsonMembers, plain, text, type PagePiece } from '@openfountain/core/internal'
import type { Edition } from '../edition.ts'
import { waypointFields } from '../fields.ts'
import { recordFormat } from './record-format.ts'

/** One JSON object a line, gzipped. */
export const ndjson = recordFormat({
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
  template: (edition) => ({ record: recordOf(edition) }),
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
