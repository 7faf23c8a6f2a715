import type { CompiledQuery, OperationNodeSource } from 'kysely'

/** Values bound at each execution. */
export type QueryValue = string | number | bigint | null | Uint8Array | readonly (string | number | null)[]
export type QueryValues = Readonly<Record<string, QueryValue | undefined>>

/** A query built by Kysely, as a query or as SQL. */
export interface Built<Row> extends OperationNodeSource {
  // The type of its rows, by its compiled form.
  compile(...given: never[]): CompiledQuery<Row>
}

export interface QueryOptions {
  /** Whether PostgreSQL plans each execution for its values: for conditions that match much or little. */
  readonly isPlannedForValues?: boolean
}

/** A query that an engine can compile. */
export interface Askable {
  readonly built: Built<unknown>
  readonly options: QueryOptions
}

/** A query with its values. */
export interface Asked {
  readonly query: Askable
  readonly values: QueryValues
}

/** Several readings, which an engine may do at the same time. */
export interface Together {
  readonly together: readonly Reading<unknown>[]
}

/** A read in any engine: yields queries, receives their rows, returns the result. */
export type Reading<Result> = Generator<Asked | Together, Result, unknown>

/** A part of what a stream returns. */
export interface Piece<Part> {
  readonly piece: Part
}

/** A stream: it returns its parts one after the other. */
export type Streaming<Part> = Generator<Asked | Together | Piece<Part>, void, unknown>

/** Marks a function whose readings are streams. */
export class Stream<Args extends readonly unknown[], Part> {
  readonly read: (...args: Args) => Streaming<Part>
  constructor(read: (...args: Args) => Streaming<Part>) {
    this.read = read
  }
}

type Results<Readings> = {
  [Key in keyof Readings]: Readings[Key] extends Reading<infer Result> ? Result : never
}

/** Does several readings, at the same time where the engine can. */
export function* together<const Readings extends readonly Reading<unknown>[]>(
  ...readings: Readings
): Reading<Results<Readings>> {
  return (yield { together: readings }) as Results<Readings>
}

/** Readings by name, also of nouns in a noun. */
export interface Readings {
  readonly [name: string]: ((...args: never[]) => Reading<unknown>) | Stream<never[], unknown> | Readings
}

/** The readings as functions of a synchronous engine. */
export type AtOnce<All> = {
  readonly [Name in keyof All]: All[Name] extends Stream<infer Args, infer Part>
    ? (...args: Args) => IterableIterator<Part>
    : All[Name] extends (...args: infer Args) => Reading<infer Result>
      ? (...args: Args) => Result
      : AtOnce<All[Name]>
}

/** The readings as functions of an asynchronous engine. */
export type Promised<All> = {
  readonly [Name in keyof All]: All[Name] extends Stream<infer Args, infer Part>
    ? (...args: Args) => AsyncIterableIterator<Part>
    : All[Name] extends (...args: infer Args) => Reading<infer Result>
      ? (...args: Args) => Promise<Result>
      : Promised<All[Name]>
}

type RowsAtOnce = (asked: Asked) => unknown[]
export type RowsPromised = (asked: Asked) => Promise<unknown[]>

/** Does a reading on an engine that has its answers at once. */
export function now<Result>(reading: Reading<Result>, rows: RowsAtOnce): Result {
  let step = reading.next()
  while (step.done !== true) step = reading.next(answered(step.value, rows))
  return step.value
}

function answered(asked: Asked | Together, rows: RowsAtOnce): unknown {
  return 'together' in asked ? asked.together.map((each) => now(each, rows)) : rows(asked)
}

/** Does a reading on an engine that promises its answers. */
export async function soon<Result>(reading: Reading<Result>, rows: RowsPromised): Promise<Result> {
  let step = reading.next()
  while (step.done !== true) step = reading.next(await promised(step.value, rows))
  return step.value
}

function promised(asked: Asked | Together, rows: RowsPromised): Promise<unknown> {
  return 'together' in asked ? Promise.all(asked.together.map((each) => soon(each, rows))) : rows(asked)
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

/** The functions of an engine for readings. */
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

/** Readings on an engine that has its answers at once. */
export const atOnce = <All extends object>(readings: All, rows: RowsAtOnce): AtOnce<All> =>
  bound(
    readings,
    (read) => now(read, rows),
    (read) => piecesNow(read, rows),
  ) as AtOnce<All>

/** Readings on an engine that promises its answers. */
export const promisedBy = <All extends object>(readings: All, rows: RowsPromised): Promised<All> =>
  bound(
    readings,
    (read) => soon(read, rows),
    (read) => piecesSoon(read, rows),
  ) as Promised<All>
