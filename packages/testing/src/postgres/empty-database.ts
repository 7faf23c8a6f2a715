import { inject } from 'vitest'
import { afterwards } from '../afterwards.ts'
import { asAdmin, createDatabase, dropDatabase } from './cluster.ts'

const cluster = inject('postgres')

export async function emptyDatabase(): Promise<string> {
  const url = await createDatabase(cluster)
  afterwards(() => dropDatabase(cluster, url))
  return url
}

export const administer = <Row extends Record<string, unknown>>(
  url: string,
  statement: string,
): Promise<Row[]> => asAdmin<Row>(cluster, statement, new URL(url).pathname.slice(1))
