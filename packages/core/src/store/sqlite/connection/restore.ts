import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { leaveAgain } from '../../../decide/leaving.ts'
import { redactAgain } from '../../../decide/redaction.ts'
import { eraseReport } from '../../../decide/report.ts'
import {
  ErasureList,
  leavingOf,
  located,
  lossHash,
  reportErasureOf,
  syncFolder,
  type Erasure,
} from '../../../erasures.ts'
import { invalid, invalidBecause, RegistryError } from '../../../errors.ts'
import { verifyLog, type Verification } from '../../../log/verification.ts'
import { barredKeysBy } from '../../../secrets.ts'
import { reportStates } from '../../../schemas/report.ts'
import type { Store } from '../../port.ts'
import { entryReads } from '../nouns/entries.ts'
import { userReads } from '../nouns/users.ts'
import { openSqlite } from '../store.ts'
import { Connection } from './connection.ts'
import { distrust, openDatabase } from './database.ts'
import { storageError } from './failure.ts'
import { mustBeSound } from './foreign-file.ts'
import { continued } from './origin.ts'
import type { Succession } from './succession.ts'
import { createNew } from './private-file.ts'
import { Statements } from './statement.ts'

export interface RestoreOptions {
  /** The database's file. */
  readonly database: string
  /** The copy to restore from; it is not changed. */
  readonly from: string
  /** Whether to replace an existing database. Default false. */
  readonly replace?: boolean | undefined
  /** The current time, at which erased text is redacted again. Default the system clock. */
  readonly clock?: (() => Date) | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** The result of verifying what was restored, and how it relates to what was there. */
export interface RestoreResult extends Verification, Succession {
  /** The number of entries of the copy that lost text again, because it was erased after the copy was made. */
  readonly erased: number
  /** The number of reports of the copy that lost what was written in them again. */
  readonly erasedReports: number
  /** The number of people who have left again, because they left after the copy was made. */
  readonly left: number
}

/** How long to wait for other processes to close the database, in milliseconds. */
const lockTimeout = 1000

const reason = 'erased before this backup was restored'

/**
 * Replaces a registry's database by a copy, atomically and only when the copy's log verifies. The copy may come
 * from anybody: it is refused when its schema is not exactly what this program makes, or its pages or rows are damaged. A
 * copy of an older version is migrated. Text that was erased since the copy was made, according to the list beside the database, is
 * erased again before the copy takes its place, and people who have left since leave again. Unless the copy has everything that was there, the log's origin is
 * renewed: readers and mirrors learn by it that this is another line of history.
 *
 * @returns the result of verifying what was restored
 * @throws RegistryError INVALID_INPUT when the database exists and `replace` is not set, STORAGE_BUSY while another
 * process has it open, STORAGE_MISSING when the copy does not exist, STORAGE_CORRUPT when the copy does not verify,
 * is damaged or has tables, indexes, triggers or views of others, STORAGE_NEWER, STORAGE_OLDER
 */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreResult> {
  const { from, replace = false } = options
  // What a symbolic link leads to is replaced, not the link.
  const database = located(options.database)
  if (path.resolve(database) === path.resolve(from))
    throw invalid('from', 'must be another file than the database')
  if (!existsSync(from)) throw new RegistryError('STORAGE_MISSING', `There is no copy at ${from}`)
  if (existsSync(database) && !replace)
    throw invalidBecause('database', `${database} exists already; set replace to overwrite it`)
  const unfinished = path.resolve(`${database}.unfinished`)
  await removed(unfinished)
  try {
    await copied(from, unfinished)
    await mustBeSound(unfinished, from)
    const asCopied = await verified(unfinished, options)
    const again = await erasedAgain(unfinished, options)
    const verification = again.erased + again.left === 0 ? asCopied : await verified(unfinished, options)
    const { held, release } = existsSync(database) ? lockExclusively(path.resolve(database)) : unlocked
    try {
      const succession = await settled(unfinished, held)
      // SQLite would apply a remaining write-ahead log to the copy.
      await Promise.all(['-wal', '-shm'].map((suffix) => rm(`${database}${suffix}`, { force: true })))
      await rename(unfinished, database)
      syncFolder(path.dirname(path.resolve(database)))
      return { ...verification, ...succession, ...again }
    } finally {
      release()
    }
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
    distrust(source)
    createNew(to)
    await source.backup(to)
  } finally {
    source.close()
  }
}

async function verified(file: string, { from, onProgress }: RestoreOptions): Promise<Verification> {
  const copy = await openDatabase(file, { create: false })
  try {
    const verification = await verifyLog(new Connection(copy), onProgress)
    const { ok, problems } = verification
    if (!ok)
      throw new RegistryError('STORAGE_CORRUPT', `${from} does not verify: ${problems[0] ?? ''}`, {
        problems,
      })
    return verification
  } finally {
    copy.close()
  }
}

/** What was erased: by the lists beside the database and the copy, and by the database itself if it can be read. */
async function erasuresOf({ database, from }: RestoreOptions): Promise<Erasure[]> {
  const list = new ErasureList(database)
  await list.addAll([...new ErasureList(from).read(), ...erasuresIn(database)])
  return list.read()
}

function erasuresIn(database: string): Erasure[] {
  if (!existsSync(database)) return []
  let replaced: Database.Database | undefined
  try {
    replaced = new Database(path.resolve(database), { readonly: true, timeout: lockTimeout })
    distrust(replaced)
    const statements = new Statements(replaced)
    const losses = entryReads(statements).losses()
    return [
      ...losses.map(({ id, leaf, field }) => ({ id, field, hash: lossHash({ leaf, field }) })),
      ...userReads(statements).former().map(leavingOf),
    ]
  } catch {
    // A damaged database is what a backup is for; the list beside it remains.
    return []
  } finally {
    replaced?.close()
  }
}

type ErasedAgain = Pick<RestoreResult, 'erased' | 'erasedReports' | 'left'>

/** Erases what was erased since a copy was made. @returns how many entries and reports lost text, and people left */
async function erasedAgain(file: string, options: RestoreOptions): Promise<ErasedAgain> {
  const byEntry = Map.groupBy(await erasuresOf(options), ({ id }) => id)
  if (byEntry.size === 0) return { erased: 0, erasedReports: 0, left: 0 }
  const hashesOf = (field: string): ReadonlySet<string> =>
    new Set(byEntry.get(0)?.flatMap((each) => (each.field === field ? [each.hash] : [])))
  const { clock = () => new Date() } = options
  const store = await openSqlite(file, { create: false, clock, acceptClock: true })
  try {
    const erased = new Set<number>()
    for (const [id, erasures] of byEntry) {
      const entry = await store.read.entries.get(id)
      if (entry === undefined) continue
      const { leaf } = entry
      const fields = erasures
        .filter(({ field, hash }) => field in entry.fields && lossHash({ leaf, field }) === hash)
        .map(({ field }) => field)
      if (fields.length === 0) continue
      const { entries } = await store.write({ decide: () => redactAgain({ id, leaf, fields }, reason) })
      for (const each of entries) erased.add(each)
    }
    const erasedReports = await reportsErasedAgain(store, hashesOf('report'))
    const left = await leftAgain(store, hashesOf('left'))
    const leftovers = erased.size + erasedReports + left === 0 ? [] : await store.scrub()
    if (leftovers.length > 0) throw new RegistryError('STORAGE_NOT_ERASED', undefined, { leftovers })
    return { erased: erased.size, erasedReports, left }
  } finally {
    await store.close()
  }
}

const pageSize = 500

/** Erases what was written in reports again. @returns how many */
async function reportsErasedAgain(store: Store, erased: ReadonlySet<string>): Promise<number> {
  if (erased.size === 0) return 0
  const found: string[] = []
  for (const state of reportStates)
    for (let after = 0; ;) {
      const page = await store.read.reports.list(state, { after, limit: pageSize })
      for (const { id, comment, note } of page)
        if ((comment ?? note) !== undefined && erased.has(reportErasureOf(id).hash)) found.push(id)
      const last = page.at(-1)?.number
      if (last === undefined || page.length < pageSize) break
      after = last
    }
  for (const id of found) await store.write({ decide: () => eraseReport(id) })
  return found.length
}

/** Lets those leave again who left since a copy was made. @returns how many */
async function leftAgain(store: Store, former: ReadonlySet<string>): Promise<number> {
  if (former.size === 0) return 0
  const { users, state } = store.read
  const back: string[] = []
  for (let offset = 0; ; offset += pageSize) {
    const page = await users.list({ limit: pageSize, offset })
    for (const { id } of page) if (former.has(leavingOf(id).hash)) back.push(id)
    if (page.length < pageSize) break
  }
  const barredKeyOf = barredKeysBy(await state.placeKey())
  for (const id of back) await store.write({ decide: (at) => leaveAgain(at, id, barredKeyOf) })
  return back.length
}

/** Gives the copy its origin, and makes it one file without a journal. */
async function settled(file: string, held: Database.Database | undefined): Promise<Succession> {
  const copy = new Database(file)
  try {
    distrust(copy)
    copy.pragma('synchronous = full')
    const succession = await continued(copy, held)
    copy.pragma('wal_checkpoint(truncate)')
    copy.pragma('journal_mode = delete')
    return succession
  } finally {
    copy.close()
  }
}

interface Lock {
  /** The locked database; absent when it is damaged. */
  readonly held?: Database.Database
  readonly release: () => void
}

const unlocked: Lock = { release() {} }

/** Locks a database against all other processes, and checkpoints its write-ahead log. */
function lockExclusively(file: string): Lock {
  const held = new Database(file, { timeout: lockTimeout })
  try {
    distrust(held)
    held.pragma('locking_mode = exclusive')
    held.exec('begin exclusive; rollback')
    held.pragma('journal_mode = delete')
    held.exec('begin exclusive; rollback')
    return { held, release: () => held.close() }
  } catch (error) {
    held.close()
    const failure = storageError(error)
    // A damaged database cannot be locked, and is what a backup is for.
    if (failure instanceof RegistryError && failure.code === 'STORAGE_CORRUPT') return unlocked
    if (failure instanceof RegistryError && failure.code === 'STORAGE_BUSY')
      throw new RegistryError('STORAGE_BUSY', `Another process has ${file} open: stop it first`)
    throw failure
  }
}
