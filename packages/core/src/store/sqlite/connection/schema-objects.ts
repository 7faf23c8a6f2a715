import type Database from 'better-sqlite3'

export interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly tbl_name: string
  /** Its statement with single spaces for white space, which differs between statements of one index. */
  readonly sql: string | null
}

export function objectsOf(database: Database.Database): Map<string, SchemaObject> {
  const rows = database.prepare<[], SchemaObject>('select type, name, tbl_name, sql from sqlite_schema').all()
  return new Map(
    rows.map((row) => [
      `${row.type} ${row.name}`,
      { ...row, sql: row.sql?.replaceAll(/\s+/gu, ' ') ?? null },
    ]),
  )
}

/** How the names of tables begin, and of their indexes, that belong to the program which embeds the registry. */
export const hostPrefix = 'host_'

/** Tables whose rows stay for ever, so that a row of the host that refers to one is never in the way. */
const lasting: ReadonlySet<string> = new Set(['waypoints', 'users'])

const sequence = 'CREATE TABLE sqlite_sequence(name,seq)'

interface ForeignKey {
  readonly table: string
  /** The column; null for the primary key. */
  readonly to: string | null
}

/**
 * Whether an object is the host's and harmless: an ordinary table, or an index of one. A trigger could write to the registry
 * whenever a row of the host is written, and a foreign key to other tables keep the registry from removing what it must, such as
 * a session.
 */
export function isOfHost(
  database: Database.Database,
  { type, name, tbl_name: table, sql }: SchemaObject,
): boolean {
  if (name === 'sqlite_sequence') return sql === sequence
  if (!table.startsWith(hostPrefix)) return false
  if (type === 'index') return name.startsWith(sql === null ? `sqlite_autoindex_${hostPrefix}` : hostPrefix)
  return type === 'table' && name === table && /^CREATE TABLE /i.test(sql ?? '') && refersWell(database, name)
}

function refersWell(database: Database.Database, name: string): boolean {
  return database
    .prepare<[string], ForeignKey>('select "table", "to" from pragma_foreign_key_list(?)')
    .all(name)
    .every(
      ({ table, to }) => table.startsWith(hostPrefix) || (lasting.has(table) && (to === null || to === 'id')),
    )
}

export function hostTableNames(database: Database.Database): string[] {
  return [...objectsOf(database).values()]
    .filter(({ type, name }) => type === 'table' && name.startsWith(hostPrefix))
    .map(({ name }) => name)
    .toSorted()
}
