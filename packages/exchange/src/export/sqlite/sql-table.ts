import type Database from 'better-sqlite3'
import type { Field, FieldType } from '../fields.ts'

/** A value as SQLite binds it. */
export type SqlValue = string | number | Buffer | null

/**
 * A value of a documented column for a database file: flags as 0 and 1, lists and objects as JSON text, absent
 * values as NULL.
 */
export function sqlValue(value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'string') return value
  return JSON.stringify(value)
}

/** A double-quoted SQL name. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Prepares the insertion of whole rows; a row has a value for each of the columns, in their order. */
export function insertion(
  database: Database.Database,
  table: string,
  columns: readonly string[],
): (row: readonly SqlValue[]) => void {
  const names = columns.map(sqlName).join(', ')
  const places = columns.map(() => '?').join(', ')
  const statement = database.prepare(`INSERT INTO ${sqlName(table)} (${names}) VALUES (${places})`)
  return (row) => {
    statement.run(row)
  }
}

/** The columns of a CREATE TABLE, one a field, in the type names of the given dialect. */
export function columnDefinitions(
  fields: readonly Field[],
  types: Readonly<Record<FieldType, string>>,
): string[] {
  return fields.map(
    ({ name, type, required }) => `${sqlName(name)} ${types[type]}${required ? ' NOT NULL' : ''}`,
  )
}
