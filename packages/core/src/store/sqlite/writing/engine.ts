import type { Job } from '../../../decide/deciding.ts'
import type { Outcome } from '../../../log/script.ts'
import { counterNames, type Counters } from '../../counters.ts'
import { manyAtFirst } from '../../few.ts'
import { placeValues } from '../../rows.ts'
import type { WritingOptions } from '../../engine-store.ts'
import type { AssignedPlace, BatchOptions } from '../../port.ts'
import type { Connection } from '../connection/connection.ts'
import { dropDeferredIndexes } from '../connection/deferred-indexes.ts'
import { sql } from 'kysely'
import { build, param, params } from '../connection/statement.ts'
import { searchIndex, type SearchIndex } from '../search/index.ts'
import { searchUpkeep } from '../search/upkeep.ts'
import { loads } from './load.ts'
import { saves } from './save.ts'
import { seeds } from '../../seeds.ts'
import { transaction, type Ending, type RunningTransaction } from '../../transaction.ts'

/** Drives the script of writes on SQLite: synchronously, inside one immediate transaction. @internal */
export class WritingEngine {
  readonly search: SearchIndex
  readonly #connection: Connection
  readonly #options: WritingOptions
  readonly #load: ReturnType<typeof loads>
  readonly #saves: ReturnType<typeof saves>
  readonly #upkeep: ReturnType<typeof searchUpkeep>
  readonly #seed: () => string
  readonly #state
  readonly #writeState
  readonly #assign

  constructor(connection: Connection, options: WritingOptions) {
    const { statements } = connection
    this.#connection = connection
    this.#options = options
    this.#load = loads(statements)
    this.search = searchIndex(statements)
    this.#upkeep = searchUpkeep(this.search)
    this.#saves = saves(statements, this.#upkeep, options.places)
    this.#seed = seeds(options.random)
    this.#state = statements.prepare(() =>
      build.selectFrom('state').select([...counterNames, sql<string>`lower(hex(peaks))`.as('peaks')]),
    )
    this.#assign = statements.prepare(() =>
      build
        .updateTable('waypoints')
        .set(params(['country', 'subdivision', 'placeName', 'placedAfter']))
        .where('id', '=', param<number>('id'))
        .where('latitude', '=', param<number>('latitude'))
        .where('longitude', '=', param<number>('longitude')),
    )
    this.#writeState = statements.prepare(() =>
      build
        .updateTable('state')
        .set({ ...params(counterNames), peaks: sql<Uint8Array>`unhex(${param('peaks')})` })
        .where('id', '=', 1),
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
    try {
      return isDry ? this.#connection.reading(work) : this.#connection.immediately(work)
    } finally {
      this.#saves.discard()
    }
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
    if (isChanged) this.#writeState.run({ ...counters, revision: counters.revision + 1, changedAt: at })
    if (alongside !== undefined)
      this.#connection.withHostTables((tables) => alongside.sqlite(tables, entries))
    return outcomes
  }

  #drive({ counters, facts, steps }: RunningTransaction): Ending {
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done === true) return next.value
      const step = next.value
      if (step.step === 'load') this.#load(facts, step.needs)
      else if (step.step === 'save') this.#saves.save(step.changes, counters)
    }
  }

  #stored(): Counters {
    const row = this.#state.get()
    if (row === undefined) throw new Error('the row of the table state is missing')
    return row
  }

  /** Sets the places of waypoints that are still where they were found. */
  assignPlaces(places: readonly AssignedPlace[]): void {
    this.#connection.immediately(() => {
      const row = this.#stored()
      for (const { id, latitude, longitude, place } of places)
        this.#assign.run({ id, latitude, longitude, ...placeValues(place), placedAfter: row.size })
      const now = this.#options.clock().toISOString()
      const changedAt = now > row.changedAt ? now : row.changedAt
      this.#writeState.run({ ...row, revision: row.revision + 1, changedAt })
    })
  }

  /** Runs work that changes nothing of the registry itself, such as its indexes or credentials. */
  aside<Result>(work: (extent: Counters) => Result): Result {
    return this.#connection.immediately(() => {
      const row = this.#stored()
      const counters: Counters = { ...row }
      const result = work(counters)
      if (counters.indexedTo !== row.indexedTo) this.#writeState.run({ ...counters })
      return result
    })
  }
}
