import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import type { CopyTarget, Moment, OnProgress, Reached } from '../../copying/copy.ts'
import type { CopiedTable } from '../../tables.ts'
import { syncFolder } from '../../../erasures.ts'
import { invalidBecause, RegistryError } from '../../../errors.ts'
import { yieldToEventLoop } from '../../../event-loop.ts'
import { verifyLog } from '../../../log/verification.ts'
import { Connection } from '../connection/connection.ts'
import { distrust } from '../connection/database.ts'
import { storageError } from '../connection/failure.ts'
import { migrate } from '../connection/migrating.ts'
import { createNew } from '../connection/private-file.ts'
import { Statements } from '../connection/statement.ts'
import { mergedIndexes, searchIndex } from '../search/index.ts'
import { LineInserts, linesOfTable } from './rows.ts'

/** Waypoints that are added to the indexes of search in one transaction. */
const indexedAtOnce = 5000

/** An object of a schema that is made after the rows: an index or a trigger. */
interface Later {
  readonly name: string
  readonly type: string
  readonly sql: string
}

/** What the migrations make besides tables. Making it after the rows takes a fraction of the time. */
async function madeLater(): Promise<Later[]> {
  const database = new Database(':memory:')
  try {
    await migrate(database)
    return database
      .prepare<[], Later>(
        `select name, type, sql from sqlite_schema where type in ('index', 'trigger') and sql is not null`,
      )
      .all()
  } finally {
    database.close()
  }
}

/** Makes the tables without indexes, triggers and rows. */
async function prepare(database: Database.Database, { origin, revision }: Moment): Promise<void> {
  await migrate(database)
  database.transaction(() => {
    for (const { type, name } of later(database)) database.exec(`drop ${type} "${name}"`)
    database.exec('delete from state; delete from users')
    database.exec('create table copying (origin text, revision integer, reached text) strict')
    database.prepare('insert into copying values (?, ?, ?)').run(origin, revision, '{}')
  })()
}

const later = (database: Database.Database): Pick<Later, 'name' | 'type'>[] =>
  database
    .prepare<[], Later>(
      `select name, type from sqlite_schema where type in ('index', 'trigger') and sql is not null`,
    )
    .all()

type ReachedByTable = Record<string, Reached>

/** The bytes of a database with empty tables and their indexes. */
let empty: Promise<Buffer> | undefined

async function emptyDatabase(): Promise<Buffer> {
  const database = new Database(':memory:')
  try {
    await prepare(database, { origin: '', revision: 0 })
    for (const { type, sql } of await madeLater()) if (type === 'index') database.exec(sql)
    return database.serialize()
  } finally {
    database.close()
  }
}

/** A file that becomes a registry. */
export class SqliteTarget implements CopyTarget {
  readonly reached: ReadonlyMap<string, Reached>
  readonly #reached: ReachedByTable
  readonly #database: Database.Database
  readonly #inserts: LineInserts
  readonly #file: string | undefined
  readonly #isSearched: boolean
  /** Whether it has all tables, so that no row refers to one that is not there. */
  readonly #isWhole: boolean

  /** @param file what the database becomes; absent when it stays as it is, and nothing searches it */
  constructor(database: Database.Database, file?: string, isWhole = true) {
    this.#database = database
    this.#inserts = new LineInserts(database)
    this.#file = file
    this.#isSearched = file !== undefined
    this.#isWhole = isWhole
    const reached = database.prepare<[], string>('select reached from copying').pluck().get() ?? '{}'
    this.#reached = JSON.parse(reached) as ReachedByTable
    this.reached = new Map(Object.entries(this.#reached))
  }

  /** Creates the tables in an empty database. */
  static async created(
    database: Database.Database,
    moment: Moment,
    { file, isWhole = true }: { readonly file?: string; readonly isWhole?: boolean } = {},
  ): Promise<SqliteTarget> {
    await prepare(database, moment)
    return new SqliteTarget(database, file, isWhole)
  }

  /** A copy in memory of a few rows, with indexes. It is never finished or verified. */
  static async inMemory(): Promise<SqliteTarget> {
    empty ??= emptyDatabase()
    const database = new Database(await empty)
    database.pragma('foreign_keys = off')
    return new SqliteTarget(database)
  }

  async add(table: CopiedTable, page: Buffer, reached: Reached): Promise<void> {
    this.#reached[table.name] = reached
    this.#atOnce(() => {
      this.#inserts.add(table, page)
      this.#database.prepare('update copying set reached = ?').run(JSON.stringify(this.#reached))
    })
    await yieldToEventLoop()
  }

