import type Database from 'better-sqlite3'
import { invalidBecause } from '../../../errors.ts'
import { mustBeOfTables, notOfHost, type HostValue, type SqliteTables } from '../../host-statements.ts'
import { hostPrefix, isOfHost, objectsOf, type SchemaObject } from './schema-objects.ts'

const definitions: ReadonlySet<string> = new Set(['create', 'alter', 'drop'])

interface Step {
  readonly opcode: string
  readonly p1: number
  readonly p2: number
}

class Statements implements SqliteTables {
  readonly #database: Database.Database
  /** The database's schema before the first of the statements that changes it. */
  #before: ReadonlyMap<string, SchemaObject> | undefined
  #failed: { readonly error: unknown } | undefined
  #isOver = false

  constructor(database: Database.Database) {
    this.#database = database
  }

  query<Row>(text: string, values: readonly HostValue[] = []): Row[] {
    if (this.#isOver) throw new Error('The transaction of these statements is over')
    try {
      const isDefinition = definitions.has(mustBeOfTables(text))
      if (isDefinition) this.#before ??= objectsOf(this.#database)
      const statement = this.#database.prepare<HostValue[], Row>(text)
      if (!isDefinition && !statement.readonly) this.#mustChangeHost(text, values)
      if (statement.reader) return statement.all(...values)
      statement.run(...values)
      return []
    } catch (error) {
      this.#failed ??= { error }
      throw error
    }
  }

  close(): void {
    this.#isOver = true
  }

  /** @throws the error of a failed statement; RegistryError INVALID_INPUT for a table that cannot be the host's */
  mustHaveSucceeded(): void {
    if (this.#failed !== undefined) throw this.#failed.error
    if (this.#before !== undefined) this.#mustBeOfHost(this.#before)
  }

  /** @throws RegistryError INVALID_INPUT for a statement that would change rows of a table that is not the host's */
  #mustChangeHost(text: string, values: readonly HostValue[]): void {
    const steps = this.#database.prepare<HostValue[], Step>(`explain ${text}`).all(...values)
    const tableAt = this.#database
      .prepare<[number], string>('select tbl_name from sqlite_schema where rootpage = ?')
      .pluck()
    const changed = steps.flatMap(({ opcode, p1, p2 }) => {
      // The host has no virtual tables.
      if (opcode === 'VUpdate') return ['search']
      if (opcode !== 'OpenWrite' && opcode !== 'Clear') return []
      return [tableAt.get(opcode === 'Clear' ? p1 : p2) ?? 'sqlite_schema']
    })
    const isOwn = changed.some((table) => table.startsWith(hostPrefix))
    for (const table of changed)
      // SQLite itself counts the rows of a table with `autoincrement`.
      if (!table.startsWith(hostPrefix) && !(isOwn && table === 'sqlite_sequence')) throw notOfHost(table)
  }

  #mustBeOfHost(before: ReadonlyMap<string, SchemaObject>): void {
    const now = objectsOf(this.#database)
    const keys = new Set([...before.keys(), ...now.keys()])
    for (const key of keys) {
      const [old, object] = [before.get(key), now.get(key)]
      if (old?.sql === object?.sql && old?.tbl_name === object?.tbl_name) continue
      for (const each of [old, object])
        if (each !== undefined && !isOfHost(this.#database, each))
          throw invalidBecause(
            'statements',
            `the ${each.type} ${JSON.stringify(each.name)} cannot be: a program has tables and indexes whose names begin with host_, which refer to waypoints, users or one another by id, and no triggers, views or virtual tables`,
          )
    }
  }
}

/** Runs statements of the host in the running transaction. @throws their errors; RegistryError INVALID_INPUT for what is not allowed */
export function withHostTables(database: Database.Database, work: (tables: SqliteTables) => void): void {
  const statements = new Statements(database)
  try {
    work(statements)
  } finally {
    statements.close()
  }
  statements.mustHaveSucceeded()
}
