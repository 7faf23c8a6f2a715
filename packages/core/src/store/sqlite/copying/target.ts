import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { copyRows, type CopySource, type CopyTarget, type OnProgress } from '../../copying/copy.ts'
import type { CopiedTable } from '../../tables.ts'
import { syncFolder } from '../../../erasures.ts'
import { invalidBecause, RegistryError } from '../../../errors.ts'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { Connection } from '../connection/connection.ts'
import { distrust, endJournal } from '../connection/database.ts'
import { storageError } from '../connection/failure.ts'
import { migrate } from '../connection/migrating.ts'
import { createNew, removeDatabase } from '../connection/private-file.ts'
import { searchIndex } from '../search/index.ts'
import { inserting, pagesOfTable } from './rows.ts'
import { tmpdir } from 'node:os'
import type { SnapshotNeeds } from '../../answers.ts'

/** Waypoints that are added to the indexes of search in one transaction. */
const indexedAtOnce = 5000

/** An index or a trigger. Making it after the rows takes a fraction of the time. */
interface Later {
  readonly name: string
  readonly type: string
  readonly sql: string
}

/** Makes the tables without rows. @returns the objects to make later */
function prepare(database: Database.Database): readonly Later[] {
  database.pragma('foreign_keys = off')
  migrate(database)
  const later = database
    .prepare<[], Later>(
      `select name, type, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null`,
    )
    .all()
  for (const { type, name } of later) database.exec(`drop ${type} "${name}"`)
  database.exec('delete from state; delete from users')
  return later
}

let empty: Buffer | undefined

function emptyDatabase(): Buffer {
  const database = new Database(':memory:')
  try {
    for (const { type, sql } of prepare(database)) if (type === 'index') database.exec(sql)
    return database.serialize()
  } finally {
    database.close()
  }
}

interface TargetOptions {
  /** Whether it has all tables, so that no row refers to one that is not there. */
  readonly isWhole: boolean
  /** The file that it becomes; absent when it stays temporary, without search. */
  readonly file?: string
}

class SqliteTarget implements CopyTarget {
  readonly connection: Connection
  readonly #database: Database.Database
  readonly #later: readonly Later[]
  readonly #options: TargetOptions
  #isPublished = false

  private constructor(database: Database.Database, later: readonly Later[], options: TargetOptions) {
    this.connection = new Connection(database)
    this.#database = database
    this.#later = later
    this.#options = options
  }

  static async created(database: Database.Database, options: TargetOptions): Promise<SqliteTarget> {
    return new SqliteTarget(database, prepare(database), options)
  }

  /** A copy in memory of a few rows, with indexes. */
  static async inMemory(): Promise<SqliteTarget> {
    empty ??= emptyDatabase()
    const database = new Database(empty)
    database.pragma('foreign_keys = off')
    return new SqliteTarget(database, [], { isWhole: false })
  }

  async fill(table: CopiedTable, pages: AsyncIterable<Buffer>): Promise<void> {
    const insert = inserting(this.#database, table)
    for await (const page of pages) {
      this.connection.immediately(() => insert(page))
      await yieldToEventLoop()
    }
  }

  async finish(onProgress: OnProgress): Promise<void> {
    const { isWhole, file } = this.#options
    for (const [index, { sql }] of this.#later.entries()) {
      this.connection.immediately(() => this.#database.exec(sql))
      onProgress(index + 1, this.#later.length)
      await yieldToEventLoop()
    }
    if (file !== undefined) await this.#indexTexts(onProgress)
    if (!isWhole) return
    const [broken] = this.#database.pragma('foreign_key_check') as readonly { readonly table: string }[]
    if (broken !== undefined)
      throw new RegistryError('STORAGE_CORRUPT', `A row of ${broken.table} refers to one that does not exist`)
  }

  /** Makes the indexes of words and names. */
  async #indexTexts(onProgress: OnProgress): Promise<void> {
    const search = searchIndex(this.connection.statements)
    const state = this.#database.prepare<[], { last: number; revision: number }>(
      'select lastWaypointId as last, revision from state',
    )
    const { last = 0, revision = 0 } = state.get() ?? {}
    for (let indexedTo = 0; indexedTo < last; indexedTo += indexedAtOnce) {
      const lastWaypointId = Math.min(last, indexedTo + indexedAtOnce)
      this.connection.immediately(() => search.indexAll({ indexedTo, revision, lastWaypointId, peaks: '' }))
      onProgress(lastWaypointId, last)
      await yieldToEventLoop()
    }
    this.connection.immediately(() => this.#database.prepare('update state set indexedTo = ?').run(last))
    await search.merge((step) => this.connection.immediately(step))
  }

  pages(table: CopiedTable): AsyncIterable<Buffer> {
    return pagesOfTable(this.#database, table)
  }

  async publish(): Promise<void> {
    const { file } = this.#options
    if (file === undefined) return
    endJournal(this.#database)
    this.#database.close()
    // Somebody may have made it meanwhile.
    mustBeNew(file)
    await rename(unfinishedOf(file), file)
    this.#isPublished = true
    syncFolder(path.dirname(path.resolve(file)))
  }

  async close(): Promise<void> {
    this.#database.close()
    if (this.#options.file !== undefined && !this.#isPublished)
      await removeDatabase(unfinishedOf(this.#options.file))
  }
}

/** Where a copy is until it is whole and verified. */
const unfinishedOf = (file: string): string => `${file}.copying`

function mustBeNew(file: string): void {
  if (existsSync(file)) throw invalidBecause('to', `${file} exists already; choose another name or remove it`)
}

/**
 * Opens a new file for a copy. Removes the rest of an interrupted one.
 *
 * @throws RegistryError INVALID_INPUT when there is a file of that name, STORAGE_MISSING when its folder does not exist
 */
export async function openSqliteTarget(file: string): Promise<SqliteTarget> {
  mustBeNew(file)
  const folder = path.dirname(path.resolve(file))
  if (!existsSync(folder))
    throw new RegistryError('STORAGE_MISSING', `The folder ${folder} does not exist: create it first`)
  await removeDatabase(unfinishedOf(file))
  let database: Database.Database | undefined
  try {
    createNew(path.resolve(unfinishedOf(file)))
    database = new Database(path.resolve(unfinishedOf(file)))
    distrust(database)
    database.pragma('journal_mode = wal')
    database.pragma('synchronous = normal')
    database.pragma('temp_store = file')
    return await SqliteTarget.created(database, { isWhole: true, file })
  } catch (error) {
    database?.close()
    await removeDatabase(unfinishedOf(file))
    throw storageError(error)
  }
}

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

/** Copies a registry of another engine to a temporary file, without indexes of search, which is gone when it is closed. */
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

/** Copies a registry of another engine to a new file, which appears once `check` accepted it. @throws RegistryError INVALID_INPUT */
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
