import type Database from 'better-sqlite3'
import type { CopySource, Moment, OnProgress } from '../../copying/copy.ts'
import type { CopiedTable } from '../../tables.ts'
import { verifyLog } from '../../../log/verification.ts'
import type { Value } from '../../value.ts'
import { Connection } from '../connection/connection.ts'
import { openDatabase, openSnapshot } from '../connection/database.ts'
import { hostTableNames } from '../connection/schema-objects.ts'
import { countRows, linesOfTable } from './rows.ts'

/** Which data a database has. */
export function momentOf(database: Database.Database): Moment {
  const row = database.prepare<[], Moment>('select origin, revision from state').get()
  if (row === undefined) throw new Error('the row of the table state is missing')
  return row
}

/** The registry of a file as it is now. */
class SqliteSource implements CopySource {
  readonly moment: Moment
  readonly #database: Database.Database

  constructor(database: Database.Database) {
    this.#database = database
    this.moment = momentOf(database)
  }

  async count(table: CopiedTable): Promise<number> {
    return countRows(this.#database, table)
  }

  lines(table: CopiedTable, after?: readonly Value[]): AsyncIterable<Buffer> {
    return linesOfTable(this.#database, table, after)
  }

  async hostTables(): Promise<readonly string[]> {
    return hostTableNames(this.#database)
  }

  async verifyLog(onProgress: OnProgress): Promise<readonly string[]> {
    return (await verifyLog(new Connection(this.#database), onProgress)).problems
  }

  async close(): Promise<void> {
    this.#database.close()
  }
}

/**
 * Opens the registry of a file for copying it. Others may read and write it meanwhile.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_OLDER, STORAGE_READ_ONLY
 */
export async function openSqliteSource(file: string): Promise<CopySource> {
  const database = await openDatabase(file, { readOnly: true })
  try {
    return new SqliteSource(openSnapshot(database))
  } finally {
    database.close()
  }
}
