/** @module-tag postgres */
import path from 'node:path'
import { expect, test } from 'vitest'
import { openRegistry, RegistryError, token, type Registry } from '@openfountain/core'
import { ring, temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { administer, emptyDatabase } from '@openfountain/testing/postgres/empty-database'

async function filled(url: string): Promise<Registry> {
  const registry = await openRegistry({ database: url, clock: tickingClock() })
  const { id } = await registry.waypoints.create(
    { name: 'Well', latitude: 1, longitude: 2, description: 'A private number' },
    token(),
  )
  await registry.waypoints.update(id, { description: 'Nothing private' }, token())
  const ada = await registry.users.create({ name: 'Ada' })
  await registry.reviews.create({ bubblerId: id, rating: 4 }, { kind: 'user', userId: ada.id })
  await registry.areas.create(
    { name: 'Town', coordinates: [ring], properties: { odd: 'a\u0000b', back: '\\u0000', half: 'x' } },
    token(),
  )
  const run = await registry.imports.start({ source: { name: 'Taps', license: 'CC0-1.0' } })
  await run.apply([{ row: 1, ref: 'a', input: { name: 'Tap', latitude: 3, longitude: 4 } }])
  await run.finish({ counts: { rows: 1 }, missing: 'mark' })
  await redacted(registry, 1, 'description')
  return registry
}

async function redacted(registry: Registry, id: number, field: string): Promise<void> {
  const removal = registry.changes.redact(id, { reason: 'Asked for', fields: [field] })
  const outcome = await removal.catch((error: unknown) => error)
  if (outcome instanceof RegistryError) expect(outcome.code).toBe('STORAGE_NOT_ERASED')
}

const refused: readonly (readonly [text: string, reason: string])[] = [
  [`update entries set action = 'edited'`, 'entries is append-only'],
  [`update entries set at = '2020-01-01T00:00:00.000Z'`, 'entries is append-only'],
  [`update entries set fields = '{}'`, 'entries is append-only'],
  [`update entries set leaf = decode(repeat('00', 32), 'hex')`, 'entries is append-only'],
  [
    `update entries set seed = null, fields = '{}', salts = '{}', commitments = '{}' where id = 2`,
    'entries is append-only',
  ],
  [`update entries set fields = replace(fields, 'Well', 'Hell') where id = 1`, 'entries is append-only'],
  ['delete from entries', 'entries is append-only'],
  ['truncate entries', 'entries is append-only'],
  ['delete from waypoints', 'waypoints are never deleted'],
  ['truncate waypoints cascade', 'waypoints are never deleted'],
  ['delete from reviews', 'reviews are never deleted'],
  ['delete from areas', 'areas are never deleted'],
  ['delete from records', 'records are never deleted'],
  ['update waypoints set id = id + 100', 'waypoints keep their ids'],
  ['update records set id = id + 100', 'records keep their ids'],
  ['insert into entries select * from entries where id = 1', 'duplicate key'],
]

test('specification 2.4: the database itself refuses what would change the log, or remove a row that it is about', async () => {
  const url = await emptyDatabase()
  await (await filled(url)).close()
  for (const [text, reason] of refused) await expect(administer(url, text), text).rejects.toThrow(reason)
})

test('specification 2.4: the database itself is noticed when it guards no more: by verifying, and before a backup', async () => {
  const url = await emptyDatabase()
  await using registry = await filled(url)
  await administer(
    url,
    'alter table entries disable trigger "entriesRefuseUpdate"; drop trigger "waypointsRefuseTruncate" on waypoints',
  )
  expect((await registry.changes.verify()).problems.toSorted()).toEqual([
    'the database lacks the trigger "entriesRefuseUpdate" of the table "entries"',
    'the database lacks the trigger "waypointsRefuseTruncate" of the table "waypoints"',
  ])
  const file = path.join(await temporaryFolder(), 'backup.db')
  await expect(registry.backup(file)).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' })
})

test('specification 2.4: the database itself lets an area lose a field whose neighbours have characters that its JSON cannot read', async () => {
  await using registry = await filled(await emptyDatabase())
  const created = (await registry.changes.entries(0, 100)).find(
    ({ subject, action }) => subject === 'area' && action === 'created',
  )
  const id = created?.id ?? 0
  await redacted(registry, id, 'name')
  const [after] = await registry.changes.entries(id - 1, 1)
  expect(after?.id).toBe(id)
  expect(JSON.stringify(after)).not.toContain('Town')
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
})
