import { onTestFinished } from 'vitest'
import { newDatabase, newSharedDatabase } from '../database.ts'

/** A database for one registry, removed with the test: in memory, or on PostgreSQL where the project has a cluster. */
export async function ownDatabase(): Promise<string> {
  const { database, remove } = await newDatabase()
  onTestFinished(remove)
  return database
}

/** One that several may open at the same time: a file, or on PostgreSQL. */
export async function sharedDatabase(): Promise<string> {
  const { database, remove } = await newSharedDatabase()
  onTestFinished(remove)
  return database
}
