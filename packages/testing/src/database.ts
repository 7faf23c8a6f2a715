import path from 'node:path'
import { inject } from 'vitest'
import { afterwards } from './afterwards.ts'
import { newFolder } from './folder.ts'
import type { ClusterAddress } from './postgres/cluster.ts'

export const isOnPostgres = (): boolean => {
  const cluster: ClusterAddress | undefined = inject('postgres')
  return cluster !== undefined
}

/** A database in memory or in a file, or on PostgreSQL where the project has a cluster. */
export async function newDatabase(database = ':memory:') {
  if (!isOnPostgres()) return { database, remove: () => Promise.resolve() }
  const { registryDatabase } = await import('./postgres/databases.ts')
  const { url, giveBack } = await registryDatabase()
  return { database: url, remove: giveBack }
}

async function untilTheEnd(making: ReturnType<typeof newDatabase>): Promise<string> {
  const { database, remove } = await making
  afterwards(remove)
  return database
}

export const ownDatabase = (): Promise<string> => untilTheEnd(newDatabase())

/** A database, a file or on PostgreSQL, that several can open at the same time; it is removed after the test. */
export const sharedDatabase = (): Promise<string> =>
  untilTheEnd(newDatabase(path.join(newFolder(), 'fountains.db')))
