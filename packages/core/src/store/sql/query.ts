import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  createQueryId,
  DummyDriver,
  Kysely,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type OperationNodeSource,
  type RawBuilder,
  type ReferenceExpression,
  type RootOperationNode,
  type SelectQueryBuilder,
} from 'kysely'
import type { Tables } from '../tables.ts'

/** Queries of every engine, written once with Kysely and compiled for each: requests build no SQL. */

type ValueType = 'whole' | 'real' | 'text' | 'subject' | 'wholes' | 'texts' | 'tokens' | 'count'

export class Placeholder {
  readonly name: string
  readonly type: ValueType
  constructor(name: string, type: ValueType) {
    this.name = name
    this.type = type
  }
}

const placeholder = <T>(name: string, type: ValueType): RawBuilder<T> =>
  sql`${sql.val(new Placeholder(name, type))}`

export const whole = (name: string): RawBuilder<number> => placeholder(name, 'whole')
export const real = (name: string): RawBuilder<number> => placeholder(name, 'real')
export const text = <T extends string = string>(name: string): RawBuilder<T> => placeholder(name, 'text')
/** The subject of an entry: a number, or the id of a user; all are texts in PostgreSQL. */
export const subject = (name: string): RawBuilder<number | string> => placeholder(name, 'subject')
export const rowCount = (name: string): RawBuilder<number> => placeholder(name, 'count')

/** Lists: JSON in SQLite, arrays in PostgreSQL. */
export const wholes = (name: string): RawBuilder<number[]> => placeholder(name, 'wholes')
export const texts = (name: string): RawBuilder<string[]> => placeholder(name, 'texts')
export const tokens = (name: string): RawBuilder<number[]> => placeholder(name, 'tokens')

export type Engine = 'sqlite' | 'postgres'

class Differing {
  readonly of: Readonly<Record<Engine, RawBuilder<unknown>>>
  constructor(of: Differing['of']) {
    this.of = of
  }
}

export const differing = <T>(of: Readonly<Record<Engine, RawBuilder<T>>>): RawBuilder<T> =>
  sql`${sql.val(new Differing(of))}`

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

  *get(values: QueryValues = {}): Reading<Row | undefined> {
    return ((yield { query: this, values, isOne: true }) as Row[])[0]
  }

  /** The same with what a row becomes. */
  map<Noun>(from: (row: Row) => Noun): Pick<Query<Noun>, 'all' | 'get'> {
    const [all, get] = [this.all.bind(this), this.get.bind(this)]
    return {
      *all(values) {
        return (yield* all(values)).map((row) => from(row))
      },
      *get(values) {
        const row = yield* get(values)
        return row && from(row)
      },
    }
  }
}

export const query = <Row>(buildIt: () => Built<Row>, options: QueryOptions = {}): Query<Row> =>
  new Query(buildIt, options)

/** A page of rows in the order of a column: those `after` a value of it, at most `limit`. */
export const paged = <Of, Table extends keyof Of, Row>(
  rows: SelectQueryBuilder<Of, Table, Row>,
  column: ReferenceExpression<Of, Table> & string,
): SelectQueryBuilder<Of, Table, Row> =>
  rows
    .where(column, '>', whole('after') as never)
    .orderBy(column as never)
    .limit(rowCount('limit'))

/** Queries with optional parts, one for each shape of what is given, built when the shape is first used. */
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

export function shaped<Shape extends readonly (string | boolean | undefined)[], Row>(
  buildIt: (...shape: Shape) => Built<Row>,
  options: QueryOptions = {},
): (...shape: Shape) => Query<Row> {
  const found = byShape(
    (shape: Shape) => shape.join(' '),
    (shape) => buildIt(...shape),
    () => options,
  )
  return (...shape) => found(shape)
}

/** Rows with ascending ids in chunks of at most `size`. @param page rows after an id, at most so many */
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

export type QueryValue = string | number | bigint | null | Uint8Array | readonly (string | number | null)[]
export type QueryValues = Readonly<Record<string, QueryValue | undefined>>

export interface Built<Row> extends OperationNodeSource {
  compile(...given: never[]): CompiledQuery<Row>
}

export interface QueryOptions {
  /** Whether PostgreSQL plans each execution for its values: for conditions that match much or little. */
  readonly isPlannedForValues?: boolean
}

export interface Askable {
  readonly built: Built<unknown>
  readonly options: QueryOptions
}

export interface Asked {
  readonly query: Askable
  readonly values: QueryValues
  readonly isOne?: boolean
}

/** Several readings, which an engine may do at the same time. None are a pause, in which it does other work. */
interface Together {
  readonly together: readonly Reading<unknown>[]
}

/** A read in any engine: yields queries, receives their rows, returns the result. */
export type Reading<Result> = Generator<Asked | Together, Result, unknown>

export interface Piece<Part> {
  readonly piece: Part
}

export type Streaming<Part> = Generator<Asked | Together | Piece<Part>, void, unknown>

