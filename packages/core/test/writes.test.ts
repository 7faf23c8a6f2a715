import { expect, test } from 'vitest'
import { token, user } from '@openfountain/core'
import { emptyRegistry, placed, refusal, square } from '@openfountain/testing/registry'

const spring = { name: 'Spring', latitude: 55.71, longitude: 13.2 }

test('several writes are decided in order, over what the earlier ones made, as one act in one commit', async () => {
  const registry = await emptyRegistry()
  const before = await registry.revision()
  const [made, renamed, gone] = await registry.write(
    [
      ['waypoints.create', square],
      ['waypoints.update', 1, { name: 'Old market' }],
      ['waypoints.delete', 1, { reason: 'By mistake' }],
      [
        'areas.create',
        {
          name: 'Park',
          coordinates: [
            [
              [13, 55],
              [14, 55],
              [14, 56],
              [13, 55],
            ],
          ],
        },
      ],
    ],
    token(),
  )
  expect([made.name, renamed.name, gone.name]).toEqual(['Market square', 'Old market', 'Old market'])
  expect(await registry.revision()).toBe(before + 1)
  const entries = await Array.fromAsync(registry.changes.since(0))
  expect(entries.map(({ action, links }) => [action, links.act])).toEqual([
    ['created', 1],
    ['edited', 1],
    ['deleted', 1],
    ['created', 1],
  ])
  expect(new Set(entries.map(({ at }) => at)).size).toBe(1)
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
})

test('one that is refused leaves nothing of the others, and says which it was', async () => {
  const registry = await emptyRegistry()
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 20 })
  await placed(registry)
  const head = await registry.head()
  const heard: number[] = []
  const end = registry.on('entry', ({ id }) => heard.push(id))
  const refused = await refusal(
    registry.write(
      [
        ['waypoints.create', spring],
        ['reviews.create', { bubblerId: 1, rating: 5 }],
        ['waypoints.update', 99, { name: 'Nowhere' }],
      ],
      user('ada'),
    ),
  )
  expect(refused).toMatchObject({ code: 'NOT_FOUND', details: { thing: 'waypoint', id: 99, write: 2 } })
  expect(await registry.head()).toEqual(head)
  expect(await registry.waypoints.list()).toHaveLength(1)
  expect(await registry.waypoints.search({ q: 'Spring' })).toEqual([])
  expect((await registry.users.get('ada')).xp).toBe(20)
  const [well] = await registry.write([['waypoints.create', spring]], user('ada'))
  expect(well.id).toBe(2)
  await expect.poll(() => heard).toEqual([head.id + 1])
  end()
})

test('gates and awards count what the writes before them earned', async () => {
  const registry = await emptyRegistry()
  const { gates, xp } = registry.rules
  const least = gates.createWaypoint
  await registry.users.create({ id: 'bo', name: 'Bo', xp: least - xp.postReview })
  await placed(registry)
  const writes = [
    ['reviews.create', { bubblerId: 1, rating: 4 }],
    ['waypoints.create', spring],
  ] as const
  expect(await refusal(registry.write(writes.toReversed(), user('bo')))).toMatchObject({
    code: 'INSUFFICIENT_XP',
  })
  await registry.write(writes, user('bo'))
  expect((await registry.users.get('bo')).xp).toBe(least + xp.createWaypoint)
})

test('an act of several writes is undone as one', async () => {
  const registry = await emptyRegistry()
  const [one, two] = [await placed(registry), await placed(registry)]
  await registry.write(
    [
      ['waypoints.update', one.id, { region: 'Lund' }],
      ['waypoints.delete', two.id],
    ],
    token(),
  )
  await registry.moderation.undo(3, { reason: 'Too early' }, token())
  const found = await registry.waypoints.list()
  expect(found.map(({ id, region }) => [id, region])).toEqual([
    [one.id, undefined],
    [two.id, undefined],
  ])
})

test('writes that come at the same time do not stand among the parts of an act', async () => {
  const registry = await emptyRegistry()
  await Promise.all([
    placed(registry),
    registry.write(
      [
        ['waypoints.create', spring],
        ['waypoints.create', { ...spring, latitude: 56 }],
      ],
      token(),
    ),
    placed(registry),
  ])
  const acts = (await Array.fromAsync(registry.changes.since(0))).map(({ links }) => links.act)
  expect(acts.filter((act) => act !== undefined)).toHaveLength(2)
  expect(acts.lastIndexOf(acts.find((act) => act !== undefined)) - acts.findIndex(Boolean)).toBe(1)
})

test.each([
  ['no list', 'waypoints.create'],
  ['a method that there is not', [['users.create', { name: 'Eve' }]]],
  ['functions', [['waypoints.create', { ...square, name: () => 'Mine' }]]],
  ['more than 500', Array.from({ length: 501 }, () => ['waypoints.delete', 1])],
])('%s is refused, and nothing is written', async (_, writes) => {
  const registry = await emptyRegistry()
  await placed(registry)
  expect(await refusal(registry.write(writes as never, token()))).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await registry.head()).toMatchObject({ id: 1 })
})
