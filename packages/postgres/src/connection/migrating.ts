import { epoch, knownVersion, type OpenOptions, RegistryError } from '@openfountain/core/engine'
import { migrations } from '../migrations/index.ts'
import type { Session } from './session.ts'

export const latest = epoch + migrations.length

/** The lock of processes that migrate the same database; any number that no other program is likely to choose. */
export const lock = 0x6f66_6e74

export type MigratingOptions = Pick<OpenOptions, 'readOnly' | 'create' | 'migrate'>

/**
 * Makes the tables where there are none, in one transaction, or migrates them, each migration in a transaction of its own. Several
 * processes may do so at once: one does, the others wait for it.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT when the tables are not a registry's, STORAGE_OLDER, STORAGE_NEWER;
 * SessionLost, DatabaseError
 */
export async function migrate(session: Session, options: MigratingOptions): Promise<void> {
  const { readOnly = false, create = true } = options
  const version = await versionOf(session)
  if (version === latest) return
  if (version !== 0) mustKnow(version, readOnly || options.migrate !== true)
  if (version === 0 && (readOnly || !create))
    throw new RegistryError(
      'STORAGE_MISSING',
      'There is no registry in this database; the first command that writes, such as openfountain serve, creates it',
      { registry: 'none' },
    )
  while ((await versionOf(session)) < latest) await migrateOnce(session)
}

async function migrateOnce(session: Session): Promise<void> {
  await session.command(`begin; select pg_advisory_xact_lock(${lock})`)
  try {
    const version = await versionOf(session)
    if (version === 0)
      await session.command(
        `create table "registry" ("id" smallint primary key check ("id" = 1), "schema" integer not null);
        insert into "registry" values (1, ${epoch})`,
      )
    // Writes look at the version under this lock: a server of an earlier version, which is open already, writes no more.
    else await session.command('lock table "state" in access exclusive mode')
    const next = version === 0 ? latest : Math.min(version + 1, latest)
    for (const statements of migrations.slice(Math.max(0, version - epoch), next - epoch))
      await session.command(statements().join(';\n'))
    await session.command(`update "registry" set "schema" = ${next}; commit`)
  } catch (error) {
    if (session.isOpen) await session.command('rollback')
    throw error
  }
}

/** The version of the schema; 0 where there are no tables of ours. */
async function versionOf(session: Session): Promise<number> {
  // From the rows of the catalogue: names cached by the session may be from before it got the lock.
  const found = await session.query<{ name: string }>(
    `select relname as "name" from pg_class
      where relname in ('registry', 'waypoints') and relkind = 'r' and pg_table_is_visible(oid)`,
  )
  const names = found.map(({ name }) => name)
  if (!names.includes('registry')) {
    if (names.length === 0) return 0
    throw new RegistryError(
      'STORAGE_CORRUPT',
      'The database has tables that are not those of an openfountain registry',
    )
  }
  const [row] = await session.query<{ schema: number }>('select "schema" from "registry"', [], {
    forValues: true,
  })
  return mustKnow(row?.schema ?? 0)
}

/** @throws RegistryError STORAGE_OLDER, STORAGE_NEWER unless this program knows the version */
export const mustKnow = (version: number, isCurrent = false): number =>
  knownVersion(version, latest, 'The database', isCurrent)
