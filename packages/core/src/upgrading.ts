import path from 'node:path'
import { RegistryError } from './errors.ts'
import type { Verification } from './log/verification.ts'
import { openRegistry } from './registry.ts'
import { isOnServer } from './store/address.ts'
import { epoch } from './store/schema-version.ts'
import { backup } from './store/sqlite/connection/backup.ts'
import { latest, migrate } from './store/sqlite/connection/migrating.ts'
import { removeDatabase } from './store/sqlite/connection/private-file.ts'
import { copied, lockExclusively, verified } from './store/sqlite/connection/restore.ts'

type UpgradeStep = 'backup' | 'migrations' | 'verification'

export interface UpgradeOptions {
  /** A file, or the address of a database on a server, of which the caller made a backup. */
  readonly database: string
  /** The backup of a file. Default beside it, with the version of its schema and the time in its name. */
  readonly backup?: string | undefined
  /** Whether to try it, on a copy of a file; of a server only the versions are told. Default false. */
  readonly dryRun?: boolean | undefined
  readonly onProgress?: ((step: UpgradeStep, done: number, total: number) => void) | undefined
}

interface Upgraded {
  readonly from: number
  readonly to: number
  readonly backup?: string
  readonly verification?: Verification
}

/**
 * Migrates the database of an earlier version, after a backup of a file, and verifies its log. Repeated, it goes on
 * after the last migration.
 *
 * @throws RegistryError as `openRegistry`; STORAGE_BUSY while another process has the file open, STORAGE_CORRUPT,
 * INVALID_INPUT when the backup exists
 */
export async function upgradeRegistry(options: UpgradeOptions): Promise<Upgraded> {
  const { database, dryRun = false, onProgress } = options
  const versions = await versionsOf(database)
  if (versions.from === versions.to || (dryRun && isOnServer(database))) return versions
  const told = (step: UpgradeStep) => (done: number, total: number) => onProgress?.(step, done, total)
  const verifying = { onProgress: told('verification') }
  if (isOnServer(database)) {
    const registry = await openRegistry({ database, create: false, migrate: true })
    const verification = await registry.changes.verify(verifying).finally(() => registry.close())
    return { ...versions, verification }
  }
  if (dryRun) {
    const trial = `${database}.unfinished`
    await removeDatabase(trial)
    try {
      await copied(database, trial)
      return { ...versions, verification: await verified(trial, { ...verifying, from: database }) }
    } finally {
      await removeDatabase(trial)
    }
  }
  const time = new Date().toISOString().replaceAll(/[:-]|\.\d+/gu, '')
  const file = options.backup ?? `${database.replace(/\.db$/u, '')}.schema-${versions.from}.${time}.db`
  const held = lockExclusively(path.resolve(database))
  if (held === undefined) throw new RegistryError('STORAGE_CORRUPT')
  try {
    await backup(held, file, told('backup'))
    migrate(held, latest, told('migrations'))
  } finally {
    held.close()
  }
  const from = `${database}, which was before as in ${file},`
  return { ...versions, backup: file, verification: await verified(database, { ...verifying, from }) }
}

async function versionsOf(database: string): Promise<Pick<Upgraded, 'from' | 'to'>> {
  try {
    await (await openRegistry({ database, readOnly: true })).close()
    return { from: latest, to: latest }
  } catch (error) {
    const isOlder = error instanceof RegistryError && error.code === 'STORAGE_OLDER'
    const { found: from = 0, known: to = 0 } = isOlder ? error.details : {}
    if (from > epoch) return { from, to }
    throw error
  }
}
