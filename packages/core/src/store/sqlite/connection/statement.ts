import type Database from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type Compilable,
  type RawBuilder,
} from 'kysely'
import { storageError } from './failure.ts'
import { Inserts } from './inserts.ts'
import { numberFunction } from '../degrees-text.ts'
import type { Schema } from '../schema.ts'
import type { Value, Values } from '../../value.ts'

/**
 * Kysely builds queries, better-sqlite3 runs them. A query is built once, typed, with `param('name')` for each value;
 * it is compiled and prepared on first use and then reused. Requests build no SQL.
 */

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A placeholder for a value that is given at each execution. */
export function param<T>(name: string): RawBuilder<T> {
  return sql`${sql.val(new Placeholder(name))}`
}

/**
 * A placeholder for the number of rows of a limit or an offset. SQLite plans with the value of a bare parameter there, and
 * so prepares the statement again at each execution.
 */
export function limitParam(name: string): RawBuilder<number> {
  return sql<number>`cast(${param(name)} as integer)`
}

/** Placeholders for several values, each with the name of its column. */
export function params<const Name extends string>(names: readonly Name[]): Record<Name, never> {
  return Object.fromEntries(names.map((name) => [name, param(name)])) as Record<Name, never>
}

/** Builds queries; it has no connection and executes none. */
export const build = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** A compiled query. Rows have the columns that the query selects. */
export interface Statement<Row> {
  get(values?: Values): Row | undefined
  all(values?: Values): Row[]
  iterate(values?: Values): IterableIterator<Row>
  /** Executes the query and returns the number of changed rows. */
  run(values?: Values): number
}

function bound(parameters: readonly unknown[], values: Values): Value[] {
  return parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter as Value
    const value = values[parameter.name]
    if (value === undefined) throw new TypeError(`no value for :${parameter.name}`)
    return value
  })
}

function prepared<Row>(database: Database.Database, text: string): Database.Statement<Value[], Row> {
  try {
    return database.prepare(text)
  } catch (error) {
    throw storageError(error)
  }
}

class Prepared<Row> implements Statement<Row> {
  readonly #statement: Database.Statement<Value[], Row>
  /** The name of each placeholder, or undefined for a value in the query itself. */
  readonly #names: readonly (string | undefined)[]
  /** The bound values; one array is reused, because a new one for each row would slow imports down. */
  readonly #bound: Value[]

  constructor(database: Database.Database, query: Compilable<Row>) {
    const { sql: text, parameters } = query.compile()
    this.#statement = prepared(database, text)
    this.#names = parameters.map((each) => (each instanceof Placeholder ? each.name : undefined))
    this.#bound = parameters.map((each) => (each instanceof Placeholder ? null : (each as Value)))
  }

  #bind(values: Values): Value[] {
    const names = this.#names
    const bound = this.#bound
    for (let index = 0; index < names.length; index++) {
      const name = names[index]
      if (name === undefined) continue
      const value = values[name]
      if (value === undefined) throw new TypeError(`no value for :${name}`)
      bound[index] = value
    }
    return bound
  }

  get(values: Values = {}): Row | undefined {
    try {
      return this.#statement.get(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  all(values: Values = {}): Row[] {
    try {
      return this.#statement.all(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  *iterate(values: Values = {}): IterableIterator<Row> {
    try {
      yield* this.#statement.iterate(...this.#bind(values))
    } catch (error) {
      throw storageError(error)
    }
  }

  run(values: Values = {}): number {
    try {
      return this.#statement.run(...this.#bind(values)).changes
    } catch (error) {
      throw storageError(error)
    }
  }
}

/** The statements of one connection; each is prepared when it is first used. */
export class Statements {
  readonly #database: Database.Database
  readonly #shapes = new Map<string, Statement<unknown>>()
  #names = 0

  constructor(database: Database.Database) {
    this.#database = database
    database.function(numberFunction, { deterministic: true }, String)
  }

  /** A statement that is prepared when it is first used. */
  prepare<Row>(query: () => Compilable<Row>): Statement<Row> {
    let made: Statement<Row> | undefined
    const statement = (): Statement<Row> => (made ??= new Prepared(this.#database, query()))
    return {
      get: (values) => statement().get(values),
      all: (values) => statement().all(values),
      iterate: (values) => statement().iterate(values),
      run: (values) => statement().run(values),
    }
  }

  /** Inserts many rows at a time; the query's only parameters are the columns, in order. */
  inserts<const Name extends string>(
    names: readonly Name[],
    query: (rows: readonly Record<Name, never>[]) => Compilable,
  ): Inserts<Name> {
    const text = (rows: number) => query(Array.from({ length: rows }, () => params(names))).compile().sql
    return new Inserts(this.#database, names, text)
  }

  /** Defines a deterministic SQL function of one text. */
  define(name: string, work: (text: string) => string): void {
    this.#database.function(name, { deterministic: true }, work as (...given: unknown[]) => unknown)
  }

  /** The statement for one shape of a query with optional parts, built when the shape is first used. */
  shaped<Row>(shape: string, query: () => Compilable<Row>): Statement<Row> {
    let statement = this.#shapes.get(shape)
    if (statement === undefined) {
      statement = new Prepared(this.#database, query())
      this.#shapes.set(shape, statement)
    }
    return statement as Statement<Row>
  }

  /**
   * Rows as arrays of columns, the fastest way to read very many of them. The statement is not reused. Errors while
   * iterating are the driver's: convert them with `storageError`.
   */
  columns<Row extends readonly unknown[] = Value[]>(
    query: RawBuilder<unknown>,
  ): Pick<Statement<Row>, 'all' | 'iterate'> {
    const { sql: text, parameters } = query.compile(build)
    const statement: Database.Statement<Value[], Row> = prepared(this.#database, text)
    statement.raw(true)
    return {
      all: (values = {}) => statement.all(...bound(parameters, values)),
      iterate: (values = {}) => statement.iterate(...bound(parameters, values)),
    }
  }

  /** Defines a deterministic SQL function under a new name and returns the name. */
  defineUnnamed(work: (...values: Value[]) => Value): string {
    const name = this.unusedName('given')
    this.#database.function(
      name,
      { deterministic: true, varargs: true },
      work as (...given: unknown[]) => unknown,
    )
    return name
  }

  /** Executes a query once. */
  execute(query: RawBuilder<unknown>): void {
    const { sql: text, parameters } = query.compile(build)
    prepared(this.#database, text).run(...bound(parameters, {}))
  }

  /** A name that is not used on this connection, for a temporary table or a function. */
  unusedName(prefix: string): string {
    this.#names += 1
    return `${prefix}${this.#names}`
  }
}
