import { sql } from 'kysely'
import { reportOf, type KeptReport, type ReportReading, type ReportState } from '@openfountain/core/engine'
import { build, text, whole, type Statements } from '../connection/statement.ts'

/** Reads what people reported. */
export function reportReads(statements: Statements): ReportReading {
  const all = () => build.selectFrom('reports').selectAll()
  const byId = statements.prepare(() => all().where('id', '=', text('id')))
  const byNumber = statements.prepare(() => all().where('number', '=', whole('number')))
  const by = statements.prepare(() => all().where('by', '=', text('userId')).orderBy('number'))
  const page = statements.prepare(() =>
    all()
      .where('state', '=', text<ReportState>('state'))
      .where('number', '>', whole('after'))
      .orderBy('number')
      .limit(whole('limit')),
  )
  const erased = statements.prepare(() =>
    build.selectFrom('reports').select('id').where('erasedAt', 'is not', null),
  )
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
  const reported = statements.prepare(() =>
    build
      .selectFrom(subjects().as('subjects'))
      .selectAll()
      .where('first', '>', whole('after'))
      .orderBy('first')
      .limit(whole('limit')),
  )
  const total = statements.prepare(() =>
    build.selectFrom(subjects().as('subjects')).select(sql<number>`count(*)`.as('n')),
  )
  // One condition for each column that a subject has, since PostgreSQL finds nothing in an index by `is not distinct`.
  const openAbout = (column: 'bubblerId' | 'reviewId' | 'userId') =>
    statements.shaped(`open reports by ${column}`, () =>
      all()
        .where('state', '=', 'open')
        .where(sql.ref(column), '=', column === 'userId' ? text('subject') : whole('subject'))
        .orderBy('number')
        .limit(whole('limit')),
    )
  return {
    async get(id): Promise<KeptReport | undefined> {
      const row = await (typeof id === 'number' ? byNumber.get({ number: id }) : byId.get({ id }))
      return row && reportOf(row)
    },
    by: async (userId) => (await by.all({ userId })).map(reportOf),
    list: async (state, { after, limit }) => (await page.all({ state, after, limit })).map(reportOf),
    subjects: ({ after, limit }) => reported.all({ after, limit }),
    total: async () => (await total.get())?.n ?? 0,
    erased: async () => (await erased.all()).map(({ id }) => id),
    async openAbout({ bubblerId, reviewId, userId }, limit) {
      const column = bubblerId !== null ? 'bubblerId' : reviewId !== null ? 'reviewId' : 'userId'
      const subject = bubblerId ?? reviewId ?? userId
      return (await openAbout(column).all({ subject, limit })).map(reportOf)
    },
  }
}
