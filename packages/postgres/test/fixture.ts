import { afterEach, inject } from 'vitest'
import { createDatabase, dropDatabase } from './cluster.ts'

const cluster = inject('postgres')
const created: string[] = []

afterEach(async () => {
  for (const url of created.splice(0)) await dropDatabase(cluster, url)
})

/** An empty database of PostgreSQL, dropped after the test. @returns its URL */
export async function emptyDatabase(): Promise<string> {
  const url = await createDatabase(cluster)
  created.push(url)
  return url
}
