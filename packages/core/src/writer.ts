import { userIdOf, type Actor } from './actor.ts'
import { signedIn, type Occasion } from './decide/contributor.ts'
import type { Effects } from './decide/effects.ts'
import type { Rules } from './rules.ts'
import type { Connection } from './store/sqlite/connection/connection.ts'
import { loads, type Loads } from './store/sqlite/writing/loads.ts'
import type { Statements } from './store/sqlite/connection/statement.ts'
import type { Random } from './store/sqlite/writing/salts.ts'
import { writes, type Counters, type Writes } from './store/sqlite/writing/writes.ts'

/** The only things in scope inside a write. */
export interface Transaction {
  readonly load: Loads
  readonly write: Writes
  /** The current counters; changed in place, and stored when the transaction ends. */
  readonly counters: Counters
  /** The time of the write, ISO 8601 in UTC; the same for everything in it. */
  readonly at: string
  /** Reports that there was nothing to write, so that the revision is not raised. */
  noChange(): void
}

/** Runs all writes of a registry. Its connection is used by reads too. */
export interface Writer {
  readonly connection: Connection
  readonly statements: Statements
  readonly rules: Rules
  readonly load: Loads
  /** The current time, ISO 8601 in UTC. */
  readonly now: () => string
  /**
   * Runs a write in one immediate transaction and stores its counters; when it throws, everything is rolled back.
   * The write is synchronous.
   */
  transact<Result>(write: (transaction: Transaction) => Result): Result
  /**
   * Runs a write by an actor: loads the contributor, decides, and applies the decision's effects.
   *
   * @throws RegistryError UNAUTHORIZED for anonymous actors and unknown users, and whatever `decide` throws
   */
  contribute<Decision extends Effects>(
    actor: Actor,
    decide: (occasion: Occasion, transaction: Transaction) => Decision,
  ): Decision
}

function changesNothing({ waypoint, review, entries, awards, counts }: Effects): boolean {
  return (
    waypoint === undefined && review === undefined && entries.length + awards.length + counts.length === 0
  )
}

/** Creates the writer of an open registry. */
export function openWriter(options: {
  readonly connection: Connection
  readonly rules: Rules
  readonly clock: () => Date
  readonly random?: Random | undefined
}): Writer {
  const { connection, rules, clock, random } = options
  const { statements } = connection
  const load = loads(statements)
  const write = writes(statements, random)
  const now = () => clock().toISOString()

  function transact<Result>(work: (transaction: Transaction) => Result): Result {
    return connection.immediately(() => {
      const at = now()
      const counters = write.counters()
      let changed = true
      const noChange = () => {
        changed = false
      }
      const result = work({ load, write, counters, at, noChange })
      if (changed) write.store(counters, at)
      return result
    })
  }

  return {
    connection,
    statements,
    rules,
    load,
    now,
    transact,
    contribute(actor, decide) {
      const who = signedIn(actor)
      return transact((transaction) => {
        const { id: userId, xp, isModerator } = load.contributor(userIdOf(who) ?? '')
        const contributor = { kind: who.kind, userId, xp, isModerator }
        const decision = decide({ rules, contributor, at: transaction.at }, transaction)
        if (changesNothing(decision)) transaction.noChange()
        else write.apply(decision, transaction.counters)
        return decision
      })
    },
  }
}
