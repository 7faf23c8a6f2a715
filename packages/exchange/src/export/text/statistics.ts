import { statisticsFields } from '@openfountain/core/fields'
import { columnsOf, rowObject } from '../tables/table.ts'
import { csvValue } from '@openfountain/core/published'
import { creditOfFile } from '../credit.ts'
import { textFormat } from '../format.ts'
import { fileSchema, rowProperties } from '../json-schema.ts'
import type { StatisticsRecord } from '../snapshot.ts'

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
  textFormat({
    name: 'stats.csv',
    file: 'stats.csv',
    mediaType: 'text/csv; charset=utf-8',
    title: 'Statistics as CSV',
    subject: 'registry',
    holds: 'The counters of the registry, one row.',
    loses: 'Nothing.',
    fields: figures,
    *text({ snapshot }, tally) {
      const stats = snapshot.statistics()
      tally.rows = 1
      yield `${figures.map(({ name }) => name).join(',')}\r\n`
      yield `${figures.map(({ value }) => csvValue(value(stats))).join(',')}\r\n`
    },
  }),
] as const
