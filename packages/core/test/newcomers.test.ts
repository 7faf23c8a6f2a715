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

async function signedUp(registry: Registry): Promise<Actor> {
  const way = { key: 'https://id.example 1', provider: 'example', label: 'Ada there' }
  const { userId } = await registry.accounts.signIn(way, { name: 'Ada', registration: 'open' })
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

  test('reviews as it likes, which counts as neither', async () => {
    const { registry, newcomer } = await joined()
    await adding(registry, token())
    for (let each = 0; each < 30; each++) await registry.reviews.create({ bubblerId: 1, rating: 4 }, newcomer)
    await adds(registry, newcomer, 20)
    expect(await refusal(adding(registry, newcomer))).toMatchObject({ code: 'RATE_LIMITED' })
    await registry.reviews.create({ bubblerId: 1, rating: 5 }, newcomer)
  })

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

  test('adds no more at two processes', async () => {
    const database = join(await temporaryFolder(), 'fountains.db')
    const options = { database, durability: 'relaxed', clock: () => new Date(start) } as const
    const both = [await openRegistry(options), await openRegistry(options)] as const
    const newcomer = await signedUp(both[0])
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, (_, each) => adding(both[each % 2 === 0 ? 0 : 1], newcomer)),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    for (const registry of both) await registry.close()
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

describe('has no limit: an account', () => {
  test('that was invited', async () => {
    const { registry } = await joined()
    const { secret } = await registry.accounts.invite({ name: 'Bob' })
    const { userId } = await registry.accounts.redeemLink(secret)
    await registry.users.grantXp(userId, 100, 'for the test')
    await adds(registry, user(userId), 25)
  })

  test('that the operator made, or a host with accounts of its own', async () => {
    const { registry } = await joined()
    const made = await registry.users.create({ name: 'Bob', xp: 100 })
    const ensured = await registry.users.ensure({ externalId: 'c', name: 'Cy' })
    await registry.users.grantXp(ensured.id, 100, 'for the test')
    for (const { id } of [made, ensured]) await adds(registry, user(id), 25)
  })

  test('for which an API token writes', async () => {
    const { registry, newcomer } = await joined()
    await adds(registry, token((newcomer as { userId: string }).userId), 25)
  })
})

describe('the limits of newcomers', () => {
  test('are those of the rules, and can be switched off', async () => {
    const strict = await joined({
      rules: { ...defaultRules, newcomers: { hours: 2, creates: 1, edits: 0, observations: 1 } },
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

  test.each([-1, 1.5, Number.NaN])('cannot be %j', async (creates) => {
    const rules = { ...defaultRules, newcomers: { hours: 24, creates, edits: 60, observations: 60 } }
    expect(await refusal(openRegistry({ database: ':memory:', rules }))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'rules.newcomers.creates' }] },
    })
  })
})
