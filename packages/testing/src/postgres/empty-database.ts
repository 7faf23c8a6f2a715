import { inject } from 'vitest'
import { afterwards } from '../afterwards.ts'
import { createDatabase, dropDatabase } from './cluster.ts'

const cluster = inject('postgres')

/** An empty database of PostgreSQL, dropped after the test. @returns its URL */
export async function emptyDatabase(): Promise<string> {
  const url = await createDatabase(cluster)
  afterwards(() => dropDatabase(cluster, url))
  return url
}
