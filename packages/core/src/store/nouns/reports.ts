import { sql } from 'kysely'
import type { StoredReport } from '../../log/nouns.ts'
import type { ReportState } from '../../schemas/report.ts'
import type { QueuePlace, ReportedSubject } from '../answers.ts'
import { storing, type Row } from '../rows.ts'
import { build, paged, query, type Reading, rowCount, shaped, text, whole } from '../sql/query.ts'

const reportOf = (row: Row<'reports'>): StoredReport => storing.report.from(row as never)
const all = () => build.selectFrom('reports').selectAll()
const byId = query(() => all().where('id', '=', text('id'))).map(reportOf)
const byNumber = query(() => all().where('number', '=', whole('number'))).map(reportOf)
const by = query(() => paged(all().where('by', '=', text('userId')), 'number')).map(reportOf)
const decided = query(
  () => sql<Row<'reports'>>`select * from reports where "by" = ${text('userId')} and state <> 'open'
    order by "decidedAt" desc, number desc limit ${rowCount('limit')}`,
).map(reportOf)
const page = query(() => paged(all().where('state', '=', text<ReportState>('state')), 'number')).map(reportOf)
const erased = query(() => build.selectFrom('reports').select('id').where('erasedAt', 'is not', null)).map(
  ({ id }) => id,
)
const subjects = sql<ReportedSubject>`(select "bubblerId", "reviewId", "photoId", "userId", min(number) as first,
  count(*) as count from reports where state = 'open' group by 1, 2, 3, 4)`
const reported = query(() => paged(build.selectFrom(subjects.as('subjects')).selectAll(), 'first'))
const total = query(() => sql<{ n: number }>`select count(*) as n from ${subjects} as subjects`)
// One condition for the column that a subject has, since PostgreSQL finds nothing in an index by `is not distinct`.
const openAbout = shaped(
  (column: 'bubblerId' | 'reviewId' | 'photoId' | 'userId') => sql<Row<'reports'>>`select * from reports
    where state = 'open' and ${sql.ref(column)} = ${column === 'userId' ? text('subject') : whole('subject')}
    order by number limit ${rowCount('limit')}`,
)

export const reportReads = {
  get: (id: number | string): Reading<StoredReport | undefined> =>
    typeof id === 'number' ? byNumber.get({ number: id }) : byId.get({ id }),
  by: (userId: string, place: QueuePlace): Reading<StoredReport[]> => by.all({ userId, ...place }),
  /** Decided reports of a person, the newest decision first. */
  decided: (userId: string, limit: number): Reading<StoredReport[]> => decided.all({ userId, limit }),
  /** By public id. */
  list: (state: ReportState, place: QueuePlace): Reading<StoredReport[]> => page.all({ state, ...place }),
  subjects: ({ after, limit }: QueuePlace): Reading<ReportedSubject[]> => reported.all({ after, limit }),
  /** How much has open reports. */
  *total(): Reading<number> {
    return (yield* total.get())?.n ?? 0
  },
  /** The internal ids of reports whose texts were erased. */
  erased: (): Reading<string[]> => erased.all(),
  openAbout(
    { bubblerId, reviewId, photoId, userId }: Omit<ReportedSubject, 'first' | 'count'>,
    limit: number,
  ): Reading<StoredReport[]> {
    const ids = { bubblerId, reviewId, photoId }
    const column = (['bubblerId', 'reviewId', 'photoId'] as const).find((name) => ids[name] !== null)
    const subject = column === undefined ? userId : ids[column]
    return openAbout(column ?? 'userId')
      .map(reportOf)
      .all({ subject, limit })
  },
}
