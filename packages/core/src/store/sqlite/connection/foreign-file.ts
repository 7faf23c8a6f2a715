import Database from 'better-sqlite3'
import { RegistryError } from '../../../errors.ts'
import { distrust, schemaVersion } from './database.ts'
import { deferredIndexNames } from './deferred-indexes.ts'
import { storageError } from './failure.ts'
import { epoch } from '../../schema-version.ts'
import { latest, migrate } from './migrating.ts'
import { isOfHost, objectsOf, type SchemaObject } from './schema-objects.ts'

interface Difference {
  readonly object: 'table' | 'index' | 'trigger' | 'view'
  readonly name: string
  readonly difference: 'foreign' | 'changed' | 'missing'
}

const most = 10

const words = {
  foreign: (what: string) => `has the ${what}, which openfountain does not make`,
  changed: (what: string) => `has the ${what} in another form than openfountain makes it`,
  missing: (what: string) => `lacks the ${what}`,
} as const

const madeUpTo = new Map<number, Map<string, SchemaObject>>()

function made(version: number): Map<string, SchemaObject> {
  const known = madeUpTo.get(version)
  if (known !== undefined) return known
  const database = new Database(':memory:')
  migrate(database, version)
  const objects = objectsOf(database)
  database.close()
  madeUpTo.set(version, objects)
  return objects
}

function* differences(
  database: Database.Database,
  expected: ReadonlyMap<string, SchemaObject>,
): Generator<Difference> {
  const differing = ({ type, name }: SchemaObject, difference: Difference['difference']): Difference => ({
    object: type as Difference['object'],
    name,
    difference,
  })
  const found = objectsOf(database)
  for (const [key, object] of found) {
    const own = expected.get(key)
    if (own === undefined) {
      if (!isOfHost(database, object)) yield differing(object, 'foreign')
    } else if (own.sql !== object.sql || own.tbl_name !== object.tbl_name) yield differing(object, 'changed')
  }
  for (const [key, object] of expected)
    if (!found.has(key) && !deferredIndexNames.has(object.name)) yield differing(object, 'missing')
}

const worded = ({ object, name, difference }: Difference): string =>
  words[difference](`${object} ${JSON.stringify(name)}`)

/** How a database's schema differs from the newest, in words. @throws RegistryError REGISTRY_CLOSED, STORAGE_BUSY, STORAGE_CORRUPT */
export function schemaProblems(database: Database.Database): string[] {
  try {
    return [...differences(database, made(latest))].slice(0, most).map(worded)
  } catch (error) {
    throw storageError(error)
  }
}

/**
 * Checks the file of an untrusted database before anything else reads it: triggers and views would run when the
 * registry is used. Its schema must be that of the migrations, except harmless tables of a host, and its pages and rows
 * sound.
 *
 * @param file a copy, which nobody else has open
 * @param name of the file in messages
 * @throws RegistryError STORAGE_CORRUPT `{ differences }` or `{ problems }`, STORAGE_OLDER, STORAGE_NEWER
 */
export function mustBeSound(file: string, name: string): void {
  // SQLite checks the rules of tables only where it may write.
  const database = new Database(file)
  try {
    distrust(database)
    const version = schemaVersion(database, name)
    if (version <= epoch)
      throw new RegistryError('STORAGE_CORRUPT', `${name} is not an openfountain registry`)
    const found = [...differences(database, made(version))]
    const [first] = found
    if (first !== undefined)
      throw new RegistryError('STORAGE_CORRUPT', `${name} ${worded(first)}`, {
        differences: found.slice(0, most),
      })
    mustBeWhole(database, name)
  } catch (error) {
    throw storageError(error)
  } finally {
    database.close()
  }
}

/** @throws RegistryError STORAGE_CORRUPT when pages are damaged, or rows break the rules of their tables */
function mustBeWhole(database: Database.Database, name: string): void {
  const damages = database.pragma(`integrity_check(${most})`) as { integrity_check: string }[]
  const problems = damages.map((row) => row.integrity_check).filter((problem) => problem !== 'ok')
  const orphans = database
    .prepare<[number], { table: string; parent: string }>('select * from pragma_foreign_key_check limit ?')
    .all(most)
  for (const { table, parent } of orphans) problems.push(`a row of ${table} refers to no row of ${parent}`)
  const [problem] = problems
  if (problem !== undefined)
    throw new RegistryError('STORAGE_CORRUPT', `${name} is damaged: ${problem}`, { problems })
}
