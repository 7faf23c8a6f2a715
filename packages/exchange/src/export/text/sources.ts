import { sourceFields, sourceFigures } from '@openfountain/core/fields'
import { creditText } from '../credit.ts'
import type { SourceRecord } from '../snapshot.ts'
import { columnsOf, rowObject, rowsSchema, type Column } from '../tables/table.ts'
import { textFormat } from '../format.ts'
import { fileSchema } from '../json-schema.ts'

const columns: readonly Column<SourceRecord>[] = [
  ...columnsOf({ ...sourceFields, ...sourceFigures }, (source: SourceRecord) => source),
  {
    name: 'consents_to',
    type: 'string',
    required: false,
    meaning: 'The licence of the files, where it consented to it in writing',
    value: ({ consentsTo }) => consentsTo,
  },
]

/** Where the data came from. */
export const sources = textFormat({
  name: 'sources',
  file: 'sources.json',
  mediaType: 'application/json',
  title: 'Sources as JSON',
  subject: 'waypoints',
  holds: 'Every source with its address, licence, attribution, last import and number of waypoints.',
  loses: 'Nothing.',
  fields: columns,
  rowsIn: 'sources',
  jsonSchema: fileSchema({ sources: rowsSchema(columns) }),
  *text(edition, tally) {
    tally.rows = edition.sources.length
    const list = edition.sources.map((source) => JSON.stringify(rowObject(columns, source)))
    yield `{"sources":[${list.length > 0 ? '\n' : ''}${list.join(',\n')}\n]${creditText(edition, 'waypoints')}}\n`
  },
})
