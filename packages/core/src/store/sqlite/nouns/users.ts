import { apiUserId } from '../../../actor.ts'
import type { UserState } from '../../../schemas/user.ts'
import { userStateOf } from '../writing/rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Reads users on one connection. */
export function userReads(statements: Statements) {
  const people = () => build.selectFrom('users').selectAll().where('id', '!=', apiUserId)
  const byXp = statements.prepare(() =>
    people()
      .orderBy('xp', 'desc')
      .orderBy('createdAt')
      .orderBy('id')
      .limit(param<number>('limit'))
      .offset(param<number>('offset')),
  )
  const byAge = statements.prepare(() =>
    people().orderBy('createdAt').orderBy('id').limit(param<number>('limit')).offset(param<number>('offset')),
  )
  const total = statements.prepare(() => build.selectFrom('state').select('users'))
  const owner = statements.prepare(() =>
    build.selectFrom('users').select('id').where('email', '=', param<string>('email')),
  )
  return {
    byXp: (page: { limit: number; offset: number }): UserState[] => byXp.all(page).map(userStateOf),
    list: (page: { limit: number; offset: number }): UserState[] => byAge.all(page).map(userStateOf),
    /** All users but the built-in one, highest XP first. */
    *each(): Generator<UserState> {
      for (const row of byXp.iterate({ limit: -1, offset: 0 })) yield userStateOf(row)
    },
    total: (): number => total.get()?.users ?? 0,
    /** The id of the user with this e-mail address, ignoring case. */
    ownerOf: (email: string): string | undefined => owner.get({ email })?.id,
  }
}

/** Writes users; inside the caller's transaction. */
export function userWrites(statements: Statements) {
  const insert = statements.prepare(() =>
    build.insertInto('users').values({
      id: param('id'),
      name: param('name'),
      email: param('email'),
      isModerator: param('isModerator'),
      xp: 0,
      waypointsCreated: 0,
      waypointsEdited: 0,
      reviewsPosted: 0,
      createdAt: param('at'),
      updatedAt: param('at'),
    }),
  )
  const update = statements.prepare(() =>
    build
      .updateTable('users')
      .set({ name: param('name'), email: param('email'), updatedAt: param('at') })
      .where('id', '=', param<string>('id')),
  )
  const setModerator = statements.prepare(() =>
    build
      .updateTable('users')
      .set({ isModerator: param('isModerator'), updatedAt: param('at') })
      .where('id', '=', param<string>('id')),
  )

  return {
    insert: (user: { id: string; name: string; email: string | null; isModerator: 0 | 1; at: string }) =>
      insert.run(user),
    update: (user: { id: string; name: string; email: string | null; at: string }) => update.run(user),
    setModerator: (user: { id: string; isModerator: 0 | 1; at: string }) => setModerator.run(user),
  }
}
