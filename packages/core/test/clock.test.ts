import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openRegistry, token, user, type RegistryOptions } from '@openfountain/core'
import { square, temporaryFolder } from '@openfountain/testing/registry'

let now: string
let database: string
beforeEach(async () => {
  now = '2026-03-01T00:00:00.000Z'
  database = path.join(await temporaryFolder(), 'registry.db')
})

const open = (options: Partial<RegistryOptions> = {}) =>
  openRegistry({ database, clock: () => new Date(now), ids: () => 'ada', ...options })

test('a clock that is set back does not revive a session that was seen to be expired, nor after a restart', async () => {
  const registry = await open()
  await registry.users.create({ name: 'Ada' })
  const { session, expiresAt } = await registry.sessions.create('ada')
  expect(await registry.sessions.resolve(session)).toEqual(user('ada'))
  now = expiresAt
  expect(await registry.sessions.resolve(session)).toBeUndefined()
  now = '2026-03-30T00:00:00.000Z'
  expect(await registry.sessions.resolve(session)).toBeUndefined()
  expect(await registry.sessions.list()).toEqual([])
  await registry.close()
  await using again = await open()
  expect(await again.sessions.resolve(session)).toBeUndefined()
})

test('a clock that is set back does not revive a session that had expired by the last write', async () => {
  await using registry = await open()
  await registry.users.create({ name: 'Ada' })
  const { session } = await registry.sessions.create('ada')
  now = '2026-04-02T00:00:00.000Z'
  await registry.waypoints.create(square, token())
  now = '2026-03-02T00:00:00.000Z'
  expect(await registry.sessions.list()).toEqual([])
  expect(await registry.sessions.resolve(session)).toBeUndefined()
})

test('a clock that is set back ends expired sessions also where nothing can be written', async () => {
  const registry = await open()
  await registry.users.create({ name: 'Ada' })
  const { session, expiresAt } = await registry.sessions.create('ada')
  await registry.close()
  await using reader = await open({ readOnly: true })
  now = '2026-03-03T00:00:00.000Z'
  expect(await reader.sessions.resolve(session)).toEqual(user('ada'))
  now = expiresAt
  expect(await reader.sessions.resolve(session)).toBeUndefined()
})

test('a clock that is set back does not set a time back that is written beside the log', async () => {
  await using registry = await open()
  await registry.users.create({ name: 'Ada' })
  now = '2026-03-01T12:00:00.000Z'
  const changed = await registry.users.update('ada', { name: 'Ada L.' })
  now = '2026-03-01T06:00:00.000Z'
  const again = await registry.users.update('ada', { name: 'Ada Lovelace' })
  expect([changed.updatedAt, again.updatedAt]).toEqual([
    '2026-03-01T12:00:00.000Z',
    '2026-03-01T12:00:00.000Z',
  ])
  expect(await registry.dataTime()).toBe('2026-03-01T12:00:00.000Z')
  const made = await registry.waypoints.create(square, token())
  expect(made).toMatchObject({ createdAt: changed.updatedAt, updatedAt: changed.updatedAt })
  expect(await registry.sessions.create('ada')).toMatchObject({
    createdAt: '2026-03-01T12:00:00.000Z',
    expiresAt: '2026-03-31T12:00:00.000Z',
  })
  expect(await registry.tokens.create({ name: 'bot' })).toMatchObject({ createdAt: changed.updatedAt })
})
