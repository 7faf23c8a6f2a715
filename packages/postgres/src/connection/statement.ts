import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type Compilable,
  type RawBuilder,
} from 'kysely'
import type { Tables } from '@openfountain/core/engine'

/**
 * Kysely builds queries, the driver runs them. A query is built and compiled once, with a typed placeholder for each
 * value; requests build no SQL.
 */

/** What PostgreSQL can take as a value of a parameter. */
export type Value = string | number | null | Uint8Array | readonly (string | number | null)[]
export type Values = Readonly<Record<string, Value | undefined>>

/** How a statement is planned. */
export interface Planning {
  /** Plans it anew for the values of each execution: for conditions of which some leave much and others little. */
  readonly forValues?: boolean | undefined
}

/** What runs a query: numbers are JavaScript's, byte strings are bytes, everything else is text. */
export interface Queries {
  query<Row>(text: string, values: readonly Value[], planning?: Planning): Promise<Row[]>
}

/** The tables as this engine has them. */
export interface Schema extends Omit<Tables, 'entries'> {
  entries: Omit<Tables['entries'], 'subjectId'> & {
    /** The id of a user, or a number in decimal digits for all other subjects. */
    subjectId: string
  }
}

/** Builds queries; it has no connection and executes none. */
export const build = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/** A query that is written in SQL, for `shaped`. */
export const compilable = <Row>(query: RawBuilder<Row>): Compilable<Row> => ({
  compile: () => query.compile(build),
})

class Placeholder {
  readonly name: string
  readonly type: SqlType
  constructor(name: string, type: SqlType) {
    this.name = name
    this.type = type
  }
}

type SqlType = 'bigint' | 'double precision' | 'text' | 'bigint[]' | 'integer[]' | 'text[]'

const placeholder = <T>(name: string, type: SqlType): RawBuilder<T> =>
  sql`${sql.val(new Placeholder(name, type))}::${sql.raw(type)}`

/** Placeholders for values that are given at each execution, with the type that the statement is prepared for. */
export const whole = (name: string): RawBuilder<number> => placeholder(name, 'bigint')
export const real = (name: string): RawBuilder<number> => placeholder(name, 'double precision')
export const text = <T extends string = string>(name: string): RawBuilder<T> => placeholder(name, 'text')
export const wholes = (name: string): RawBuilder<number[]> => placeholder(name, 'bigint[]')
export const tokens = (name: string): RawBuilder<number[]> => placeholder(name, 'integer[]')
export const texts = (name: string): RawBuilder<string[]> => placeholder(name, 'text[]')

/** A compiled query. Rows have the columns that the query selects. */
export interface Statement<Row> {
  get(values?: Values): Promise<Row | undefined>
  all(values?: Values): Promise<Row[]>
}

/** The statements that are run on one source of connections; each is compiled when it is first used. */
export class Statements {
  readonly #queries: Queries
  readonly #shapes = new Map<string, Statement<unknown>>()

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** A statement that is compiled when it is first used. */
  prepare<Row>(query: () => Compilable<Row>, planning?: Planning): Statement<Row> {
    return this.#lazy(() => query().compile(), planning)
  }

  /** The same of a query that is written in SQL. */
  written<Row>(query: () => RawBuilder<Row>, planning?: Planning): Statement<Row> {
    return this.#lazy(() => query().compile(build), planning)
  }

  /** The statement for one shape of a query with optional parts, built when the shape is first used. */
  shaped<Row>(shape: string, query: () => Compilable<Row>, planning?: Planning): Statement<Row> {
    let statement = this.#shapes.get(shape)
    if (statement === undefined) {
      statement = this.prepare(query, planning)
      this.#shapes.set(shape, statement)
    }
    return statement as Statement<Row>
  }

  #lazy<Row>(
    compile: () => { readonly sql: string; readonly parameters: readonly unknown[] },
    planning?: Planning,
  ): Statement<Row> {
    let compiled: ReturnType<typeof compile> | undefined
    const all = async (values: Values = {}): Promise<Row[]> => {
      compiled ??= compile()
      return this.#queries.query<Row>(compiled.sql, bound(compiled.parameters, values), planning)
    }
    return { all, get: async (values) => (await all(values))[0] }
  }
}

function bound(parameters: readonly unknown[], values: Values): Value[] {
  return parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter as Value
    const value = values[parameter.name]
    if (value === undefined) throw new TypeError(`no value for :${parameter.name}`)
    return parameter.type === 'bigint' || parameter.type === 'bigint[]' ? wholeOrNone(value) : value
  })
}

/** No row has a negative id: what is looked for with a fraction, or beyond all ids, is found nowhere instead of refused. */
const nowhere = -1

function wholeOrNone(value: Value): Value {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : nowhere
  if (!Array.isArray(value)) return value
  return value.map((each: unknown) => (Number.isSafeInteger(each) ? Number(each) : nowhere))
}
