import { sourceFields, sourceFigures } from '@openfountain/core/fields'
import type { SourceRecord } from '../snapshot.ts'
import { columnsOf, jsonTable } from './table.ts'

/** Where the data came from. */
export const sources = {
  ...jsonTable<SourceRecord>({
    name: 'sources',
    title: 'Sources',
    subject: 'waypoints',
    holds: 'Every source with its address, licence, attribution, last import and number of waypoints.',
    rows: (edition) => edition.sources,
    columns: [
      ...columnsOf({ ...sourceFields, ...sourceFigures }, (source: SourceRecord) => source),
      {
        name: 'consents_to',
        type: 'string',
        required: false,
        meaning: 'The licence of the files, where it consented to it in writing',
        value: ({ consentsTo }) => consentsTo,
      },
    ],
  }),
  name: 'sources',
}
