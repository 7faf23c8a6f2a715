import { describe, expect, test } from 'vitest'
import {
  anonymous,
  token,
  user,
  type Actor,
  type WaypointFilterInput,
  type WaypointInput,
} from '@openfountain/core'
import type { TokenActor } from '@openfountain/core/internal'
import { emptyRegistry, newestOn, placed, refusal, square } from '@openfountain/testing/registry'

describe('specification 4.1: creating a waypoint', () => {
  test('an API token without an owner writes as the built-in user, with flags false', async () => {
    const registry = await emptyRegistry()
    expect(await placed(registry)).toEqual({
      id: 1,
      ...square,
      amenities: [],
      approved: false,
      verified: false,
      addedByUserId: 'api',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
  })

  test('a token may set flags and the creator, who must exist', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada' })
    const made = await placed(registry, { approved: true, verified: true, addedByUserId: ada.id })
    expect(made).toMatchObject({ approved: true, verified: true, addedByUserId: 'u1' })
    expect(await refusal(placed(registry, { addedByUserId: 'nobody' }))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'addedByUserId' }] },
    })
  })

  test("a token's writes are attributed to its owner", async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada' })
    const made = await registry.waypoints.create(square, token(ada.id))
    expect(made.addedByUserId).toBe(ada.id)
    expect((await newestOn(registry, 1)).userId).toBe(ada.id)
  })

  test('specification 3, rule 3: a session cannot set approved, verified or addedByUserId; they are ignored', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 20 })
    const given = {
      ...square,
      approved: true,
      verified: true,
      addedByUserId: 'api',
      id: 99,
      createdAt: 'never',
    }
    expect(await registry.waypoints.create(given, user(ada.id))).toMatchObject({
      id: 1,
      approved: false,
      verified: false,
      addedByUserId: ada.id,
    })
    expect((await newestOn(registry, 1)).changes).toEqual(square)
  })

  test('anonymous actors and unknown users may not write', async () => {
    const registry = await emptyRegistry()
    expect((await refusal(registry.waypoints.create(square, anonymous))).code).toBe('UNAUTHORIZED')
    expect((await refusal(registry.waypoints.create(square, user('ghost')))).code).toBe('UNAUTHORIZED')
  })

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
  ])('what is no actor writes nothing: %j', async (given) => {
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

  test.each([
    [19, 'INSUFFICIENT_XP'],
    [20, undefined],
    [21, undefined],
  ])('8: with %i XP creating results in %s', async (xp, code) => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp })
    const attempt = registry.waypoints.create(square, user(ada.id))
    if (code === undefined) expect((await attempt).id).toBe(1)
    else expect(await refusal(attempt)).toEqual({ code, details: { required: 20, current: xp } })
  })
})

