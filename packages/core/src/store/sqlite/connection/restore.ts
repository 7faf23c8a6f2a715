import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { invalid, invalidBecause, RegistryError } from '../../../errors.ts'
import { verifyLog, type Verification } from '../../../log/verification.ts'
import { Connection } from './connection.ts'
import { openDatabase } from './database.ts'
import { storageError } from './failure.ts'
import { createPrivate } from './private-file.ts'

export interface RestoreOptions {
  /** The database's file. */
  readonly database: string
  /** The copy to restore from; it is not changed. */
  readonly from: string
  /** Whether to replace an existing database. Default false. */
  readonly replace?: boolean | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** How long to wait for other processes to close the database, in milliseconds. */
const lockTimeout = 1000

/**
 * Replaces a registry's database by a copy, atomically and only when the copy's log verifies. A copy of an older
 * version is migrated.
 *
 * @returns the result of verifying the copy
 * @throws RegistryError INVALID_INPUT when the database exists and `replace` is not set, STORAGE_BUSY while another
 * process has it open, STORAGE_MISSING when the copy does not exist, STORAGE_CORRUPT when the copy does not verify, STORAGE_NEWER
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Verification> {
  const { database, from, replace = false, onProgress } = options
  if (path.resolve(database) === path.resolve(from))
    throw invalid('from', 'must be another file than the database')
  if (!existsSync(from)) throw new RegistryError('STORAGE_MISSING', `There is no copy at ${from}`)
  if (existsSync(database) && !replace)
    throw invalidBecause('database', `${database} exists already; set replace to overwrite it`)
  const unfinished = path.resolve(`${database}.unfinished`)
  await removed(unfinished)
  try {
    await copied(from, unfinished)
    const verification = await verified(unfinished, from, onProgress)
    const release = existsSync(database) ? lockExclusively(path.resolve(database)) : () => {}
    try {
      // SQLite would apply a remaining write-ahead log to the copy.
      await Promise.all(['-wal', '-shm'].map((suffix) => rm(`${database}${suffix}`, { force: true })))
      await rename(unfinished, database)
      await settled(path.dirname(path.resolve(database)))
    } finally {
      release()
    }
    return verification
  } catch (error) {
    await removed(unfinished)
    throw storageError(error)
  }
}

async function removed(file: string): Promise<void> {
  await Promise.all(['', '-wal', '-shm', '-journal'].map((suffix) => rm(`${file}${suffix}`, { force: true })))
}

async function copied(from: string, to: string): Promise<void> {
  const source = new Database(path.resolve(from), { readonly: true })
  try {
    createPrivate(to)
    await source.backup(to)
  } finally {
    source.close()
  }
}

async function verified(
  file: string,
  from: string,
  onProgress: RestoreOptions['onProgress'],
): Promise<Verification> {
  const copy = await openDatabase(file, { create: false })
  try {
    const verification = await verifyLog(new Connection(copy), onProgress)
    const { ok, problems } = verification
    if (!ok)
      throw new RegistryError('STORAGE_CORRUPT', `${from} does not verify: ${problems[0] ?? ''}`, {
        problems,
      })
    copy.pragma('wal_checkpoint(truncate)')
    copy.pragma('journal_mode = delete')
    return verification
  } finally {
    copy.close()
  }
}

/** Locks a database against all other processes, and checkpoints its write-ahead log. @returns what releases it */
function lockExclusively(file: string): () => void {
  const held = new Database(file, { timeout: lockTimeout })
  try {
    held.pragma('locking_mode = exclusive')
    held.exec('begin exclusive; rollback')
    held.pragma('journal_mode = delete')
    held.exec('begin exclusive; rollback')
    return () => held.close()
  } catch (error) {
    held.close()
    const failure = storageError(error)
    // A damaged database cannot be locked, and is what a backup is for.
    if (failure instanceof RegistryError && failure.code === 'STORAGE_CORRUPT') return () => {}
    if (failure instanceof RegistryError && failure.code === 'STORAGE_BUSY')
      throw new RegistryError('STORAGE_BUSY', `Another process has ${file} open: stop it first`)
    throw failure
  }
}

/** Makes a rename survive a power cut. */
async function settled(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
