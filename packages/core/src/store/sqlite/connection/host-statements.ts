import type Database from 'better-sqlite3'
import { invalidBecause } from '../../../errors.ts'
import type { HostValue, SqliteTables } from '../../host-statements.ts'
import { mustBeOfTables } from '../../alongside.ts'
import { isOfHost, objectsOf, type SchemaObject } from './schema-objects.ts'

/** Statements that change what a database has besides rows. */
const definitions = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:create|alter|drop)\b/i

/** The statements of the host in one transaction. */
class Statements implements SqliteTables {
  readonly #database: Database.Database
  /** What the database had before the first of them that defines something. */
  #before: ReadonlyMap<string, SchemaObject> | undefined
  #failed: { readonly error: unknown } | undefined
  #isOver = false

  constructor(database: Database.Database) {
    this.#database = database
  }

  query<Row>(text: string, values: readonly HostValue[] = []): Row[] {
    if (this.#isOver) throw new Error('The transaction of these statements is over')
    try {
      mustBeOfTables(text)
      if (definitions.test(text)) this.#before ??= objectsOf(this.#database)
      const statement = this.#database.prepare<HostValue[], Row>(text)
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

  /** @throws what a statement failed with; RegistryError INVALID_INPUT for a table that cannot be the host's */
  mustHaveSucceeded(): void {
    if (this.#failed !== undefined) throw this.#failed.error
    if (this.#before !== undefined) this.#mustBeOfHost(this.#before)
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

/**
 * Runs statements of the host in the running transaction.
 *
 * @throws what they throw, or did where they caught it; RegistryError INVALID_INPUT for what cannot be among them
 */
export function withHostTables(database: Database.Database, work: (tables: SqliteTables) => void): void {
  const statements = new Statements(database)
  try {
    work(statements)
  } finally {
    statements.close()
  }
  statements.mustHaveSucceeded()
}
