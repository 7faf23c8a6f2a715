import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { anonymous, openRegistry, token, user, userByToken, type Actor } from '@openfountain/core'
import { emptyRegistry, placed, refusal, temporaryFolder } from '@openfountain/testing/registry'

const minute = 60_000
const day = 24 * 60 * minute

async function still() {
  let now = Date.parse('2026-01-01T00:00:00.000Z')
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  return { registry, wait: (milliseconds: number) => void (now += milliseconds) }
}

const way = (key: string) => ({ key, provider: 'osm', label: 'Zoë' })

test('a link for somebody who has an account ends their other sessions', async () => {
  const { registry } = await still()
  const ada = await registry.users.create({ name: 'Ada' })
  const eve = await registry.users.create({ name: 'Eve' })
  const { session } = await registry.sessions.create(ada.id)
  const other = await registry.sessions.create(eve.id)
  const { secret } = await registry.accounts.link(ada.id)
  expect(await registry.sessions.resolve(session)).toBeDefined()
  const signedIn = await registry.accounts.redeemLink(secret)
  expect(await registry.sessions.resolve(session)).toBeUndefined()
  expect(await registry.sessions.resolve(signedIn.session)).toEqual(user(ada.id))
  expect(await registry.sessions.resolve(other.session)).toEqual(user(eve.id))
})

test('an address that was verified is that of the profile, until its owner gives another', async () => {
  const { registry } = await still()
  const named = { registration: 'open', name: 'Ada' } as const
  const verified = { key: 'mailto:ada@example.org', provider: 'email', label: 'Ada@example.org' }
  const { userId: id } = await registry.accounts.signIn(verified, named)
  expect(await registry.users.profile(id)).toMatchObject({ email: 'Ada@example.org' })
  expect(await registry.users.update(id, { email: 'post@example.org' })).toMatchObject({
    email: 'post@example.org',
  })
  expect(await registry.users.update(id, { email: null })).toMatchObject({ email: 'Ada@example.org' })
  const byProvider = await registry.accounts.signIn(way('osm zoe'), { ...named, name: 'Zoë' })
  expect((await registry.users.profile(byProvider.userId)).email).toBeUndefined()
})

test('sessions end after seven days without use and thirty in use, are known by their device, and are no news of the registry', async () => {
  const { registry, wait } = await still()
  const ada = await registry.users.create({ name: 'Ada' })
  const version = await registry.version()
  const { session } = await registry.sessions.create(ada.id, { device: 'Firefox on Linux' })
  expect(await registry.version()).toEqual(version)
  for (let used = 0; used < 2; used++) {
    wait(7 * day - 1)
    expect(await registry.sessions.resolve(session)).toEqual(user(ada.id))
  }
  const times = { createdAt: '2026-01-01T00:00:00.000Z', lastUsedAt: '2026-01-14T23:59:59.998Z' }
  expect(await registry.sessions.list(ada.id)).toMatchObject([{ device: 'Firefox on Linux', ...times }])
  wait(7 * day)
  expect(await registry.sessions.list()).toEqual([])
  expect(await registry.sessions.resolve(session)).toBeUndefined()
  const { session: used } = await registry.sessions.create(ada.id)
  for (const pause of [6 * day, 6 * day, 6 * day, 6 * day, 6 * day - 1]) {
    wait(pause)
    expect(await registry.sessions.resolve(used)).toBeDefined()
  }
  wait(1)
  expect(await registry.sessions.resolve(used)).toBeUndefined()
})

test('personal tokens act as their owner until they end or their owner revokes them, and are listed without their secret', async () => {
  const { registry, wait } = await still()
  const { personalTokens } = registry
  const ada = await registry.users.create({ name: 'Ada', xp: 20, isModerator: true })
  const eve = await registry.users.create({ name: 'Eve' })
  const made = await personalTokens.create(ada.id, { name: 'Survey' })
  const bot = await personalTokens.create(ada.id, { name: 'Bot', days: 1 })
  expect(made.token).toMatch(/^ofp_[\w-]{43}$/u)
  expect(await personalTokens.resolve(made.token)).toEqual(userByToken(ada.id))
  expect(JSON.stringify(await personalTokens.list(ada.id))).not.toContain(made.token)
  expect((await refusal(personalTokens.delete(eve.id, bot.id))).code).toBe('NOT_FOUND')
  await personalTokens.delete(ada.id, bot.id)
  expect(await personalTokens.resolve(bot.token)).toBeUndefined()
  wait(90 * day)
  expect(await personalTokens.resolve(made.token)).toBeUndefined()
  expect(await personalTokens.list(ada.id)).toEqual([])
  const tooLong = personalTokens.create(ada.id, { name: 'x', days: 366 })
  expect((await refusal(tooLong)).code).toBe('INVALID_INPUT')
})

test('personal tokens write nothing while their owner is blocked, unlike an API token, which is the operator’s', async () => {
  const { registry, wait } = await still()
  const ada = await registry.users.create({ name: 'Ada', xp: 100 })
  const personal = (await registry.personalTokens.create(ada.id, { name: 'Survey' })).token
  const api = await registry.tokens.create({ name: 'City', ownerId: ada.id })
  await registry.users.block(ada.id, { reason: 'spam', until: '2026-01-02T00:00:00.000Z' }, token())
  const actorOf = async () => (await registry.personalTokens.resolve(personal)) ?? anonymous
  const tap = { name: 'Tap', latitude: 1, longitude: 2 }
  const details = { reason: 'spam', blockedUntil: '2026-01-02T00:00:00.000Z' }
  const ofApi = (await registry.tokens.resolve(api.token)) ?? anonymous
  const byApi = await registry.waypoints.create(tap, ofApi)
  expect(byApi).toMatchObject({ addedByUserId: ada.id })
  const own = await actorOf()
  for (const write of [
    () => registry.waypoints.create(tap, own),
    () => registry.waypoints.update(byApi.id, { name: 'Well' }, own),
    () => registry.reviews.create({ bubblerId: byApi.id, rating: 1 }, own),
  ])
    expect(await refusal(write())).toEqual({ code: 'FORBIDDEN', details })
  wait(day)
  expect(await registry.waypoints.create(tap, await actorOf())).toMatchObject({ addedByUserId: ada.id })
})

