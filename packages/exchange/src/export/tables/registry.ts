import {
  reviewFields,
  sourceFields,
  sourceFigures,
  statisticsFields,
  userCounts,
  userFields,
} from '@openfountain/core/fields'
import { creditOfFile } from '../credit.ts'
import { textFormat } from '../format.ts'
import { fileSchema, rowProperties } from '../json-schema.ts'
import type {
  ContributorRecord,
  ExportSnapshot,
  ReviewRecord,
  SourceRecord,
  StatisticsRecord,
} from '../snapshot.ts'
import { columnsOf, csvTable, jsonTable, rowObject, tableFormats, type Column, type Table } from './table.ts'

const { createdAt: _since, ...standing } = userFields

const work: readonly Column<ContributorRecord>[] = columnsOf(userCounts, ({ stats }) => stats)

/** All accounts, without the private members of a profile. */
export const contributorTable: Table<ContributorRecord> = {
  name: 'contributors',
  title: 'Contributors',
  subject: 'registry',
  holds: 'Everybody with an account: name, points, level and what they did. Never an e-mail address.',
  rows: (edition) => edition.snapshot.contributors(),
  columns: [...columnsOf(userFields, (person: ContributorRecord) => person), ...work],
}

export const contributors = tableFormats(contributorTable)

/** The same people without the time of their account; both are in the order of the registry's leaderboard. */
export const leaderboard = tableFormats<ContributorRecord>({
  name: 'leaderboard',
  title: 'Leaderboard',
  subject: 'registry',
  holds:
    'The contributors by experience points, highest first; at equal points the oldest account first, then by id.',
  rows: (edition) => edition.snapshot.contributors(),
  countedIn: 'total',
  columns: [...columnsOf(standing, (person: ContributorRecord) => person), ...work],
})

function* liveReviews(reviews: ReturnType<ExportSnapshot['reviewsAfter']>): Iterable<ReviewRecord> {
  for (const review of reviews) if (review.deletedAt === undefined) yield review
}

export const reviewTable: Table<ReviewRecord> = {
  name: 'reviews',
  title: 'Reviews',
  subject: 'registry',
  holds: 'Every review with its rating, comment and author.',
  hasDifference: true,
  rows: ({ snapshot, difference }) =>
    difference ? liveReviews(snapshot.reviewsAfter(difference.since.id)) : snapshot.reviews(),
  columns: columnsOf(reviewFields, (review: ReviewRecord) => review),
}

export const reviews = tableFormats(reviewTable)

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
