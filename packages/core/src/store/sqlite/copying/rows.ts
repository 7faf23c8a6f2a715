import type Database from 'better-sqlite3'
import { lineOf, linesOf, rowOf } from '../../copying/lines.ts'
import type { CopiedTable } from '../../tables.ts'
import { yieldToEventLoop } from '../../../event-loop.ts'
import type { Value } from '../../value.ts'

/** Rows that one piece of lines has. */
const rowsOfPiece = 1000
/** Rows that one statement inserts. */
const rowsAtOnce = 32

const quoted = (name: string): string => `"${name}"`

/** The tables that SQLite has in another form, as what is read and how a row is written. */
const otherwise: Readonly<Record<string, { readonly from: string; readonly into?: string }>> = {
  numbers: {
    from: `(select t.name, coalesce(s.seq, 0) as last
      from (select 'distinctions' as name union all select 'reports' union all select 'secrets') t
      left join sqlite_sequence s on s.name = t.name)`,
    // Rows with numbers have left what they need there.
    into: `insert into sqlite_sequence (rowid, name, seq)
      select s.rowid, t.name, t.seq from (select ? as name, ? as seq) t left join sqlite_sequence s on s.name = t.name
      where t.seq > 0 on conflict (rowid) do update set seq = excluded.seq`,
  },
}

/** The number of rows of a table. */
export function countRows(database: Database.Database, { name }: CopiedTable): number {
  const from = otherwise[name]?.from ?? quoted(name)
  return database.prepare<[], number>(`select count(*) from ${from}`).pluck().get() ?? 0
}

/** The rows of a table as lines, ordered by its key. @param after a key */
export async function* linesOfTable(
  database: Database.Database,
  table: CopiedTable,
  after?: readonly Value[],
): AsyncGenerator<Buffer> {
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ')
  const key = table.key.map(quoted).join(', ')
  const places = table.key.map(() => '?').join(', ')
  const beyond = after === undefined ? '' : `where (${key}) > (${places})`
  const from = otherwise[table.name]?.from ?? quoted(table.name)
  const rows = database
    .prepare<Value[], Value[]>(`select ${columns} from ${from} ${beyond} order by ${key}`)
    .raw()
    .iterate(...(after ?? []))
  let lines: string[] = []
  for (const row of rows) {
    lines.push(lineOf(table, row))
    if (lines.length < rowsOfPiece) continue
    yield Buffer.from(`${lines.join('\n')}\n`)
    lines = []
    await yieldToEventLoop()
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

/** Inserts rows that are given as lines. */
export class LineInserts {
  readonly #database: Database.Database
  readonly #statements = new Map<string, Database.Statement<Value[]>>()

  constructor(database: Database.Database) {
    this.#database = database
  }

  #statement(table: CopiedTable, rows: number): Database.Statement<Value[]> {
    const known = `${table.name} ${rows}`
    let statement = this.#statements.get(known)
    if (statement === undefined) {
      statement = this.#database.prepare<Value[]>(insertOf(table, rows))
      this.#statements.set(known, statement)
    }
    return statement
  }

  /** Inserts the lines of a page, inside the caller's transaction. */
  add(table: CopiedTable, page: Buffer): void {
    const lines = linesOf(page)
    const width = otherwise[table.name]?.into === undefined ? rowsAtOnce : 1
    const whole = lines.length - (lines.length % width)
    for (let start = 0; start < whole; start += width)
      this.#insert(table, lines.slice(start, start + width), width)
    for (const line of lines.slice(whole)) this.#insert(table, [line], 1)
  }

  #insert(table: CopiedTable, lines: readonly string[], rows: number): void {
    const values: Value[] = []
    for (const line of lines) for (const value of rowOf(table, line)) values.push(value)
    this.#statement(table, rows).run(...values)
  }
}

function insertOf({ name, columns }: CopiedTable, rows: number): string {
  const into = otherwise[name]?.into
  if (into !== undefined) return into
  // What is not copied and may not be missing: no waypoint is in the index of search yet.
  const [more, value] = name === 'state' ? [', indexedTo', ', 0'] : ['', '']
  const row = `(${columns.map(() => '?').join(', ')}${value})`
  const names = columns.map((column) => quoted(column.name)).join(', ')
  return `insert into ${quoted(name)} (${names}${more}) values ${Array.from({ length: rows }, () => row).join(', ')}`
}
