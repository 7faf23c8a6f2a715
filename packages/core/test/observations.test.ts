import { describe, expect, test } from 'vitest'
import {
  anonymous,
  token,
  user,
  userByToken,
  type Actor,
  type Registry,
  type RegistryOptions,
  type ObservationInput,
} from '@openfountain/core'
import { emptyRegistry, refusal, square } from '@openfountain/testing/registry'
import { source } from '@openfountain/testing/imported'

const noon = '2026-07-01T12:00:00.000Z'

/** A registry with a clock that stands, two people, a moderator and a fountain. */
async function observed(options: Partial<RegistryOptions> = {}) {
  let now = Date.parse(noon)
  const registry = await emptyRegistry({ clock: () => new Date(now), ...options })
  const ada = user((await registry.users.create({ name: 'Ada' })).id)
  const bob = user((await registry.users.create({ name: 'Bob' })).id)
  const mo = user((await registry.users.create({ name: 'Mo', isModerator: true })).id)
  const { id: bubblerId } = await registry.waypoints.create(square, token())
  return {
    registry,
    ada,
    bob,
    mo,
    bubblerId,
    pass: (days: number) => {
      now += days * 86_400_000
    },
  }
}

const at = (metres: number) => ({
  latitude: square.latitude + metres / 111_195,
  longitude: square.longitude,
  accuracy: 10,
})

const newest = async (registry: Registry) => {
  const { id } = await registry.changes.head()
  for await (const entry of registry.changes.since(id - 1)) return entry
  throw new Error('the log is empty')
}