export class Stream<Args extends readonly unknown[], Part> {
  readonly read: (...args: Args) => Streaming<Part>
  constructor(read: (...args: Args) => Streaming<Part>) {
    this.read = read
  }
}

type Results<Readings> = {
  [Key in keyof Readings]: Readings[Key] extends Reading<infer Result> ? Result : never
}

export function* together<const Readings extends readonly Reading<unknown>[]>(
  ...readings: Readings
): Reading<Results<Readings>> {
  return (yield { together: readings }) as Results<Readings>
}

interface Readings {
  readonly [name: string]: ((...args: never[]) => Reading<unknown>) | Stream<never[], unknown> | Readings
}

export type AtOnce<All> = {
  readonly [Name in keyof All]: All[Name] extends Stream<infer Args, infer Part>
    ? (...args: Args) => IterableIterator<Part>
    : All[Name] extends (...args: infer Args) => Reading<infer Result>
      ? (...args: Args) => Result
      : AtOnce<All[Name]>
}

export type MaybePromise<Value> = Value | Promise<Value>
/** Works with a value at once, or once a promise has it; `await` always takes a turn. */
export const when = <Value, Result>(
  value: MaybePromise<Value>,
  work: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(work) : work(value))
export type Pieces<Part> = Iterable<Part> | AsyncIterable<Part>

export type Answered<All> = {
  readonly [Name in keyof All]: All[Name] extends Stream<infer Args, infer Part>
    ? (...args: Args) => Pieces<Part>
    : All[Name] extends (...args: infer Args) => Reading<infer Result>
      ? (...args: Args) => MaybePromise<Result>
      : Answered<All[Name]>
}

type RowsAtOnce = (asked: Asked) => unknown[]
export type RowsPromised = (asked: Asked) => Promise<unknown[]>

export function now<Result>(reading: Reading<Result>, rows: RowsAtOnce): Result {
  let step = reading.next()
  while (step.done !== true) step = reading.next(answered(step.value, rows))
  return step.value
}

function answered(asked: Asked | Together, rows: RowsAtOnce): unknown {
  return 'together' in asked ? asked.together.map((each) => now(each, rows)) : rows(asked)
}

export async function soon<Result>(reading: Reading<Result>, rows: RowsPromised): Promise<Result> {
  let step = reading.next()
  while (step.done !== true) step = reading.next(await promised(step.value, rows))
  return step.value
}

function promised(asked: Asked | Together, rows: RowsPromised): Promise<unknown> {
  if (!('together' in asked)) return rows(asked)
  if (asked.together.length === 0) return yieldToEventLoop()
  return Promise.all(asked.together.map((each) => soon(each, rows)))
}

function* piecesNow<Part>(stream: Streaming<Part>, rows: RowsAtOnce): Generator<Part> {
  let step = stream.next()
  while (step.done !== true) {
    if ('piece' in step.value) {
      yield step.value.piece
      step = stream.next()
    } else step = stream.next(answered(step.value, rows))
  }
}

async function* piecesSoon<Part>(stream: Streaming<Part>, rows: RowsPromised): AsyncGenerator<Part> {
  let step = stream.next()
  while (step.done !== true) {
    if ('piece' in step.value) {
      yield step.value.piece
      step = stream.next()
    } else step = stream.next(await promised(step.value, rows))
  }
}

function bound(
  readings: object,
  reading: (read: Reading<unknown>) => unknown,
  stream: (read: Streaming<unknown>) => unknown,
): unknown {
  return Object.fromEntries(
    Object.entries(readings as Readings).map(([name, each]) => {
      if (each instanceof Stream) return [name, (...args: never[]) => stream(each.read(...args))]
      if (typeof each === 'function') return [name, (...args: never[]) => reading(each(...args))]
      return [name, bound(each, reading, stream)]
    }),
  )
}

export const atOnce = <All extends object>(readings: All, rows: RowsAtOnce): AtOnce<All> =>
  bound(
    readings,
    (read) => now(read, rows),
    (read) => piecesNow(read, rows),
  ) as AtOnce<All>

export const promisedBy = <All extends object>(readings: All, rows: RowsPromised): Answered<All> =>
  bound(
    readings,
    (read) => soon(read, rows),
    (read) => piecesSoon(read, rows),
  ) as Answered<All>

/** A query in the SQL of an engine: its parameters are placeholders, or values of the query itself. */
export type Compiled = Pick<CompiledQuery, 'sql' | 'parameters'>

/** PostgreSQL prepares a statement for the types of its parameters. */
const postgresTypes: Readonly<Record<ValueType, string>> = {
  whole: 'bigint',
  real: 'double precision',
  text: 'text',
  subject: 'text',
  count: 'bigint',
  wholes: 'bigint[]',
  texts: 'text[]',
  tokens: 'integer[]',
}

class SqliteCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Differing) return this.visitNode(value.of.sqlite.toOperationNode())
    // SQLite plans with the value of a bare parameter of a limit, and so prepares it again at each execution.
    const isCount = value instanceof Placeholder && value.type === 'count'
    if (isCount) this.append('cast(')
    super.appendValue(value)
    if (isCount) this.append(' as integer)')
  }
}

class PostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Differing) return this.visitNode(value.of.postgres.toOperationNode())
    super.appendValue(value)
    if (value instanceof Placeholder) this.append(`::${postgresTypes[value.type]}`)
  }
}

export const compiledForSqlite = (query: Built<unknown>): Compiled =>
  new SqliteCompiler().compileQuery(query.toOperationNode() as RootOperationNode, createQueryId())

export const compiledForPostgres = (query: Built<unknown>): Compiled =>
  new PostgresCompiler().compileQuery(query.toOperationNode() as RootOperationNode, createQueryId())

export const hexOf = (column: string): RawBuilder<string> =>
  differing({
    sqlite: sql`lower(hex(${sql.ref(column)}))`,
    postgres: sql`encode(${sql.ref(column)}, 'hex')`,
  })

export const quotedText = (value: RawBuilder<unknown>): RawBuilder<string> =>
  differing({ sqlite: sql`json_quote(${value})`, postgres: sql`to_json(${value})::text` })

/** The SQL function that writes a number as JavaScript does, which every connection of SQLite has. */
export const numberFunction = 'numberText'

/**
 * A latitude or longitude as JavaScript writes it. SQLite writes numbers of up to seven decimals in the same way, unless they
 * are whole or very small; PostgreSQL has another form of very small numbers, and a sign of zero.
 */
export const degreesText = (value: RawBuilder<unknown>): RawBuilder<string> =>
  differing({
    sqlite: sql`case when round(${value} * 1e7) / 1e7 = ${value} and abs(${value}) >= 1e-4
      and ${value} <> cast(${value} as integer) then ${value} else ${sql.raw(numberFunction)}(${value}) end`,
    postgres: sql`case when abs(${value}) >= 1e-4 then ${value}::text when ${value} = 0 then '0'
      when abs(${value}) >= 1e-6 then ${value}::text::numeric::text else replace(${value}::text, 'e-0', 'e-') end`,
  })

export const asSubject = (id: RawBuilder<unknown>): RawBuilder<number | string> =>
  differing({ sqlite: sql`+${id}`, postgres: sql`${id}::text` })

export const asId = (subjectId: RawBuilder<unknown>): RawBuilder<number> =>
  differing({ sqlite: sql`${subjectId}`, postgres: sql`${subjectId}::bigint` })

/** A text or a subject that no index is looked up for. */
export const unindexed = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  differing({ sqlite: sql`+${column}`, postgres: sql`(${column} || '')` })

/** A column whose index SQLite does not use: it does not know how many rows have a value. PostgreSQL does. */
export const byOthers = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  differing({ sqlite: sql`+${column}`, postgres: column })

/** The greater of two texts; the first where the second is null. */
export const greater = (one: RawBuilder<string>, other: RawBuilder<string>): RawBuilder<string> =>
  differing({ sqlite: sql`max(${one}, coalesce(${other}, ''))`, postgres: sql`greatest(${one}, ${other})` })

export const hasText = (value: RawBuilder<unknown>, part: RawBuilder<string>): RawBuilder<boolean> =>
  differing({ sqlite: sql`instr(${value}, ${part}) > 0`, postgres: sql`strpos(${value}, ${part}) > 0` })

export const hasAll = (array: RawBuilder<unknown>, wanted: RawBuilder<string>): RawBuilder<boolean> =>
  differing({
    sqlite: sql`not exists (select 1 from json_each(${wanted}) as w
      where w.value not in (select value from json_each(${array})))`,
    postgres: sql`coalesce(${array}::jsonb @> ${wanted}::jsonb, false)`,
  })

/** A table for which SQLite is told a partial index, which PostgreSQL finds by itself. */
export const byIndex = (table: string, index: string): RawBuilder<unknown> =>
  differing({
    sqlite: sql`${sql.table(table)} indexed by ${sql.raw(index)}`,
    postgres: sql.table(table),
  })

type List = RawBuilder<readonly (number | string)[]>

const inJson = (expression: RawBuilder<unknown>, list: List): RawBuilder<boolean> =>
  sql`${expression} in (select value from json_each(${list}))`

export const isAmong = (expression: RawBuilder<unknown>, list: List): RawBuilder<boolean> =>
  differing({ sqlite: inJson(expression, list), postgres: sql`${expression} = any(${list})` })

/** The same where a table may have no statistics yet: PostgreSQL looks each value up instead of comparing every row with the list. */
export const isLookedUpIn = (expression: RawBuilder<unknown>, list: List): RawBuilder<boolean> =>
  differing({
    sqlite: inJson(expression, list),
    postgres: sql`${expression} in (select unnest(${list}))`,
  })
