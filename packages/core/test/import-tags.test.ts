import { expect, test } from 'vitest'
import { emptyRegistry, newestOn } from '@openfountain/testing/registry'
import { imported, row } from '@openfountain/testing/imported'

const tags = { note: 'Ask Zebulon Quackenbush', amenity: 'fountain', bottle: 'no' }
const inOrder = { amenity: 'fountain', bottle: 'no', note: 'Ask Zebulon Quackenbush' }
const given = { ...row('1', 'Well'), ref: 'way/1', tags }
const reason = 'A private name'

const opened = async () => {
  const registry = await emptyRegistry()
  const run = (rows: Parameters<typeof imported>[1], sha256?: string) => imported(registry, rows, sha256)
  const kept = async () => (await registry.waypoints.sources(1))[0]?.tags
  const log = () => Array.fromAsync(registry.changes.since(0))
  return { registry, run, kept, log }
}

test('the tags of an object are kept as they were imported, in the order of their keys, and follow the source', async () => {
  const { registry, run, kept, log } = await opened()
  await run([given], 'first')
  expect(JSON.stringify(await kept())).toBe(JSON.stringify(inOrder))
  const entries = (await log()).length
  await run([given], 'second')
  expect((await log()).length - entries).toBe(2)
  await run([{ ...given, tags: { amenity: 'drinking_water' } }], 'third')
  expect(await kept()).toEqual({ amenity: 'drinking_water' })
  await run([{ ...given, tags: undefined }], 'fourth')
  expect(await kept()).toBeUndefined()
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

test.each([
  [{ ['k'.repeat(256)]: 'v' }],
  [{ k: 'v'.repeat(256) }],
  [{ k: '' }],
  [Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, 'v']))],
])('the tags of an object that OpenStreetMap cannot have are refused with the row', async (wrong) => {
  const { run } = await opened()
  const { outcomes } = await run([{ ...given, tags: wrong }])
  expect(outcomes).toMatchObject([{ kind: 'refused', reason: expect.stringContaining('tags') }])
})

test('the tags of an object are gone once they are redacted from the entry that made the waypoint, and no import brings them back', async () => {
  const { registry, run, kept, log } = await opened()
  await run([given], 'first')
  await registry.changes.redact((await newestOn(registry, 1, 'created')).id, { reason, fields: ['tags'] })
  expect(await kept()).toBeUndefined()
  for (const sha256 of ['second', 'third']) await run([given], sha256)
  expect(await kept()).toBeUndefined()
  expect(JSON.stringify(await log())).not.toMatch(/quackenbush/iu)
  expect(await registry.waypoints.get(1)).toMatchObject({ name: 'Well' })
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

test('the tags of an object are gone once they are redacted from an entry about the record', async () => {
  const { registry, run, kept, log } = await opened()
  await run([{ ...given, tags: { amenity: 'fountain' } }], 'first')
  await run([given], 'second')
  const entry = (await log()).findLast(({ subject, fields }) => subject === 'record' && 'tags' in fields)
  await registry.changes.redact(entry?.id ?? 0, { reason })
  expect(await kept()).toBeUndefined()
  await run([given], 'third')
  expect(JSON.stringify(await log())).not.toMatch(/quackenbush/iu)
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})

test('the tags of an object go with the waypoint when the import is undone, and come back with it', async () => {
  const { registry, run, kept } = await opened()
  await run([given], 'first')
  await registry.imports.undo()
  expect((await registry.statistics()).totalWaypoints).toBe(0)
  await run([given], 'second')
  expect(await kept()).toEqual(inOrder)
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
})