describe('an observation in the log', () => {
  test('has the day, whether somebody stood there, and a pseudonym', async () => {
    const { registry, ada, bubblerId } = await observed()
    const given = { bubblerId, kind: 'dry', near: at(99), comment: ' Not a drop ' } as const
    const made = await registry.observations.create(given, ada)
    expect(made).toEqual({
      id: made.id,
      bubblerId,
      kind: 'dry',
      observedAt: '2026-07-01',
      near: true,
      observer: expect.stringMatching(/^[0-9a-f]{32}$/u),
      comment: ' Not a drop ',
    })
    const entry = await newest(registry)
    expect(entry).toMatchObject({
      at: (await registry.changes.head()).timestamp,
      by: 'observer',
      subject: 'observation',
      subjectId: entry.id,
      action: 'created',
      awards: [],
    })
    expect(entry.fields).toEqual({
      waypoint: bubblerId,
      kind: 'dry',
      observedAt: '2026-07-01',
      near: true,
      observer: made.observer,
      comment: ' Not a drop ',
    })
    expect(JSON.stringify(entry)).not.toContain((ada as { userId: string }).userId)
  })

  test('does not say at which time of the day it was made', async () => {
    const { registry, ada, bubblerId, pass } = await observed()
    const before = await registry.changes.head()
    await registry.observations.create({ bubblerId, kind: 'works' }, ada)
    // Never before the newest entry.
    expect((await newest(registry)).at).toBe(before.timestamp)
    pass(1.3)
    await registry.observations.create({ bubblerId, kind: 'works' }, ada)
    const entries = []
    for await (const entry of registry.changes.since(before.id)) entries.push(entry)
    expect(entries.map((entry) => entry.at.slice(10))).toEqual([
      noon.slice(10),
      'T00:00:00.000Z',
      'T00:00:00.000Z',
    ])
  })

  test('has another pseudonym of the same person at another fountain, and the same at the same', async () => {
    const { registry, ada, bob, bubblerId } = await observed()
    const other = await registry.waypoints.create({ ...square, name: 'Other' }, token())
    const by = async (actor: typeof ada, id: number) =>
      (await registry.observations.create({ bubblerId: id, kind: 'works' }, actor)).observer
    const first = await by(ada, bubblerId)
    expect(await by(ada, bubblerId)).toBe(first)
    expect(new Set([first, await by(ada, other.id), await by(bob, bubblerId)]).size).toBe(3)
  })

  test.each([
    ['at 101 m', { near: at(101) }],
    ['with a position that may be anywhere', { near: { ...at(0), accuracy: 101 } }],
    ['without a position', {}],
  ])('is not near %s', async (_where, where) => {
    const { registry, ada, bubblerId } = await observed()
    const made = await registry.observations.create({ bubblerId, kind: 'works', ...where }, ada)
    expect(made.near).toBe(false)
  })

  test.each([
    ['an unknown fountain', { bubblerId: 99 }, 'bubblerId'],
    ['another kind', { kind: 'wet' }, 'kind'],
    ['no kind', { kind: undefined }, 'kind'],
    ['a time that is nowhere yet', { observedAt: '2026-07-02T02:06:00Z' }, 'observedAt'],
    ['a day that is nowhere yet', { observedAt: '2026-07-03' }, 'observedAt'],
    ['long ago', { observedAt: '2026-06-01T11:59:00Z' }, 'observedAt'],
    ['a day long ago', { observedAt: '2026-05-31' }, 'observedAt'],
    ['no time', { observedAt: 'yesterday' }, 'observedAt'],
    ['half a position', { near: { latitude: 1 } }, 'near.longitude'],
  ])('is refused for %s', async (_why, wrong, path) => {
    const { registry, ada, bubblerId } = await observed()
    const given = { bubblerId, kind: 'works', ...wrong } as ObservationInput
    expect(await refusal(registry.observations.create(given, ada))).toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path }] },
    })
  })

  test('is of today where the device is ahead of UTC by no more than its zone can be', async () => {
    const { registry, ada, bubblerId } = await observed()
    const made = async (observedAt: string) =>
      (await registry.observations.create({ bubblerId, kind: 'works', observedAt }, ada)).observedAt
    for (const seen of [
      '2026-07-02',
      '2026-07-01T23:00:00Z',
      '2026-07-02T02:05:00Z',
      '2026-07-02T02:00:00+14:00',
    ])
      expect(await made(seen)).toBe('2026-07-01')
    // Before ten o’clock it is nowhere tomorrow.
    const early = await observed({ clock: () => new Date('2026-07-01T09:59:00.000Z') })
    const given = { bubblerId: early.bubblerId, kind: 'works', observedAt: '2026-07-02' } as const
    expect(await refusal(early.registry.observations.create(given, early.ada))).toMatchObject({
      code: 'INVALID_INPUT',
      details: {
        issues: [
          {
            path: 'observedAt',
            message:
              'must be at most 2026-07-01, since it is not later anywhere: look at the clock and the time zone of the device',
          },
        ],
      },
    })
  })

  test('may be of the last thirty days', async () => {
    const { registry, ada, bubblerId } = await observed()
    for (const [observedAt, day] of [
      ['2026-06-01T12:00:00Z', '2026-06-01'],
      ['2026-06-01', '2026-06-01'],
      ['2026-07-01T01:00:00+02:00', '2026-06-30'],
    ] as const) {
      const made = await registry.observations.create({ bubblerId, kind: 'works', observedAt }, ada)
      expect(made.observedAt).toBe(day)
    }
  })

  test('is for those who are signed in', async () => {
    const { registry, ada, bubblerId } = await observed()
    const given = { bubblerId, kind: 'works' } as const
    expect(await refusal(registry.observations.create(given, anonymous))).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    await registry.users.block((ada as { userId: string }).userId, { reason: 'spam' }, token())
    expect(await refusal(registry.observations.create(given, ada))).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'spam' },
    })
  })
})

