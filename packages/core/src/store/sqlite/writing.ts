import type { Job } from '../../decide/deciding.ts'
import type { Outcome } from '../../log/script.ts'
import { counterNames, type Counters } from '../counters.ts'
import {
  assignPlaces,
  saveCounters,
  transaction,
  type RowWriter,
  type TransactionOptions,
} from '../transaction.ts'
import { build, hexOf, now, shaped, type Askable, type QueryValues } from '../sql/query.ts'
import { manyAtFirst, seeds, type BatchOptions, type WritingOptions } from '../write-queue.ts'
import type { AssignedPlace } from '../answers.ts'
import { param, type Connection, type Statements } from './connection/connection.ts'
import { dropDeferredIndexes } from './connection/deferred-indexes.ts'
import { withHostTables } from './connection/host-statements.ts'
import { searchIndex, type SearchIndex } from './search/index.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Replacement } from '../../log/nouns.ts'
import { waypoints, type Columns, type PlacedWaypoint } from '../rows.ts'
import { tables, type Columns as Described, type TableName, type Value, type Values } from '../tables.ts'

/** Writes on SQLite: synchronously, inside one immediate transaction. @internal */
export class WritingEngine {
  readonly search: SearchIndex
  readonly #connection: Connection
  readonly #options: TransactionOptions
  readonly #state

  constructor(connection: Connection, { random, ...options }: WritingOptions) {
    const { statements } = connection
    this.#connection = connection
    this.search = searchIndex(statements)
    this.#options = { ...options, into: new SqliteWriter(statements, this.search), seed: seeds(random) }
    this.#state = statements.prepare(() =>
      build.selectFrom('state').select([...counterNames, hexOf('peaks').as('peaks')]),
    )
  }

  /** Runs jobs in one transaction, undone by anything but a refusal. @param options of a batch, whose search index is written at the end */
  run(jobs: readonly Job<unknown>[], options?: BatchOptions): readonly Outcome<unknown>[] {
    const isDry = jobs.every((job) => job.dryRun === true)
    const work = () => this.#transacted(jobs, isDry ? undefined : options)
    return this.#connection.immediately(work, isDry ? 'deferred' : 'immediate')
  }

  #transacted(jobs: readonly Job<unknown>[], batch?: BatchOptions): readonly Outcome<unknown>[] {
    const { database, statements } = this.#connection
    const options = this.#options
    const acceptClock = batch?.acceptClock ?? options.acceptClock
    const counters = this.#stored()
    if (batch?.isFirst === true && counters.lastWaypointId >= manyAtFirst) dropDeferredIndexes(database)
    const work = () => now(transaction(jobs, counters, { ...options, acceptClock }), statements.rows)
    const ending = batch === undefined ? work() : this.search.inBulk(counters, work)
    const { outcomes, at, isChanged, alongside, entries } = ending
    if (isChanged) saveCounters(options.into, { ...counters, revision: counters.revision + 1, changedAt: at })
    if (alongside !== undefined) withHostTables(database, (tables) => alongside.sqlite(tables, entries))
    return outcomes
  }

  #stored(): Counters {
    const row = this.#state.get()
    if (row === undefined) throw new Error('the row of the table state is missing')
    return row
  }

  /** Sets the places of waypoints that are still where they were found. */
  assignPlaces(places: readonly AssignedPlace[]): void {
    const now = this.#options.clock().toISOString()
    this.#connection.immediately(() => assignPlaces(this.#options.into, places, now))
  }

  /** Runs work that changes nothing of the registry itself, such as its indexes or credentials. */
  aside<Result>(work: (extent: Counters) => Result): Result {
    return this.#connection.immediately(() => {
      const row = this.#stored()
      const counters: Counters = { ...row }
      const result = work(counters)
      if (counters.indexedTo !== row.indexedTo) saveCounters(this.#options.into, counters)
      return result
    })
  }
}

/** Placeholders for columns of a table; bytes are bound in hexadecimal, which is faster than as buffers. */
function parameters(table: TableName, names: readonly string[]): Record<string, RawBuilder<never>> {
  const columns: Described = tables[table].columns
  return Object.fromEntries(
    names.map((name) => [
      name,
      columns[name]?.kind === 'bytes' ? sql<never>`unhex(${param(name)})` : param<never>(name),
    ]),
  )
}

/** Rows of a batch: for fewer, one statement with all columns is enough. */
const manyRows = 100

/** The columns of an insert: of many rows, those that are null in all of them are left out, which takes half the time. */
function insertedColumns(table: TableName, rows: readonly Values[]): readonly string[] {
  const names = Object.keys(rows[0] ?? {})
  if (rows.length < manyRows) return names
  const { columns }: { readonly columns: Described } = tables[table]
  return names.filter(
    (name) => columns[name]?.isNull !== true || rows.some((row) => (row[name] ?? null) !== null),
  )
}

const setting = shaped((table: TableName, names: string) =>
  build
    .updateTable(table as 'areas')
    .set(parameters(table, names.split(' ')) as never)
    .where('id', '=', param<number>('id')),
)

class SqliteWriter implements RowWriter {
  readonly waypoints: Columns<PlacedWaypoint> = waypoints
  readonly #statements: Statements
  readonly #search: SearchIndex
  readonly #inserts = new Map<string, ReturnType<Statements['inserts']>>()

  constructor(statements: Statements, search: SearchIndex) {
    this.#statements = statements
    this.#search = search
  }

  put<State>({ table, values }: Columns<State>, changed: readonly Replacement<State>[]): void {
    const added: Values[] = []
    for (const { before, after } of changed) {
      const row = values(after)
      if (before === undefined) added.push(row)
      else this.#change(table, values(before), row)
    }
    this.insert(table, added)
  }

  /** Sets the changed columns only: SQLite writes every index of a column that a statement sets, even when its value stays the same. */
  #change(table: TableName, before: Values, after: Values): void {
    const names = Object.keys(after).filter((name) => after[name] !== before[name])
    if (names.length > 0) this.#set(table, names, after)
  }

  #set(table: TableName, names: readonly string[], row: Values): void {
    this.run(setting(table, names.join(' ')), row)
  }

  insert(table: TableName, rows: readonly Values[]): void {
    if (rows.length === 0) return
    const names = insertedColumns(table, rows)
    const shape = [table, ...names].join(' ')
    let into = this.#inserts.get(shape)
    if (into === undefined) {
      const row = parameters(table, names)
      into = this.#statements.inserts((count) =>
        build.insertInto(table as 'areas').values(Array.from({ length: count }, () => row) as never),
      )
      this.#inserts.set(shape, into)
    }
    const values: Value[] = []
    for (const row of rows) for (const name of names) values.push(row[name] ?? null)
    into(rows.length, values)
  }

  update(table: TableName, rows: readonly Values[]): void {
    for (const row of rows)
      this.#set(
        table,
        Object.keys(row).filter((name) => name !== 'id'),
        row,
      )
  }

  run(query: Askable, values: QueryValues): void {
    this.#statements.execute({ query, values })
  }

  follow(saved: Replacement<PlacedWaypoint>, counters: Counters): void {
    this.#search.follow(saved, counters)
  }
}