test('sessions but one end with all tokens where that is wanted, and whoever tells the owner hears of it', async () => {
  const { registry } = await still()
  const ada = await registry.users.create({ name: 'Ada' })
  const heard: unknown[] = []
  const stop = registry.accounts.onAccessChange(({ change, what, name }) => heard.push([change, what, name]))
  const here = await registry.sessions.create(ada.id)
  const there = await registry.sessions.create(ada.id)
  const made = await Promise.all(
    ['map', 'bot'].map((name) => registry.personalTokens.create(ada.id, { name })),
  )
  await registry.sessions.deleteOthers(ada.id, here.id)
  expect(await registry.personalTokens.list(ada.id)).toHaveLength(2)
  await registry.sessions.deleteOthers(ada.id, here.id, { tokens: true })
  expect(await registry.sessions.resolve(there.session)).toBeUndefined()
  expect(await registry.sessions.resolve(here.session)).toBeDefined()
  for (const { token: secret } of made) expect(await registry.personalTokens.resolve(secret)).toBeUndefined()
  await registry.accounts.addIdentity(ada.id, way('osm zoe'))
  stop()
  await registry.personalTokens.create(ada.id, { name: 'unheard' })
  expect(heard.slice(-2)).toEqual([
    ['removed', 'token', expect.stringMatching(/^(?:map, bot|bot, map)$/u)],
    ['added', 'provider', 'Zoë (osm)'],
  ])
})

test('an export has what others did about the person, their id at a host, and API tokens of theirs', async () => {
  const { registry } = await still()
  const { id } = await registry.users.ensure({ externalId: 'number 7', name: 'Ada' })
  const eve = await registry.users.create({ name: 'Eve' })
  await registry.users.grantXp(id, 30, 'Surveyed the old town')
  await registry.users.grantXp(eve.id, 5, 'Of another person')
  await registry.users.block(id, { reason: 'Too many edits' }, token())
  await registry.users.unblock(id, token())
  const { token: secret } = await registry.tokens.create({ name: 'Ada’s bot', ownerId: id })
  await registry.reviews.create({ bubblerId: (await placed(registry)).id, rating: 4 }, user(id))
  const text = (await Array.fromAsync(registry.accounts.export(id))).join('')
  expect(JSON.parse(text)).toMatchObject({
    externalIds: ['number 7'],
    apiTokens: [{ name: 'Ada’s bot' }],
    entries: [{ subject: 'review', by: id }],
    about: [
      { subjectId: id, action: 'created' },
      { subjectId: id, fields: { reason: 'Surveyed the old town' } },
      { subjectId: id, fields: { reason: 'Too many edits' } },
      { subjectId: id },
    ],
  })
  expect(text).not.toContain('Of another person')
  expect(text).not.toContain(secret)
})

test('leaving with texts also removes what is written while they are being erased', async () => {
  const folder = await temporaryFolder()
  const database = path.join(folder, 'registry.db')
  let meanwhile: Promise<unknown> | undefined
  const registry = await openRegistry({
    database,
    onSecurityEvent: ({ event, user: id = '' }) => {
      if (event !== 'text.redacted' || meanwhile !== undefined) return
      // Earlier texts are gone already; the account still exists.
      meanwhile = registry.reviews.create({ bubblerId: 1, rating: 1, comment: 'q9marker last' }, user(id))
    },
  })
  const ada = await registry.users.create({ name: 'Ada' })
  const { id } = await placed(registry, { name: 'Well' })
  await registry.reviews.create({ bubblerId: id, rating: 5, comment: 'q9marker first' }, user(ada.id))
  await registry.accounts.leave(ada.id, { texts: 'erase' })
  await meanwhile
  expect(await registry.reviews.list({ userId: ada.id })).toHaveLength(2)
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
  await registry.close()
  expect((await readFile(database)).includes('q9marker')).toBe(false)
})

test.each<[string, Actor]>([
  ['a session', user('ada')],
  ['a personal token', userByToken('ada')],
  ['an API token of theirs', token('ada')],
])('leaving refuses a write that %s was allowed to make just before', async (_by, actor) => {
  const { registry } = await still()
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  const add = (description: string) =>
    registry.waypoints.create({ name: 'Tap', latitude: 1, longitude: 2, description }, actor)
  const leaving = registry.accounts.leave('ada', { texts: 'erase' })
  const writes = Array.from({ length: 50 }, async (_none, index) => {
    for (let turn = 0; turn < index; turn++) await new Promise((resolve) => setImmediate(resolve))
    return add(`After ${index}`)
  })
  await Promise.allSettled(writes)
  await leaving
  expect((await refusal(add('Later'))).code).toBe('UNAUTHORIZED')
  const all = await registry.waypoints.list()
  expect(all.filter(({ description }) => description !== undefined)).toEqual([])
})
