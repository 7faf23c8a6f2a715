import type Database from 'better-sqlite3'
import { RegistryError } from '../../../errors.ts'
import { storageError } from './failure.ts'

/**
 * Indexes whose entries come in random order, so that a batch of new waypoints changes most of their pages. The first
 * import of a registry drops them and creates them at its end, which is faster because SQLite then sorts the entries.
 * Until then, queries that use them scan all waypoints.
 */
const deferredIndexes = {
  waypointsByName: 'waypoints (foldedName, id) where deletedAt is null',
  waypointsByRegion:
    'waypoints (coalesce(region, placeName), id) where deletedAt is null and coalesce(region, placeName) is not null',
  waypointsByAmenities: 'waypoints (amenities, id) where deletedAt is null',
  waypointsByCell: 'waypoints (cell) where cell is not null',
} as const

const names = Object.keys(deferredIndexes) as (keyof typeof deferredIndexes)[]

/** The names of the deferred indexes, which a database may lack for a while. */
export const deferredIndexNames: ReadonlySet<string> = new Set(names)

/** Memory for sorting, in KiB; the rest is sorted in a file. More is slower: it no longer fits the processor's cache. */
const sortingMemory = 4096

export function dropDeferredIndexes(database: Database.Database): void {
  for (const name of names) database.exec(`drop index if exists ${name}`)
}

/** Creates the missing deferred indexes one by one, beside writers; after a failure, when it is opened for writing again. */
export function createDeferredIndexes(database: Database.Database): void {
  const known = database.prepare<[string], unknown>('select 1 from sqlite_schema where name = ?')
  const missing = names.filter((name) => known.get(name) === undefined)
  if (missing.length === 0) return
  const cache = Number(database.pragma('cache_size', { simple: true }))
  const store = Number(database.pragma('temp_store', { simple: true }))
  database.pragma(`cache_size = -${sortingMemory}`)
  // With `memory`, SQLite would sort everything in memory.
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
