import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import type { ClusterAddress } from './postgres/cluster.ts'

/** Where the empty registry of a test is. */
export interface TestDatabase {
  /** What `openRegistry` takes. */
  readonly database: string
  /** Called once it is closed. */
  readonly remove: () => Promise<void>
}

/** Whether the project has a cluster of PostgreSQL, where its registries are. */
export const isOnPostgres = (): boolean => {
  const cluster: ClusterAddress | undefined = inject('postgres')
  return cluster !== undefined
}

async function onPostgres(): Promise<TestDatabase> {
  const { registryDatabase } = await import('./postgres/databases.ts')
  const { url, giveBack } = await registryDatabase()
  return { database: url, remove: giveBack }
}

/** A database that one may open: in memory, or on PostgreSQL where the project has a cluster. */
export async function newDatabase(): Promise<TestDatabase> {
  return isOnPostgres() ? onPostgres() : { database: ':memory:', remove: () => Promise.resolve() }
}

/** A database that several may open at the same time: a file, or on PostgreSQL where the project has a cluster. */
export async function newSharedDatabase(): Promise<TestDatabase> {
  if (isOnPostgres()) return onPostgres()
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-'))
  return {
    database: path.join(folder, 'fountains.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
