import { randomUUID } from 'node:crypto'
import {
  assignPlaces,
  counterNames,
  manyAtFirst,
  RegistryError,
  saveCounters,
  seeds,
  soon,
  transaction,
  type AssignedPlace,
  type BatchOptions,
  type Counters,
  type Ending,
  type Job,
  type Outcome,
  type WritingOptions,
} from '@openfountain/core/engine'
import { SessionLost } from '../connection/failure.ts'
import { mustKnow } from '../connection/migrating.ts'
import type { Session } from '../connection/session.ts'
import { mayRepeat, type Sessions } from '../connection/sessions.ts'
import { Statements, type Planning, type Queries, type Value } from '../connection/statement.ts'
import { deferIndexes, endDeferring } from './deferred-indexes.ts'
import { runAlongside } from './host-statements.ts'
import { PostgresWriter } from './writer.ts'

export interface PostgresWritingOptions extends WritingOptions {
  readonly readOnly?: boolean | undefined
}

class Current implements Queries {
  session: Session | undefined

  query<Row>(text: string, values: readonly Value[], planning?: Planning): Promise<Row[]> {
    if (this.session === undefined) throw new Error('no transaction is running')
    return this.session.query(text, values, planning)
  }
}

/** A transaction that is repeated until its outcome is known. */
interface Attempts {
  /** The number of the write in the server's table of writers. */
  readonly number: number
  /** The outcomes in case the unanswered commit was done. */
  unanswered: readonly Outcome<unknown>[] | undefined
}

type StateRow = Counters & { readonly schema: number }

const stateColumns = counterNames.map((name) => `"${name}"`).join(', ')
/** With the version of the schema, which a newer server may have changed since this one opened the database. */
const readState = `select ${stateColumns}, encode("peaks", 'hex') as "peaks",
  (select "schema" from "registry") as "schema" from "state" where "id" = 1`
const lockState = `${readState} for update of "state"`
const readWriter = 'select "transaction" from "writers" where "id" = $1'
const keepWriter = `insert into "writers" values ($1, $2, now())
  on conflict ("id") do update set "transaction" = excluded."transaction", "at" = excluded."at"`
const forgetWriters = `delete from "writers" where "at" < now() - interval '1 day' and "id" <> $1`

/** Drives the script of writes in one transaction at a time, under the lock of the row of the state. */
export class WritingEngine {
  readonly #sessions: Sessions
  readonly #options: PostgresWritingOptions
  readonly #current = new Current()
  readonly #statements = new Statements(this.#current)
  readonly #rows = new PostgresWriter(this.#current)
  readonly #seed: () => string
  /** This process, and the number of its newest transaction. */
  readonly #writer = randomUUID()
  #transactions = 0
  #isDeferring = false

  constructor(sessions: Sessions, options: PostgresWritingOptions) {
    this.#sessions = sessions
    this.#options = options
    this.#seed = seeds(options.random)
  }

  /**
   * Runs jobs in one transaction; when anything but a refusal is thrown, everything is rolled back. When the connection is
   * lost, they are run again on another one, unless the first transaction turns out to be committed.
   *
   * @throws RegistryError STORAGE_UNAVAILABLE `{ outcome: 'unknown' }` when that could not be found out, STORAGE_BUSY,
   * STORAGE_FULL, STORAGE_READ_ONLY, STORAGE_NEWER when a newer program migrated the database since it was opened
   */
  async run(
    jobs: readonly Job<unknown>[],
    { acceptClock, isFirst = false }: BatchOptions = {},
  ): Promise<readonly Outcome<unknown>[]> {
    if (jobs.every((job) => job.dryRun === true))
      return this.#sessions.patiently(() => this.#tried(jobs, acceptClock))
    if (this.#options.readOnly === true)
      throw new RegistryError('STORAGE_READ_ONLY', 'The database was opened for reading alone')
    const attempts: Attempts = { number: (this.#transactions += 1), unanswered: undefined }
    try {
      return await this.#sessions.patiently(
        () => this.#written(jobs, { acceptClock, isFirst }, attempts),
        mayRepeat,
      )
    } catch (error) {
      if (attempts.unanswered === undefined || !isOfStorage(error)) throw error
      throw new RegistryError(
        'STORAGE_UNAVAILABLE',
        'The database server was lost while it was writing, so that it is not known whether it has written: look before you try again',
        { ...error.details, outcome: 'unknown' },
        { cause: error },
      )
    }
  }

  /** Sets the places of waypoints that are still where they were found. Done twice, it is the same. */
  async assignPlaces(places: readonly AssignedPlace[]): Promise<void> {
    if (this.#options.readOnly === true)
      throw new RegistryError('STORAGE_READ_ONLY', 'The database was opened for reading alone')
    const assigned = (): Promise<void> =>
      this.#inSession(async (session) => {
        const [, [row]] = await Promise.all([session.command('begin'), session.query<StateRow>(lockState)])
        if (row !== undefined) mustKnow(row.schema)
        assignPlaces(this.#rows, places, this.#options.clock().toISOString())
        await this.#rows.written()
        await session.command('commit')
      })
    await this.#sessions.patiently(assigned, mayRepeat)
  }

  async endDeferring(): Promise<void> {
    this.#isDeferring = false
    await endDeferring(await this.#sessions.writer())
  }

  /** Whether indexes are missing that an import of this process dropped. */
  get isDeferring(): boolean {
    return this.#isDeferring
  }

  async #tried(jobs: readonly Job<unknown>[], acceptClock: boolean | undefined) {
    return this.#inSession(async (session) => {
      const begun = session.command('begin isolation level repeatable read read only')
      const [[row]] = await Promise.all([session.query<StateRow>(readState), begun])
      const { outcomes } = await this.#decided(jobs, stated(row), acceptClock)
      await session.command('rollback')
      return outcomes
    })
  }

