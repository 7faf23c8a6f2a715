import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  defaultRules,
  openRegistry,
  token,
  user,
  userByToken,
  type Actor,
  type Registry,
  type RegistryOptions,
} from '@openfountain/core'
import { emptyRegistry, refusal, square, temporaryFolder } from '@openfountain/testing/registry'

const start = Date.parse('2026-01-01T00:00:00.000Z')
const hour = 60 * 60 * 1000

async function joined(options: Partial<RegistryOptions> = {}) {
  let now = start
  const registry = await emptyRegistry({ ...options, clock: () => new Date(now) })
  const userId = await signedUp(registry)
  const pass = (milliseconds: number): void => {
    now += milliseconds
  }
  return { registry, userId, newcomer: user(userId), pass }
}

async function signedUp(registry: Registry, id = '1', network?: string): Promise<string> {
  const way = { key: `https://id.example ${id}`, provider: 'example', label: 'Ada there' }
  const { userId } = await registry.accounts.signIn(way, { name: 'Ada', registration: 'open', network })
  await registry.users.grantXp(userId, 100, 'for the test')
  return userId
}

const adding = (registry: Registry, actor: Actor) => registry.waypoints.create(square, actor)

async function adds(registry: Registry, actor: Actor, times: number): Promise<void> {
  for (let each = 0; each < times; each++) await adding(registry, actor)
}

async function edits(registry: Registry, actor: Actor, times: number): Promise<void> {
  for (let each = 0; each < times; each++)
    await registry.waypoints.update(1, { region: `Region ${each}` }, actor)
}

const tooMuch = (limit: number, retryAfterSeconds = 86_400, windowSeconds = 86_400) => ({
  code: 'RATE_LIMITED',
  details: { limit, windowSeconds, retryAfterSeconds },
})

describe('in its first 24 hours an account that signed up by itself', () => {
  test('adds 20 waypoints and no more, and says when more can be added', async () => {
    const { registry, newcomer, pass } = await joined()
    await adds(registry, newcomer, 20)
    const head = await registry.changes.head()
    expect(await refusal(adding(registry, newcomer))).toEqual(tooMuch(20))
    pass(24 * hour - 1)
    expect(await refusal(adding(registry, newcomer))).toEqual(tooMuch(20, 1))
    expect(await registry.changes.head()).toEqual(head)
    pass(1)
    await adds(registry, newcomer, 5)
    expect(await registry.waypoints.list()).toHaveLength(25)
  })

  test('makes 60 edits, of which those that change nothing are none', async () => {
    const { registry, newcomer } = await joined()
    await adding(registry, token())
    await edits(registry, newcomer, 60)
    expect(await refusal(edits(registry, newcomer, 1))).toEqual(tooMuch(60))
    await registry.waypoints.update(1, { region: 'Region 59' }, newcomer)
    await adding(registry, newcomer)
  })

  test('posts 20 reviews and makes 40 observations, whatever they say', async () => {
    const { registry, newcomer } = await joined()
    await adds(registry, token(), 41)
    const review = () => registry.reviews.create({ bubblerId: 1, rating: 4 }, newcomer)
    for (let each = 0; each < 20; each++) await review()
    expect(await refusal(review())).toEqual(tooMuch(20))
    const observe = (bubblerId: number) =>
      registry.observations.create({ bubblerId, kind: bubblerId % 2 === 0 ? 'dry' : 'works' }, newcomer)
    for (let each = 1; each <= 40; each++) await observe(each)
    expect(await refusal(observe(41))).toEqual(tooMuch(40))
  })

  test.each(['broken', 'dry', 'dirty', 'blocked', 'gone'] as const)(
    'says that a fountain is %s as a passer-by would: beside the log, for no XP, and as a hint',
    async (kind) => {
      const { registry, newcomer, pass } = await joined()
      const second = await signedUp(registry, '2')
      await adding(registry, token())
      const head = await registry.changes.head()
      const see = (actor: Actor, seen: 'works' | typeof kind = kind) =>
        registry.observations.create({ bubblerId: 1, kind: seen, comment: 'Smashed' }, actor)
      const hint = { bubblerId: 1, kind, observedAt: '2026-01-01', near: false }
      for (const actor of [newcomer, newcomer, user(second), userByToken(second)])
        expect(await see(actor)).toEqual(hint)
      expect(await registry.changes.head()).toEqual(head)
      expect(await registry.observations.status(1)).toMatchObject({ state: 'reported' })
      expect((await registry.moderation.queue({ kind: 'reported' }, token())).total).toBe(0)
      expect(await see(newcomer, 'works')).toHaveProperty('id')
      pass(24 * hour)
      for (const actor of [newcomer, user(second)]) expect(await see(actor)).toHaveProperty('observer')
      expect(await registry.observations.status(1)).not.toMatchObject({ state: 'reported' })
    },
  )

  test('has the same limits with a personal token, and none as a moderator', async () => {
    const { registry, newcomer, userId } = await joined()
    for (const actor of [newcomer, userByToken(userId)]) await adds(registry, actor, 10)
    for (const actor of [newcomer, userByToken(userId)])
      expect((await refusal(adding(registry, actor))).code).toBe('RATE_LIMITED')
    await registry.users.setModerator(userId, true)
    await adding(registry, newcomer)
  })

  test('adds no more of fifty at the same time', async () => {
    const { registry, newcomer } = await joined()
    await Promise.allSettled(Array.from({ length: 50 }, () => adding(registry, newcomer)))
    expect(await registry.waypoints.list()).toHaveLength(20)
  })

  test('is named as such in what is held about it', async () => {
    const { registry, userId } = await joined()
    const exported = async (id: string) =>
      JSON.parse((await Array.fromAsync(registry.accounts.export(id))).join('')) as unknown
    expect(await exported(userId)).toMatchObject({ signedUp: true })
    const added = await registry.users.create({ name: 'Bob' })
    expect(await exported(added.id)).toMatchObject({ signedUp: false })
  })
})

