import { describe, expect, test } from 'vitest'
import { anonymous, token, user } from '@openfountain/core'
import type { TokenScope } from '@openfountain/core/internal'
import { emptyRegistry, refusal, square } from '@openfountain/testing/registry'

describe('specification 2.2: users', () => {
  test('the own profile says why and until when its owner is blocked, as long as they are, and the public one does not', async () => {
    let now = '2026-01-01T00:00:00.000Z'
    const registry = await emptyRegistry({ clock: () => new Date(now) })
    const { id } = await registry.users.create({ name: 'Ada' })
    const block = { reason: 'Jokes', until: '2026-01-02T00:00:00.000Z' }
    await registry.users.block(id, block, { kind: 'token' })
    expect(await registry.users.profile(id)).toMatchObject({ blocked: block })
    expect(await registry.users.update(id, { name: 'Ada B.' })).toMatchObject({ blocked: block })
    expect(await registry.users.get(id)).not.toHaveProperty('blocked')
    expect(await registry.users.get(id)).not.toHaveProperty('block')
    now = block.until
    expect(await registry.users.profile(id)).not.toHaveProperty('blocked')
    await registry.users.block(id, { reason: 'More' }, { kind: 'token' })
    expect((await registry.users.profile(id)).blocked).toEqual({ reason: 'More' })
    await registry.users.unblock(id, { kind: 'token' })
    expect(await registry.users.profile(id)).not.toHaveProperty('blocked')
  })

  test('nobody learns from an answer that an e-mail address has an account', async () => {
    const registry = await emptyRegistry()
    await registry.users.create({ name: 'Ada', email: 'ada@example.org' })
    await registry.users.create({ name: 'Bo' })
    for (const email of ['nobody@example.org', 'ada@example.org', 'ADA@example.org']) {
      const { id } = await registry.users.create({ name: 'Eve', email })
      expect(await registry.users.profile(id)).toMatchObject({ name: 'Eve', email })
      expect(await registry.users.update('u2', { email })).toMatchObject({ name: 'Bo', email })
    }
    expect(await registry.users.profile('u1')).toMatchObject({ name: 'Ada', email: 'ada@example.org' })
  })

  test('a moderator has a badge beside the name, as long as they are one', async () => {
    const registry = await emptyRegistry()
    const { id } = await registry.users.create({ name: 'Mo', xp: 50, isModerator: true })
    await registry.users.create({ name: 'Ada' })
    await registry.waypoints.create({ name: 'Well', latitude: 1, longitude: 2 }, user(id))
    const head = (await registry.changes.head()).id
    const named = async () => [
      await registry.users.get(id),
      (await registry.users.list()).users[0],
      (await registry.changes.get(head)).user,
      (await registry.changes.recent())[0]?.user,
    ]
    for (const each of await named()) expect(each).toMatchObject({ name: 'Mo', badge: 'moderator' })
    expect((await registry.users.list()).users[1]).not.toHaveProperty('badge')
    await registry.users.setModerator(id, false)
    for (const each of await named()) expect(each).not.toHaveProperty('badge')
  })

  test('a name that reads like a moderator’s is refused to others, at sign-up and later', async () => {
    const registry = await emptyRegistry()
    const { id: mo } = await registry.users.create({ name: 'Zoë Łuk', isModerator: true })
    const { id: ada } = await registry.users.create({ name: 'Ada' })
    const rename = (id: string, name: string) => registry.users.update(id, { name }, { isOwn: true })
    const taken = { code: 'INVALID_INPUT', details: { issues: [{ path: 'name' }] } }
    const { secret } = await registry.accounts.invite({})
    const likenesses = ['Zoë Łuk', 'zoe luk', 'Zo\u200be\u00ad  LUK', 'ＺＯＥ.Ｌｕｋ', 'Z\u034fo\u0308e_Luk']
    for (const name of likenesses) {
      const way = { key: `https://id.example ${name}`, provider: 'example', label: 'Somebody' }
      for (const attempt of [
        () => registry.accounts.signIn(way, { name, registration: 'open' }),
        () => registry.accounts.redeemLink(secret, { name }),
        () => rename(ada, name),
      ])
        expect(await refusal(attempt())).toMatchObject(taken)
      expect(await rename(mo, name)).toMatchObject({ name: name.normalize('NFC') })
    }
    await registry.users.setModerator(mo, false)
    expect(await rename(ada, 'Zoë Łuk')).toMatchObject({ name: 'Zoë Łuk' })
  })

  test('ensure follows a name, an address and rights, and writes what changed alone', async () => {
    const registry = await emptyRegistry()
    const given = { externalId: 'host-7', name: 'Ada', email: 'ada@example.org' }
    const { id } = await registry.users.ensure(given)
    const before = await registry.head()
    const renamed = await registry.users.ensure({ ...given, name: 'Ada L.', isModerator: undefined })
    expect(renamed).toMatchObject({ id, name: 'Ada L.', email: 'ada@example.org', isModerator: false })
    expect(await registry.users.profile(id)).toEqual(renamed)
    expect((await registry.head()).id).toBe(before.id)
    const appointed = await registry.users.ensure({ externalId: 'host-7', name: 'Ada L.', isModerator: true })
    expect(appointed).toMatchObject({ email: 'ada@example.org', isModerator: true })
    expect((await registry.users.ensure({ externalId: 'host-7', name: 'Ada L.' })).isModerator).toBe(true)
    const gone = await registry.users.ensure({ ...given, email: null, isModerator: false })
    expect(gone.email).toBeUndefined()
    const entries = await registry.changes.entries(before.id)
    expect(entries.map(({ subjectId, action }) => [subjectId, action])).toEqual([
      [id, 'appointed'],
      [id, 'dismissed'],
    ])
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('ensure leaves what the registry itself gave, and takes a name that somebody else has', async () => {
    const registry = await emptyRegistry()
    await registry.users.create({ name: 'Grace' })
    const { id } = await registry.users.ensure({ externalId: 'host-7', name: 'Ada' })
    await registry.users.grantXp(id, 100, 'A day of cleaning')
    await registry.users.block(id, { reason: 'Jokes' }, token())
    const before = await registry.users.profile(id)
    const followed = await registry.users.ensure({ externalId: 'host-7', name: 'Grace', isModerator: true })
    expect(followed).toMatchObject({ id, name: 'Grace', isModerator: true })
    for (const member of ['xp', 'level', 'stats', 'createdAt', 'blocked'] as const)
      expect(followed[member]).toEqual(before[member])
    expect((await registry.users.list()).users.map(({ name }) => name)).toEqual(['Grace', 'Grace'])
  })
})

test('a token may do what its scope says, and ends when it says so', async () => {
  let now = Date.parse('2026-01-01T00:00:00.000Z')
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  const { id: ada } = await registry.users.create({ name: 'Ada', isModerator: true })
  const { id: bob } = await registry.users.create({ name: 'Bob', xp: 100 })
  const { waypoints, reviews, users, moderation, changes, tokens } = registry
  const first = await waypoints.create(square, token())
  await reviews.create({ bubblerId: first.id, rating: 1 }, user(bob))
  const scopes = ['read', 'contribute', 'moderate', 'administer'] as const
  const made = await Promise.all(
    scopes.map((scope) => tokens.create({ name: scope, ownerId: ada, scope, days: 30 })),
  )
  const actors = await Promise.all(made.map(({ token: secret }) => tokens.resolve(secret)))
  const [reader, contributor, moderator, administrator] = actors.map((actor) => actor ?? anonymous)
  if (!reader || !contributor || !moderator || !administrator) throw new Error('a new token is good')
  const beyond = (scope: TokenScope, required: TokenScope) => ({
    code: 'FORBIDDEN',
    details: { scope, required },
  })
  expect(await refusal(waypoints.create(square, reader))).toEqual(beyond('read', 'contribute'))
  const flags = { approved: true, verified: true }
  const given = { ...square, ...flags, addedByUserId: bob }
  const added = await waypoints.create(given, contributor)
  expect(added).toMatchObject({ approved: false, verified: false, addedByUserId: ada })
  const edited = await waypoints.update(added.id, { region: 'Lund', approved: true }, contributor)
  expect(edited).toMatchObject({ region: 'Lund', approved: false })
  for (const act of [
    waypoints.delete(first.id, contributor),
    reviews.delete(1, contributor),
    users.block(bob, { reason: 'x' }, contributor),
    moderation.queue({ kind: 'unapproved' }, contributor),
    changes.revert(1, { reason: 'x' }, contributor),
  ])
    expect(await refusal(act)).toEqual(beyond('contribute', 'moderate'))
  expect(await waypoints.create(given, moderator)).toMatchObject({ ...flags, addedByUserId: ada })
  await reviews.delete(1, moderator)
  const area = registry.areas.create({ name: 'Lund', coordinates: [] }, moderator)
  expect(await refusal(area)).toEqual(beyond('moderate', 'administer'))
  expect(administrator).toEqual({ kind: 'token', ownerId: ada })
  expect(await waypoints.create(given, administrator)).toMatchObject({ addedByUserId: bob })
  const expiresAt = '2026-01-31T00:00:00.000Z'
  expect(await tokens.list()).toMatchObject(scopes.map((scope) => ({ scope, expiresAt })))
  now = Date.parse(expiresAt)
  for (const { token: secret } of made) expect(await tokens.resolve(secret)).toBeUndefined()
  for (const input of [{ scope: 'everything' as TokenScope }, { days: 0 }, { days: 3651 }])
    expect((await refusal(tokens.create({ name: 'x', ...input }))).code).toBe('INVALID_INPUT')
})
