import { token, user, type RegistryOptions } from '@openfountain/core'
import { following } from '@openfountain/core/rules'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import { emptyRegistry, placed, square } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const sender = new Sender({ key: () => 'k'.repeat(32) })

async function stage(options: Partial<RegistryOptions> = {}) {
  const registry = await emptyRegistry(options)
  const person = async (name: string, isModerator = false) =>
    (await registry.users.create({ name, isModerator, xp: 100 })).id
  const telling = () =>
    new Deliveries(registry, sender, { onFailure: (error) => expect(error).toBeUndefined() })
  const deliveries = telling()
  const tell = () => deliveries.tellFollowers()
  const told = async (id: string) => (await registry.follows.notifications(id)).notifications
  const eventsFor = async (id: string) =>
    (await told(id)).map(({ event, bubblerId }) => `${event} ${bubblerId}`)
  const people = { ada: await person('Ada'), ben: await person('Ben'), mo: await person('Mo', true) }
  await tell()
  return { registry, deliveries, tell, told, eventsFor, telling, person, ...people }
}

test('everybody is told of what others do to the fountains that they added or edited, from the start', async () => {
  const { registry, tell, told, eventsFor, ada, ben, mo } = await stage()
  const { id } = await registry.waypoints.create(square, user(ada))
  await registry.waypoints.update(id, { name: 'Harbour' }, user(ben))
  await registry.reviews.create({ bubblerId: id, rating: 4 }, user(ada))
  await registry.observations.create({ bubblerId: id, kind: 'broken' }, user(ben))
  await registry.waypoints.delete(id, user(mo), { reason: 'It was torn down' })
  await tell()
  expect(await eventsFor(ada)).toEqual([`removed ${id}`, `broken ${id}`, `edited ${id}`])
  // Who observed is not in the log, and yet is not told of it.
  expect(await eventsFor(ben)).toEqual([`removed ${id}`, `review ${id}`])
  expect(await eventsFor(mo)).toEqual([])
  expect((await told(ada))[0]).toMatchObject({ by: 'moderator', reason: 'It was torn down', isRemoved: true })
  expect((await told(ada))[0]).not.toHaveProperty('byName')
  expect((await told(ada))[2]).toMatchObject({ by: 'person', byName: 'Ben' })
  expect((await told(ada))[1]).toMatchObject({ by: 'observer' })
  const ids = [...(await told(ada)), ...(await told(ben))].map((each) => [each.id, each.entryId])
  expect(new Set(ids.map(([own]) => own)).size).toBe(new Set(ids.map(([, entry]) => entry)).size)
})

test('areas, regions, maintainers, sources and single fountains can be followed, and events chosen', async () => {
  const { registry, tell, eventsFor, ada } = await stage()
  const here = await placed(registry, { maintainer: 'Stadt' })
  const there = await placed(registry, { latitude: 60 })
  const { latitude, longitude } = here
  const whats = [
    { bubblerId: here.id },
    { bbox: [longitude - 1, latitude - 1, longitude + 1, latitude + 1] as [number, number, number, number] },
    { near: { latitude, longitude }, radius: 500 },
    { maintainer: 'Stadt' },
  ]
  await tell()
  for (const what of whats) {
    const { id } = await registry.follows.create(ada, { what, events: ['edited'] })
    const edited = await registry.waypoints.update(here.id, { description: JSON.stringify(what) }, token())
    await registry.waypoints.update(there.id, { description: JSON.stringify(what) }, token())
    await registry.waypoints.update(here.id, { latitude: latitude + 0.0001 }, token())
    await registry.waypoints.update(here.id, { latitude }, token())
    await tell()
    expect(await eventsFor(ada), JSON.stringify(what)).toEqual([`edited ${edited.id}`])
    await registry.follows.delete(ada, id)
    expect(await eventsFor(ada)).toEqual([])
  }
})

test('two follows tell an event once, and what was read is counted', async () => {
  const { registry, tell, told, ada } = await stage()
  const { id } = await placed(registry, { maintainer: 'Stadt' })
  await registry.follows.create(ada, { what: { bubblerId: id } })
  await registry.follows.create(ada, { what: { maintainer: 'Stadt' } })
  for (const name of ['One', 'Two', 'Three']) await registry.waypoints.update(id, { name }, token())
  await tell()
  const { notifications, unread } = await registry.follows.notifications(ada)
  expect([notifications.length, unread]).toEqual([3, 3])
  const second = notifications[1]?.entryId ?? 0
  await registry.follows.read(ada, { upTo: second })
  expect((await registry.follows.notifications(ada)).unread).toBe(1)
  expect((await told(ada)).map(({ isRead }) => isRead)).toEqual([false, true, true])
  const page = await registry.follows.notifications(ada, { after: second, limit: 1 })
  expect(page.notifications.map(({ entryId }) => entryId)).toEqual([notifications[2]?.entryId])
  await registry.follows.read(ada, { upTo: 10 ** 9, decisionsTo: '9999-12-31T00:00:00Z' })
  await registry.waypoints.update(id, { name: 'Four' }, token())
  await tell()
  expect((await registry.follows.notifications(ada)).unread).toBe(1)
})

