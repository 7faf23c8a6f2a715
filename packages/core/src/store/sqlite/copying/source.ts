import type { CopySource } from '../../copying/copy.ts'
import { openDatabase, openSnapshot } from '../connection/database.ts'
import { hostTableNames } from '../connection/schema-objects.ts'
import { countRows, pagesOfTable } from './rows.ts'

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
