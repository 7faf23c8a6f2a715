import Database from 'better-sqlite3'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { eraseAgain, erasuresOf } from '../../../erased.ts'
import {
  ErasureList,
  listsBeside,
  located,
  syncFolder,
  type ErasedAgain,
  type Erasure,
} from '../../../erasures.ts'
import { invalid, invalidBecause, RegistryError } from '../../../errors.ts'
import { rootAt, type TreeReads } from '@openfountain/tlog'
import { verifyLog, type Verification } from '../../../log/verification.ts'
import { mustBeFile } from '../../address.ts'
import { systemClock } from '../../write-queue.ts'
import { entryReads } from '../../nouns/entries.ts'
import { photoReads } from '../../nouns/photos.ts'
import { reportReads } from '../../nouns/reports.ts'
import { userReads } from '../../nouns/users.ts'
import { openSqlite } from '../store.ts'
import { Connection, Statements } from './connection.ts'
import { distrust, endJournal, openDatabase } from './database.ts'
import { storageError } from './failure.ts'
import { mustBeSound } from './foreign-file.ts'
import { createNew, removeDatabase } from './private-file.ts'

export interface RestoreOptions {
  readonly database: string
  readonly from: string
  /** Whether to replace an existing database. Default false. */
  readonly replace?: boolean | undefined
  /**
   * The required source of erasures since the copy was made: a list beside the database or the copy, or the replaced
   * database. `required` refuses the copy without one, `found` restores it all the same, and `later` puts the lists
   * beside the database and erases nothing: the result will be restored again. Default `required`.
   */
  readonly erasures?: 'required' | 'found' | 'later' | undefined
  /** The current time, at which erased text is redacted again. Default the system clock. */
  readonly clock?: (() => Date) | undefined
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}

/** The result of verifying the restored registry, and its relation to the replaced one. */
export interface RestoreResult extends Verification, Succession, ErasedAgain {}

/** How long to wait for other processes to close the database, in milliseconds. */
const lockTimeout = 1000

/**
 * Replaces a registry's database by a copy, atomically and only when the copy's log verifies. The copy may come from
 * anybody: it is refused when its schema is not exactly this program's, or its pages or rows are damaged. A copy of an
 * older version is migrated. Erasures since the copy was made, by the lists beside the database and the copy and by the
 * database itself, are repeated before the copy takes its place, and people who have left since leave again. Unless the
 * copy has all entries of the replaced database, the log's origin is renewed, which tells readers and mirrors that this
 * is another line of history.
 *
 * @returns the result of verifying the restored registry
 * @throws RegistryError INVALID_INPUT when the database exists and `replace` is not set, or there is no source of
 * erasures, STORAGE_BUSY while another process has it open, STORAGE_MISSING when the copy does not exist,
 * STORAGE_CORRUPT when the copy does not verify, is damaged or has tables, indexes, triggers or views of others,
 * STORAGE_NEWER, STORAGE_OLDER
 */
export async function restoreDatabase(options: RestoreOptions): Promise<RestoreResult> {
  const { from, replace = false } = options
  mustBeFile(
    'database',
    options.database,
    'a backup is restored to a file; openfountain copy then copies that to a server, into a database without a registry',
  )
  mustBeFile('from', from, 'a backup is a file; openfountain copy copies a registry from a server')
  // The target of a symbolic link is replaced, not the link.
  const database = located(options.database)
  if (path.resolve(database) === path.resolve(from))
    throw invalid('from', 'must be another file than the database')
  if (!existsSync(from)) throw new RegistryError('STORAGE_MISSING', `There is no copy at ${from}`)
  if (existsSync(database) && !replace)
    throw invalidBecause('database', `${database} exists already; set replace to overwrite it`)
  const unfinished = path.resolve(`${database}.unfinished`)
  await removeDatabase(unfinished)
  try {
    await copied(from, unfinished)
    mustBeSound(unfinished, from)
    const asCopied = await verified(unfinished, options)
    const again = await erasedAgain(unfinished, { ...options, database })
    const verification = again.erased + again.left === 0 ? asCopied : await verified(unfinished, options)
    const held = existsSync(database) ? lockExclusively(path.resolve(database)) : undefined
    try {
      const succession = await settled(unfinished, held)
      // SQLite would apply a remaining write-ahead log to the copy.
      await Promise.all(['-wal', '-shm'].map((suffix) => rm(`${database}${suffix}`, { force: true })))
      await rename(unfinished, database)
      syncFolder(path.dirname(path.resolve(database)))
      return { ...verification, ...succession, ...again }
    } finally {
      held?.close()
    }
  } catch (error) {
    await removeDatabase(unfinished)
    throw storageError(error)
  }
}

/** Copies a database of any version to a new file. */
export async function copied(from: string, to: string): Promise<void> {
  const source = new Database(path.resolve(from), { readonly: true })
  try {
    distrust(source)
    createNew(to)
    await source.backup(to)
  } finally {
    source.close()
  }
}

