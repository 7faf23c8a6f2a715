import { expect, expectTypeOf, test } from 'vitest'
import { defaultRules, openRegistry, user, type RegistryOptions, type Rules } from '@openfountain/core'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'

type Undefinable<Options> = { [Name in keyof Options]?: Options[Name] | undefined }

test('an option that may be absent may be undefined', () => {
  expectTypeOf<Undefinable<RegistryOptions> & { database: string }>().toExtend<RegistryOptions>()
})

test('an option that there is not is refused before anything is opened', async () => {
  const options = { database: ':memory:', licence: 'ODbL-1.0' } as unknown as RegistryOptions
  expect(await refusal(openRegistry(options))).toMatchObject({
    code: 'INVALID_INPUT',
    details: { issues: [{ path: 'licence', message: expect.stringContaining('license') }] },
  })
})

test.each<[string, object, string]>([
  ['nothing but XP', { xp: {} }, 'rules.gates'],
  ['no gates', { ...defaultRules, gates: undefined }, 'rules.gates'],
  [
    'a gate too few',
    { ...defaultRules, gates: { createWaypoint: 1, editWaypoint: 1 } },
    'rules.gates.postReview',
  ],
  ['XP that is no number', { ...defaultRules, xp: { postReview: '5' } }, 'rules.xp.postReview'],
  ['XP below 0', { ...defaultRules, xp: { postReview: -5 } }, 'rules.xp.postReview'],
  ['an event that there is not', { ...defaultRules, xp: { postRewiev: 5 } }, 'rules.xp.postRewiev'],
  [
    'levels that do not ascend',
    { ...defaultRules, levels: { starts: [0, 9, 9], thenEvery: 5 } },
    'rules.levels.starts',
  ],
  [
    'levels that begin too late',
    { ...defaultRules, levels: { starts: [5], thenEvery: 5 } },
    'rules.levels.starts',
  ],
  [
    'levels without an end',
    { ...defaultRules, levels: { starts: [0], thenEvery: 0 } },
    'rules.levels.thenEvery',
  ],
  [
    'a word for a truth',
    { ...defaultRules, reviews: { onePerWaypoint: 'no' } },
    'rules.reviews.onePerWaypoint',
  ],
  ['half a limit', { ...defaultRules, newcomers: { creates: 0.5 } }, 'rules.newcomers.creates'],
  ['a rule that there is not', { ...defaultRules, newcomer: false }, 'rules.newcomer'],
  ['a list', [], 'rules'],
])('rules with %s are refused when the registry is opened, by name', async (_what, rules, path) => {
  const opening = openRegistry({ database: ':memory:', rules: rules as Rules })
  expect(await refusal(opening)).toMatchObject({
    code: 'INVALID_INPUT',
    details: { issues: [{ path: path === 'rules' ? expect.stringMatching(/^rules/u) : path }] },
  })
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

test('reviews are read in pages', async () => {
  const registry = await emptyRegistry()
  const { id } = await registry.users.create({ name: 'Ada' })
  const { id: bubblerId } = await placed(registry)
  for (const rating of [1, 2, 3, 4]) await registry.reviews.create({ bubblerId, rating }, user(id))
  const ratings = async (page: object) => (await registry.reviews.list(page)).map(({ rating }) => rating)
  expect(await ratings({ limit: 2 })).toEqual([1, 2])
  expect(await ratings({ bubblerId, limit: 2, after: 2 })).toEqual([3, 4])
  expect(await ratings({ userId: id, after: 3 })).toEqual([4])
  expect(await ratings({})).toEqual([1, 2, 3, 4])
})
