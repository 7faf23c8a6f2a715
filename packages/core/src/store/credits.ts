import { sql } from 'kysely'
import type { UserStats } from '../person.ts'
import { build, param, type Statements } from './statement.ts'

const statNames = [
  'waypointsCreated',
  'waypointsEdited',
  'reviewsPosted',
] as const satisfies readonly (keyof UserStats)[]

/** What writes add to somebody's points and counts. */
type Credit = Record<'xp' | keyof UserStats, number>

function added<const Name extends keyof Credit>(columns: readonly Name[]): Record<Name, never> {
  const sums = columns.map((column) => [column, sql`${sql.ref(column)} + ${param(column)}`])
  return Object.fromEntries(sums) as Record<Name, never>
}

/** What writes add to people, each added once however many writes there are. */
export function credits(statements: Statements) {
  const addStats = statements.prepare(() =>
    build.updateTable('users').set(added(statNames)).where('id', '=', param<string>('userId')),
  )
  const addXpAndStats = statements.prepare(() =>
    build
      .updateTable('users')
      .set(added(['xp', ...statNames]))
      .where('id', '=', param<string>('userId')),
  )
  const due = new Map<string, Credit>()

  return {
    /** What is to be added to a user, to be added to. */
    of(userId: string): Credit {
      let credit = due.get(userId)
      if (credit === undefined) {
        credit = { xp: 0, waypointsCreated: 0, waypointsEdited: 0, reviewsPosted: 0 }
        due.set(userId, credit)
      }
      return credit
    },
    /** Adds it. */
    pay(): void {
      for (const [userId, credit] of due) {
        // An update that names the points moves the user in the order by points, also by nothing.
        const update = credit.xp === 0 ? addStats : addXpAndStats
        update.run({ userId, ...credit })
      }
      due.clear()
    },
    /** Forgets it, because the transaction failed. */
    forget: () => due.clear(),
  }
}