describe('XP of observations', () => {
  const xp = async (registry: Registry, actor: { readonly userId?: string }) =>
    (await registry.users.get(actor.userId ?? '')).xp

  test('is granted as one sum once the day is over', async () => {
    const { registry, ada, bob, bubblerId, pass } = await observed()
    const other = await registry.waypoints.create({ ...square, name: 'Other' }, token())
    for (const id of [bubblerId, other.id, other.id])
      await registry.observations.create({ bubblerId: id, kind: 'works' }, ada)
    expect(await xp(registry, ada)).toBe(0)
    pass(1)
    await registry.observations.create({ bubblerId, kind: 'works' }, bob)
    expect([await xp(registry, ada), await xp(registry, bob)]).toEqual([4, 0])
    expect(await newest(registry)).toMatchObject({
      by: 'api',
      subject: 'user',
      action: 'granted',
      awards: [[(ada as { userId: string }).userId, 'postObservation', 4]],
    })
    pass(1)
    await registry.observations.grantXp()
    await registry.observations.grantXp()
    expect([await xp(registry, ada), await xp(registry, bob)]).toEqual([4, 2])
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('is earned once a week at the same fountain', async () => {
    const { registry, ada, bubblerId, pass } = await observed()
    for (const days of [6, 1, 1]) {
      await registry.observations.create({ bubblerId, kind: 'works' }, ada)
      pass(days)
    }
    await registry.observations.grantXp()
    expect(await xp(registry, ada)).toBe(4)
  })

  test('is not earned by the operator', async () => {
    const { registry, bubblerId, pass } = await observed()
    await registry.observations.create({ bubblerId, kind: 'works' }, token())
    const { id } = await registry.changes.head()
    pass(1)
    await registry.observations.grantXp()
    expect((await registry.changes.head()).id).toBe(id)
  })

  test('is taken back when the observation is undone, before and after it was granted', async () => {
    const { registry, ada, mo, bubblerId, pass } = await observed()
    const first = await registry.observations.create({ bubblerId, kind: 'works' }, ada)
    await registry.changes.revert(first.id ?? 0, { reason: 'spam' }, mo)
    pass(1)
    await registry.observations.grantXp()
    expect(await xp(registry, ada)).toBe(0)
    const second = await registry.observations.create({ bubblerId, kind: 'works' }, ada)
    pass(1)
    await registry.observations.grantXp()
    expect(await xp(registry, ada)).toBe(2)
    await registry.changes.revert(second.id ?? 0, { reason: 'spam' }, mo)
    pass(1)
    await registry.observations.grantXp()
    expect(await xp(registry, ada)).toBe(0)
  })
})

describe('the status of a fountain', () => {
  const state = async (registry: Registry, id: number) => (await registry.observations.status(id)).state

  test('follows what people say, and ages', async () => {
    const { registry, ada, bob, bubblerId, pass } = await observed()
    expect(await registry.observations.status(bubblerId)).toEqual({ state: 'unconfirmed', supporters: 0 })
    await registry.observations.create({ bubblerId, kind: 'broken' }, ada)
    expect(await state(registry, bubblerId)).toBe('reported')
    await registry.observations.create({ bubblerId, kind: 'broken' }, ada)
    expect(await state(registry, bubblerId)).toBe('reported')
    await registry.observations.create({ bubblerId, kind: 'dry' }, bob)
    expect(await registry.observations.status(bubblerId)).toEqual({
      state: 'broken',
      since: '2026-07-01',
      supporters: 2,
    })
    pass(31)
    expect(await state(registry, bubblerId)).toBe('reported')
    pass(30)
    expect(await state(registry, bubblerId)).toBe('unconfirmed')
  })

  test.each(['moderator', 'operator'] as const)('is broken by one word of the %s', async (authority) => {
    const { registry, mo, bubblerId } = await observed()
    const actor = authority === 'moderator' ? mo : token()
    const made = await registry.observations.create({ bubblerId, kind: 'broken' }, actor)
    expect(made.authority).toBe(authority)
    expect(await state(registry, bubblerId)).toBe('broken')
  })

  test('is not broken by one word of a program of a moderator', async () => {
    const { registry, mo, bubblerId } = await observed()
    await registry.observations.create(
      { bubblerId, kind: 'broken' },
      userByToken((mo as { userId: string }).userId),
    )
    expect(await state(registry, bubblerId)).toBe('reported')
  })

  test('lists find by it, today as well as when it has aged', async () => {
    const { registry, ada, bubblerId, pass } = await observed()
    const seasonal = await registry.waypoints.create({ ...square, season: '04-01/10-31' }, token())
    const found = async (status: 'works' | 'off' | 'unconfirmed') =>
      (await registry.waypoints.list({ status })).map(({ id }) => id)
    await registry.observations.create({ bubblerId, kind: 'works' }, ada)
    expect([await found('works'), await found('off'), await found('unconfirmed')]).toEqual([
      [bubblerId],
      [],
      [seasonal.id],
    ])
    pass(170)
    expect([await found('works'), await found('off')]).toEqual([[bubblerId], [seasonal.id]])
    pass(11)
    expect([await found('works'), await found('off'), await found('unconfirmed')]).toEqual([
      [],
      [seasonal.id],
      [bubblerId],
    ])
    const near = { latitude: square.latitude, longitude: square.longitude, radius: 100 }
    expect((await registry.waypoints.list({ status: 'off', near })).map(({ id }) => id)).toEqual([
      seasonal.id,
    ])
    await registry.waypoints.update(seasonal.id, { season: null }, token())
    expect(await found('off')).toEqual([])
  })

  test('is off or broken as its source says, as long as that lists it', async () => {
    const { registry, pass } = await observed()
    const row = {
      row: 1,
      ref: 'a',
      input: { ...square, name: 'Listed', latitude: 50 },
      state: 'off' as const,
    }
    const bring = async (rows: (typeof row)[]) => {
      const run = await registry.imports.start({ source })
      await run.apply(rows)
      await run.finish({ counts: { rows: rows.length }, missing: 'mark' })
    }
    await bring([row])
    const [waypoint] = await registry.waypoints.list({ status: 'off' })
    const id = waypoint?.id ?? 0
    expect(await registry.observations.status(id)).toEqual({
      state: 'off',
      since: '2026-07-01',
      supporters: 0,
    })
    pass(121)
    expect(await state(registry, id)).toBe('unconfirmed')
    expect(await registry.waypoints.list({ status: 'off' })).toEqual([])
    // Listed again as it was: no entry says so, the run does.
    await bring([row])
    expect(await state(registry, id)).toBe('off')
    expect(await registry.waypoints.list({ status: 'off' })).toHaveLength(1)
    await bring([])
    expect(await registry.waypoints.list({ status: 'off' })).toEqual([])
  })

  test('asks the moderators once two people say that it is gone, and deletes nothing', async () => {
    const { registry, ada, bob, mo, bubblerId } = await observed()
    const queue = async () => (await registry.moderation.queue({ kind: 'reported' }, mo)).items
    await registry.observations.create({ bubblerId, kind: 'gone' }, ada)
    await registry.observations.create({ bubblerId, kind: 'gone' }, ada)
    expect(await queue()).toEqual([])
    await registry.observations.create({ bubblerId, kind: 'gone' }, bob)
    await registry.observations.create({ bubblerId, kind: 'gone' }, mo)
    expect(await queue()).toMatchObject([
      { waypoint: { id: bubblerId }, why: '1 open report: gone', reports: [{ reason: 'gone' }] },
    ])
    expect(await state(registry, bubblerId)).toBe('gone')
    expect((await registry.waypoints.get(bubblerId)).id).toBe(bubblerId)
  })
})

describe('passers-by', () => {
  const network = '192.0.2.0/24'

  test('are not in the log, report at most, and are forgotten', async () => {
    const { registry, mo, bubblerId, pass } = await observed()
    const { id } = await registry.changes.head()
    const made = await registry.observations.create(
      { bubblerId, kind: 'dry', near: at(0), comment: 'x' },
      anonymous,
      {
        network,
      },
    )
    expect(made).toEqual({ bubblerId, kind: 'dry', observedAt: '2026-07-01', near: false })
    await registry.observations.create({ bubblerId, kind: 'dry' }, anonymous, { network: '198.51.100.0/24' })
    expect(await registry.observations.status(bubblerId)).toMatchObject({ state: 'reported' })
    expect((await registry.changes.head()).id).toBe(id)
    expect(await registry.observations.list({ bubblerId })).toEqual([])
    await registry.observations.create({ bubblerId, kind: 'works' }, mo)
    expect(await registry.observations.status(bubblerId)).toMatchObject({ state: 'works' })
    pass(31)
    await registry.observations.age()
    expect(await registry.observations.status(bubblerId)).toMatchObject({ state: 'works' })
  })

  test('of one network are limited a day, each fountain once', async () => {
    const { registry, bubblerId, pass } = await observed()
    const see = (id: number) =>
      registry.observations.create({ bubblerId: id, kind: 'dry' }, anonymous, { network })
    for (let place = 1; place <= 19; place++) {
      const { id } = await registry.waypoints.create({ ...square, latitude: place }, token())
      await see(id)
    }
    for (let times = 0; times < 3; times++) await see(bubblerId)
    const { id: last } = await registry.waypoints.create({ ...square, latitude: 50 }, token())
    expect(await refusal(see(last))).toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 20, retryAfterSeconds: 43_200 },
    })
    pass(1)
    await see(last)
  })
})

