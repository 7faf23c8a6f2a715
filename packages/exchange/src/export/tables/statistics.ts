import { statisticsFields } from '@openfountain/core/fields'
import { creditOfFile } from '../credit.ts'
import { textFormat } from '../format.ts'
import { fileSchema, rowProperties } from '../json-schema.ts'
import type { StatisticsRecord } from '../snapshot.ts'
import { columnsOf, csvTable, rowObject } from './table.ts'

const figures = columnsOf(statisticsFields, (statistics: StatisticsRecord) => statistics)

/** The counters of the registry as JSON and as a CSV of one row. */
export const statistics = [
  textFormat({
    name: 'stats.json',
    file: 'stats.json',
    mediaType: 'application/json',
    title: 'Statistics as JSON',
    subject: 'registry',
    holds: 'The counters of the registry.',
    loses: 'Nothing.',
    fields: figures,
    jsonSchema: fileSchema(rowProperties(figures)),
    *text(edition, tally) {
      tally.rows = 1
      const row = rowObject(figures, edition.snapshot.statistics())
      yield `${JSON.stringify({ ...row, ...creditOfFile(edition, 'registry') })}\n`
    },
  }),
  {
    ...csvTable<StatisticsRecord>({
      name: 'stats',
      title: 'Statistics',
      subject: 'registry',
      holds: 'The counters of the registry, one row.',
      rows: ({ snapshot }) => [snapshot.statistics()],
      columns: figures,
    }),
    loses: 'Nothing.',
  },
] as const
