import { sql } from 'kysely'
import type { UserStats } from '../../../schemas/user.ts'
import { build, param, type Statements } from '../connection/statement.ts'

const statNames = [
  'waypointsCreated',
  'waypointsEdited',
  'reviewsPosted',
] as const satisfies readonly (keyof UserStats)[]

/** What writes add to a user's XP and counts. */
type Credit = Record<'xp' | keyof UserStats, number>

/** Sums up what one or more writes add to users. Used within one transaction. */
export class Credits {
  readonly #due = new Map<string, Credit>()

  /** The sums for a user, to be changed in place. */
  of(userId: string): Credit {
    let credit = this.#due.get(userId)
    if (credit === undefined) {
      credit = { xp: 0, waypointsCreated: 0, waypointsEdited: 0, reviewsPosted: 0 }
      this.#due.set(userId, credit)
    }
    return credit
  }

  [Symbol.iterator](): IterableIterator<[string, Credit]> {
    return this.#due.entries()
  }
}

function added<const Name extends keyof Credit>(columns: readonly Name[]): Record<Name, never> {
  const sums = columns.map((column) => [column, sql`${sql.ref(column)} + ${param(column)}`])
  return Object.fromEntries(sums) as Record<Name, never>
}

/** Adds credits to users. */
export function payment(statements: Statements): (credits: Credits) => void {
  const addStats = statements.prepare(() =>
    build.updateTable('users').set(added(statNames)).where('id', '=', param<string>('userId')),
  )
  const addXpAndStats = statements.prepare(() =>
    build
      .updateTable('users')
      .set(added(['xp', ...statNames]))
      .where('id', '=', param<string>('userId')),
  )
  return (credits) => {
    for (const [userId, credit] of credits) {
      // SQLite updates the index by XP whenever a statement sets it, even when the value stays the same.
      const update = credit.xp === 0 ? addStats : addXpAndStats
      update.run({ userId, ...credit })
    }
  }
}
