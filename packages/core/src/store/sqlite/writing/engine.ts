import type { Job } from '../../../decide/deciding.ts'
import type { Outcome } from '../../../log/script.ts'
import { counterNames, type Counters } from '../../counters.ts'
import { manyAtFirst } from '../../sizes.ts'
import { LoadedRows, loading } from '../../loading.ts'
import { assignPlaces, save, saveCounters } from '../../saving.ts'
import { hexOf } from '../../sql/expressions.ts'
import { now } from '../../sql/reading.ts'
import type { WritingOptions } from '../../engine-store.ts'
import type { AssignedPlace, BatchOptions } from '../../port.ts'
import type { Connection } from '../connection/connection.ts'
import { dropDeferredIndexes } from '../connection/deferred-indexes.ts'
import { withHostTables } from '../connection/host-statements.ts'
import { build } from '../connection/statement.ts'
import { searchIndex, type SearchIndex } from '../search/index.ts'
import { searchUpkeep } from '../search/upkeep.ts'
import { SqliteWriter } from './writer.ts'
import { seeds } from '../../seeds.ts'
import { transaction, type Ending, type RunningTransaction } from '../../transaction.ts'

/** Drives the script of writes on SQLite: synchronously, inside one immediate transaction. @internal */
export class WritingEngine {
  readonly search: SearchIndex
  readonly #connection: Connection
  readonly #options: WritingOptions
  readonly #writer: SqliteWriter
  readonly #upkeep: ReturnType<typeof searchUpkeep>
  readonly #seed: () => string
  readonly #state

  constructor(connection: Connection, options: WritingOptions) {
    const { statements } = connection
    this.#connection = connection
    this.#options = options
    this.search = searchIndex(statements)
    this.#upkeep = searchUpkeep(this.search)
    this.#writer = new SqliteWriter(statements, this.#upkeep)
    this.#seed = seeds(options.random)
    this.#state = statements.prepare(() =>
      build.selectFrom('state').select([...counterNames, hexOf('peaks').as('peaks')]),
    )
  }

  /**
   * Runs jobs in one transaction; when anything but a refusal is thrown, everything is rolled back.
   *
   * @param options of a batch, whose search index is written at the end
   */
  run(jobs: readonly Job<unknown>[], options?: BatchOptions): readonly Outcome<unknown>[] {
    const isDry = jobs.every((job) => job.dryRun === true)
    const work = () => this.#transacted(jobs, isDry ? undefined : options)
    return isDry ? this.#connection.reading(work) : this.#connection.immediately(work)
  }

  #transacted(jobs: readonly Job<unknown>[], batch?: BatchOptions): readonly Outcome<unknown>[] {
    const { clock, acceptClock } = this.#options
    const running = transaction(jobs, this.#stored(), {
      clock,
      acceptClock: batch?.acceptClock ?? acceptClock,
      seed: this.#seed,
    })
    const { counters } = running
    if (batch?.isFirst === true && counters.lastWaypointId >= manyAtFirst)
      dropDeferredIndexes(this.#connection.statements)
    const drive = () => this.#drive(running)
    const ending = batch === undefined ? drive() : this.#upkeep.inBulk(counters, drive)
    const { outcomes, at, isChanged, alongside, entries } = ending
    if (isChanged) saveCounters(this.#writer, { ...counters, revision: counters.revision + 1, changedAt: at })
    if (alongside !== undefined)
      withHostTables(this.#connection.database, (tables) => alongside.sqlite(tables, entries))
    return outcomes
  }

  #drive({ counters, facts, steps }: RunningTransaction): Ending {
    const known = new LoadedRows()
    const { rows } = this.#connection.statements
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done === true) return next.value
      const step = next.value
      if (step.step === 'load') now(loading(facts, step.needs, known), rows)
      else {
        known.save(step.changes.nouns)
        save(this.#writer, step.changes, counters, this.#options.places)
      }
    }
  }

  #stored(): Counters {
    const row = this.#state.get()
    if (row === undefined) throw new Error('the row of the table state is missing')
    return row
  }

  /** Sets the places of waypoints that are still where they were found. */
  assignPlaces(places: readonly AssignedPlace[]): void {
    const now = this.#options.clock().toISOString()
    this.#connection.immediately(() => assignPlaces(this.#writer, places, now))
  }

  /** Runs work that changes nothing of the registry itself, such as its indexes or credentials. */
  aside<Result>(work: (extent: Counters) => Result): Result {
    return this.#connection.immediately(() => {
      const row = this.#stored()
      const counters: Counters = { ...row }
      const result = work(counters)
      if (counters.indexedTo !== row.indexedTo) saveCounters(this.#writer, counters)
      return result
    })
  }
}
