import type Database from 'better-sqlite3'
import { openDatabase, openSnapshot, type OpenOptions } from './database.ts'
import { storageError } from './failure.ts'
import { RegistryError } from '../../../errors.ts'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import {
  numberFunction,
  atOnce,
  build as anyBuild,
  compiledForSqlite,
  Placeholder,
  type Askable,
  type Asked,
  type AtOnce,
  type Built,
  type QueryValue,
  type QueryValues,
} from '../../sql/query.ts'
import type { Schema } from '../schema.ts'
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

  /** The driver's connection. @throws RegistryError REGISTRY_CLOSED */
  get database(): Database.Database {
    if (!this.#database.open) throw new RegistryError('REGISTRY_CLOSED')
    return this.#database
  }

  /**
   * Runs synchronous work in one immediate transaction; when it throws, everything is rolled back.
   *
   * @throws RegistryError STORAGE_BUSY, STORAGE_FULL, STORAGE_READ_ONLY, STORAGE_CORRUPT, and errors of the work
   */
  immediately<Result>(work: () => Result): Result {
    return this.#transacted('immediate', work)
  }

  /** Runs synchronous work in one transaction that only reads. */
  reading<Result>(work: () => Result): Result {
    return this.#transacted('deferred', work)
  }

  #transacted<Result>(mode: 'immediate' | 'deferred', work: () => Result): Result {
    try {
      return this.#transaction[mode](work) as Result
    } catch (error) {
      throw storageError(error)
    }
  }

  /**
   * Rewrites the database from its contents, so that no deleted data is left in it.
   *
   * @returns false while another process writes
   */
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

  /**
   * Empties the write-ahead log, which may have older versions of changed pages.
   *
   * @returns false while other connections read or write
   */
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

/** Opens a registry's database. @throws as `openDatabase` */
export async function openConnection(file: string, options: OpenOptions): Promise<Connection> {
  return new Connection(await openDatabase(file, options))
}

/**
 * Kysely builds queries, better-sqlite3 runs them. A query is built once, typed, with `param('name')` for each value;
 * it is compiled and prepared on first use and then reused. Requests build no SQL.
 */

/** A placeholder for a value bound at each execution. */
export function param<T>(name: string): RawBuilder<T> {
  return sql`${sql.val(new Placeholder(name, 'whole'))}`
}

/** Builds queries of the tables of SQLite. */
export const build = anyBuild as unknown as Kysely<Schema>

/** A compiled query. Rows have the columns that the query selects. */
export type Statement<Row> = Pick<Prepared<Row>, 'get' | 'all' | 'iterate' | 'run'>

/** A list is bound as JSON. */
const bindable = (value: QueryValue): Value =>
  Array.isArray(value) ? JSON.stringify(value) : (value as Value)

/** A statement that is built and prepared when it is first used. */
class Prepared<Row> {
  readonly #database: Database.Database
  readonly #query: () => Built<unknown>
  readonly #isRaw: boolean
  #statement: Database.Statement<Value[], Row> | undefined
  /** The name of each placeholder, or undefined for a value in the query itself. */
  #names: readonly (string | undefined)[] = []
  /** The bound values; one array is reused, because a new one for each row would slow imports down. */
  #bound: Value[] = []

  /** @param isRaw whether rows are arrays of columns */
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

  get(values: QueryValues = {}): Row | undefined {
    try {
      return this.#prepared().get(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  all(values: QueryValues = {}): Row[] {
    try {
      return this.#prepared().all(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  *iterate(values: QueryValues = {}): IterableIterator<Row> {
    try {
      yield* this.#prepared().iterate(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  /** Executes the query and returns the number of changed rows. */
  run(values: QueryValues = {}): number {
    try {
      return this.#prepared().run(...this.#bind(values)).changes
    } catch (error) {
      throw storageError(error)
    }
  }
}

/** The statements of one connection; each is prepared when it is first used. */
export class Statements {
  readonly #database: Database.Database
  readonly #queries = new WeakMap<Askable, Prepared<unknown>>()
  #names = 0

  constructor(database: Database.Database) {
    this.#database = database
    database.function(numberFunction, { deterministic: true }, String)
  }

  #prepared({ query }: Asked): Prepared<unknown> {
    let statement = this.#queries.get(query)
    if (statement === undefined) {
      statement = new Prepared(this.#database, () => query.built)
      this.#queries.set(query, statement)
    }
    return statement
  }

  /** The rows of a query, which is prepared when it is first used. */
  readonly rows = (asked: Asked): unknown[] => {
    const statement = this.#prepared(asked)
    if (asked.isOne !== true) return statement.all(asked.values)
    const row = statement.get(asked.values)
    return row === undefined ? [] : [row]
  }

  execute(asked: Asked): void {
    this.#prepared(asked).run(asked.values)
  }

  /** Readings of every engine, on this connection. */
  read<All extends object>(readings: All): AtOnce<All> {
    return atOnce(readings, this.rows)
  }

  /** A statement that is prepared when it is first used. */
  prepare<Row>(query: () => Built<Row>): Statement<Row> {
    return new Prepared(this.#database, query)
  }

  /** Inserts many rows at a time. @param query inserts a number of rows; its only parameters are their values */
  inserts(query: (rows: number) => Built<unknown>): Inserts {
    return new Inserts(this.#database, (rows) => compiledForSqlite(query(rows)).sql)
  }

  define(name: string, work: (text: string) => string): void {
    this.#database.function(name, { deterministic: true }, work as (...given: unknown[]) => unknown)
  }

  /** Rows as arrays of columns, the fastest way to read very many of them. */
  columns<Row extends readonly unknown[] = Value[]>(query: Built<unknown>): Statement<Row> {
    return new Prepared(this.#database, () => query, true)
  }

  /** Defines a deterministic SQL function under a name that is not used on this connection, and returns the name. */
  defineUnnamed(work: (...values: Value[]) => Value): string {
    this.#names += 1
    const name = `given${this.#names}`
    this.#database.function(
      name,
      { deterministic: true, varargs: true },
      work as (...given: unknown[]) => unknown,
    )
    return name
  }

  executeOnce(query: Built<unknown>): void {
    new Prepared(this.#database, () => query).run()
  }
}

/** The number of rows that one statement inserts. More gain little and cost memory. */
const usually = 32

/** Inserts rows of one table many at a time, which is faster. */
export class Inserts {
  readonly #database: Database.Database
  readonly #text: (rows: number) => string
  readonly #most: number
  readonly #statements = new Map<number, Database.Statement<Value[]>>()

  /**
   * @param text SQL that inserts a number of rows; its parameters are their values, row by row
   * @param most how many rows a statement inserts
   */
  constructor(database: Database.Database, text: (rows: number) => string, most = usually) {
    this.#database = database
    this.#text = text
    this.#most = most
  }

  /** Inserts a number of rows: their values, row by row, in the order of the columns. */
  run(count: number, values: readonly Value[]): void {
    const width = values.length / count
    for (let at = 0; at < count;) {
      const rows = count - at < this.#most ? 1 : this.#most
      this.#insert(rows, values.slice(at * width, (at + rows) * width))
      at += rows
    }
  }

  #insert(rows: number, values: readonly Value[]): void {
    try {
      let statement = this.#statements.get(rows)
      if (statement === undefined) {
        statement = this.#database.prepare<Value[]>(this.#text(rows))
        this.#statements.set(rows, statement)
      }
      statement.run(...values)
    } catch (error) {
      throw storageError(error)
    }
  }
}