  #atOnce<Result>(work: () => Result): Result {
    try {
      return this.#database.transaction(work).immediate()
    } catch (error) {
      throw storageError(error)
    }
  }

  async finish(onProgress: OnProgress): Promise<void> {
    const waypoints = this.#isSearched ? this.#last() : 0
    const steps = await madeLater()
    const known = new Set(later(this.#database).map(({ name }) => name))
    const total = steps.length + waypoints
    let done = 0
    for (const { name, sql } of steps) {
      if (!known.has(name)) this.#atOnce(() => this.#database.exec(sql))
      onProgress(++done, total)
      await yieldToEventLoop()
    }
    if (!this.#isWhole) return
    if (this.#isSearched) await this.#indexTexts((to) => onProgress(done + to, total))
    const [broken] = this.#database.pragma('foreign_key_check') as readonly { readonly table: string }[]
    if (broken !== undefined)
      throw new RegistryError('STORAGE_CORRUPT', `A row of ${broken.table} refers to one that does not exist`)
  }

  #last(): number {
    return this.#database.prepare<[], number>('select lastWaypointId from state').pluck().get() ?? 0
  }

  /** Makes the indexes of words and names. */
  async #indexTexts(onProgress: (to: number) => void): Promise<void> {
    const search = searchIndex(new Statements(this.#database))
    const last = this.#last()
    const state = this.#database.prepare<[], { indexedTo: number; revision: number }>(
      'select indexedTo, revision from state',
    )
    const note = this.#database.prepare('update state set indexedTo = ?')
    for (;;) {
      const { indexedTo = 0, revision = 0 } = state.get() ?? {}
      onProgress(indexedTo)
      if (indexedTo >= last) break
      const extent = {
        indexedTo,
        revision,
        lastWaypointId: Math.min(last, indexedTo + indexedAtOnce),
        peaks: '',
      }
      this.#atOnce(() => {
        search.indexAll(extent)
        note.run(extent.indexedTo)
      })
      await yieldToEventLoop()
    }
    for (const index of mergedIndexes) {
      const step = (isFirst: boolean): boolean => this.#atOnce(() => search.merge(index, isFirst))
      for (let isFirst = true; step(isFirst); isFirst = false) await yieldToEventLoop()
    }
  }

  lines(table: CopiedTable): AsyncIterable<Buffer> {
    return linesOfTable(this.#database, table)
  }

  async verifyLog(onProgress: OnProgress): Promise<readonly string[]> {
    return (await verifyLog(this.connection, onProgress)).problems
  }

  /** What reads the copy before it is published. */
  get connection(): Connection {
    return new Connection(this.#database)
  }

  async publish(): Promise<void> {
    this.#atOnce(() => this.#database.exec('drop table copying'))
    if (this.#file === undefined) return
    this.#database.pragma('wal_checkpoint(truncate)')
    this.#database.pragma('journal_mode = delete')
    this.#database.close()
    // Somebody may have made it meanwhile.
    mustBeNew(this.#file)
    await rename(unfinishedOf(this.#file), this.#file)
    syncFolder(path.dirname(path.resolve(this.#file)))
  }

  async close(): Promise<void> {
    this.#database.close()
  }
}

/** Where a copy is until it is whole and verified. */
export const unfinishedOf = (file: string): string => `${file}.copying`

export async function removeUnfinished(file: string): Promise<void> {
  const names = ['', '-wal', '-shm', '-journal'].map((suffix) => `${unfinishedOf(file)}${suffix}`)
  await Promise.all(names.map((name) => rm(name, { force: true })))
}

function mustBeNew(file: string): void {
  if (existsSync(file)) throw invalidBecause('to', `${file} exists already; choose another name or remove it`)
}

function tune(database: Database.Database): void {
  distrust(database)
  database.pragma('journal_mode = wal')
  // What a power cut takes away is copied again.
  database.pragma('synchronous = normal')
  database.pragma('foreign_keys = off')
  database.pragma('temp_store = file')
}

/** The unfinished copy of a moment; nothing where it is of another one or damaged. */
function continued(file: string, { origin, revision }: Moment): SqliteTarget | undefined {
  let database: Database.Database | undefined
  try {
    database = new Database(path.resolve(unfinishedOf(file)), { fileMustExist: true })
    tune(database)
    const moment = database.prepare<[], Moment>('select origin, revision from copying').get()
    if (moment?.origin === origin && moment.revision === revision) return new SqliteTarget(database, file)
  } catch {
    // It is made anew.
  }
  database?.close()
  return undefined
}

/**
 * Opens a file for a copy: a new one, or one in which a copy of the same moment was interrupted.
 *
 * @throws RegistryError INVALID_INPUT when there is a file of that name, STORAGE_MISSING when its folder does not exist
 */
export async function openSqliteTarget(file: string, moment: Moment): Promise<SqliteTarget> {
  mustBeNew(file)
  if (!existsSync(path.dirname(path.resolve(file))))
    throw new RegistryError(
      'STORAGE_MISSING',
      `The folder ${path.dirname(path.resolve(file))} does not exist: create it first`,
    )
  const before = continued(file, moment)
  if (before !== undefined) return before
  await removeUnfinished(file)
  let database: Database.Database | undefined
  try {
    createNew(path.resolve(unfinishedOf(file)))
    database = new Database(path.resolve(unfinishedOf(file)))
    tune(database)
    return await SqliteTarget.created(database, moment, { file })
  } catch (error) {
    database?.close()
    throw storageError(error)
  }
}
