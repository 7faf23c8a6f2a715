import { sql } from 'kysely'
import type { StoredReport } from '../../log/nouns.ts'
import type { ReportState } from '../../schemas/report.ts'
import type { QueuePlace, ReportedSubject } from '../answers.ts'
import { reportOf } from '../rows.ts'
import { build, query, type Reading, rowCount, shaped, text, whole } from '../sql/query.ts'

const all = () => build.selectFrom('reports').selectAll()
const byId = query(() => all().where('id', '=', text('id')))
const byNumber = query(() => all().where('number', '=', whole('number')))
const by = query(() =>
  all()
    .where('by', '=', text('userId'))
    .where('number', '>', whole('after'))
    .orderBy('number')
    .limit(rowCount('limit')),
)
const page = query(() =>
  all()
    .where('state', '=', text<ReportState>('state'))
    .where('number', '>', whole('after'))
    .orderBy('number')
    .limit(rowCount('limit')),
)
const erased = query(() => build.selectFrom('reports').select('id').where('erasedAt', 'is not', null))
const subjects = () =>
  build
    .selectFrom('reports')
    .where('state', '=', 'open')
    .groupBy(['bubblerId', 'reviewId', 'userId'])
    .select([
      'bubblerId',
      'reviewId',
      'userId',
      sql<number>`min(number)`.as('first'),
      sql<number>`count(*)`.as('count'),
    ])
const reported = query(() =>
  build
    .selectFrom(subjects().as('subjects'))
    .selectAll()
    .where('first', '>', whole('after'))
    .orderBy('first')
    .limit(rowCount('limit')),
)
const total = query(() => build.selectFrom(subjects().as('subjects')).select(sql<number>`count(*)`.as('n')))
// One condition for the column that a subject has, since PostgreSQL finds nothing in an index by `is not distinct`.
const openAbout = shaped((column: 'bubblerId' | 'reviewId' | 'userId') =>
  all()
    .where('state', '=', 'open')
    .where(sql.ref(column), '=', column === 'userId' ? text('subject') : whole('subject'))
    .orderBy('number')
    .limit(rowCount('limit')),
)

export const reportReads = {
  /** By its public id, or by the other one. */
  *get(id: number | string): Reading<StoredReport | undefined> {
    const row = yield* typeof id === 'number' ? byNumber.get({ number: id }) : byId.get({ id })
    return row && reportOf(row)
  },
  /** The reports by a person after one, oldest first. */
  *by(userId: string, { after, limit }: QueuePlace): Reading<StoredReport[]> {
    return (yield* by.all({ userId, after, limit })).map(reportOf)
  },
  /** By public id. */
  *list(state: ReportState, { after, limit }: QueuePlace): Reading<StoredReport[]> {
    return (yield* page.all({ state, after, limit })).map(reportOf)
  },
  /** Subjects with open reports, by their oldest report. */
  subjects: ({ after, limit }: QueuePlace): Reading<ReportedSubject[]> => reported.all({ after, limit }),
  /** How much has open reports. */
  *total(): Reading<number> {
    return (yield* total.get())?.n ?? 0
  },
  /** The internal ids of reports whose texts were erased. */
  *erased(): Reading<string[]> {
    return (yield* erased.all()).map(({ id }) => id)
  },
  /** The open reports of one subject, oldest first. */
  *openAbout(
    { bubblerId, reviewId, userId }: Omit<ReportedSubject, 'first' | 'count'>,
    limit: number,
  ): Reading<StoredReport[]> {
    const column = bubblerId !== null ? 'bubblerId' : reviewId !== null ? 'reviewId' : 'userId'
    return (yield* openAbout(column).all({ subject: bubblerId ?? reviewId ?? userId, limit })).map(reportOf)
  },
}
