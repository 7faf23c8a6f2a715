import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import {
  openRegistry,
  token,
  user,
  type Actor,
  type Registry,
  type Waypoint,
  type WaypointInput,
} from '@openfountain/core'
import { emptyRegistry, refusal, square, temporaryFolder } from '@openfountain/testing/registry'

const opened = (database: string) =>
  emptyRegistry({ database, durability: 'relaxed', clock: () => new Date(), ids: randomUUID })

const adding = (registry: Registry, key: string, actor: Actor = token(), input: WaypointInput = square) =>
  registry.requests.once<Waypoint>(
    { actor, key, request: ['POST', '/waypoints', input] },
    () => registry.waypoints.create(input, actor),
    { right: 'write', again: ({ subject }) => registry.waypoints.get(Number(subject)) },
  )

const deleting = (registry: Registry, key: string, actor: Actor, id: number) =>
  registry.requests.once<Waypoint>(
    { actor, key, request: ['DELETE', id] },
    () => registry.waypoints.delete(id, actor),
    { right: 'moderate', again: () => registry.waypoints.getEvenDeleted(id) },
  )

const day = 24 * 60 * 60 * 1000

function keptIn(file: string): { id: string; userId: string | null; value: string }[] {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare<[], never>(`select id, userId, value from secrets where kind = 'request'`).all()
  } finally {
    database.close()
  }
}

describe('a request under a key', () => {
  test('is made once, and its repetition is answered from what is there', async () => {
    const registry = await emptyRegistry()
    const { id } = await registry.users.create({ name: 'Ada', xp: 20 })
    const first = await adding(registry, 'k1', user(id))
    expect(first.isRepeated).toBe(false)
    await registry.waypoints.update(first.result.id, { name: 'Old square' }, token())
    const head = await registry.changes.head()
    const again = await adding(registry, 'k1', user(id))
    expect(again).toMatchObject({ isRepeated: true, result: { id: first.result.id, name: 'Old square' } })
    expect(await registry.changes.head()).toEqual(head)
    expect((await registry.users.get(id)).xp).toBe(70)
    expect((await adding(registry, 'k2', user(id))).result.id).toBe(first.result.id + 1)
  })

  test('is made once by two processes', async () => {
    const database = join(await temporaryFolder(), 'fountains.db')
    const both = [await opened(database), await opened(database)]
    const all = await Promise.all(
      Array.from({ length: 25 }, () => both.map((registry) => adding(registry, 'k1'))).flat(),
    )
    expect(all.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
    expect(await both[0]?.waypoints.list()).toHaveLength(1)
    expect(keptIn(database)).toHaveLength(1)
  })

  test('is another one of another caller', async () => {
    const registry = await emptyRegistry()
    await registry.users.create({ id: 'ada', name: 'Ada', xp: 20 })
    await registry.users.create({ id: 'bob', name: 'Bob', xp: 20 })
    const callers = [user('ada'), user('bob'), token(), token('ada')]
    for (const [index, actor] of callers.entries())
      expect((await adding(registry, 'k1', actor)).result.id).toBe(index + 1)
    const one = { actor: token(), key: 'k1', request: 1 }
    const first = (credential: string) =>
      registry.requests.once({ ...one, credential }, () => registry.waypoints.create(square, token()), {
        again: ({ subject }) => registry.waypoints.get(Number(subject)),
      })
    expect((await first('oft_one')).result.id).toBe(5)
    expect((await first('oft_two')).result.id).toBe(6)
    expect((await first('oft_one')).result.id).toBe(5)
  })

  test('is refused when it is another request', async () => {
    const registry = await emptyRegistry()
    await adding(registry, 'k1')
    const head = await registry.changes.head()
    const other = await refusal(adding(registry, 'k1', token(), { ...square, name: 'Other' }))
    expect(other).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    const two = await Promise.allSettled([
      adding(registry, 'k2', token(), { ...square, name: 'One' }),
      adding(registry, 'k2', token(), { ...square, name: 'Two' }),
    ])
    expect(two.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await registry.changes.head()).id).toBe(head.id + 1)
  })

  test('is not kept when it was refused', async () => {
    const registry = await emptyRegistry()
    const { id } = await registry.users.create({ name: 'New' })
    expect(await refusal(adding(registry, 'k1', user(id)))).toMatchObject({ code: 'INSUFFICIENT_XP' })
    await registry.users.grantXp(id, 20, 'for looking at fountains')
    expect((await adding(registry, 'k1', user(id), { ...square, name: 'Other' })).isRepeated).toBe(false)
  })

  test('says that what it made is gone, and where to', async () => {
    const registry = await emptyRegistry()
    const one = (await adding(registry, 'k1')).result.id
    const two = (await adding(registry, 'k2')).result.id
    await registry.waypoints.delete(one, token())
    expect(await refusal(adding(registry, 'k1'))).toMatchObject({ code: 'NOT_FOUND' })
    const three = (await adding(registry, 'k3')).result.id
    await registry.waypoints.merge(two, { into: three, reason: 'the same' }, token())
    expect(await refusal(adding(registry, 'k2'))).toMatchObject({ details: { mergedInto: three } })
    expect(await registry.waypoints.list()).toHaveLength(1)
  })

  test('deletes once, and is answered with what was deleted', async () => {
    const registry = await emptyRegistry()
    const made = (await adding(registry, 'k1')).result
    expect((await deleting(registry, 'k2', token(), made.id)).result).toEqual(made)
    expect(await deleting(registry, 'k2', token(), made.id)).toMatchObject({
      isRepeated: true,
      result: { id: made.id, name: made.name },
    })
  })

  test('is not repeated by who was blocked, or moderates no more', async () => {
    const registry = await emptyRegistry()
    await registry.users.create({ id: 'mo', name: 'Mo', xp: 20, isModerator: true })
    const { id } = (await adding(registry, 'k1', user('mo'))).result
    await deleting(registry, 'k2', user('mo'), id)
    await registry.users.setModerator('mo', false)
    expect(await refusal(deleting(registry, 'k2', user('mo'), id))).toMatchObject({ code: 'FORBIDDEN' })
    expect(await refusal(adding(registry, 'k1', user('mo')))).toMatchObject({ code: 'NOT_FOUND' })
    await registry.users.block('mo', { reason: 'Vandalism' }, token())
    expect(await refusal(adding(registry, 'k1', user('mo')))).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'Vandalism' },
    })
  })

  test.each(['', 'x'.repeat(65), 'a\nb', 'a\u007Fb', 'ключ', 'é'])('cannot have the key %j', async (key) => {
    const registry = await emptyRegistry()
    expect(await refusal(adding(registry, key))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'key' }] },
    })
    expect(await registry.waypoints.list()).toEqual([])
  })
})

