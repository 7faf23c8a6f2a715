import { csvValue } from './cell.ts'
import type { Field } from '../fields.ts'
import { textFormat } from '../format.ts'
import type { StatisticsRecord } from '../snapshot.ts'

const figures: readonly { name: string; member: keyof StatisticsRecord; meaning: string }[] = [
  { name: 'total_waypoints', member: 'totalWaypoints', meaning: 'Live waypoints' },
  {
    name: 'total_verified_waypoints',
    member: 'totalVerifiedWaypoints',
    meaning: 'Live waypoints that are verified',
  },
  { name: 'total_users', member: 'totalUsers', meaning: 'Accounts, without the built-in one' },
  { name: 'total_reviews', member: 'totalReviews', meaning: 'Live reviews' },
  {
    name: 'total_contributions',
    member: 'totalContributions',
    meaning: 'Everything that contributors ever did',
  },
]

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
    *text({ snapshot }, tally) {
      const stats = snapshot.statistics()
      tally.rows = 1
      yield `${JSON.stringify(Object.fromEntries(figures.map(({ member }) => [member, stats[member]])))}\n`
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
    fields: figures.map(({ name, meaning }): Field => ({ name, meaning, type: 'integer', required: true })),
    *text({ snapshot }, tally) {
      const stats = snapshot.statistics()
      tally.rows = 1
      yield `${figures.map(({ name }) => name).join(',')}\r\n`
      yield `${figures.map(({ member }) => csvValue(stats[member])).join(',')}\r\n`
    },
  }),
] as const