describe('specification 2.1: fields', () => {
  const create = async (input: object) =>
    (await emptyRegistry()).waypoints.create(input as WaypointInput, token())

  test.each<[string, Record<string, unknown>, string, string]>([
    ['a missing name', { latitude: 1, longitude: 1 }, 'INVALID_INPUT', 'name'],
    ['a blank name', { ...square, name: '  \n ' }, 'INVALID_INPUT', 'name'],
    ['a name of 201 characters', { ...square, name: 'x'.repeat(201) }, 'INVALID_INPUT', 'name'],
    ['a name with a NUL', { ...square, name: 'a\u0000b' }, 'INVALID_INPUT', 'name'],
    ['a name with an escape', { ...square, name: 'a\u001bb' }, 'INVALID_INPUT', 'name'],
    ['a lone surrogate', { ...square, name: 'a\ud800' }, 'INVALID_INPUT', 'name'],
    [
      'a description of 2001 characters',
      { ...square, description: 'x'.repeat(2001) },
      'INVALID_INPUT',
      'description',
    ],
    [
      'a maintainer of 201 characters',
      { ...square, maintainer: 'x'.repeat(201) },
      'INVALID_INPUT',
      'maintainer',
    ],
    ['a region of 201 characters', { ...square, region: 'x'.repeat(201) }, 'INVALID_INPUT', 'region'],
    [
      '33 amenities',
      { ...square, amenities: Array.from({ length: 33 }, (_, i) => `a${i}`) },
      'INVALID_INPUT',
      'amenities',
    ],
    ['an empty amenity', { ...square, amenities: [''] }, 'INVALID_INPUT', 'amenities.0'],
    [
      'an amenity of 65 characters',
      { ...square, amenities: ['x'.repeat(65)] },
      'INVALID_INPUT',
      'amenities.0',
    ],
    ['amenities in a text', { ...square, amenities: 'tap' }, 'INVALID_INPUT', 'amenities'],
    ['an image that is no address', { ...square, image: 'photo.jpg' }, 'INVALID_INPUT', 'image'],
    ['a javascript: image', { ...square, image: 'javascript:alert(1)' }, 'INVALID_INPUT', 'image'],
    [
      'an image of 2001 characters',
      { ...square, image: `https://x.example/${'x'.repeat(1983)}` },
      'INVALID_INPUT',
      'image',
    ],
    ['a missing latitude', { name: 'x', longitude: 1 }, 'INVALID_INPUT', 'latitude'],
    ['a latitude in a text', { ...square, latitude: '1' }, 'INVALID_INPUT', 'latitude'],
    ['a latitude that is not a number', { ...square, latitude: Number.NaN }, 'INVALID_INPUT', 'latitude'],
    [
      'an infinite longitude',
      { ...square, longitude: Number.POSITIVE_INFINITY },
      'INVALID_INPUT',
      'longitude',
    ],
    ['a latitude of 90.1', { ...square, latitude: 90.1 }, 'INVALID_COORDINATES', 'latitude'],
    ['a longitude of -180.1', { ...square, longitude: -180.1 }, 'INVALID_COORDINATES', 'longitude'],
    ['approved in a text', { ...square, approved: 'yes' }, 'INVALID_INPUT', 'approved'],
  ])('%s is refused', async (_what, input, code, path) => {
    expect(await refusal(create(input))).toMatchObject({ code, details: { issues: [{ path }] } })
  })

  test('an input that is not an object is refused', async () => {
    for (const body of [null, 1, 'x', [], undefined]) {
      const registry = await emptyRegistry()
      expect((await refusal(registry.waypoints.create(body as never, token()))).code).toBe('INVALID_INPUT')
    }
  })

  test('a coordinate out of range together with a wrong type is INVALID_INPUT', async () => {
    expect((await refusal(create({ ...square, latitude: 91, name: 1 }))).code).toBe('INVALID_INPUT')
  })

  test.each<[string, WaypointInput]>([
    ['the poles and the antimeridian', { name: 'x', latitude: -90, longitude: 180 }],
    ['a name of 200 astral characters', { ...square, name: '🚰'.repeat(200) }],
    ['a name with a newline and a tab', { ...square, name: 'a\n\tb' }],
    ['markup as text', { ...square, name: '</script><b>', description: '=1+1' }],
  ])('%s are accepted as they are', async (_what, input) => {
    expect(await create(input)).toMatchObject(input)
  })

  test('text is NFC-normalised and a name trimmed', async () => {
    const made = await create({ ...square, name: '  Cafe\u0301 ', description: 'e\u0301\r\nx' })
    expect(made).toMatchObject({ name: 'Café', description: 'é\nx' })
  })

  test('known aliases of amenities become keys of the vocabulary, each once; unknown ones are kept', async () => {
    const made = await create({
      ...square,
      amenities: ['Bottle', 'bottle-filler', 'Singing', 'dog friendly'],
    })
    expect(made.amenities).toEqual(['bottle-filler', 'Singing', 'dog-bowl'])
  })

  test('unset optional fields are absent, amenities always an array', async () => {
    const made = await create({ ...square, description: null, image: null, region: '', amenities: null })
    expect(Object.keys(made)).toEqual([
      'id',
      'name',
      'latitude',
      'longitude',
      'amenities',
      'approved',
      'verified',
      'addedByUserId',
      'createdAt',
      'updatedAt',
    ])
  })

  test('minus zero is zero', async () => {
    const made = await create({ name: 'x', latitude: -0, longitude: -0 })
    expect(Object.is(made.latitude, 0) && Object.is(made.longitude, 0)).toBe(true)
  })
})

