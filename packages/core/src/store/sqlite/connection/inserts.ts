import type Database from 'better-sqlite3'
import { storageError } from './failure.ts'
import type { Value } from '../../value.ts'

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

  /** Inserts rows, of each the values in the order of the columns. */
  run(rows: readonly (readonly Value[])[]): void {
    const whole = rows.length - (rows.length % this.#most)
    for (let at = 0; at < whole; at += this.#most) this.#insert(rows.slice(at, at + this.#most))
    for (const row of rows.slice(whole)) this.#insert([row])
  }

  #insert(rows: readonly (readonly Value[])[]): void {
    try {
      let statement = this.#statements.get(rows.length)
      if (statement === undefined) {
        statement = this.#database.prepare<Value[]>(this.#text(rows.length))
        this.#statements.set(rows.length, statement)
      }
      statement.run(...rows.flat())
    } catch (error) {
      throw storageError(error)
    }
  }
}
