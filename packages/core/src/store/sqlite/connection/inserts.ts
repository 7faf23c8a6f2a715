import type Database from 'better-sqlite3'
import { storageError } from './failure.ts'
import type { Value } from '../../value.ts'

/** The number of rows that one statement inserts. More gain little and cost memory. */
const rowsAtOnce = 32

/** Inserts rows of one table many at a time, which is faster. */
export class Inserts<Name extends string> {
  readonly #database: Database.Database
  readonly #names: readonly Name[]
  readonly #text: (rows: number) => string
  readonly #statements = new Map<number, Database.Statement<Value[]>>()
  /** The values of the buffered rows, one row after the other. */
  #buffer: Value[] = []

  /** @param text SQL that inserts a number of rows; its parameters are their values, row by row, ordered as `names` */
  constructor(database: Database.Database, names: readonly Name[], text: (rows: number) => string) {
    this.#database = database
    this.#names = names
    this.#text = text
  }

  #statement(rows: number): Database.Statement<Value[]> {
    let statement = this.#statements.get(rows)
    if (statement === undefined) {
      statement = this.#database.prepare<Value[]>(this.#text(rows))
      this.#statements.set(rows, statement)
    }
    return statement
  }

  #insert(rows: number, values: readonly Value[]): void {
    try {
      this.#statement(rows).run(...values)
    } catch (error) {
      throw storageError(error)
    }
  }

  /** Buffers a row, and inserts the buffered rows when there are enough. */
  add(row: Readonly<Record<Name, Value>>): void {
    const buffer = this.#buffer
    for (const name of this.#names) buffer.push(row[name])
    if (buffer.length < this.#names.length * rowsAtOnce) return
    this.#buffer = []
    this.#insert(rowsAtOnce, buffer)
  }

  /** Inserts the buffered rows. */
  flush(): void {
    const buffer = this.#buffer
    this.#buffer = []
    const width = this.#names.length
    for (let start = 0; start < buffer.length; start += width)
      this.#insert(1, buffer.slice(start, start + width))
  }

  /** Discards the buffered rows, because their transaction failed. */
  discard(): void {
    this.#buffer = []
  }
}
