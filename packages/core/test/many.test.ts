import { token, user } from '@openfountain/core'
import { imported, row } from '@openfountain/testing/imported'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'

test('all that match are changed as one act, which is undone as one', async () => {
  const registry = await emptyRegistry()
  const mo = user((await registry.users.create({ name: 'Mo', isModerator: true, xp: 50 })).id)
  const ada = user((await registry.users.create({ name: 'Ada', xp: 50 })).id)
  await imported(registry, [row('1', 'One', { amenities: ['bench'] }), row('2', 'Two'), row('3', 'Three')])
  const { id: own } = await registry.waypoints.create({ name: 'Own', latitude: 1, longitude: 1 }, ada)
  const { xp } = await registry.users.get(ada.userId)
  const where = { source: 'City' }
  const [city] = await registry.sources.list()
  where.source = city?.name ?? ''
  const set = { season: '04-15/10-31', verified: true, addAmenities: ['shower'], removeAmenities: ['bench'] }
  const dry = await registry.waypoints.updateMany({ where, set, dryRun: true }, mo)
  expect(dry).toEqual({ changed: [1, 2, 3], matched: 3 })
  expect((await registry.waypoints.get(1)).season).toBeUndefined()
  const done = await registry.waypoints.updateMany({ where, set, reason: 'The city says so' }, mo)
  expect(done).toEqual({ act: expect.any(Number), changed: [1, 2, 3] })
  expect(await registry.waypoints.get(1)).toMatchObject({
    season: '04-15/10-31',
    verified: true,
    amenities: ['shower'],
  })
  expect((await registry.waypoints.get(own)).season).toBeUndefined()
  expect(await registry.users.get(mo.userId)).toMatchObject({ xp: 50 })
  expect((await registry.moderation.acts()).acts).toMatchObject([
    { id: done.act, kind: 'edited', reason: 'The city says so', entries: { length: 6 } },
  ])
  expect(await registry.waypoints.updateMany({ where, set: { season: '04-15/10-31' } }, mo)).toEqual({
    changed: [],
  })
  const undone = await registry.moderation.undo(done.act ?? 0, { reason: 'A mistake' }, mo)
  expect(undone).toMatchObject({ undone: { length: 6 }, conflicts: [] })
  expect(await registry.waypoints.get(1)).toMatchObject({ verified: false, amenities: ['bench'] })
  expect((await registry.waypoints.get(1)).season).toBeUndefined()
  expect((await registry.users.get(ada.userId)).xp).toBe(xp)
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('a dry run counts those that are so already, and nothing is written where nothing matches', async () => {
  const registry = await emptyRegistry()
  for (const name of ['One', 'Two', 'Three']) await placed(registry, { name })
  const set = { season: '04-15/10-31' }
  await registry.waypoints.updateMany({ where: { ids: [2] }, set }, token())
  const { total } = await registry.changes.list()
  const tried = (where: object) => registry.waypoints.updateMany({ where, set, dryRun: true }, token())
  expect(await tried({ ids: [1, 2, 3, 99] })).toEqual({ changed: [1, 3], matched: 3 })
  expect(await tried({ source: 'Nobody' })).toEqual({ changed: [], matched: 0 })
  const none = { where: { maintainer: 'Nobody' }, set }
  expect(await registry.waypoints.updateMany(none, token())).toEqual({ changed: [] })
  expect((await registry.changes.list()).total).toBe(total)
})

test('an act of more than 500 waypoints is undone as one, and what another changed meanwhile stays', async () => {
  const registry = await emptyRegistry()
  const moderator = async (name: string) =>
    user((await registry.users.create({ name, isModerator: true, xp: 50 })).id)
  const [mo, other] = [await moderator('Mo'), await moderator('Other')]
  await Promise.all(
    Array.from({ length: 600 }, (_, index) =>
      placed(registry, { name: `Well ${index}`, latitude: index / 10 }),
    ),
  )
  const where = { bbox: [-180, -90, 180, 90] as [number, number, number, number] }
  const set = { season: '04-15/10-31', verified: true }
  const { act = 0, changed } = await registry.waypoints.updateMany({ where, set }, mo)
  expect(changed).toHaveLength(600)
  await registry.waypoints.updateMany({ where: { ids: [7] }, set: { season: '05-01/09-30' } }, other)
  const undone = await registry.moderation.undo(act, { reason: 'A mistake' }, mo)
  expect(undone).toMatchObject({ undone: { length: 1199 }, conflicts: [{ fields: ['season'] }] })
  expect(undone.next).toBeUndefined()
  expect(await registry.waypoints.get(7)).toMatchObject({ season: '05-01/09-30', verified: false })
  const [own] = (await registry.moderation.acts({ limit: 1 })).acts
  expect(own).toMatchObject({ kind: 'reverted', entries: { length: 1199 } })
  await registry.moderation.undo(own?.id ?? 0, { reason: 'It was right' }, mo)
  expect(await registry.waypoints.get(8)).toMatchObject({ ...set })
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('many are deleted at once, and come back with the act', async () => {
  const registry = await emptyRegistry()
  for (const name of ['One', 'Two', 'Three']) await placed(registry, { name })
  const { act = 0, changed } = await registry.waypoints.updateMany(
    { where: { ids: [3, 1, 99] }, remove: true, reason: 'Taken down' },
    token(),
  )
  expect(changed).toEqual([1, 3])
  expect((await registry.waypoints.list()).map(({ id }) => id)).toEqual([2])
  await registry.moderation.undo(act, { reason: 'They are there' }, token())
  expect((await registry.waypoints.list()).map(({ id }) => id)).toEqual([1, 2, 3])
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('creators earn what their waypoints earn, and whoever changes many earns nothing', async () => {
  const registry = await emptyRegistry()
  const ada = user((await registry.users.create({ name: 'Ada', xp: 50 })).id)
  await registry.waypoints.create({ name: 'Own', latitude: 1, longitude: 1 }, ada)
  await registry.waypoints.updateMany(
    { where: { ids: [1] }, set: { verified: true, maintainer: 'City' } },
    token(ada.userId),
  )
  expect((await registry.users.get(ada.userId)).xp).toBe(50 + 50 + 25)
})

test('only moderators and tokens that moderate may, for something that is chosen', async () => {
  const registry = await emptyRegistry()
  await placed(registry, { name: 'One' })
  const ada = user((await registry.users.create({ name: 'Ada', xp: 1000 })).id)
  const new_ = user((await registry.users.create({ name: 'Mo', isModerator: true })).id)
  const input = { where: { ids: [1] }, set: { season: '04-15/10-31' } }
  const refused = async (
    given: object,
    actor = token() as Parameters<typeof registry.waypoints.updateMany>[1],
  ) => (await refusal(registry.waypoints.updateMany(given as typeof input, actor))).code
  expect(await refused(input, ada)).toBe('FORBIDDEN')
  expect(await refused(input, token(undefined, 'contribute'))).toBe('FORBIDDEN')
  expect(await refused(input, { kind: 'anonymous' })).toBe('UNAUTHORIZED')
  expect(await refused(input, new_)).toBe('INSUFFICIENT_XP')
  expect(await refused({ ...input, where: {} })).toBe('INVALID_INPUT')
  expect(await refused({ where: { ids: [1] } })).toBe('INVALID_INPUT')
  expect(await refused({ ...input, remove: true })).toBe('INVALID_INPUT')
  expect(await refused({ ...input, set: { season: '13-01/14-01' } })).toBe('INVALID_INPUT')
  expect(await registry.waypoints.get(1)).not.toHaveProperty('season')
  const flags = { where: { ids: [1] }, set: { approved: true } }
  expect(await registry.waypoints.updateMany(flags, new_)).toMatchObject({ changed: [1] })
})
