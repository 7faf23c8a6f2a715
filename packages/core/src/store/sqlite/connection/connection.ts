import type Database from 'better-sqlite3'
import { openDatabase, openSnapshot, type OpenOptions } from './database.ts'
import { storageError } from './failure.ts'
import { Statements } from './statement.ts'
import { RegistryError } from '../../../errors.ts'

/** An open database: the only access of the library to SQLite. */
export class Connection {
  readonly statements: Statements
  readonly #database: Database.Database
  readonly #immediately: Database.Transaction<(work: () => unknown) => unknown>

  constructor(database: Database.Database) {
    this.#database = database
    this.statements = new Statements(database)
    this.#immediately = database.transaction((work) => work())
  }

  /** The driver's connection. @throws RegistryError REGISTRY_CLOSED */
  get database(): Database.Database {
    if (!this.#database.open) throw new RegistryError('REGISTRY_CLOSED')
    return this.#database
  }

  /**
   * Runs synchronous work in one immediate transaction; when it throws, everything is rolled back.
   *
   * @throws RegistryError STORAGE_BUSY, STORAGE_FULL, STORAGE_READ_ONLY, STORAGE_CORRUPT, and errors of the work
   */
  immediately<Result>(work: () => Result): Result {
    try {
      return this.#immediately.immediate(work) as Result
    } catch (error) {
      throw storageError(error)
    }
  }

  /** Runs synchronous work in one transaction that only reads. */
  reading<Result>(work: () => Result): Result {
    try {
      return this.#immediately.deferred(work) as Result
    } catch (error) {
      throw storageError(error)
    }
  }

  /**
   * Rewrites the database from its contents, so that no deleted data is left in it.
   *
   * @returns false while another process writes
   */
  rewrite(): boolean {
    return this.#atOnce(() => {
      const store = Number(this.#database.pragma('temp_store', { simple: true }))
      // The copy that SQLite makes is as large as the database.
      this.#database.pragma('temp_store = file')
      try {
        this.#database.exec('vacuum')
      } finally {
        this.#database.pragma(`temp_store = ${store}`)
      }
      return true
    })
  }

  /**
   * Empties the write-ahead log, which may have older versions of changed pages.
   *
   * @returns false while other connections read or write
   */
  emptyLog(): boolean {
    return this.#atOnce(() => {
      const [result] = this.#database.pragma('wal_checkpoint(truncate)') as { busy: number }[]
      return result?.busy === 0
    })
  }

  /** Works without waiting for locks, since waiting blocks the event loop. @returns false when something is locked */
  #atOnce(work: () => boolean): boolean {
    const database = this.database
    const patience = Number(database.pragma('busy_timeout', { simple: true }))
    try {
      database.pragma('busy_timeout = 0')
      return work()
    } catch (error) {
      const failure = storageError(error)
      if (failure instanceof RegistryError && failure.code === 'STORAGE_BUSY') return false
      throw failure
    } finally {
      database.pragma(`busy_timeout = ${patience}`)
    }
  }

  /** A second, read-only connection that sees the database as it is now. Close it. */
  snapshot(): Connection {
    return new Connection(openSnapshot(this.database))
  }

  close(): void {
    if (this.#database.open) this.#database.close()
  }
}

/**
 * Opens a registry's database and migrates its schema.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_READ_ONLY, STORAGE_BUSY
 */
export async function openConnection(file: string, options: OpenOptions): Promise<Connection> {
  return new Connection(await openDatabase(file, options))
}
