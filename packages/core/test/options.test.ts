import {
  defaultRules,
  openRegistry,
  token,
  user,
  type Registry,
  type RegistryOptions,
  type Rules,
} from '@openfountain/core'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { served } from '../src/served.ts'

test('an option that there is not is refused before anything is opened', async () => {
  const options = { database: ':memory:', licence: 'ODbL-1.0' } as unknown as RegistryOptions
  expect(await refusal(openRegistry(options))).toMatchObject({
    code: 'INVALID_INPUT',
    details: { issues: [{ path: 'licence', message: expect.stringContaining('license') }] },
  })
})

test.each([[], ['fountains.db'], [null], [{}], [{ license: 'CC0-1.0' }]])(
  'opening with %j says what to write',
  async (...given: unknown[]) => {
    const opening = (openRegistry as (...options: unknown[]) => Promise<Registry>)(...given)
    await expect(opening).rejects.toThrow("openRegistry({ database: 'fountains.db' })")
    expect((await refusal(opening)).code).toBe('INVALID_INPUT')
  },
)

test('options that are misspelt or misplaced are refused by name, in every noun', async () => {
  const registry = await emptyRegistry()
  const { id } = await registry.users.create({ name: 'Ada', xp: 20 })
  await placed(registry)
  const { waypoints, users, reviews, observations, changes, sources, imports, accounts } = registry
  const given = <Options>(options: object) => options as Options
  const near = { latitude: 1, longitude: 2 }
  const attempts: readonly (readonly [path: string, () => Promise<unknown>])[] = [
    ['radius', () => waypoints.list(given({ near, radius: 5 }))],
    ['near.limit', () => waypoints.list({ near: given({ ...near, limit: 5 }) })],
    ['nmae', () => waypoints.update(1, given({ nmae: 'x' }), token())],
    ['version', () => waypoints.update(1, { name: 'x' }, token(), given({ version: 1 }))],
    ['near', () => waypoints.create({ ...near, name: 'x' }, token(), given({ near: 5 }))],
    ['motive', () => waypoints.delete(1, token(), given({ motive: 'x' }))],
    ['includes', () => waypoints.get(1, given({ includes: 'rating' }))],
    ['page', () => users.list(given({ page: 2 }))],
    ['isModerator', () => users.update(id, given({ isModerator: true }))],
    ['stars', () => reviews.create(given({ bubblerId: 1, rating: 5, stars: 5 }), user(id))],
    ['motive', () => reviews.delete(1, token(), given({ motive: 'x' }))],
    ['at', () => observations.create(given({ bubblerId: 1, kind: 'works', at: 1 }), token())],
    ['user', () => changes.list(given({ user: id }))],
    ['dry', () => changes.revert(1, given({ reason: 'x', dry: true }), token())],
    ['licence', () => sources.ensure(given({ name: 'City', license: 'CC0-1.0', licence: 'CC0-1.0' }))],
    ['dry', () => imports.undo(given({ dry: true }))],
    ['days', () => accounts.invite(given({ days: 2 }))],
    ['from', () => registry.follow(given({ from: 0 })).next()],
  ]
  for (const [path, attempt] of attempts)
    expect(await refusal(attempt())).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [expect.objectContaining({ path })] },
    })
  await expect(waypoints.list(given({ near, radius: 5 }))).rejects.toThrow('radius belongs inside near')
  await expect(users.update(id, given({ nmae: 'x' }))).rejects.toThrow(
    'nmae is unknown: there are name, email',
  )
})

test('a registry that was closed, as at the end of a block that uses it, refuses what it is asked', async () => {
  const registry = await emptyRegistry()
  await placed(registry)
  const { waypoints, users, changes, imports, tables, tokens, database } = registry
  const stream = changes.since(0)
  await registry[Symbol.asyncDispose]()
  const calls: readonly (() => Promise<unknown>)[] = [
    () => waypoints.get(1),
    () => waypoints.list(),
    () => waypoints.list({ near: { latitude: 1, longitude: 2 } }),
    () => waypoints.search({ q: 'market' }),
    () => served(registry).waypoints().next(),
    () => placed(registry),
    () => users.create({ name: 'Ada' }),
    () => users.leaderboard(),
    () => changes.verify(),
    () => changes.scrub(),
    () => stream.next(),
    () => imports.merge(),
    () => imports.list(),
    () => tokens.resolve('oft_x'),
    () => registry.mirror.follow([]),
    () => registry.follow().next(),
    () => registry.snapshot(),
    () => registry.backup(path.join(tmpdir(), 'never.db')),
    () => registry.statistics(),
    async () => registry.on('entry', () => undefined),
    () =>
      database === ':memory:'
        ? tables.transaction({ sqlite: () => undefined })
        : tables.transaction({ postgres: async () => undefined }),
  ]
  for (const call of calls) expect((await refusal(call())).code, String(call)).toBe('REGISTRY_CLOSED')
})

test.each<[string, object, string]>([
  ['no gates', { gates: undefined }, 'rules.gates'],
  ['a gate too few', { gates: { createWaypoint: 1, editWaypoint: 1 } }, 'rules.gates.postReview'],
  ['XP that is no number', { xp: { postReview: '5' } }, 'rules.xp.postReview'],
  ['XP below 0', { xp: { postReview: -5 } }, 'rules.xp.postReview'],
  ['an event that there is not', { xp: { postRewiev: 5 } }, 'rules.xp.postRewiev'],
  ['levels that do not ascend', { levels: { starts: [0, 9, 9], thenEvery: 5 } }, 'rules.levels.starts'],
  ['levels that begin too late', { levels: { starts: [5], thenEvery: 5 } }, 'rules.levels.starts'],
  ['levels without an end', { levels: { starts: [0], thenEvery: 0 } }, 'rules.levels.thenEvery'],
  ['a word for a truth', { reviews: { onePerWaypoint: 'no' } }, 'rules.reviews.onePerWaypoint'],
  ['half a limit', { newcomers: { creates: 0.5 } }, 'rules.newcomers.creates'],
  ['a limit below 0', { newcomers: { creates: -1 } }, 'rules.newcomers.creates'],
  ['a rule that there is not', { newcomer: false }, 'rules.newcomer'],
])('rules with %s are refused when the registry is opened, by name', async (_what, rules, path) => {
  const opening = openRegistry({ database: ':memory:', rules: { ...defaultRules, ...rules } as Rules })
  expect(await refusal(opening)).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ path }] } })
  for (const given of [[], { xp: {} }])
    expect((await refusal(openRegistry({ database: ':memory:', rules: given as never }))).code).toBe(
      'INVALID_INPUT',
    )
})

test('a list has a page of a thousand when it is not told how many', async () => {
  const registry = await emptyRegistry()
  const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' } })
  for (const from of [0, 500, 1000])
    await run.apply(
      Array.from({ length: from === 1000 ? 3 : 500 }, (_, index) => ({
        row: from + index,
        ref: String(from + index),
        input: { name: `n${from + index}`, latitude: (from + index) / 50, longitude: 0 },
      })),
    )
  expect(await registry.waypoints.list()).toHaveLength(1000)
  expect(await registry.waypoints.list({ near: { latitude: 0, longitude: 0 } })).toHaveLength(1000)
  expect(await registry.waypoints.list({ limit: undefined, after: 1000 })).toHaveLength(3)
  expect(await registry.waypoints.list({ limit: 1001 })).toHaveLength(1001)
  expect(await Array.fromAsync(registry.waypoints.each())).toHaveLength(1003)
})