/** Migrates a file, and verifies its log. @throws RegistryError STORAGE_CORRUPT */
export async function verified(
  file: string,
  { from, onProgress }: Pick<RestoreOptions, 'from' | 'onProgress'>,
): Promise<Verification> {
  const copy = await openDatabase(file, { create: false, migrate: true })
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

/** Whether there is a source of erasures: a list beside the database or the copy, or the replaced database. */
export async function isErasureKnown(options: Pick<RestoreOptions, 'database' | 'from'>): Promise<boolean> {
  return (await erasuresFor({ ...options, database: located(options.database) })) !== undefined
}

/** The erasures, from all sources; undefined without a source. */
async function erasuresFor({
  database,
  from,
}: Pick<RestoreOptions, 'database' | 'from'>): Promise<Erasure[] | undefined> {
  const list = new ErasureList(database)
  const lists = [...(list.exists ? [list] : []), ...listsBeside(from)]
  const replaced = await erasuresIn(database)
  if (lists.length === 0 && replaced === undefined) return undefined
  return [...lists.flatMap((each) => each.read()), ...(replaced ?? [])]
}

async function erasuresIn(database: string): Promise<Erasure[] | undefined> {
  if (!existsSync(database)) return undefined
  let replaced: Database.Database | undefined
  try {
    replaced = new Database(path.resolve(database), { readonly: true, timeout: lockTimeout })
    distrust(replaced)
    const statements = new Statements(replaced)
    const [entries, users, reports, photos] = [
      statements.read(entryReads),
      statements.read(userReads),
      statements.read(reportReads),
      statements.read(photoReads),
    ]
    return await erasuresOf({ entries, users, reports, photos })
  } catch {
    // A damaged database is the usual reason for a restore; the lists remain.
    return undefined
  } finally {
    replaced?.close()
  }
}

/** Repeats the erasures since a copy was made. @throws RegistryError INVALID_INPUT without a source of erasures */
async function erasedAgain(file: string, options: RestoreOptions): Promise<ErasedAgain> {
  const { database, from, erasures = 'required', clock = systemClock } = options
  const known = await erasuresFor(options)
  if (known === undefined && erasures === 'required')
    throw invalidBecause(
      'erasures',
      `nothing says what was erased since ${from} was made, and it would come back: put the list of the lost machine or of a newer backup beside it, as ${from}.erased, or set erasures to found`,
    )
  const list = new ErasureList(database)
  await list.addAll(known ?? [])
  if (erasures === 'later' || known === undefined || known.length === 0)
    return { erased: 0, erasedReports: 0, left: 0, deletedPhotos: 0 }
  const store = await openSqlite(file, { create: false, clock, acceptClock: true })
  try {
    const { leftovers: _none, ...again } = await eraseAgain(store, list.read())
    return again
  } finally {
    await store.close()
  }
}

/** Gives the copy its origin, and makes it one file without a journal. */
async function settled(file: string, held: Database.Database | undefined): Promise<Succession> {
  const copy = new Database(file)
  try {
    distrust(copy)
    copy.pragma('synchronous = full')
    const succession = await continued(copy, held)
    endJournal(copy)
    return succession
  } finally {
    copy.close()
  }
}

/**
 * Locks a database against all other processes until it is closed, and checkpoints its write-ahead log.
 *
 * @returns undefined for a damaged one
 *
 * @internal
 */
export function lockExclusively(file: string): Database.Database | undefined {
  const held = new Database(file, { timeout: lockTimeout })
  try {
    distrust(held)
    held.pragma('locking_mode = exclusive')
    held.exec('begin exclusive; rollback')
    held.pragma('journal_mode = delete')
    held.exec('begin exclusive; rollback')
    return held
  } catch (error) {
    held.close()
    const failure = storageError(error)
    // A damaged database cannot be locked, and is the usual reason for a restore.
    if (failure instanceof RegistryError && failure.code === 'STORAGE_CORRUPT') return undefined
    if (failure instanceof RegistryError && failure.code === 'STORAGE_BUSY')
      throw new RegistryError('STORAGE_BUSY', `Another process has ${file} open: stop it first`)
    throw failure
  }
}

interface Succession {
  /**
   * Whether the log has another origin now, because entries may be missing: some were lost, or the replaced database
   * was absent or unreadable.
   */
  readonly originRenewed: boolean
  /** How many entries of the replaced database are lost; absent when there was none that could be read. */
  readonly lost?: number
}

interface Line {
  readonly size: number
  readonly root: string
  readonly origin: string
  readonly revision: number
  readonly tree: TreeReads
}

function lineOf(database: Database.Database): Line {
  const { tree, head, origin } = new Statements(database).read(entryReads)
  const { id, hash } = head()
  const revision = database.prepare<[], number>('select revision from state').pluck().get() ?? 0
  return { size: id, root: hash, origin: origin(), revision, tree }
}

async function common(one: Line, other: Line): Promise<number> {
  let known = 0
  let end = Math.min(one.size, other.size)
  // Most often one continues the other.
  for (let size = end; known < end; size = Math.ceil((known + end) / 2)) {
    const [left, right] = await Promise.all([rootAt(one.tree, size), rootAt(other.tree, size)])
    if (left === right) known = size
    else end = size - 1
  }
  return known
}

/**
 * Gives a copy of a registry the origin and revision with which it continues the replaced database. Its revision is new
 * to both, so that cached responses of either are fetched again.
 *
 * @param replaced absent when there was none, or a damaged one
 *
 * @internal
 */
async function continued(
  copy: Database.Database,
  replaced: Database.Database | undefined,
): Promise<Succession> {
  const here = lineOf(copy)
  const there = readable(replaced)
  const lost = there && there.size - (await common(here, there))
  const isWhole = lost === 0 && (there?.root === here.root || there?.origin === here.origin)
  const origin = isWhole && there ? there.origin : randomBytes(16).toString('hex')
  const revision = Math.max(here.revision, there?.revision ?? 0) + 1
  copy.prepare('update state set origin = ?, revision = ?').run(origin, revision)
  copy.exec('update workers set origin = null, lease = null, leasedAt = null, leaseUntil = null')
  return { originRenewed: !isWhole, lost }
}

function readable(database: Database.Database | undefined): Line | undefined {
  if (database === undefined) return undefined
  try {
    return lineOf(database)
  } catch {
    // An earlier format, or damaged: nothing is known of its log.
    return undefined
  }
}
