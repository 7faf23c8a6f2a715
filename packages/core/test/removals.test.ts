import { expect, test } from 'vitest'
import { token, user, type Registry } from '@openfountain/core'
import { emptyRegistry, refusal, square } from '@openfountain/testing/registry'

async function people(registry: Registry) {
  const { id: ada } = await registry.users.create({ name: 'Ada', xp: 100 })
  const { id: bo } = await registry.users.create({ name: 'Bo', xp: 100 })
  const { id: mo } = await registry.users.create({ name: 'Mo', isModerator: true })
  return { ada, bo, mo }
}

test('what others removed of somebody is told to its author alone, newest first, with reason and name; not what they removed, nor what is back', async () => {
  const registry = await emptyRegistry()
  const { waypoints, reviews, users } = registry
  const { ada, bo, mo } = await people(registry)
  const made = async (name: string, by = ada) => (await waypoints.create({ ...square, name }, user(by))).id
  const [joke, back, own, twin, kept] = [
    await made('Joke'),
    await made('Back'),
    await made('Own'),
    await made('Twin'),
    await made('Kept'),
  ]
  const { id: given } = await waypoints.create({ ...square, name: 'Given', addedByUserId: ada }, token())
  const review = await reviews.create({ bubblerId: kept, rating: 1, comment: 'Rude' }, user(ada))
  const mine = await reviews.create({ bubblerId: kept, rating: 2 }, user(ada))
  await waypoints.delete(joke, user(mo), { reason: 'There is none' })
  await waypoints.delete(back, user(mo), { reason: 'A mistake' })
  await waypoints.restore(back, { reason: 'Sorry' }, user(mo))
  await waypoints.delete(own, token())
  await waypoints.merge(twin, { into: kept, reason: 'Here twice' }, user(mo))
  await reviews.delete(review.id, user(mo), { reason: 'Insults' })
  await reviews.delete(mine.id, user(ada))
  await waypoints.delete(given, token())
  const all = await users.removals(ada)
  expect(all).toMatchObject([
    { subject: 'waypoint', id: given, name: 'Given', reason: undefined },
    { subject: 'review', id: review.id, bubblerId: kept, name: 'Kept', reason: 'Insults' },
    { subject: 'waypoint', id: twin, name: 'Twin', reason: 'Here twice', mergedInto: kept },
    { subject: 'waypoint', id: own, bubblerId: own, name: 'Own', reason: undefined },
    { subject: 'waypoint', id: joke, name: 'Joke', reason: 'There is none' },
  ])
  expect(await users.removals(ada, { limit: 2, offset: 1 })).toEqual(all.slice(1, 3))
  expect(await users.removals(bo)).toEqual([])
  expect(await refusal(users.removals(ada, { limit: 101 }))).toMatchObject({ code: 'INVALID_INPUT' })
})

test('what others removed of somebody has neither a reason nor a name that was redacted', async () => {
  const registry = await emptyRegistry()
  const { ada, mo } = await people(registry)
  const { id } = await registry.waypoints.create({ ...square, name: 'Eve Miller, 5 Oak Road' }, user(ada))
  await registry.waypoints.delete(id, user(mo), { reason: 'Private, says Eve Miller' })
  for await (const { id: entry, fields } of registry.changes.since(0)) {
    const names = ['name', 'reason'].filter((name) => JSON.stringify(fields[name])?.includes('Eve'))
    if (names.length > 0) await registry.changes.redact(entry, { fields: names, reason: 'Private' })
  }
  const [removal] = await registry.users.removals(ada)
  expect(removal).toMatchObject({ id, reason: undefined })
  expect(JSON.stringify(removal)).not.toContain('Eve')
})
