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
import { emptyRegistry, temporaryFolder } from '@openfountain/testing/registry'

const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }
const start = Date.parse('2026-01-01T00:00:00.000Z')
const hour = 60 * 60 * 1000

/** A registry whose clock stands until it is set, with somebody who has just signed up and may do everything. */
async function joined(options: Partial<RegistryOptions> = {}) {
  let now = start
  const registry = await emptyRegistry({ ...options, clock: () => new Date(now) })
  const newcomer = await signedUp(registry)
  return {
    registry,
    newcomer,
    pass: (milliseconds: number): void => {
      now += milliseconds
    },
  }
}

async function signedUp(registry: Registry, id = '1', network?: string): Promise<Actor> {
  const way = { key: `https://id.example ${id}`, provider: 'example', label: 'Ada there' }
  const { userId } = await registry.accounts.signIn(way, { name: 'Ada', registration: 'open', network })
  await registry.users.grantXp(userId, 100, 'for the test')
  return user(userId)
}

const refusal = async (made: Promise<unknown>): Promise<unknown> => made.catch((error: unknown) => error)

const adding = (registry: Registry, actor: Actor) => registry.waypoints.create(square, actor)

async function adds(registry: Registry, actor: Actor, times: number): Promise<void> {
  for (let each = 0; each < times; each++) await adding(registry, actor)
}

async function edits(registry: Registry, actor: Actor, times: number): Promise<void> {
  for (let each = 0; each < times; each++)
    await registry.waypoints.update(1, { region: `Region ${each}` }, actor)
}

const tooMuch = (limit: number, retryAfterSeconds: number) => ({
  code: 'RATE_LIMITED',
  details: { limit, windowSeconds: 86_400, retryAfterSeconds },
})

