import { sql } from 'kysely'
import { apiUserId, observerUserId } from '../../log/entry.ts'
import type { UserState } from '../../schemas/user.ts'
import type { Paging } from '../answers.ts'
import { userStateOf } from '../rows.ts'
import { build, query, type Reading, rowCount, text } from '../sql/query.ts'

const people = () =>
  build.selectFrom('users').selectAll().where('id', '!=', apiUserId).where('leftAt', 'is', null)
const byId = query(() => build.selectFrom('users').selectAll().where('id', '=', text('id')))
const byXp = query(() =>
  people()
    .orderBy('xp', 'desc')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(rowCount('limit'))
    .offset(rowCount('offset')),
)
const byAge = query(() =>
  people().orderBy('createdAt').orderBy('id').limit(rowCount('limit')).offset(rowCount('offset')),
)
const former = query(() =>
  build.selectFrom('users').select('id').where('leftAt', 'is not', null).where('id', '!=', observerUserId),
)
const changed = query<{ people: number; latest: string | null }>(
  () => sql`select count(*) as people, max("updatedAt") as latest from users where "updatedAt" > "createdAt"`,
)
const total = query(() => build.selectFrom('state').select('users'))

export const userReads = {
  /** A user, the built-in one included. */
  *get(id: string): Reading<UserState | undefined> {
    const row = yield* byId.get({ id })
    return row && userStateOf(row)
  },
  *byXp({ limit, offset }: Paging): Reading<UserState[]> {
    return (yield* byXp.all({ limit, offset })).map(userStateOf)
  },
  /** Oldest first. */
  *list({ limit, offset }: Paging): Reading<UserState[]> {
    return (yield* byAge.all({ limit, offset })).map(userStateOf)
  },
  /** The ids of people who have left. */
  *former(): Reading<string[]> {
    return (yield* former.all()).map(({ id }) => id)
  },
  /**
   * The number of people with another name or address than when they joined, including those who left, and the time of
   * the latest change.
   */
  *changed(): Reading<{ readonly people: number; readonly latest: string | null }> {
    return (yield* changed.get()) ?? { people: 0, latest: null }
  },
  *total(): Reading<number> {
    return (yield* total.get())?.users ?? 0
  },
}
