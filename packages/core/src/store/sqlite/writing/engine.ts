import type { Job } from '../../../decide/deciding.ts'
import type { LoggedEntry } from '../../../log/entry.ts'
import { script, type Outcome, type RunningScript } from '../../../log/script.ts'
import { alongsideOf, entriesOf } from '../../alongside.ts'
import { counterNames, isOfRegistry, lastWriteOf, logStateOf, type Counters } from '../../counters.ts'
import type { WritingOptions } from '../../clocked-store.ts'
import { placeValues } from '../../rows.ts'
import { manyAtFirst } from '../../few.ts'
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

/** What a transaction has written until now. */
interface Trace {
  at: string
  isChanged: boolean
  /** Whether somebody wants to know the entries. */
  readonly isFollowed: boolean
  readonly entries: LoggedEntry[]
}

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

  /** Runs jobs in one transaction; when anything but a refusal is thrown, everything is rolled back. */
  run<Answer>(
    jobs: readonly Job<Answer>[],
    { isBulk, isFirst = false, acceptClock }: BatchOptions & { readonly isBulk: boolean },
  ): Outcome<Answer>[] {
    const isDry = jobs.every((job) => job.dryRun === true)
    const work = () => this.#transacted(jobs, { isBulk: isBulk && !isDry, isFirst, acceptClock })
    try {
      return (
        isDry ? this.#connection.reading(work) : this.#connection.immediately(work)
      ) as Outcome<Answer>[]
    } finally {
      this.#saves.discard()
    }
  }

  #transacted(
    jobs: readonly Job<unknown>[],
    { isBulk, isFirst, acceptClock }: BatchOptions & { readonly isBulk: boolean },
  ): readonly Outcome<unknown>[] {
    const row = this.#state.get()
    if (row === undefined) throw new Error('the row of the table state is missing')
    const counters: Counters = row
    const { clock } = this.#options
    const running = script(jobs, logStateOf(row), {
      now: clock(),
      seed: this.#seed,
      acceptClock: acceptClock ?? this.#options.acceptClock,
      lastWrite: lastWriteOf(row),
    })
    if (isFirst === true && counters.lastWaypointId >= manyAtFirst)
      dropDeferredIndexes(this.#connection.statements)
    const isFollowed = jobs[0]?.alongside !== undefined
    const trace: Trace = { at: '', isChanged: false, isFollowed, entries: [] }
    const drive = () => this.#drive(running, counters, trace)
    const outcomes = isBulk ? this.#upkeep.inBulk(counters, drive) : drive()
    if (trace.isChanged) {
      const changedAt = trace.at
      const revision = counters.revision + 1
      this.#writeState.run({ ...counters, revision, changedAt })
    }
    const alongside = alongsideOf(jobs, outcomes)
    if (alongside !== undefined)
      this.#connection.withHostTables((tables) => alongside.sqlite(tables, trace.entries))
    return outcomes
  }

  #drive({ facts, steps }: RunningScript, counters: Counters, trace: Trace): readonly Outcome<unknown>[] {
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done === true) return next.value
      const step = next.value
      if (step.step === 'load') this.#load(facts, step.needs)
      else if (step.step === 'save') {
        const { changes } = step
        this.#saves.save(changes, counters)
        trace.at = changes.at
        trace.isChanged ||= isOfRegistry(changes)
        if (trace.isFollowed) trace.entries.push(...entriesOf(changes))
      }
    }
  }

  /** Sets the places of waypoints that are still where they were found. */
  assignPlaces(places: readonly AssignedPlace[]): void {
    this.#connection.immediately(() => {
      const row = this.#state.get()
      if (row === undefined) throw new Error('the row of the table state is missing')
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
      const row = this.#state.get()
      if (row === undefined) throw new Error('the row of the table state is missing')
      const counters: Counters = { ...row }
      const result = work(counters)
      if (counters.indexedTo !== row.indexedTo) this.#writeState.run({ ...counters })
      return result
    })
  }
}
