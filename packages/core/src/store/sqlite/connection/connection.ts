import type Database from 'better-sqlite3'
import { openSnapshot } from './database.ts'
import { storageError } from './failure.ts'
import { RegistryError } from '../../../errors.ts'
import { sql, type RawBuilder } from 'kysely'
import {
  numberFunction,
  atOnce,
  compiledForSqlite,
  Placeholder,
  type Askable,
  type Asked,
  type AtOnce,
  type Built,
  type QueryValue,
  type QueryValues,
} from '../../sql/query.ts'
import { statusOf, type StatusFacts } from '../../../status.ts'
import type { Value } from '../../tables.ts'

/** An open database: the only access of the library to SQLite. */
export class Connection {
  readonly statements: Statements
  readonly #database: Database.Database
  readonly #transaction: Database.Transaction<(work: () => unknown) => unknown>

  constructor(database: Database.Database) {
    this.#database = database
    this.statements = new Statements(database)
    this.#transaction = database.transaction((work) => work())
  }

  get database(): Database.Database {
    if (!this.#database.open) throw new RegistryError('REGISTRY_CLOSED')
    return this.#database
  }

  /** Runs synchronous work in one immediate transaction, undone when it throws. @throws RegistryError STORAGE_…, and errors of the work */
  immediately<Result>(work: () => Result, mode: 'immediate' | 'deferred' = 'immediate'): Result {
    try {
      return this.#transaction[mode](work) as Result
    } catch (error) {
      throw storageError(error)
    }
  }

  /** Rewrites the database without deleted data. @returns false while another process writes */
  rewrite(): boolean {
    return this.#atOnce(() => {
      const store = Number(this.#database.pragma('temp_store', { simple: true }))
      // The copy that SQLite makes is as large as the database.
      this.#database.pragma('temp_store = file')
      try {
        this.#database.exec('vacuum')
      } finally {
        this.#database.pragma(`temp_store = ${store}`)
      }
      return true
    })
  }

  /** Empties the write-ahead log, which may have older pages. @returns false while other connections read or write */
  emptyLog(): boolean {
    return this.#atOnce(() => {
      const [result] = this.#database.pragma('wal_checkpoint(truncate)') as { busy: number }[]
      return result?.busy === 0
    })
  }

  /** Works without waiting for locks, since waiting blocks the event loop. @returns false when something is locked */
  #atOnce(work: () => boolean): boolean {
    const database = this.database
    const patience = Number(database.pragma('busy_timeout', { simple: true }))
    try {
      database.pragma('busy_timeout = 0')
      return work()
    } catch (error) {
      const failure = storageError(error)
      if (failure instanceof RegistryError && failure.code === 'STORAGE_BUSY') return false
      throw failure
    } finally {
      database.pragma(`busy_timeout = ${patience}`)
    }
  }

  /** A second, read-only connection that sees the database as it is now. Close it. */
  snapshot(): Connection {
    return new Connection(openSnapshot(this.database))
  }

  close(): void {
    if (this.#database.open) this.#database.close()
  }
}

/** A placeholder for a value of any type, bound at each execution. */
export const param = <T>(name: string): RawBuilder<T> => sql`${sql.val(new Placeholder(name, 'whole'))}`

export type Statement<Row> = Pick<Prepared<Row>, 'get' | 'all' | 'iterate' | 'run'>

/** A list is bound as JSON. */
const bindable = (value: QueryValue): Value =>
  Array.isArray(value) ? JSON.stringify(value) : (value as Value)

class Prepared<Row> {
  readonly #database: Database.Database
  readonly #query: () => Built<unknown>
  readonly #isRaw: boolean
  #statement: Database.Statement<Value[], Row> | undefined
  #names: readonly (string | undefined)[] = []
  /** The bound values; one array is reused, because a new one for each row would slow imports down. */
  #bound: Value[] = []

  constructor(database: Database.Database, query: () => Built<unknown>, isRaw = false) {
    this.#database = database
    this.#query = query
    this.#isRaw = isRaw
  }

