import {
  apiUserId,
  observerUserId,
  userStateOf,
  type Paging,
  type UserState,
} from '@openfountain/core/engine'
import { build, text, whole, type Statements } from '../connection/statement.ts'

/** Reads users. */
export function userReads(statements: Statements) {
  const people = () =>
    build.selectFrom('users').selectAll().where('id', '!=', apiUserId).where('leftAt', 'is', null)
  const byXp = statements.prepare(() =>
    people()
      .orderBy('xp', 'desc')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(whole('limit'))
      .offset(whole('offset')),
  )
  const byAge = statements.prepare(() =>
    people().orderBy('createdAt').orderBy('id').limit(whole('limit')).offset(whole('offset')),
  )
  const former = statements.prepare(() =>
    build.selectFrom('users').select('id').where('leftAt', 'is not', null).where('id', '!=', observerUserId),
  )
  const total = statements.prepare(() => build.selectFrom('state').select('users'))
  const byId = statements.prepare(() => build.selectFrom('users').selectAll().where('id', '=', text('id')))
  const all = async (statement: typeof byXp, { limit, offset }: Paging): Promise<UserState[]> =>
    (await statement.all({ limit, offset })).map(userStateOf)
  return {
    async get(id: string): Promise<UserState | undefined> {
      const row = await byId.get({ id })
      return row && userStateOf(row)
    },
    byXp: (page: Paging) => all(byXp, page),
    list: (page: Paging) => all(byAge, page),
    former: async (): Promise<string[]> => (await former.all()).map(({ id }) => id),
    total: async (): Promise<number> => (await total.get())?.users ?? 0,
  }
}