test('who reported something is told what was decided, until it is open again or they leave', async () => {
  const { registry, ada, ben, mo } = await stage()
  const { id } = await placed(registry)
  const reports = [
    await registry.reports.create({ bubblerId: id, reason: 'gone' }, user(ada)),
    await registry.reports.create({ userId: ben, reason: 'offensive', comment: 'Advertises' }, user(ada)),
  ]
  expect(await registry.follows.notifications(ada)).toEqual({ notifications: [], reports: [], unread: 0 })
  const [first = 0, second = 0] = reports
  await registry.reports.decide(first, { state: 'done', note: 'For moderators' }, user(mo))
  const told = async () => registry.follows.notifications(ada)
  expect(await told()).toMatchObject({ reports: [{ id: first, bubblerId: id, state: 'done' }], unread: 1 })
  expect(JSON.stringify(await told())).not.toContain('For moderators')
  await registry.follows.read(ada, { decisionsTo: (await told()).reports[0]?.decidedAt })
  expect(await told()).toMatchObject({ reports: [{ isRead: true }], unread: 0 })
  await registry.reports.decide(second, { state: 'dismissed' }, user(mo))
  const states = (await told()).reports.map(({ id: each, state }) => [each, state])
  expect(states).toContainEqual([second, 'dismissed'])
  expect((await registry.follows.notifications(ada, { after: 1 })).reports).toEqual([])
  expect((await registry.follows.notifications(ben)).reports).toEqual([])
  await registry.reports.reopen(second, user(mo))
  expect((await told()).reports).toHaveLength(1)
  await registry.accounts.leave(ada, { confirm: 'Ada', texts: 'keep' })
  expect((await told()).reports).toEqual([])
})

test('whose photo waited is told that it is shown', async () => {
  const { registry, tell, eventsFor, mo } = await stage({ photos: photosInMemory() })
  const { id: eve } = await registry.users.create({ name: 'Eve' })
  const { id } = await placed(registry)
  const photo = await registry.photos.create(id, picture('a'), {}, user(eve))
  await tell()
  expect(await eventsFor(eve)).toEqual([])
  await registry.photos.update(photo.id, { state: 'shown' }, user(mo))
  await tell()
  expect(await eventsFor(eve)).toEqual([`photo ${id}`])
})

test('one thing is followed once, `mine` can be ended and begun again, and there is a limit', async () => {
  const { registry, tell, eventsFor, ada, ben } = await stage()
  const first = await registry.follows.create(ada, { what: { region: 'Skåne' } })
  const again = await registry.follows.create(ada, { what: { region: 'Skåne' }, events: ['broken'] })
  expect(again.id).toBe(first.id)
  expect((await registry.follows.list(ada)).map(({ id, events }) => [id, events])).toEqual([
    ['mine', undefined],
    [first.id, ['broken']],
  ])
  await registry.follows.delete(ada, 'mine')
  const { id } = await registry.waypoints.create(square, user(ada))
  await registry.waypoints.update(id, { name: 'Harbour' }, user(ben))
  await tell()
  expect(await eventsFor(ada)).toEqual([])
  await registry.follows.create(ada, { what: { mine: true } })
  await registry.waypoints.update(id, { name: 'Port' }, user(ben))
  await tell()
  expect(await eventsFor(ada)).toEqual([`edited ${id}`])
  for (let index = 1; index < following.follows; index++)
    await registry.follows.create(ada, { what: { region: `Region ${index}` } })
  await expect(registry.follows.create(ada, { what: { region: 'One more' } })).rejects.toThrow('the most')
  await expect(registry.follows.create(ada, { what: {} })).rejects.toThrow('one thing')
  await expect(registry.follows.create(ada, { what: { region: 'A', source: 'B' } })).rejects.toThrow(
    'one thing',
  )
  await expect(registry.follows.create(ada, { what: { radius: 5, region: 'A' } })).rejects.toThrow('together')
  await expect(registry.follows.delete(ben, first.id)).rejects.toThrow('There is no')
})

test('telling is continued where it ended, by one process at a time, and nothing is told twice', async () => {
  const { registry, deliveries, tell, telling, eventsFor, ada } = await stage()
  const { id } = await placed(registry)
  await registry.follows.create(ada, { what: { bubblerId: id } })
  await deliveries.stop()
  const updates = following.kept + 20
  for (let index = 0; index < updates; index++)
    await registry.waypoints.update(id, { name: `Name ${index}` }, token())
  const other = telling()
  await other.tellFollowers()
  const all = await registry.follows.notifications(ada, { limit: 100 })
  expect(all.notifications).toHaveLength(following.kept)
  await tell()
  await registry.waypoints.update(id, { latitude: 55.71 }, token())
  await other.tellFollowers()
  expect((await eventsFor(ada)).slice(0, 2)).toEqual([`moved ${id}`, `edited ${id}`])
  await other.stop()
})

test('who leaves takes follows along, and has them in the export of their data before', async () => {
  const { registry, tell, ada } = await stage()
  const { id } = await placed(registry)
  await registry.follows.create(ada, { what: { bubblerId: id } })
  await registry.waypoints.update(id, { name: 'Harbour' }, token())
  await tell()
  let text = ''
  for await (const part of registry.accounts.export(ada)) text += part
  const { follows } = JSON.parse(text) as { follows: { what: object; told: number[] }[] }
  expect(follows.map(({ what, told }) => [what, told.length])).toEqual([[{ bubblerId: id }, 1]])
  await registry.accounts.leave(ada, { confirm: 'Ada', texts: 'keep' })
  await registry.waypoints.update(id, { name: 'Port' }, token())
  await tell()
  expect((await registry.follows.notifications(ada)).notifications).toEqual([])
  await expect(registry.follows.create(ada, { what: { bubblerId: id } })).rejects.toThrow('There is no')
})