  #prepared(): Database.Statement<Value[], Row> {
    if (this.#statement === undefined) {
      const { sql: text, parameters } = compiledForSqlite(this.#query())
      this.#statement = this.#database.prepare(text)
      if (this.#isRaw) this.#statement.raw(true)
      this.#names = parameters.map((each) => (each instanceof Placeholder ? each.name : undefined))
      this.#bound = parameters.map((each) => (each instanceof Placeholder ? null : (each as Value)))
    }
    return this.#statement
  }

  #bind(values: QueryValues): Value[] {
    const names = this.#names
    const bound = this.#bound
    for (let index = 0; index < names.length; index++) {
      const name = names[index]
      if (name === undefined) continue
      const value = values[name]
      if (value === undefined) throw new TypeError(`no value for :${name}`)
      bound[index] = bindable(value)
    }
    return bound
  }

  #with<Result>(
    values: QueryValues,
    work: (statement: Database.Statement<Value[], Row>, bound: Value[]) => Result,
  ): Result {
    try {
      return work(this.#prepared(), this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  get(values: QueryValues = {}): Row | undefined {
    return this.#with(values, (statement, bound) => statement.get(...bound))
  }

  all(values: QueryValues = {}): Row[] {
    return this.#with(values, (statement, bound) => statement.all(...bound))
  }

  *iterate(values: QueryValues = {}): IterableIterator<Row> {
    try {
      yield* this.#prepared().iterate(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  run(values: QueryValues = {}): void {
    this.#with(values, (statement, bound) => statement.run(...bound))
  }
}

/** The SQL function that returns the state of a waypoint from condensed facts, as JSON text, on a day. */
export const stateFunction = 'stateOn'

export class Statements {
  readonly #database: Database.Database
  readonly #queries = new WeakMap<Askable, Prepared<unknown>>()

  constructor(database: Database.Database) {
    this.#database = database
    database.function(numberFunction, { deterministic: true }, String)
    // While rows are read, no function can be added.
    database.function(
      stateFunction,
      { deterministic: true },
      (facts, day) => statusOf(JSON.parse(String(facts)) as StatusFacts, String(day)).state,
    )
  }

  #prepared({ query }: Asked): Prepared<unknown> {
    let statement = this.#queries.get(query)
    if (statement === undefined) {
      statement = new Prepared(this.#database, () => query.built)
      this.#queries.set(query, statement)
    }
    return statement
  }

  readonly rows = (asked: Asked): unknown[] => {
    const statement = this.#prepared(asked)
    if (asked.isOne !== true) return statement.all(asked.values)
    const row = statement.get(asked.values)
    return row === undefined ? [] : [row]
  }

  execute(asked: Asked): void {
    this.#prepared(asked).run(asked.values)
  }

  read<All extends object>(readings: All): AtOnce<All> {
    return atOnce(readings, this.rows)
  }

  prepare<Row>(query: () => Built<Row>): Statement<Row> {
    return new Prepared(this.#database, query)
  }

  /** Rows as arrays of columns, the fastest way to read very many of them. */
  columns<Row extends readonly unknown[] = Value[]>(query: Built<unknown>): Statement<Row> {
    return new Prepared(this.#database, () => query, true)
  }

  /** @param query inserts a number of rows; its only parameters are their values */
  inserts(query: (rows: number) => Built<unknown>): Inserting {
    return insertsInto(this.#database, (rows) => compiledForSqlite(query(rows)).sql)
  }

  define(name: string, work: (text: string) => string): void {
    this.#database.function(name, { deterministic: true }, work as (...given: unknown[]) => unknown)
  }
}

/** The number of rows that one statement inserts. More gain little and cost memory. */
const usually = 32

/** Inserts a number of rows: their values, row by row, in the order of the columns. */
type Inserting = (count: number, values: readonly Value[]) => void

/** Inserts rows of one table, many at a time. @param text SQL for a number of rows @param most how many a statement inserts */
export function insertsInto(
  database: Database.Database,
  text: (rows: number) => string,
  most = usually,
): Inserting {
  const statements = new Map<number, Database.Statement<Value[]>>()
  return (count, values) => {
    const width = values.length / count
    try {
      for (let at = 0, rows = 0; at < count; at += rows) {
        rows = count - at < most ? 1 : most
        const statement = statements.get(rows) ?? database.prepare<Value[]>(text(rows))
        statements.set(rows, statement)
        statement.run(...values.slice(at * width, (at + rows) * width))
      }
    } catch (error) {
      throw storageError(error)
    }
  }
}
