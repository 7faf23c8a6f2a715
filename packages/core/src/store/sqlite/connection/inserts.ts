import type Database from 'better-sqlite3'
import { storageError } from './failure.ts'
import type { Value } from './value.ts'

/** How many rows one statement inserts. More gain little, and cost memory. */
const rowsAtOnce = 32

/** Rows of one table that are inserted many at a time, which halves what each of them costs. */
export class Inserts<Name extends string> {
  readonly #database: Database.Database
  readonly #names: readonly Name[]
  readonly #text: (rows: number) => string
  readonly #statements = new Map<number, Database.Statement<Value[]>>()
  /** The values of rows that wait, one row after the other. */
  #waiting: Value[] = []

  /** @param text SQL that inserts so many rows and whose parameters are their values, row by row in this order */
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

  /** Takes a row, and inserts those that wait when they are many. */
  add(row: Readonly<Record<Name, Value>>): void {
    const waiting = this.#waiting
    for (const name of this.#names) waiting.push(row[name])
    if (waiting.length < this.#names.length * rowsAtOnce) return
    this.#waiting = []
    this.#insert(rowsAtOnce, waiting)
  }

  /** Inserts the rows that wait. */
  flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    const width = this.#names.length
    for (let start = 0; start < waiting.length; start += width)
      this.#insert(1, waiting.slice(start, start + width))
  }

  /** Forgets the rows that wait, because their transaction failed. */
  forget(): void {
    this.#waiting = []
  }
}