describe('observations and what becomes of their fountain and their author', () => {
  test('move with a merge, one person stays one, and come back with a restore', async () => {
    const { registry, ada, mo, bubblerId } = await observed()
    const copy = await registry.waypoints.create({ ...square, name: 'Copy' }, token())
    await registry.observations.create({ bubblerId, kind: 'broken' }, ada)
    const other = await registry.observations.create({ bubblerId: copy.id, kind: 'broken' }, ada)
    await registry.waypoints.merge(copy.id, { into: bubblerId, reason: 'the same' }, mo)
    expect(await registry.observations.status(bubblerId)).toMatchObject({ state: 'reported', supporters: 1 })
    expect(await registry.observations.list({ bubblerId })).toHaveLength(2)
    await registry.waypoints.restore(copy.id, { reason: 'it is not' }, mo)
    expect(await registry.observations.list({ bubblerId: copy.id })).toEqual([other])
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are undone with a person, and by themselves, and come back', async () => {
    const { registry, ada, mo, bubblerId } = await observed()
    const made = await registry.observations.create({ bubblerId, kind: 'broken', comment: 'No' }, ada)
    const { userId } = ada as { userId: string }
    const { reverted } = await registry.users.revert(userId, { since: noon, reason: 'spam' }, mo)
    expect(reverted).toEqual([made.id])
    expect(await registry.observations.list({ bubblerId })).toEqual([])
    expect(await registry.observations.status(bubblerId)).toMatchObject({ state: 'unconfirmed' })
    const { acts } = await registry.moderation.acts()
    expect(acts[0]).toMatchObject({ kind: 'reverted', waypoint: { id: bubblerId }, reason: 'spam' })
    expect(acts[0]).not.toHaveProperty('person')
    await registry.changes.revert(acts[0]?.id ?? 0, { reason: 'it was none' }, mo)
    expect(await registry.observations.list({ bubblerId })).toEqual([made])
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are in the export of their author, who is not known to be it after leaving', async () => {
    const { registry, ada, bubblerId } = await observed()
    const { userId } = ada as { userId: string }
    const made = await registry.observations.create({ bubblerId, kind: 'dry', comment: 'Not a drop' }, ada)
    let text = ''
    for await (const piece of registry.accounts.export(userId)) text += piece
    expect(JSON.parse(text)).toMatchObject({
      observations: [{ ...made, madeOn: '2026-07-01', xp: 2 }],
    })
    await registry.accounts.leave(userId, { confirm: 'Ada', texts: 'erase' })
    const [left] = await registry.observations.list({ bubblerId })
    expect(left).toEqual({ ...made, comment: undefined })
    expect((await registry.changes.verify()).problems).toEqual([])
    for await (const entry of registry.changes.since(0)) expect(JSON.stringify(entry)).not.toContain('a drop')
  })

  test('lose their comment by a redaction', async () => {
    const { registry, ada, bubblerId } = await observed()
    const made = await registry.observations.create({ bubblerId, kind: 'dry', comment: 'Call 0123' }, ada)
    await registry.changes.redact(made.id ?? 0, { reason: 'personal' })
    const { comment: _gone, ...rest } = made
    expect(await registry.observations.list({ bubblerId })).toEqual([rest])
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are one where a person says the same of a fountain again within a minute', async () => {
    const { registry, ada, bob, bubblerId, pass } = await observed()
    const { id: other } = await registry.waypoints.create({ ...square, latitude: 1 }, token())
    const see = (who: Actor, kind: ObservationInput['kind'], rest: Partial<ObservationInput> = {}) =>
      registry.observations.create({ bubblerId, kind, ...rest }, who)
    const first = await see(ada, 'works')
    pass(59 / 86_400)
    const [again, same] = await Promise.all([see(ada, 'works'), see(ada, 'works', { near: at(0) })])
    expect([again, same]).toEqual([first, first])
    const others = [
      await see(bob, 'works'),
      await see(ada, 'works', { bubblerId: other }),
      await see(ada, 'works', { observedAt: '2026-06-30' }),
      await see(ada, 'dirty'),
      await see(ada, 'dirty', { comment: 'Leaves' }),
      await see(ada, 'works'),
    ]
    pass(60 / 86_400)
    others.push(await see(ada, 'works'))
    expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(8)
    expect(await registry.observations.list({ bubblerId })).toHaveLength(7)
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('are made once under a key', async () => {
    const { registry, ada, bubblerId } = await observed()
    const given = { bubblerId, kind: 'works' } as const
    const once = () =>
      registry.requests.once(
        { actor: ada, key: '6f1e', request: ['observe', given] },
        () => registry.observations.create(given, ada),
        { again: ({ subject }) => registry.observations.get(Number(subject)) },
      )
    const first = await once()
    expect(await once()).toEqual({ result: first.result, isRepeated: true })
    expect(await registry.observations.list({ bubblerId })).toHaveLength(1)
  })
})
