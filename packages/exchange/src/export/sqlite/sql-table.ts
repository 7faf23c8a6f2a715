import Database from 'better-sqlite3'
import { jsonText } from '@openfountain/core/internal'
import type { FieldType } from '../fields.ts'
import type { Column } from '../tables/table.ts'

type SqlValue = string | number | Buffer | null

/** Writes a database file. @param pragmas settings of the file, beside those of every one */
export async function writeDatabase(
  path: string,
  pragmas: readonly string[],
  write: (database: Database.Database) => Promise<void>,
): Promise<void> {
  const database = new Database(path)
  try {
    // The file is discarded when anything fails, so a journal would protect nothing.
    database.pragma('journal_mode = OFF')
    database.pragma('synchronous = OFF')
    // Rows are written in the order of the table: few pages are read again.
    database.pragma('cache_size = -8192')
    for (const pragma of pragmas) database.pragma(pragma)
    database.exec('BEGIN')
    await write(database)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** A value of a documented column: flags as 0 and 1, lists and objects as JSON text, absent values as NULL. */
function sqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'string' || value instanceof Buffer) return value
  return jsonText(value)
}

const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The type of a column in STRICT tables, and in those of a GeoPackage. */
const types: Readonly<Record<FieldType, { readonly strict: string; readonly geopackage: string }>> = {
  integer: { strict: 'INTEGER', geopackage: 'INTEGER' },
  number: { strict: 'REAL', geopackage: 'DOUBLE' },
  string: { strict: 'TEXT', geopackage: 'TEXT' },
  boolean: { strict: 'INTEGER', geopackage: 'BOOLEAN' },
  date: { strict: 'TEXT', geopackage: 'DATE' },
  datetime: { strict: 'TEXT', geopackage: 'DATETIME' },
  list: { strict: 'TEXT', geopackage: 'TEXT' },
  object: { strict: 'TEXT', geopackage: 'TEXT' },
  any: { strict: 'TEXT', geopackage: 'TEXT' },
}

export const columnDefinitions = (
  columns: readonly Column<never>[],
  kind: 'strict' | 'geopackage',
): string[] =>
  columns.map(
    ({ name, type, required }) => `${sqlName(name)} ${types[type][kind]}${required ? ' NOT NULL' : ''}`,
  )

const batch = 2000

/** Most statements that are kept, one for each set of columns with values. */
const mostStatements = 1000

/** Bits of a whole number in JavaScript. */
const mostColumns = 53

/** Inserts rows with the values of these columns. NULL is left out: binding it takes as long as binding a value. */
export async function insertRows<Row>(
  database: Database.Database,
  table: string,
  columns: readonly Pick<Column<Row>, 'name' | 'value'>[],
  rows: Iterable<Row>,
): Promise<void> {
  const inserting = (presence: number) => {
    const names = columns.filter((_, index) => Math.floor(presence / 2 ** index) % 2 === 1)
    const places = names.map(() => '?').join(', ')
    const listed = names.map(({ name }) => sqlName(name)).join(', ')
    return database.prepare(`INSERT INTO ${sqlName(table)} (${listed}) VALUES (${places})`)
  }
  if (columns.length > mostColumns) throw new RangeError(`${table} has more than ${mostColumns} columns`)
  const statements = new Map<number, Database.Statement>()
  let count = 0
  for (const row of rows) {
    const present: SqlValue[] = []
    let presence = 0
    for (let index = 0; index < columns.length; index += 1) {
      const value = sqlValue(columns[index]?.value(row))
      if (value === null) continue
      presence += 2 ** index
      present.push(value)
    }
    let statement = statements.get(presence)
    if (statement === undefined) {
      if (statements.size === mostStatements) statements.clear()
      statements.set(presence, (statement = inserting(presence)))
    }
    statement.run(...present)
    count += 1
    if (count % batch === 0) await new Promise(setImmediate)
  }
}

/** Inserts rows with a value for every column of a table. */
export function insertValues(
  database: Database.Database,
  table: string,
  rows: readonly (readonly SqlValue[])[],
): void {
  for (const row of rows) {
    const places = row.map(() => '?').join(', ')
    database.prepare(`INSERT INTO ${table} VALUES (${places})`).run(row)
  }
}
