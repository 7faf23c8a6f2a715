import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openRegistry, token, user, type LoggedEntry, type Registry } from '@openfountain/core'
import { afterwards } from '@openfountain/testing/afterwards'
import { newDatabase } from '@openfountain/testing/database'

let minutes = 0
const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)

/** An empty registry with a clock that advances; closed after the test. */
export async function opened(file?: string): Promise<Registry> {
  let database = file
  if (database === undefined) {
    const own = await newDatabase()
    database = own.database
    afterwards(own.remove)
  }
  const registry = await openRegistry({ database, clock, durability: 'relaxed' })
  afterwards(() => registry.close())
  return registry
}

/** An empty copy in a file, whose tables can be read. */
export async function copyInFile(): Promise<{ registry: Registry; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'openfountain-copy-'))
  afterwards(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'copy.db')
  return { registry: await opened(file), file }
}

const ring = [
  [13, 55],
  [14, 55],
  [14, 56],
  [13, 55],
]

/** A registry with entries of all kinds: contributions, an import, reviews, an area, a merge, a block. */
export async function original(empty?: Registry): Promise<Registry> {
  const registry = empty ?? (await opened())
  const ada = await registry.users.create({ id: 'ada', name: 'Ada <b>', email: 'ada@example.org', xp: 100 })
  await registry.users.create({ id: 'bo', name: 'Bo', isModerator: true })
  const first = await registry.waypoints.create(
    { name: '=Fountain 💧', latitude: 55.7, longitude: 13.2, amenities: ['tap'] },
    user(ada.id),
  )
  await registry.waypoints.update(first.id, { description: 'In the\u2028park' }, user(ada.id))
  const second = await registry.waypoints.create({ name: 'Gone', latitude: 1, longitude: 2 }, token())
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  await run.apply([
    { row: 1, ref: 'A-1', input: { name: 'Imported', latitude: 3, longitude: 4 }, state: 'broken' },
    { row: 2, ref: 'A-2', input: { name: 'Missing later', latitude: 5, longitude: 6 } },
  ])
  await run.finish({ counts: { rows: 2 }, missing: 'mark' })
  await registry.reviews.create({ bubblerId: first.id, rating: 4, comment: 'Cold' }, user(ada.id))
  await registry.reviews.create({ bubblerId: second.id, rating: 2, comment: 'Warm' }, user('bo'))
  await registry.waypoints.merge(second.id, { into: first.id, reason: 'The same' }, user('bo'))
  const area = await registry.areas.create({ name: 'Lund', coordinates: [ring], properties: {} }, token())
  await registry.areas.delete(area.id, token())
  await registry.areas.restore(area.id, token())
  await registry.users.block('ada', { reason: 'Spam' }, user('bo'))
  return registry
}

/** The whole log. */
export async function logOf(registry: Registry): Promise<LoggedEntry[]> {
  const entries: LoggedEntry[] = []
  for await (const entry of registry.changes.since(0)) entries.push(entry)
  return entries
}

/** What the log makes of a registry, as its API shows it. */
export async function contentOf(registry: Registry): Promise<object> {
  const snapshot = await registry.snapshot()
  try {
    return {
      head: snapshot.head,
      waypoints: [...snapshot.records()],
      reviews: [...snapshot.reviews()],
      people: Array.from(snapshot.contributors()),
      sources: snapshot.sources(),
      areas: snapshot.areas(),
      statistics: snapshot.statistics(),
      entries: [...snapshot.entries()],
    }
  } finally {
    snapshot.close()
  }
}

/** Every row of every table of a database. */
export function tablesOf(file: string): Record<string, unknown> {
  const database = new Database(file, { readonly: true })
  try {
    const names = database
      .prepare<[], string>("select name from sqlite_schema where type = 'table' order by name")
      .pluck()
      .all()
    return Object.fromEntries(
      names.map((name) => [name, database.prepare(`select * from "${name}"`).raw().all()]),
    )
  } finally {
    database.close()
  }
}