describe('in its first 24 hours an account that signed up by itself', () => {
  test('adds 20 waypoints and no more, and says when more can be added', async () => {
    const { registry, newcomer, pass } = await joined()
    await adds(registry, newcomer, 20)
    const head = await registry.changes.head()
    expect(await refusal(adding(registry, newcomer))).toMatchObject(tooMuch(20, 86_400))
    pass(24 * hour - 1)
    expect(await refusal(adding(registry, newcomer))).toMatchObject(tooMuch(20, 1))
    expect(await registry.changes.head()).toEqual(head)
    pass(1)
    await adds(registry, newcomer, 5)
    expect(await registry.waypoints.list()).toHaveLength(25)
  })

  test('makes 60 edits, of which those that change nothing are none', async () => {
    const { registry, newcomer } = await joined()
    await adding(registry, token())
    await edits(registry, newcomer, 60)
    expect(await refusal(edits(registry, newcomer, 1))).toMatchObject(tooMuch(60, 86_400))
    await registry.waypoints.update(1, { region: 'Region 59' }, newcomer)
    await adding(registry, newcomer)
  })

  test('posts 20 reviews and makes 40 observations, whatever they say', async () => {
    const { registry, newcomer } = await joined()
    await adds(registry, token(), 41)
    const review = () => registry.reviews.create({ bubblerId: 1, rating: 4 }, newcomer)
    for (let each = 0; each < 20; each++) await review()
    expect(await refusal(review())).toMatchObject(tooMuch(20, 86_400))
    const observe = (bubblerId: number) =>
      registry.observations.create({ bubblerId, kind: bubblerId % 2 === 0 ? 'dry' : 'works' }, newcomer)
    for (let each = 1; each <= 40; each++) await observe(each)
    expect(await refusal(observe(41))).toMatchObject(tooMuch(40, 86_400))
  })

  test.each(['broken', 'dry', 'dirty', 'blocked', 'gone'] as const)(
    'says that a fountain is %s as a passer-by would: beside the log, for no XP, and as a hint',
    async (kind) => {
      const { registry, newcomer, pass } = await joined()
      const second = await signedUp(registry, '2')
      await adding(registry, token())
      const head = await registry.changes.head()
      const given = { bubblerId: 1, kind, comment: 'Smashed' }
      for (const actor of [newcomer, newcomer, second, userByToken((second as { userId: string }).userId)])
        expect(await registry.observations.create(given, actor)).toEqual({
          bubblerId: 1,
          kind,
          observedAt: '2026-01-01',
          near: false,
        })
      expect(await registry.changes.head()).toEqual(head)
      expect(await registry.observations.status(1)).toMatchObject({ state: 'reported' })
      expect((await registry.moderation.queue({ kind: 'reported' }, token())).total).toBe(0)
      expect(await registry.observations.create({ bubblerId: 1, kind: 'works' }, newcomer)).toHaveProperty(
        'id',
      )
      pass(24 * hour)
      for (const actor of [newcomer, second])
        expect(await registry.observations.create(given, actor)).toHaveProperty('observer')
      expect(await registry.observations.status(1)).not.toMatchObject({ state: 'reported' })
    },
  )

  test('has the same limits with a personal token, and none as a moderator', async () => {
    const { registry, newcomer } = await joined()
    const { userId } = newcomer as { userId: string }
    await adds(registry, newcomer, 10)
    await adds(registry, userByToken(userId), 10)
    for (const actor of [newcomer, userByToken(userId)])
      expect(await refusal(adding(registry, actor))).toMatchObject({ code: 'RATE_LIMITED' })
    await registry.users.setModerator(userId, true)
    await adding(registry, newcomer)
  })

  test('adds no more of fifty at the same time', async () => {
    const { registry, newcomer } = await joined()
    const all = await Promise.allSettled(Array.from({ length: 50 }, () => adding(registry, newcomer)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await registry.waypoints.list()).toHaveLength(20)
  })

  test('is named as such in what is held about it', async () => {
    const { registry, newcomer } = await joined()
    const { userId } = newcomer as { userId: string }
    const exported = async () => (await Array.fromAsync(registry.accounts.export(userId))).join('')
    expect(JSON.parse(await exported())).toMatchObject({ signedUp: true })
    const added = await registry.users.create({ name: 'Bob' })
    const other = (await Array.fromAsync(registry.accounts.export(added.id))).join('')
    expect(JSON.parse(other)).toMatchObject({ signedUp: false })
  })
})

describe('from one network', () => {
  test('20 accounts are made in a day, by all processes together; others and those who have one go on', async () => {
    const database = join(await temporaryFolder(), 'fountains.db')
    let now = start
    const options = { database, durability: 'relaxed', clock: () => new Date(now) } as const
    const both = [await openRegistry(options), await openRegistry(options)] as const
    const [first] = both
    const from = (id: number, network = '192.0.2.0/24') =>
      signedUp(both[id % 2 === 0 ? 0 : 1], String(id), network)
    const all = await Promise.allSettled(Array.from({ length: 30 }, (_, id) => from(id)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect(await refusal(from(30))).toMatchObject(tooMuch(20, 86_400))
    await from(0)
    await from(31, '2001:db8:0:ff00::/56')
    const { secret } = await first.accounts.invite({ name: 'Bob' })
    await first.accounts.redeemLink(secret)
    expect(JSON.stringify(await readFile(database, 'latin1'))).not.toContain('192.0.2.0')
    now += 24 * hour
    await from(30)
    for (const registry of both) await registry.close()
  })
})

describe('with `earnOnApproval`', () => {
  const rules = {
    ...defaultRules,
    earnOnApproval: true,
    newcomers: { ...defaultRules.newcomers, creates: 2 },
  }

  async function earning() {
    const { registry } = await joined({ rules })
    const { id: ada } = await registry.users.create({ name: 'Eve', xp: 100, isModerator: true })
    const { id: mo } = await registry.users.create({ name: 'Mo', isModerator: true })
    await adds(registry, user(ada), 4)
    const xp = async () => (await registry.users.get(ada)).xp
    return { registry, ada: user(ada), mo: user(mo), xp }
  }

  test('what a person adds beyond the first day’s limit earns once somebody else approves or confirms it', async () => {
    const { registry, ada, mo, xp } = await earning()
    expect(await xp()).toBe(200)
    await registry.waypoints.update(3, { approved: true }, ada)
    await registry.observations.create({ bubblerId: 4, kind: 'works' }, ada)
    await registry.observations.create({ bubblerId: 4, kind: 'works' }, await signedUp(registry, '2'))
    await registry.observations.create({ bubblerId: 4, kind: 'dry' }, mo)
    expect(await xp()).toBe(200)
    await registry.waypoints.update(3, { approved: false }, mo)
    await registry.waypoints.update(3, { approved: true }, mo)
    expect(await xp()).toBe(250)
    await registry.observations.create({ bubblerId: 4, kind: 'works' }, mo)
    expect(await xp()).toBe(300)
    await registry.waypoints.update(4, { approved: true }, mo)
    await registry.waypoints.update(3, { approved: false }, mo)
    await registry.waypoints.update(3, { approved: true }, mo)
    expect(await xp()).toBe(300)
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('an undone approval takes it back, and what tokens write earns at once', async () => {
    const { registry, ada, mo, xp } = await earning()
    await registry.waypoints.update(3, { approved: true }, mo)
    await registry.changes.revert((await registry.changes.head()).id, { reason: 'too early' }, mo)
    expect(await xp()).toBe(200)
    await adding(registry, token((ada as { userId: string }).userId))
    expect(await xp()).toBe(250)
  })
})

test('invited people, those whom the operator or a host made, and API tokens have no limit', async () => {
  const { registry, newcomer } = await joined()
  const { secret } = await registry.accounts.invite({ name: 'Bob' })
  const { userId } = await registry.accounts.redeemLink(secret)
  const { id: made } = await registry.users.create({ name: 'Mia' })
  const { id: ensured } = await registry.users.ensure({ externalId: 'c', name: 'Cy' })
  for (const id of [userId, made, ensured]) {
    await registry.users.grantXp(id, 100, 'for the test')
    await adds(registry, user(id), 21)
  }
  await adds(registry, token((newcomer as { userId: string }).userId), 21)
})

describe('the limits of newcomers', () => {
  test('are those of the rules, and can be switched off', async () => {
    const strict = await joined({
      rules: { ...defaultRules, newcomers: { ...defaultRules.newcomers, hours: 2, creates: 1, edits: 0 } },
    })
    await adding(strict.registry, strict.newcomer)
    const refused = { code: 'RATE_LIMITED', details: { limit: 1, windowSeconds: 7200 } }
    expect(await refusal(adding(strict.registry, strict.newcomer))).toMatchObject(refused)
    expect(await refusal(edits(strict.registry, strict.newcomer, 1))).toMatchObject({ details: { limit: 0 } })
    strict.pass(2 * hour)
    await adding(strict.registry, strict.newcomer)
    const free = await joined({ rules: { ...defaultRules, newcomers: false } })
    await adds(free.registry, free.newcomer, 25)
  })

  test('are none in rules that are older than they', async () => {
    const { newcomers: _none, ...older } = defaultRules
    const { registry, newcomer } = await joined({ rules: older as typeof defaultRules })
    await adds(registry, newcomer, 25)
  })
})
