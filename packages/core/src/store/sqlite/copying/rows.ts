import type Database from 'better-sqlite3'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { lineOf, linesOf, rowOf } from '../../copying/lines.ts'
import { insertsInto } from '../connection/connection.ts'
import type { CopiedTable, Value } from '../../tables.ts'
import type { CopySource } from '../../copying/copy.ts'
import { openDatabase, openSnapshot } from '../connection/database.ts'
import { hostTableNames } from '../connection/schema-objects.ts'

const rowsOfPage = 1000

const quoted = (name: string): string => `"${name}"`

/** SQLite stores the last given numbers itself. */
const numbers = {
  from: `(select t.name, coalesce(s.seq, 0) as last
    from (select 'distinctions' as name union all select 'doubts' union all select 'reports' union all select 'secrets') t
    left join sqlite_sequence s on s.name = t.name)`,
  // Inserted rows have made their lines there.
  into: `insert into sqlite_sequence (rowid, name, seq)
    select s.rowid, t.name, t.seq from (select ? as name, ? as seq) t left join sqlite_sequence s on s.name = t.name
    where t.seq > 0 on conflict (rowid) do update set seq = excluded.seq`,
}

const from = ({ name }: CopiedTable): string => (name === 'numbers' ? numbers.from : quoted(name))

function countRows(database: Database.Database, table: CopiedTable): number {
  return (
    database
      .prepare<[], number>(`select count(*) from ${from(table)}`)
      .pluck()
      .get() ?? 0
  )
}

export async function* pagesOfTable(database: Database.Database, table: CopiedTable): AsyncGenerator<Buffer> {
  const columns = table.columns.map(({ name }) => quoted(name)).join(', ')
  const order = table.key.map(quoted).join(', ')
  const rows = database
    .prepare<[], Value[]>(`select ${columns} from ${from(table)} order by ${order}`)
    .raw()
    .iterate()
  let lines: string[] = []
  for (const row of rows) {
    lines.push(lineOf(table, row))
    if (lines.length < rowsOfPage) continue
    yield Buffer.from(`${lines.join('\n')}\n`)
    lines = []
    await yieldToEventLoop()
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`)
}

/** Returns a function that inserts the lines of a page, inside the caller's transaction. */
export function inserting(database: Database.Database, table: CopiedTable): (page: Buffer) => void {
  const most = table.name === 'numbers' ? 1 : undefined
  const insert = insertsInto(database, (rows) => insertOf(table, rows), most)
  return (page) => {
    const lines = linesOf(page)
    insert(
      lines.length,
      lines.flatMap((line) => rowOf(table, line)),
    )
  }
}

function insertOf({ name, columns }: CopiedTable, rows: number): string {
  if (name === 'numbers') return numbers.into
  // A column that is not copied but required: no waypoint is in the search index yet.
  const [more, value] = name === 'state' ? [', indexedTo', ', 0'] : ['', '']
  const row = `(${columns.map(() => '?').join(', ')}${value})`
  const names = columns.map((column) => quoted(column.name)).join(', ')
  return `insert into ${quoted(name)} (${names}${more}) values ${Array.from({ length: rows }, () => row).join(', ')}`
}

/**
 * Opens the registry of a file for copying it as it is now. Others may read and write it meanwhile.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_OLDER, STORAGE_READ_ONLY
 */
export async function openSqliteSource(file: string): Promise<CopySource> {
  const opened = await openDatabase(file, { readOnly: true })
  try {
    const database = openSnapshot(opened)
    return {
      count: (table) => Promise.resolve(countRows(database, table)),
      pages: (table) => pagesOfTable(database, table),
      hostTables: () => Promise.resolve(hostTableNames(database)),
      async close() {
        database.close()
      },
    }
  } finally {
    opened.close()
  }
}
