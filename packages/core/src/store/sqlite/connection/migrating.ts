import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
} from 'kysely'
import { Migrator, NO_MIGRATIONS } from 'kysely/migration'
import { epoch } from '../../epoch.ts'
import { migrations } from '../migrations/index.ts'
import { storageError } from './failure.ts'

/** The application id of a registry's SQLite file: `ofnt` in ASCII (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x6f666e74
export const latest = epoch + Object.keys(migrations).length

class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** The running migration of this process: a second one would wait for its lock and block it. */
let migrating: Promise<unknown> = Promise.resolve()

/**
 * Migrates a database in one transaction; several processes may do so at once.
 *
 * @param version of the schema; default the newest
 */
export function migrate(database: Database.Database, version = latest): Promise<void> {
  const run = migrating.then(() => migrateAlone(database, version))
  migrating = run.catch(() => undefined)
  return run
}

async function migrateAlone(database: Database.Database, version: number): Promise<void> {
  const config = { database }
  const dialect = new SqliteDialect(config)
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new TransactionalAdapter(),
      createDriver: () => new ImmediateDriver(config),
      createIntrospector: (kysely) => dialect.createIntrospector(kysely),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  })
  const provider = { getMigrations: () => Promise.resolve({ ...migrations }) }
  const migrator = new Migrator({ db, provider })
  const { error } = await migrator.migrateTo(Object.keys(migrations)[version - epoch - 1] ?? NO_MIGRATIONS)
  if (error !== undefined) throw storageError(error)
  database.pragma(`user_version = ${version}`)
  database.pragma(`application_id = ${applicationId}`)
}
