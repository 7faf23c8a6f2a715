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
  /** Counters as they stand; changed in place, kept when the transaction ends. */
  readonly counters: Counters
  /** The time of the write, ISO 8601 in UTC; one for everything in it. */
  readonly at: string
  /** Tells that there was nothing to write, so that the revision stays. */
  idle(): void
}

export interface Door {
  readonly connection: Connection
  readonly statements: Statements
  readonly rules: Rules
  readonly load: Loads
  /** The time now, ISO 8601 in UTC. */
  readonly now: () => string
  /**
   * Runs a write in one immediate transaction and keeps its counters; when it throws, nothing happened.
   * Nothing in it may wait.
   */
  transact<Answer>(write: (transaction: Transaction) => Answer): Answer
  /** Like `transact`, for very many rows; see `Connection.inBulk`. */
  transactInBulk<Answer>(write: (transaction: Transaction) => Answer): Answer
  /**
   * The door for everybody's writes: load what the decision needs, decide, apply.
   *
   * @throws RegistryError UNAUTHORIZED for nobody and for unknown users, and whatever `decide` throws
   */
  contribute<Decision extends Effects>(
    actor: Actor,
    decide: (occasion: Occasion, transaction: Transaction) => Decision,
  ): Decision
}

function isIdle({ waypoint, review, entries, awards, counts }: Effects): boolean {
  return (
    waypoint === undefined && review === undefined && entries.length + awards.length + counts.length === 0
  )
}

/** Makes the one door through which every write goes. */
export function openDoor(options: {
  readonly connection: Connection
  readonly rules: Rules
  readonly clock: () => Date
  readonly random?: Random | undefined
}): Door {
  const { connection, rules, clock, random } = options
  const { statements } = connection
  const load = loads(statements)
  const write = writes(statements, random)
  const now = () => clock().toISOString()

  function run<Answer>(work: (transaction: Transaction) => Answer): Answer {
    const at = now()
    const counters = write.counters()
    let busy = true
    const idle = () => {
      busy = false
    }
    const answer = work({ load, write, counters, at, idle })
    if (busy) write.keep(counters, at)
    return answer
  }

  function transact<Answer>(work: (transaction: Transaction) => Answer): Answer {
    return connection.immediately(() => run(work))
  }

  return {
    connection,
    statements,
    rules,
    load,
    now,
    transact,
    transactInBulk: (work) => connection.inBulk(() => run(work)),
    contribute(actor, decide) {
      const who = signedIn(actor)
      return transact((transaction) => {
        const { id: userId, xp, isModerator } = load.contributor(userIdOf(who) ?? '')
        const contributor = { kind: who.kind, userId, xp, isModerator }
        const decision = decide({ rules, contributor, at: transaction.at }, transaction)
        if (isIdle(decision)) transaction.idle()
        else write.apply(decision, transaction.counters)
        return decision
      })
    },
  }
}
