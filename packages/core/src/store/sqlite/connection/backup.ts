import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { invalidBecause } from '../../../errors.ts'
import { distrust, endJournal } from './database.ts'
import { mustBeSound } from './foreign-file.ts'
import { storageError } from './failure.ts'
import { createNew, removeDatabase } from './private-file.ts'

/** Pages that are copied in one step, between which others may write; a page has 4 KiB. */
const pagesAtOnce = 1000

/** Copies a database of any version while it is in use. The file appears only when the copy is complete and was checked. */
export async function backup(
  database: Database.Database,
  file: string,
  onProgress: (done: number, total: number) => void,
  check: (copy: Database.Database) => Promise<void> = async () => {},
): Promise<void> {
  if (existsSync(file))
    throw invalidBecause('file', `${file} exists already; choose another name or remove it`)
  const unfinished = `${file}.unfinished`
  await removeDatabase(unfinished)
  try {
    createNew(unfinished)
    await database.backup(unfinished, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages - remainingPages, totalPages)
        return pagesAtOnce
      },
    })
    const copy = new Database(unfinished)
    try {
      distrust(copy)
      await check(copy)
      endJournal(copy)
    } finally {
      copy.close()
    }
    // A backup must be restorable.
    mustBeSound(unfinished, database.name)
    await rename(unfinished, file)
  } catch (error) {
    await removeDatabase(unfinished)
    throw storageError(error)
  }
}
