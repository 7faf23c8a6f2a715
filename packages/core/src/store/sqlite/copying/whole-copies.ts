import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { SnapshotNeeds } from '../../answers.ts'
import { copyRows, type CopySource, type OnProgress } from '../../copying/copy.ts'
import { Connection } from '../connection/connection.ts'
import { storageError } from '../connection/failure.ts'
import { createNew } from '../connection/private-file.ts'
import { openSqliteTarget, SqliteTarget } from './target.ts'

/** The number of waypoints whose records fit in memory. */
const fewRecords = 5000

async function copiedToMemory(source: CopySource): Promise<Connection> {
  const target = await SqliteTarget.inMemory()
  try {
    await copyRows(source, target)
    return target.connection
  } catch (error) {
    await target.close()
    throw storageError(error)
  }
}

/**
 * Copies a registry of another engine to a temporary file of this machine, without indexes of search. The file is gone
 * when the connection is closed, or when the process ends.
 *
 * @param records the records in the source, unless it is complete
 */
export async function copyForReading(
  source: CopySource,
  records?: SnapshotNeeds['records'],
): Promise<Connection> {
  if (Array.isArray(records) && records.length <= fewRecords) return copiedToMemory(source)
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-copy-'))
  let database: Database.Database | undefined
  try {
    const file = path.join(folder, 'copy.db')
    createNew(file)
    database = new Database(file)
    // The rest of an interrupted copy is useless.
    database.pragma('journal_mode = off')
    database.pragma('synchronous = off')
    const target = await SqliteTarget.created(database, { isWhole: records === undefined })
    await copyRows(source, target)
    await target.finish(() => {})
    return target.connection
  } catch (error) {
    database?.close()
    throw storageError(error)
  } finally {
    // Open files stay readable until they are closed.
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Copies a registry of another engine to a new file, which appears once `check` accepted it.
 *
 * @throws RegistryError INVALID_INPUT when there is a file of that name, and errors of `check`
 */
export async function copyToFile(
  source: CopySource,
  file: string,
  check: (copy: Connection) => Promise<void>,
  onProgress: OnProgress,
): Promise<void> {
  const target = await openSqliteTarget(file)
  try {
    await copyRows(source, target, { onProgress: (_step, done, total) => onProgress(done, total) })
    await target.finish(onProgress)
    await check(target.connection)
    await target.publish()
  } catch (error) {
    throw storageError(error)
  } finally {
    await target.close()
  }
}
