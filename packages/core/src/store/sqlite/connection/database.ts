import { existsSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { RegistryError } from '../../../errors.ts'
import { fileError, storageError } from './failure.ts'
import { createDeferredIndexes } from './deferred-indexes.ts'
import { knownVersion } from '../../schema-version.ts'
import { applicationId, latest, migrate } from './migrating.ts'
import { createPrivate, makePrivate } from './private-file.ts'

/** How long a connection waits for another process where nothing else is said, in milliseconds. */
const patience = 10_000

export interface OpenOptions {
  /** `full`: an acknowledged write survives a power cut. `relaxed`: it survives a crash of the process. */
  readonly durability?: 'full' | 'relaxed' | undefined
  readonly readOnly?: boolean | undefined
  /** Whether to create a missing file. Default true. */
  readonly create?: boolean | undefined
  /** Whether to migrate the schema of an earlier version. Default false: it is refused. */
  readonly migrate?: boolean | undefined
  /** How long a writer waits for another process, in milliseconds. Default 10,000. */
  readonly busyTimeout?: number | undefined
}

function describe(file: string): string {
  return file === ':memory:' ? 'in memory' : file
}

/**
 * The version of the schema; 0 of an empty database.
 *
 * @param isCurrent whether an earlier version is refused until it is upgraded
 * @throws RegistryError STORAGE_CORRUPT for the file of another program, STORAGE_OLDER, STORAGE_NEWER
 */
export function schemaVersion(database: Database.Database, file: string, isCurrent = false): number {
  const id = Number(database.pragma('application_id', { simple: true }))
  const version = Number(database.pragma('user_version', { simple: true }))
  if (id !== applicationId) {
    const objects = database.prepare<[], { n: number }>('select count(*) n from sqlite_schema').get()
    if ((objects?.n ?? 0) > 0) {
      throw new RegistryError(
        'STORAGE_CORRUPT',
        `${describe(file)} is a SQLite file, but not an openfountain registry`,
      )
    }
    return 0
  }
  return knownVersion(version, latest, describe(file), isCurrent)
}

/** The absolute path of a file: SQLite would interpret a relative one that begins with `file:` or a space. */
function located(file: string): string {
  return file === ':memory:' ? file : path.resolve(file)
}

/**
 * Opens a connection to a registry's database, which is made where there is none. Whatever the umask, only the owner can access a
 * new file (mode 0600); the mode of an existing one is narrowed to that when it is opened for writing.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_OLDER, STORAGE_READ_ONLY, STORAGE_BUSY
 */
export async function openDatabase(file: string, options: OpenOptions = {}): Promise<Database.Database> {
  const { readOnly = false, create = true, busyTimeout = patience } = options
  if (file === '') throw new RegistryError('STORAGE_MISSING', 'The database needs a file name, or :memory:')
  const known = file === ':memory:' || existsSync(located(file))
  if (!known && (readOnly || !create)) {
    throw new RegistryError('STORAGE_MISSING', `There is no database at ${file}`)
  }
  if (!known && !existsSync(path.dirname(located(file)))) {
    throw new RegistryError(
      'STORAGE_MISSING',
      `The folder ${path.dirname(located(file))} does not exist: create it first`,
    )
  }
  let database: Database.Database | undefined
  try {
    if (!known) createPrivate(located(file))
    database = new Database(located(file), { readonly: readOnly, timeout: busyTimeout })
    distrust(database)
    const version = schemaVersion(database, file, readOnly || options.migrate !== true)
    if (version === 0 && readOnly)
      throw new RegistryError('STORAGE_MISSING', `There is no registry in ${describe(file)} yet`)
    if (!readOnly && !database.memory) makePrivate(located(file))
    if (!readOnly) database.pragma('journal_mode = wal')
    if (version < latest) migrate(database)
    tune(database, options)
    if (!readOnly) createDeferredIndexes(database)
    return database
  } catch (error) {
    database?.close()
    throw naming(fileError(storageError(error)), file)
  }
}

/** Disables functions with side effects in a file's schema, and checks pages when they are read. */
export function distrust(database: Database.Database): void {
  database.pragma('trusted_schema = off')
  database.pragma('cell_size_check = on')
}

export function endJournal(database: Database.Database): void {
  database.pragma('wal_checkpoint(truncate)')
  database.pragma('journal_mode = delete')
}

function naming(error: unknown, file: string): unknown {
  if (!(error instanceof RegistryError) || error.message.includes(file)) return error
  return new RegistryError(error.code, `${describe(file)}: ${error.message}`, error.details, {
    cause: error.cause,
  })
}

function tune(database: Database.Database, { durability = 'full', readOnly = false }: OpenOptions): void {
  database.pragma(`synchronous = ${durability === 'full' ? 'full' : 'normal'}`)
  database.pragma('foreign_keys = on')
  // Deleted data is overwritten with zeros.
  database.pragma('secure_delete = on')
  // Long lists have no use for a cache. Each commit that splits pages walks its hash table, so that more slows writes.
  database.pragma(`cache_size = ${readOnly ? -8192 : -32768}`)
  database.pragma('temp_store = memory')
  // A checkpoint after 256 MiB: each one waits for the disk, and pages that were written several times are copied once.
  database.pragma('wal_autocheckpoint = 65536')
}

/** A second, read-only connection that sees the database as it is now. A database in memory is copied. */
export function openSnapshot(database: Database.Database): Database.Database {
  try {
    if (database.memory) return new Database(database.serialize())
    const copy = new Database(database.name, { readonly: true, timeout: patience })
    distrust(copy)
    // A snapshot reads everything once, by id.
    copy.pragma('cache_size = -4096')
    copy.exec('begin')
    // A deferred transaction sees the database as it is at its first read.
    copy.prepare('select revision from state').get()
    return copy
  } catch (error) {
    throw storageError(error)
  }
}
