import { RegistryError } from '../errors.ts'
import { isOnServer, mustBeDatabase } from './address.ts'
import type { CopySource, CopyTarget } from './copying/copy.ts'
import type { Store } from './port.ts'
import type { OpenOptions } from './sqlite/connection/database.ts'
import { openSqlite } from './sqlite/store.ts'
import type { WritingOptions } from './write-queue.ts'

type StoreOptions = WritingOptions & Omit<OpenOptions, 'busyTimeout'>

interface Engine {
  openPostgres(url: string, options: StoreOptions): Promise<Store>
  openPostgresSource(url: string): Promise<CopySource>
  openPostgresTarget(url: string): Promise<CopyTarget>
}

/** The package with the engine for servers. Its name is no literal, so that bundlers do not require an optional package. */
const enginePackage = ['@openfountain', 'postgres'].join('/')

/** The engine for servers. @throws RegistryError STORAGE_MISSING when it is not installed */
export async function engine(): Promise<Engine> {
  try {
    return (await import(enginePackage)) as Engine
  } catch (error) {
    if (!isNotInstalled(error)) throw error
    throw new RegistryError(
      'STORAGE_MISSING',
      `A database on a PostgreSQL server needs ${enginePackage}: install it beside @openfountain/core, as docs/installing.md says`,
      { package: enginePackage },
      { cause: error },
    )
  }
}

/** Whether the package itself is not there; something that it needs may be missing as well. */
function isNotInstalled(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${enginePackage}'`)
  )
}

/** Opens the engine of a database. @throws RegistryError INVALID_INPUT, STORAGE_MISSING without the engine; as the engine */
export async function openStore(database: string, options: StoreOptions): Promise<Store> {
  mustBeDatabase('database', database)
  return isOnServer(database)
    ? (await engine()).openPostgres(database, options)
    : openSqlite(database, options)
}
