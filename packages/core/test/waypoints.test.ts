import { expect, test } from 'vitest'
import { token, user, type Actor, type WaypointFilterInput, type WaypointInput } from '@openfountain/core'
import type { TokenActor } from '@openfountain/core/internal'
import { emptyRegistry, newestOn, placed, refusal, square } from '@openfountain/testing/registry'

test.each<[unknown]>([
  [undefined],
  [null],
  [{}],
  ['ada'],
  [{ kind: 'admin' }],
  [{ kind: 'user' }],
  [{ kind: 'user', userId: null }],
  [{ kind: 'user', userId: '' }],
  [{ kind: 'user', userId: 'ada', through: 'session' }],
  [{ kind: 'user', userId: 'api' }],
  [{ kind: 'user', userId: 'observer' }],
  [{ kind: 'token', ownerId: null }],
  [{ kind: 'token', ownerId: 'observer' }],
  [{ kind: 'token', scope: 'root' }],
])('specification 4.1: what is no actor writes nothing: %j', async (given) => {
  const registry = await emptyRegistry()
  await registry.users.create({ name: 'Ada', id: 'ada', xp: 20 })
  await placed(registry)
  const { id: head } = await registry.head()
  const actor = given as Actor
  const source = { name: 'City', license: 'CC0-1.0' }
  for (const attempt of [
    () => registry.waypoints.create(square, actor),
    () => registry.waypoints.update(1, { name: 'Mine' }, actor),
    () => registry.waypoints.delete(1, actor),
    () => registry.reviews.create({ bubblerId: 1, rating: 5 }, actor),
    () => registry.observations.create({ bubblerId: 1, kind: 'works' }, actor, { network: '192.0.2.0/24' }),
    () => registry.reports.create({ bubblerId: 1, reason: 'wrong' }, actor, { network: '192.0.2.0/24' }),
    () => registry.users.block('ada', { reason: 'x' }, actor),
    () => registry.moderation.queue({ kind: 'reported' }, actor),
    () => registry.requests.once({ actor, key: 'k', request: 1 }, async () => 1, { again: async () => 1 }),
    ...(given === undefined ? [] : [() => registry.imports.start({ source, actor: actor as TokenActor })]),
  ])
    expect((await refusal(attempt())).code).toBe('UNAUTHORIZED')
  expect((await registry.head()).id).toBe(head)
})

const create = async (input: object) =>
  (await emptyRegistry()).waypoints.create(input as WaypointInput, token())

test.each<[string, object]>([
  ['no name', { name: undefined }],
  ['a name that is null', { name: null }],
  ['a blank name', { name: '  \n ' }],
  ['a name of 201 characters', { name: 'x'.repeat(201) }],
  ['a name with a NUL', { name: 'a\u0000b' }],
  ['a name with an escape', { name: 'a\u001bb' }],
  ['a lone surrogate', { name: 'a\ud800' }],
  ['a description of 2001 characters', { description: 'x'.repeat(2001) }],
  ['a maintainer of 201 characters', { maintainer: 'x'.repeat(201) }],
  ['a region of 201 characters', { region: 'x'.repeat(201) }],
  ['33 amenities', { amenities: Array.from({ length: 33 }, (_, i) => `a${i}`) }],
  ['an empty amenity', { amenities: [''] }],
  ['an amenity of 65 characters', { amenities: ['x'.repeat(65)] }],
  ['amenities in a text', { amenities: 'tap' }],
  ['an image that is no address', { image: 'photo.jpg' }],
  ['a javascript: image', { image: 'javascript:alert(1)' }],
  ['an image of 2001 characters', { image: `https://x.example/${'x'.repeat(1983)}` }],
  ['no latitude', { latitude: undefined }],
  ['a latitude in a text', { latitude: '1' }],
  ['a latitude that is not a number', { latitude: Number.NaN }],
  ['an infinite longitude', { longitude: Number.POSITIVE_INFINITY }],
  ['coordinates beyond 90 degrees', { latitude: 90.1 }],
  ['coordinates beyond 180 degrees', { longitude: -180.1 }],
  ['approved in a text', { approved: 'yes' }],
])('specification 2.1: %s is refused', async (what, input) => {
  const { code, details } = await refusal(create({ ...square, ...input }))
  expect(code).toBe(what.startsWith('coordinates') ? 'INVALID_COORDINATES' : 'INVALID_INPUT')
  const [field = ''] = Object.keys(input)
  expect(details).toMatchObject({ issues: [{ path: expect.stringMatching(`^${field}(?:\\.0)?$`) }] })
})

test.each<[string, WaypointInput, object?]>([
  ['the poles and the antimeridian', { name: 'x', latitude: -90, longitude: 180 }],
  ['minus zero as zero', { name: 'x', latitude: -0, longitude: -0 }, { latitude: 0, longitude: 0 }],
  ['a name of 200 astral characters', { ...square, name: '🚰'.repeat(200) }],
  ['a name with a newline and a tab', { ...square, name: 'a\n\tb' }],
  ['a name without the blanks around it, in NFC', { ...square, name: '  Cafe\u0301 ' }, { name: 'Café' }],
  ['a text in NFC', { ...square, description: 'e\u0301\r\nx' }, { description: 'é\nx' }],
  ['markup as text', { ...square, name: '</script><b>', description: '=1+1' }],
])('specification 2.1: accepted is %s', async (_what, input, expected = input) => {
  expect(await create(input)).toMatchObject(expected)
})

