import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type RawBuilder,
} from 'kysely'
import type { Tables } from '../tables.ts'
import type { Built, QueryOptions, QueryValue, QueryValues, Reading, Streaming } from './reading.ts'

/**
 * Queries of every engine: written once with Kysely, compiled for each in its dialect (`dialects.ts`), with a named
 * placeholder for each value, so that requests build no SQL.
 */

/** The type of a value. */
export type ValueType = 'whole' | 'real' | 'text' | 'subject' | 'wholes' | 'texts' | 'tokens' | 'count'

/** A value bound at each execution. */
export class Placeholder {
  readonly name: string
  readonly type: ValueType
  constructor(name: string, type: ValueType) {
    this.name = name
    this.type = type
  }
}

/** The parameters of a compiled query with their values, as an engine takes them. */
export const boundWith = <Bound>(
  parameters: readonly unknown[],
  values: QueryValues,
  bind: (value: QueryValue, type: ValueType) => Bound,
): Bound[] =>
  parameters.map((parameter) => {
    if (!(parameter instanceof Placeholder)) return parameter as Bound
    const value = values[parameter.name]
    if (value === undefined) throw new TypeError(`no value for :${parameter.name}`)
    return bind(value, parameter.type)
  })

const placeholder = <T>(name: string, type: ValueType): RawBuilder<T> =>
  sql`${sql.val(new Placeholder(name, type))}`

export const whole = (name: string): RawBuilder<number> => placeholder(name, 'whole')
export const real = (name: string): RawBuilder<number> => placeholder(name, 'real')
export const text = <T extends string = string>(name: string): RawBuilder<T> => placeholder(name, 'text')
/** The subject of an entry: a number, or the id of a user; all are texts in PostgreSQL. */
export const subject = (name: string): RawBuilder<number | string> => placeholder(name, 'subject')
/** A number of rows, for `limit` and `offset`. */
export const rowCount = (name: string): RawBuilder<number> => placeholder(name, 'count')

/** Lists: JSON in SQLite, arrays in PostgreSQL. */
export const wholes = (name: string): RawBuilder<number[]> => placeholder(name, 'wholes')
export const texts = (name: string): RawBuilder<string[]> => placeholder(name, 'texts')
export const tokens = (name: string): RawBuilder<number[]> => placeholder(name, 'tokens')

/** The engines' names where SQL differs. */
export type Engine = 'sqlite' | 'postgres'

/** SQL that each engine has in its own way. */
export class Differing {
  readonly of: Readonly<Record<Engine, RawBuilder<unknown>>>
  constructor(of: Readonly<Record<Engine, RawBuilder<unknown>>>) {
    this.of = of
  }
}

/** SQL that each engine has in its own way, side by side. */
export const differing = <T>(of: Readonly<Record<Engine, RawBuilder<T>>>): RawBuilder<T> =>
  sql`${sql.val(new Differing(of))}`

/** Builds queries; it has no connection and executes none. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

/** A query that is built when it is first used. Its readings are done by an engine. */
export class Query<Row> {
  readonly #build: () => Built<Row>
  readonly options: QueryOptions
  #built: Built<Row> | undefined

  constructor(buildIt: () => Built<Row>, options: QueryOptions) {
    this.#build = buildIt
    this.options = options
  }

  get built(): Built<Row> {
    return (this.#built ??= this.#build())
  }

  *all(values: QueryValues = {}): Reading<Row[]> {
    return (yield { query: this, values }) as Row[]
  }

  /** The first row. */
  *get(values: QueryValues = {}): Reading<Row | undefined> {
    return (yield* this.all(values))[0]
  }
}

export const query = <Row>(buildIt: () => Built<Row>, options: QueryOptions = {}): Query<Row> =>
  new Query(buildIt, options)

/** Queries with optional parts, one for each shape, built when the shape is first used. */
export function shaped<Shape extends readonly (string | boolean | undefined)[], Row>(
  buildIt: (...shape: Shape) => Built<Row>,
  options: QueryOptions = {},
): (...shape: Shape) => Query<Row> {
  const known = new Map<string, Query<Row>>()
  return (...shape) => {
    const key = shape.join(' ')
    let found = known.get(key)
    if (found === undefined) {
      found = new Query(() => buildIt(...shape), options)
      known.set(key, found)
    }
    return found
  }
}

/** The same with a shape derived from the given values, which decides how the query is built. */
export function byShape<Given, Row>(
  shapeOf: (given: Given) => string,
  buildIt: (given: Given) => Built<Row>,
  optionsOf: (shape: string) => QueryOptions = () => ({}),
): (given: Given) => Query<Row> {
  const known = new Map<string, Query<Row>>()
  return (given) => {
    const shape = shapeOf(given)
    let found = known.get(shape)
    if (found === undefined) {
      found = new Query(() => buildIt(given), optionsOf(shape))
      known.set(shape, found)
    }
    return found
  }
}

/**
 * Rows with ascending ids in chunks of at most `size`, until there are no more.
 *
 * @param page rows after an id, at most so many
 */
export function* chunks<Row extends { readonly id: number }, Part>(
  { after, limit, size }: { readonly after: number; readonly limit: number; readonly size: number },
  page: (after: number, limit: number) => Reading<Row[]>,
  partOf: (row: Row) => Part,
): Streaming<Part[]> {
  for (let start = after, left = limit; left > 0;) {
    const most = Math.min(size, left)
    const rows = yield* page(start, most)
    if (rows.length > 0) yield { piece: rows.map(partOf) }
    const last = rows.at(-1)
    if (last === undefined || rows.length < most) return
    start = last.id
    left -= rows.length
  }
}