  async #written(jobs: readonly Job<unknown>[], { acceptClock, isFirst }: BatchOptions, attempts: Attempts) {
    return this.#inSession(async (session) => {
      const isAgain = attempts.unanswered !== undefined
      const [, [row], [before]] = await Promise.all([
        session.command('begin'),
        session.query<StateRow>(lockState),
        // Under the lock, so that the transaction in question is over.
        isAgain ? session.query<{ transaction: number }>(readWriter, [this.#writer]) : [],
      ])
      if (attempts.unanswered !== undefined && before?.transaction === attempts.number) {
        await session.command('rollback')
        return attempts.unanswered
      }
      attempts.unanswered = undefined
      // Nothing is written into tables that are not known.
      if (row !== undefined) mustKnow(row.schema)
      const counters = stated(row)
      if (isFirst === true && counters.lastWaypointId >= manyAtFirst) {
        this.#isDeferring = true
        await deferIndexes(session)
      }
      const ending = await this.#decided(jobs, counters, acceptClock)
      const { outcomes, at, entries, isChanged, isSaved, alongside } = ending
      if (!isSaved && alongside === undefined) {
        await session.command('rollback')
        return outcomes
      }
      if (isChanged) saveCounters(this.#rows, { ...counters, revision: counters.revision + 1, changedAt: at })
      this.#rows.execute(keepWriter, [this.#writer, attempts.number])
      if (attempts.number % 1000 === 1) this.#rows.execute(forgetWriters, [this.#writer])
      if (alongside !== undefined) {
        await this.#rows.written()
        const undone = await runAlongside(session, (tables) => alongside.postgres(tables, entries))
        if (undone !== undefined) return [undone]
      }
      attempts.unanswered = outcomes
      // The commit of a transaction with a failed statement rolls it back.
      const answers = await Promise.allSettled([this.#rows.written(), session.command('commit')])
      const failed = answers.find(({ status }) => status === 'rejected')
      const error: unknown = failed?.status === 'rejected' ? failed.reason : undefined
      if (!(error instanceof SessionLost)) attempts.unanswered = undefined
      if (error !== undefined) throw error
      return outcomes
    })
  }

  /** Runs a transaction on the session of the writes; a session with an error is not used again. */
  async #inSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const session = await this.#sessions.writer()
    this.#current.session = session
    try {
      return await work(session)
    } catch (error) {
      session.destroy()
      throw error
    } finally {
      this.#current.session = undefined
    }
  }

  async #decided(
    jobs: readonly Job<unknown>[],
    counters: Counters,
    acceptClock = this.#options.acceptClock,
  ): Promise<Ending> {
    const options = { ...this.#options, acceptClock, into: this.#rows, seed: this.#seed }
    try {
      return await soon(transaction(jobs, counters, options), this.#statements.rows)
    } catch (error) {
      // A read after a failed write reports the write's error.
      await this.#rows.written()
      throw error
    }
  }
}

function stated(row: StateRow | undefined): Counters {
  if (row === undefined) throw new Error('the row of the table state is missing')
  const { schema: _schema, ...counters } = row
  return counters
}

const isOfStorage = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && error.code.startsWith('STORAGE_')