describe('specification 4.1: editing a waypoint', () => {
  test('only the given fields change, and updatedAt', async () => {
    const registry = await emptyRegistry()
    const before = await placed(registry, { description: 'old', region: 'Skåne' })
    const after = await registry.waypoints.update(1, { description: 'new' }, token())
    expect(after).toEqual({ ...before, description: 'new', updatedAt: '2026-01-01T00:00:01.000Z' })
    expect(await registry.waypoints.get(1)).toEqual(after)
  })

  test('null clears an optional field, and the log has it', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { description: 'old', amenities: ['tap'] })
    const after = await registry.waypoints.update(1, { description: null, amenities: null }, token())
    expect(after).not.toHaveProperty('description')
    expect(after.amenities).toEqual([])
    expect((await newestOn(registry, 1)).changes).toEqual({ amenities: [], description: null })
  })

  test('a name cannot be cleared', async () => {
    const registry = await emptyRegistry()
    await placed(registry)
    expect((await refusal(registry.waypoints.update(1, { name: null } as never, token()))).code).toBe(
      'INVALID_INPUT',
    )
  })

  test('sending back what was read changes nothing: no write, no log entry, no XP, no new updatedAt', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 10 })
    const before = await placed(registry, { description: 'x', amenities: ['tap'] })
    const revision = await registry.revision()
    const head = await registry.changes.head()
    expect(await registry.waypoints.update(1, { ...before }, user(ada.id))).toEqual(before)
    expect(await registry.revision()).toBe(revision)
    expect(await registry.changes.head()).toEqual(head)
    expect((await registry.users.get(ada.id)).xp).toBe(10)
  })

  test.each([
    [9, 'INSUFFICIENT_XP'],
    [10, undefined],
    [11, undefined],
  ])('8: with %i XP editing results in %s', async (xp, code) => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp })
    await placed(registry)
    const attempt = registry.waypoints.update(1, { name: 'New' }, user(ada.id))
    if (code === undefined) expect((await attempt).name).toBe('New')
    else expect(await refusal(attempt)).toEqual({ code, details: { required: 10, current: xp } })
  })

  test('one edit writes one entry for the fields and one for each changed flag', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { approved: true })
    const created = await registry.changes.head()
    await registry.waypoints.update(1, { name: 'New', approved: true, verified: true }, token())
    const { logs } = await registry.changes.list({ order: 'asc', after: created.id })
    expect(logs.map(({ action, changes }) => [action, changes])).toEqual([
      ['edited', { name: 'New' }],
      ['verified', { verified: true }],
    ])
    const edited = await registry.changes.head()
    await registry.waypoints.update(1, { approved: false, verified: false }, token())
    const later = await registry.changes.list({ order: 'asc', after: edited.id })
    expect(later.logs.map(({ action }) => action)).toEqual(['unapproved', 'unverified'])
  })

  test('moderators set flags under their own id without XP, and need XP for other fields', async () => {
    const registry = await emptyRegistry()
    const mo = await registry.users.create({ name: 'Mo', isModerator: true })
    await placed(registry)
    expect((await registry.waypoints.update(1, { approved: true }, user(mo.id))).approved).toBe(true)
    expect((await newestOn(registry, 1)).userId).toBe(mo.id)
    expect((await refusal(registry.waypoints.update(1, { name: 'New' }, user(mo.id)))).code).toBe(
      'INSUFFICIENT_XP',
    )
  })

  test('an unknown waypoint is NOT_FOUND', async () => {
    const registry = await emptyRegistry()
    expect((await refusal(registry.waypoints.update(7, { name: 'x' }, token()))).code).toBe('NOT_FOUND')
    expect((await refusal(registry.waypoints.get(7))).code).toBe('NOT_FOUND')
  })
})

describe('specification 3, rule 5: deleting', () => {
  test('returns the waypoint as it was and removes it from everything but the log and the reviews', async () => {
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

  test('moderators may, other users may not', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 5000 })
    const mo = await registry.users.create({ name: 'Mo', isModerator: true })
    await placed(registry)
    expect((await refusal(registry.waypoints.delete(1, user(ada.id)))).code).toBe('FORBIDDEN')
    expect((await refusal(registry.waypoints.delete(1, anonymous))).code).toBe('UNAUTHORIZED')
    expect((await registry.waypoints.delete(1, user(mo.id))).id).toBe(1)
  })

  test('an id is never reused', async () => {
    const registry = await emptyRegistry()
    await placed(registry)
    await registry.waypoints.delete(1, token())
    expect((await placed(registry)).id).toBe(2)
  })
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
})