test('from one network 20 accounts are made in a day, by all processes together; others and those who have one go on', async () => {
  const database = join(await temporaryFolder(), 'fountains.db')
  let now = start
  const options = { database, durability: 'relaxed', clock: () => new Date(now) } as const
  await using first = await openRegistry(options)
  await using second = await openRegistry(options)
  const from = (id: number, network = '192.0.2.0/24') =>
    signedUp(id % 2 === 0 ? first : second, String(id), network)
  const all = await Promise.allSettled(Array.from({ length: 30 }, (_, id) => from(id)))
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  expect(await refusal(from(30))).toEqual(tooMuch(20))
  await from(0)
  await from(31, '2001:db8:0:ff00::/56')
  const { secret } = await first.accounts.invite({ name: 'Bob' })
  await first.accounts.redeemLink(secret)
  expect(await readFile(database, 'latin1')).not.toContain('192.0.2.0')
  now += 24 * hour
  await from(30)
})

const newcomers = { ...defaultRules.newcomers, creates: 2 }
const rules = { ...defaultRules, earnOnApproval: true, newcomers }

async function earning() {
  const { registry } = await joined({ rules })
  const { id: ada } = await registry.users.create({ name: 'Eve', xp: 100, isModerator: true })
  const { id: mo } = await registry.users.create({ name: 'Mo', isModerator: true })
  await adds(registry, user(ada), 4)
  const xp = async () => (await registry.users.get(ada)).xp
  const approve = (by: string, approved = true, id = 3) =>
    registry.waypoints.update(id, { approved }, user(by))
  return { registry, ada, mo, xp, approve }
}

test('with `earnOnApproval`: what a person adds beyond the first day’s limit earns once somebody else approves or confirms it', async () => {
  const { registry, ada, mo, xp, approve } = await earning()
  const see = (by: string, kind: 'works' | 'dry') =>
    registry.observations.create({ bubblerId: 4, kind }, user(by))
  expect(await xp()).toBe(200)
  await approve(ada)
  for (const by of [ada, await signedUp(registry, '2')]) await see(by, 'works')
  await see(mo, 'dry')
  expect(await xp()).toBe(200)
  await approve(mo, false)
  await approve(mo)
  expect(await xp()).toBe(250)
  await see(mo, 'works')
  expect(await xp()).toBe(300)
  await approve(mo, true, 4)
  await approve(mo, false)
  await approve(mo)
  expect(await xp()).toBe(300)
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('with `earnOnApproval`: an undone approval takes it back, and what tokens write earns at once', async () => {
  const { registry, ada, mo, xp, approve } = await earning()
  await approve(mo)
  await registry.changes.revert((await registry.changes.head()).id, { reason: 'too early' }, user(mo))
  expect(await xp()).toBe(200)
  await adding(registry, token(ada))
  expect(await xp()).toBe(250)
})

test('invited people, those whom the operator or a host made, and API tokens have no limit', async () => {
  const { registry, userId: newcomer } = await joined()
  const { secret } = await registry.accounts.invite({ name: 'Bob' })
  const { userId } = await registry.accounts.redeemLink(secret)
  const { id: made } = await registry.users.create({ name: 'Mia' })
  const { id: ensured } = await registry.users.ensure({ externalId: 'c', name: 'Cy' })
  for (const id of [userId, made, ensured]) {
    await registry.users.grantXp(id, 100, 'for the test')
    await adds(registry, user(id), 21)
  }
  await adds(registry, token(newcomer), 21)
})

test('the limits of newcomers are those of the rules, can be switched off, and are none in rules that are older', async () => {
  const newcomers = { ...defaultRules.newcomers, hours: 2, creates: 1, edits: 0 }
  const strict = await joined({ rules: { ...defaultRules, newcomers } })
  await adding(strict.registry, strict.newcomer)
  expect(await refusal(adding(strict.registry, strict.newcomer))).toEqual(tooMuch(1, 7200, 7200))
  expect(await refusal(edits(strict.registry, strict.newcomer, 1))).toMatchObject({ details: { limit: 0 } })
  strict.pass(2 * hour)
  await adding(strict.registry, strict.newcomer)
  const { newcomers: _none, ...older } = defaultRules
  for (const rules of [{ ...defaultRules, newcomers: false as const }, older as typeof defaultRules]) {
    const free = await joined({ rules })
    await adds(free.registry, free.newcomer, 21)
  }
})
