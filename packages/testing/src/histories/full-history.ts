import { readFile } from 'node:fs/promises'
import path from 'node:path'
import Database from 'better-sqlite3'
import { anonymous, openRegistry, token, user, type Registry } from '@openfountain/core'
import { newFolder } from '../folder.ts'
import { photosInMemory, picture } from '../photos.ts'
import { newestOn, placed, ring, square, tickingClock } from '../registry.ts'
import { source } from '../imported.ts'
import { sampleProperties, sampleValues } from '../sample-values.ts'

/** More rows than a tile of the tree has entries. */
const rowCount = 260

const imported = (row: number, state?: 'off') => ({
  row,
  ref: `n${row}`,
  input: { name: `Tap ${row}`, latitude: row / 10, longitude: 1 },
  ...(state && {
    state,
    checked: '2025-11-30',
    tags: { amenity: 'drinking_water', bottle: 'no' },
    updated: '2025-12-01',
    since: '2025-11-01',
    until: '2026-03-31',
  }),
})

/** An import of two rows and one without the second, so that the first has a state and the second is missing. */
async function importTwice(registry: Registry): Promise<void> {
  const file = { name: 'taps.csv', sha256: 'a'.repeat(64), bytes: 12 }
  const given = { ...source, attribution: 'City of Lund, parks' }
  const first = await registry.imports.start({ source: given, file })
  await first.apply([imported(1, 'off'), imported(2)])
  await first.finish({ counts: { rows: 2 }, missing: 'mark' })
  const second = await registry.imports.start({
    source: given,
    published: '2025-12-24',
    accept: ['shrink'],
  })
  await second.apply([imported(1, 'off')])
  await second.finish({ counts: { rows: 1 }, missing: 'mark' })
  const other = await registry.imports.start({ source: { name: 'A list', license: 'CC0-1.0' } })
  const rows = Array.from({ length: rowCount }, (_, index) => ({ ...imported(index + 3), ref: undefined }))
  await other.apply(rows)
}

async function write(registry: Registry): Promise<void> {
  const ada = await registry.users.create({ name: 'Ada', email: 'ada@example.org', xp: 20 })
  const bo = await registry.users.create({ name: 'Bo' })
  const mo = await registry.users.create({ name: 'Mo', isModerator: true })
  const everything = {
    ...sampleValues('Apr-Oct'),
    ...square,
    description: 'By the lake',
    amenities: ['tap', 'bench'],
    image: 'https://example.org/well.jpg',
    maintainer: 'The city',
    region: 'Skåne',
  }
  const { id: well } = await registry.waypoints.create(everything, user(ada.id))
  const { id: copy } = await placed(registry, { name: 'A copy' })
  const { id: gone } = await placed(registry, { name: 'Zebulon Quackenbush', verified: true })
  const { id: back } = await placed(registry, { name: 'Back again', approved: true })
  await registry.waypoints.update(well, { name: 'Renamed', verified: true }, token())
  await registry.reviews.create({ bubblerId: copy, rating: 4, comment: 'Cold' }, user(ada.id))
  const second = await registry.reviews.create({ bubblerId: well, rating: 2, comment: 'Warm' }, user(bo.id))
  await registry.reviews.create({ bubblerId: well, rating: 3 }, user(bo.id))
  await registry.reviews.delete(second.id, user(bo.id))
  const seen = { bubblerId: copy, kind: 'dry', comment: 'Not a drop' } as const
  await registry.observations.create(seen, user(ada.id))
  await registry.observations.create({ ...seen, comment: undefined }, token())
  await registry.observations.create({ bubblerId: well, kind: 'works' }, anonymous, {
    network: '192.0.2.0/24',
  })
  await registry.waypoints.update(back, { maintainer: 'The city' }, token())
  await registry.users.setKeeper(bo.id, { maintainer: 'The city' }, true)
  await registry.users.setKeeper(bo.id, { maintainer: 'A club' }, true)
  await registry.users.setKeeper(bo.id, { maintainer: 'A club' }, false)
  const until = new Date(Date.parse(await registry.time()) + 86_400_000).toISOString().slice(0, 10)
  await registry.observations.create({ bubblerId: back, kind: 'dry', until }, user(bo.id))
  await registry.waypoints.merge(copy, { into: well, reason: 'The same fountain' }, user(mo.id))
  await registry.waypoints.delete(back, token())
  await registry.waypoints.restore(back, { reason: 'It is there' }, token())
  await registry.waypoints.delete(gone, token())
  const { id } = await newestOn(registry, gone, 'created')
  await registry.changes.redact(id, { reason: 'Article 17', fields: ['name', 'latitude'] })
  const area = { name: 'Lund', coordinates: [ring], properties: { z: 1, a: { y: [1], b: null } } }
  await registry.areas.create({ ...area, description: 'The town' }, token())
  const old = await registry.areas.create(area, token())
  await registry.areas.delete(old.id, token())
  await registry.users.block(bo.id, { reason: 'Spam', until: '2030-01-01T00:00:00.000Z' }, user(mo.id))
  await registry.users.grantXp(ada.id, 5, 'cleaned the fountains')
  const eve = await registry.users.create({ name: 'Eve' })
  await registry.users.block(eve.id, { reason: 'Insults' }, token())
  const picturesOfWell = async (text: string, described = {}) =>
    registry.photos.create(well, picture(text), described, user(ada.id))
  await picturesOfWell('first', { alt: 'The well', takenAt: '2025-12-24' })
  const removed = await picturesOfWell('second', { alt: 'A face' })
  await registry.photos.delete(removed.id, user(mo.id), { reason: 'A face' })
  await picturesOfWell('third')
  await importTwice(registry)
}

/** A registry with a value in every column that the log vouches for, and without one where there may be none. */
export async function fullHistory(): Promise<Buffer> {
  const file = path.join(newFolder(), 'history.db')
  let users = 0
  const registry = await openRegistry({
    database: file,
    durability: 'relaxed',
    clock: tickingClock(),
    ids: () => `u${++users}`,
    properties: sampleProperties,
    photos: photosInMemory(),
  })
  await write(registry)
  await registry.close()
  // An in-memory copy cannot have a write-ahead log.
  const database = new Database(file)
  database.pragma('journal_mode = delete')
  database.close()
  return readFile(file)
}

/** Changes a file as a tamperer does: without triggers and constraints, which are restored afterwards. */
export function unprotected(file: string, change: (database: Database.Database) => void): void {
  const database = new Database(file)
  database.pragma('synchronous = off')
  database.pragma('foreign_keys = off')
  database.pragma('ignore_check_constraints = on')
  const triggers = database
    .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where type = 'trigger'")
    .all()
  try {
    for (const { name } of triggers) database.exec(`drop trigger ${name}`)
    change(database)
    for (const { sql } of triggers) database.exec(sql)
  } finally {
    database.close()
  }
}
