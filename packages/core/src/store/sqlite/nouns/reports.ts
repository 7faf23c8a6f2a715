import { sql } from 'kysely'
import type { KeptReport } from '../../../log/nouns.ts'
import type { ReportState } from '../../../schemas/report.ts'
import type { ReportReading, ReportedSubject } from '../../reads.ts'
import { reportOf } from '../../rows.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'

/** Reads what people reported on one connection. */
export function reportReads(statements: Statements): ReportReading {
  const all = () => build.selectFrom('reports').selectAll()
  const byId = statements.prepare(() => all().where('id', '=', param<string>('id')))
  const byNumber = statements.prepare(() => all().where('number', '=', param<number>('number')))
  const by = statements.prepare(() => all().where('by', '=', param<string>('userId')).orderBy('number'))
  const page = statements.prepare(() =>
    all()
      .where('state', '=', param<ReportState>('state'))
      .where('number', '>', param<number>('after'))
      .orderBy('number')
      .limit(limitParam('limit')),
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
      .where('first', '>', param<number>('after'))
      .orderBy('first')
      .limit(limitParam('limit')),
  )
  const total = statements.prepare(() =>
    build.selectFrom(subjects().as('subjects')).select(sql<number>`count(*)`.as('n')),
  )
  const openAbout = statements.prepare(() =>
    all()
      .where('state', '=', 'open')
      .where(sql<boolean>`bubblerId is ${param('bubblerId')}`)
      .where(sql<boolean>`reviewId is ${param('reviewId')}`)
      .where(sql<boolean>`userId is ${param('userId')}`)
      .orderBy('number')
      .limit(limitParam('limit')),
  )
  return {
    get(id): KeptReport | undefined {
      const row = typeof id === 'number' ? byNumber.get({ number: id }) : byId.get({ id })
      return row && reportOf(row)
    },
    by: (userId) => by.all({ userId }).map(reportOf),
    list: (state, { after, limit }) => page.all({ state, after, limit }).map(reportOf),
    subjects: ({ after, limit }): ReportedSubject[] => reported.all({ after, limit }),
    total: () => total.get()?.n ?? 0,
    erased: () => erased.all().map(({ id }) => id),
    openAbout: ({ bubblerId, reviewId, userId }, limit) =>
      openAbout.all({ bubblerId, reviewId, userId, limit }).map(reportOf),
  }
}
