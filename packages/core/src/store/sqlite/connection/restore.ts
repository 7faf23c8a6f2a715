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
  /** The copy that comes in its place; it is only read. */
  readonly from: string
  /** Whether a database that is there is given up for it. Default false. */
  readonly replace?: boolean | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** How long others that have the database open are waited for, in milliseconds. */
const patience = 1000

/**
 * Puts a copy in the place of a registry's database, in one step and only when its log verifies. A copy of an older
 * version is brought up to date.
 *
 * @returns what verifying the copy found
 * @throws RegistryError INVALID_INPUT when the database exists and `replace` is not set, STORAGE_BUSY while another
 * process has it open, STORAGE_MISSING without a copy, STORAGE_CORRUPT when the copy does not verify, STORAGE_NEWER
 */
export async function restoreDatabase(options: RestoreOptions): Promise<Verification> {
  const { database, from, replace = false, onProgress } = options
  if (path.resolve(database) === path.resolve(from))
    throw invalid('from', 'must be another file than the database')
  if (!existsSync(from)) throw new RegistryError('STORAGE_MISSING', `There is no copy at ${from}`)
  if (existsSync(database) && !replace)
    throw invalidBecause('database', `${database} exists already; replacing it has to be asked for`)
  const unfinished = path.resolve(`${database}.unfinished`)
  await removed(unfinished)
  try {
    await copied(from, unfinished)
    const verification = await verified(unfinished, from, onProgress)
    const release = existsSync(database) ? takeAlone(path.resolve(database)) : () => {}
    try {
      // A write-ahead log that stays behind would be applied to the copy.
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

/** Holds a database so that nobody else has it open, and empties its write-ahead log into it. */
function takeAlone(file: string): () => void {
  const held = new Database(file, { timeout: patience })
  try {
    held.pragma('locking_mode = exclusive')
    held.exec('begin exclusive; rollback')
    held.pragma('journal_mode = delete')
    held.exec('begin exclusive; rollback')
    return () => held.close()
  } catch (error) {
    held.close()
    const failure = storageError(error)
    // What cannot be read as a database cannot be held either, and is what a backup is for.
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
