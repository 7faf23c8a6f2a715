import type Database from 'better-sqlite3'
import { sql } from 'kysely'
import { RegistryError } from '../../../errors.ts'
import { storageError } from './failure.ts'
import { build, type Statements } from './statement.ts'

/**
 * Indexes whose entries come in no order, so that a batch of new waypoints changes most of their pages. The first
 * import of a registry leaves them out, and has them made at its end, sorted, for a tenth of the time. Until then what
 * they serve goes through all waypoints, once for each question.
 */
const deferredIndexes = {
  waypointsByName: 'waypoints (foldedName, id) where deletedAt is null',
  waypointsByRegion: 'waypoints (region, id) where deletedAt is null and region is not null',
  waypointsByCell: 'waypoints (cell) where cell is not null',
} as const

const names = Object.keys(deferredIndexes) as (keyof typeof deferredIndexes)[]

/** Memory for sorting, in KiB; what is more goes through a file. With four times as much SQLite takes almost twice as long. */
const sortingMemory = 4096

/** Leaves the late indexes out; inside the caller's transaction. */
export function dropDeferredIndexes(statements: Statements): void {
  for (const name of names) statements.execute(sql`drop index if exists ${sql.ref(name)}`)
}

/** Whether places are in their index. */
export function placesAreIndexed(statements: Statements): boolean {
  const found = statements.shaped('index of places', () =>
    build
      .selectFrom(sql`sqlite_schema`.as('objects'))
      .select(sql`1`.as('is'))
      .where(sql.ref('name'), '=', 'waypointsByCell'),
  )
  return found.get() !== undefined
}

/** Whether all of them are there. */
export function deferredIndexesExist(statements: Statements): boolean {
  const found = statements.shaped('deferred indexes', () =>
    build
      .selectFrom(sql`sqlite_schema`.as('objects'))
      .select(sql<number>`count(*)`.as('n'))
      .where(sql.ref('name'), 'in', names),
  )
  return found.get()?.n === names.length
}

/**
 * Makes the late indexes that are left out, one after the other, so that others can write in between. Where the disk
 * is full, or somebody else writes, they stay left out until the registry is opened for writing the next time.
 */
export function createDeferredIndexes(database: Database.Database): void {
  const known = database.prepare<[string], unknown>('select 1 from sqlite_schema where name = ?')
  const missing = names.filter((name) => known.get(name) === undefined)
  if (missing.length === 0) return
  const cache = Number(database.pragma('cache_size', { simple: true }))
  const store = Number(database.pragma('temp_store', { simple: true }))
  database.pragma(`cache_size = -${sortingMemory}`)
  // In memory SQLite would sort everything at once.
  database.pragma('temp_store = file')
  try {
    for (const name of missing)
      database.exec(`create index if not exists ${name} on ${deferredIndexes[name]}`)
  } catch (error) {
    if (!(storageError(error) instanceof RegistryError)) throw error
  } finally {
    database.pragma(`cache_size = ${cache}`)
    database.pragma(`temp_store = ${store}`)
  }
}
