import path from 'node:path'
import { erasuresOf } from './erased.ts'
import { ErasureList } from './erasures.ts'
import { invalidBecause } from './errors.ts'
import { isOnServer, mustBeDatabase } from './store/address.ts'
import { copyTables } from './store/copying/copy.ts'
import type { CopyOptions, CopyResult } from './store/copying/copy-options.ts'
import { systemClock } from './store/write-queue.ts'
import { engine } from './store/opening.ts'
import { openSqliteSource } from './store/sqlite/copying/rows.ts'
import { openSqliteTarget } from './store/sqlite/copying/target.ts'
import { openSqlite } from './store/sqlite/store.ts'

export type { CopyOptions, CopyResult, CopyStep } from './store/copying/copy-options.ts'

export interface CopyRegistryOptions extends CopyOptions {
  /** The registry to copy: a file, or the address of a database on a PostgreSQL server. It is only read. */
  readonly from: string
  /** A file that does not exist yet, or the address of a database without a registry. */
  readonly to: string
}

/**
 * Copies a registry completely, with hashes of secrets, between any engines. The copy has the same origin and revision,
 * so that readers and mirrors notice nothing. Writes made meanwhile are not in it. It becomes a registry only after all
 * rows and the log were compared; an interrupted one leaves nothing.
 *
 * @throws RegistryError INVALID_INPUT when there is a registry or a file at `to`, STORAGE_CORRUPT with `problems`,
 * STORAGE_BUSY while another copy into the same database runs, and errors of `openRegistry`
 */
export async function copyRegistry({ from, to, ...options }: CopyRegistryOptions): Promise<CopyResult> {
  for (const [name, database] of Object.entries({ from, to })) {
    mustBeDatabase(name, database)
    if (database === ':memory:' || database === '')
      throw invalidBecause(name, 'must be a file, or the address of a database')
  }
  if (sameFile(from, to)) throw invalidBecause('to', 'must be another one than what is copied')
  const source = isOnServer(from)
    ? await (await engine()).openPostgresSource(from)
    : await openSqliteSource(from)
  try {
    const target = isOnServer(to) ? await (await engine()).openPostgresTarget(to) : await openSqliteTarget(to)
    try {
      const result = await copyTables(source, target, options)
      if (!isOnServer(to)) await listErasures(to)
      return result
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Makes the list of erasures beside a file, for erasing again in older backups: a server has none. */
async function listErasures(file: string): Promise<void> {
  const copy = await openSqlite(file, { create: false, readOnly: true, clock: systemClock })
  try {
    await new ErasureList(file).keep(await erasuresOf(copy.read))
  } finally {
    await copy.close()
  }
}

const sameFile = (one: string, other: string): boolean =>
  one === other || (!isOnServer(one) && !isOnServer(other) && path.resolve(one) === path.resolve(other))