test('the key of a request is good for thirty days, and is then removed', async () => {
  let now = Date.parse('2026-01-01T00:00:00.000Z')
  const pass = (milliseconds: number) => void (now += milliseconds)
  const database = join(await temporaryFolder(), 'fountains.db')
  const registry = await openRegistry({ database, durability: 'relaxed', clock: () => new Date(now) })
  await adding(registry, 'k1')
  await adding(registry, 'k2')
  pass(30 * day - 1)
  expect((await adding(registry, 'k1')).isRepeated).toBe(true)
  pass(1)
  expect((await adding(registry, 'k1')).isRepeated).toBe(false)
  expect(keptIn(database)).toHaveLength(1)
  pass(30 * day)
  await adding(registry, 'k3', token(), { ...square, name: 'Other' })
  expect(keptIn(database)).toHaveLength(1)
})

test('the key of a request goes when its owner leaves', async () => {
  const database = join(await temporaryFolder(), 'fountains.db')
  const registry = await opened(database)
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  await adding(registry, 'k1', user('ada'))
  await adding(registry, 'k1', token('ada'))
  await adding(registry, 'k1', token())
  expect(keptIn(database).map(({ userId }) => userId)).toEqual(['ada', 'ada', null])
  await registry.accounts.leave('ada', { texts: 'keep' })
  expect(keptIn(database).map(({ userId }) => userId)).toEqual([null])
})

test('the key of a request is stored as a hash alone, and what was sent is found nowhere once it is redacted', async () => {
  const folder = await temporaryFolder()
  const database = join(folder, 'fountains.db')
  const registry = await opened(database)
  const key = 'key-of-somebody-that-nobody-knows'
  const input = { ...square, description: 'Zaphods telephone number' }
  const { id } = (await adding(registry, key, token(), input)).result
  await registry.waypoints.update(id, { description: null }, token())
  const [entry] = await registry.changes.list({ bubblerId: id, order: 'asc' }).then(({ logs }) => logs)
  await registry.changes.redact(entry?.id ?? 0, { reason: 'private', fields: ['description'] })
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
  for (const text of [key, 'Zaphod', 'telephone'])
    expect(files.filter((file) => file.includes(text))).toEqual([])
  const [kept] = keptIn(database)
  expect(kept?.id).toMatch(/^request:[0-9a-f]{64}$/)
  expect(JSON.parse(kept?.value ?? '')).toEqual({
    request: expect.stringMatching(/^[0-9a-f]{64}$/),
    subject: id,
    entries: [1, 1],
  })
  expect((await adding(registry, key, token(), input)).result).not.toHaveProperty('description')
})
