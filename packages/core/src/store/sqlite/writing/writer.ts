import { sql, type RawBuilder } from 'kysely'
import type { Replacement } from '../../../log/nouns.ts'
import type { Counters } from '../../counters.ts'
import { waypoints, type Columns, type PlacedWaypoint } from '../../rows.ts'
import type { RowWriter } from '../../saving.ts'
import type { Askable, QueryValues } from '../../sql/reading.ts'
import { tables, type Columns as Described, type TableName } from '../../tables.ts'
import type { Values } from '../../value.ts'
import type { Inserts } from '../connection/inserts.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { searchUpkeep } from '../search/upkeep.ts'

/** Placeholders for columns of a table; bytes are bound in hexadecimal, which is faster than as buffers. */
function parameters(table: TableName, names: readonly string[]): Record<string, RawBuilder<never>> {
  const columns: Described = tables[table].columns
  return Object.fromEntries(
    names.map((name) => [
      name,
      columns[name]?.kind === 'bytes' ? sql<never>`unhex(${param(name)})` : param<never>(name),
    ]),
  )
}

/** Writes rows on SQLite, inside the caller's transaction. */
export class SqliteWriter implements RowWriter {
  readonly waypoints: Columns<PlacedWaypoint> = waypoints
  readonly #statements: Statements
  readonly #upkeep: ReturnType<typeof searchUpkeep>
  readonly #inserts = new Map<TableName, { readonly names: readonly string[]; readonly into: Inserts }>()

  constructor(statements: Statements, upkeep: ReturnType<typeof searchUpkeep>) {
    this.#statements = statements
    this.#upkeep = upkeep
  }

  put<State>({ table, values }: Columns<State>, changed: readonly Replacement<State>[]): void {
    const added: Values[] = []
    for (const { before, after } of changed) {
      const row = values(after)
      if (before === undefined) added.push(row)
      else this.#change(table, values(before), row)
    }
    this.insert(table, added)
  }

  /**
   * Sets the changed columns only: SQLite writes every index of a column that a statement sets, even when its value
   * stays the same.
   */
  #change(table: TableName, before: Values, after: Values): void {
    const names = Object.keys(after).filter((name) => after[name] !== before[name])
    if (names.length > 0) this.#set(table, names, after)
  }

  #set(table: TableName, names: readonly string[], row: Values): void {
    this.#statements
      .shaped(`set ${table} ${names.join(' ')}`, () =>
        build
          .updateTable(table as 'areas')
          .set(parameters(table, names) as never)
          .where('id', '=', param<number>('id')),
      )
      .run(row)
  }

  insert(table: TableName, rows: readonly Values[]): void {
    const [first] = rows
    if (first === undefined) return
    let inserts = this.#inserts.get(table)
    if (inserts === undefined) {
      const names = Object.keys(first)
      const row = parameters(table, names)
      const into = this.#statements.inserts((count) =>
        build.insertInto(table as 'areas').values(Array.from({ length: count }, () => row) as never),
      )
      this.#inserts.set(table, (inserts = { names, into }))
    }
    const { names, into } = inserts
    into.run(rows.map((row) => names.map((name) => row[name] ?? null)))
  }

  update(table: TableName, rows: readonly Values[]): void {
    for (const row of rows)
      this.#set(
        table,
        Object.keys(row).filter((name) => name !== 'id'),
        row,
      )
  }

  run(query: Askable, values: QueryValues): void {
    this.#statements.execute({ query, values })
  }

  follow(saved: Replacement<PlacedWaypoint>, counters: Counters): void {
    this.#upkeep.follow(saved, counters)
  }
}
