import { sql } from 'kysely'
import { apiUserId, observerUserId } from '../../../actor.ts'
import type { UserState } from '../../../schemas/user.ts'
import { userStateOf } from '../../rows.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'

/** Reads users on one connection. */
export function userReads(statements: Statements) {
  const people = () =>
    build.selectFrom('users').selectAll().where('id', '!=', apiUserId).where('leftAt', 'is', null)
  const byXp = statements.prepare(() =>
    people()
      .orderBy('xp', 'desc')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(limitParam('limit'))
      .offset(limitParam('offset')),
  )
  const byAge = statements.prepare(() =>
    people().orderBy('createdAt').orderBy('id').limit(limitParam('limit')).offset(limitParam('offset')),
  )
  const former = statements.prepare(() =>
    build.selectFrom('users').select('id').where('leftAt', 'is not', null).where('id', '!=', observerUserId),
  )
  const changed = statements.columns<[number, string | null]>(
    sql`select count(*), max(updatedAt) from users where updatedAt > createdAt`,
  )
  const total = statements.prepare(() => build.selectFrom('state').select('users'))
  const byId = statements.prepare(() =>
    build.selectFrom('users').selectAll().where('id', '=', param<string>('id')),
  )
  return {
    byXp: (page: { limit: number; offset: number }): UserState[] => byXp.all(page).map(userStateOf),
    list: (page: { limit: number; offset: number }): UserState[] => byAge.all(page).map(userStateOf),
    /** All users but the built-in one and those who left, highest XP first. */
    *each(): Generator<UserState> {
      for (const row of byXp.iterate({ limit: -1, offset: 0 })) yield userStateOf(row)
    },
    /** The ids of those who have left. */
    former: (): string[] => former.all().map(({ id }) => id),
    /** How many people have another name or address than when they joined, those who left included, and since when the last of them. */
    changed(): { readonly people: number; readonly latest: string | null } {
      const [people, latest] = changed.all({})[0] ?? [0, null]
      return { people, latest }
    },
    total: (): number => total.get()?.users ?? 0,
    /** A user, the built-in one included. */
    get(id: string): UserState | undefined {
      const row = byId.get({ id })
      return row && userStateOf(row)
    },
  }
}