test('specification 3, rule 5: deleting returns the waypoint as it was and removes it from everything but the log and the reviews', async () => {
  const registry = await emptyRegistry()
  const ada = await registry.users.create({ name: 'Ada' })
  const before = await placed(registry, { verified: true })
  await registry.reviews.create({ bubblerId: 1, rating: 4 }, user(ada.id))
  expect(await registry.waypoints.delete(1, token())).toEqual(before)
  expect(await registry.waypoints.list()).toEqual([])
  expect(await registry.waypoints.list({ near: { latitude: 55.7, longitude: 13.19 } })).toEqual([])
  expect(await registry.waypoints.list({ bbox: [13, 55, 14, 56] })).toEqual([])
  expect(await registry.waypoints.search({ q: 'market' })).toEqual([])
  expect(await registry.statistics()).toMatchObject({
    totalWaypoints: 0,
    totalVerifiedWaypoints: 0,
    totalReviews: 1,
  })
  expect(await registry.reviews.list({ bubblerId: 1 })).toHaveLength(1)
  expect(await newestOn(registry, 1)).toMatchObject({ action: 'deleted', changes: {} })
  const created = await newestOn(registry, 1, 'created')
  expect((await registry.changes.get(created.id)).waypoint.name).toBe('Market square')
  expect((await refusal(registry.waypoints.delete(1, token()))).code).toBe('NOT_FOUND')
  expect((await refusal(registry.waypoints.update(1, { name: 'x' }, token()))).code).toBe('NOT_FOUND')
})

test('lists are narrowed by drinking water, maintainer, source and licence, and the nearest as well', async () => {
  const registry = await emptyRegistry({ license: 'ODbL-1.0' })
  await placed(registry, { drinkable: 'yes', maintainer: 'City of Lund' })
  await placed(registry, { drinkable: 'no' })
  for (const [name, license] of [
    ['Lund', 'CC0-1.0'],
    ['Ystad', 'ODbL-1.0'],
  ] as const) {
    const run = await registry.imports.start({ source: { name, license } })
    const input = { ...square, latitude: license.length + 40, drinkable: 'unsigned' } as const
    await run.apply([{ row: 1, ref: 'a', input }])
  }
  const ids = async (filter: WaypointFilterInput) => {
    const listed = (await registry.waypoints.list(filter)).map(({ id }) => id)
    const near = { latitude: 0, longitude: 0 }
    const nearest = await registry.waypoints.list({ ...filter, near, limit: 10 })
    expect(nearest.map(({ id }) => id).toSorted()).toEqual(listed)
    return listed
  }
  expect(await ids({ drinkable: 'yes' })).toEqual([1])
  expect(await ids({ drinkable: 'unsigned' })).toEqual([3, 4])
  expect(await ids({ maintainer: 'City of Lund' })).toEqual([1])
  expect(await ids({ source: 'Lund' })).toEqual([3])
  expect(await ids({ license: 'CC0-1.0' })).toEqual([3])
  expect(await ids({ license: 'ODbL-1.0' })).toEqual([1, 2, 4])
  expect(await ids({ license: 'ODbL-1.0', drinkable: 'no', approved: false })).toEqual([2])
  expect(await ids({ license: 'ODbL-1.0', source: 'Lund' })).toEqual([])
  expect(await ids({ bbox: [13, 40, 14, 60], region: 'Lund', license: 'CC0-1.0' })).toEqual([])
  await registry.waypoints.update(1, { verified: true }, token())
  const near = { latitude: 0, longitude: 0 }
  const unverified = await registry.waypoints.list({ near, verified: false, limit: 10 })
  expect(unverified.map(({ id }) => id)).not.toContain(1)
})

test('waypoints are counted by any filter as each goes through them, and a signal ends that', async () => {
  const registry = await emptyRegistry()
  for (let at = 0; at < 6; at += 1)
    await placed(registry, {
      latitude: at,
      region: at < 4 ? 'Lund' : 'Ystad',
      amenities: at % 2 === 0 ? ['tap'] : [],
    })
  await registry.waypoints.delete(6, token())
  const filters: WaypointFilterInput[] = [
    {},
    { region: 'Lund' },
    { region: 'Lund', amenity: ['tap'] },
    { bbox: [13, 0.5, 14, 3.5] },
    { near: { latitude: 2, longitude: 13.1929, radius: 120_000 } },
    { region: 'Nowhere' },
    { usable: true },
  ]
  const counts: number[] = []
  for (const filter of filters) {
    const all = await Array.fromAsync(registry.waypoints.each(filter))
    counts.push(await registry.waypoints.count(filter))
    expect([filter, counts.at(-1)]).toEqual([filter, all.length])
  }
  expect(counts).toEqual([5, 4, 2, 3, 3, 0, 5])
  const ending = new AbortController()
  const seen: number[] = []
  const going = async () => {
    for await (const { id } of registry.waypoints.each({}, { signal: ending.signal })) {
      seen.push(id)
      if (id === 2) ending.abort()
    }
  }
  await expect(going()).rejects.toMatchObject({ name: 'AbortError' })
  expect(seen).toEqual([1, 2])
})
