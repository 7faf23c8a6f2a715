import { describe, expect, test } from 'vitest'
import {
  anonymous,
  token,
  user,
  userByToken,
  type Actor,
  type RegistryOptions,
  type ObservationInput,
} from '@openfountain/core'
import { isUsable } from '@openfountain/core/status'
import { emptyRegistry, refusal, square } from '@openfountain/testing/registry'
import { source } from '@openfountain/testing/imported'

const noon = '2026-07-01T12:00:00.000Z'

const idOf = (actor: Actor): string => ('userId' in actor ? actor.userId : '')

async function observed(options: Partial<RegistryOptions> = {}) {
  let now = Date.parse(noon)
  const registry = await emptyRegistry({ clock: () => new Date(now), ...options })
  const { observations, waypoints, changes } = registry
  const ada = user((await registry.users.create({ name: 'Ada' })).id)
  const bob = user((await registry.users.create({ name: 'Bob' })).id)
  const mo = user((await registry.users.create({ name: 'Mo', isModerator: true })).id)
  const { id: bubblerId } = await waypoints.create(square, token())
  return {
    registry,
    ada,
    bob,
    mo,
    bubblerId,
    pass: (days: number) => void (now += days * 86_400_000),
    see: (actor: Actor, kind: ObservationInput['kind'] = 'works', rest: object = {}, network?: string) =>
      observations.create({ bubblerId, kind, ...rest }, actor, { network }),
    another: async (rest: object = {}) =>
      (await waypoints.create({ ...square, name: 'Other', ...rest }, token())).id,
    status: (id = bubblerId) => observations.status(id),
    state: async (id = bubblerId) => (await observations.status(id)).state,
    xp: async (actor: Actor) => (await registry.users.get(idOf(actor))).xp,
    newest: async () => {
      const [entry] = await changes.entries((await changes.head()).id - 1)
      if (entry === undefined) throw new Error('the log is empty')
      return entry
    },
    verify: async () => expect((await changes.verify()).problems).toEqual([]),
  }
}

const away = (metres: number) => ({
  latitude: square.latitude + metres / 111_195,
  longitude: square.longitude,
  accuracy: 10,
})

describe('an observation in the log', () => {
  test('is among those of its author', async () => {
    const { registry, ada, bob, bubblerId, see, another } = await observed()
    const { observations } = registry
    const first = await see(ada, 'dry')
    await see(bob)
    const second = await observations.create({ bubblerId: await another(), kind: 'works' }, ada)
    const mine = await observations.by(idOf(ada))
    expect(mine.map(({ id, kind }) => [id, kind])).toEqual([
      [first.id, 'dry'],
      [second.id, 'works'],
    ])
    expect(mine[0]).toEqual((await observations.list({ bubblerId }))[0])
    expect(await observations.by(idOf(ada), { after: first.id })).toEqual(mine.slice(1))
    expect(await refusal(observations.by(idOf(ada), { limit: 101 }))).toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('has the day, whether somebody stood there, and a pseudonym', async () => {
    const { registry, ada, bubblerId, see, newest } = await observed()
    const made = await see(ada, 'dry', { near: away(99), comment: ' Not a drop ' })
    const said = { kind: 'dry', observedAt: '2026-07-01', near: true, comment: ' Not a drop ' }
    const observer = expect.stringMatching(/^[0-9a-f]{32}$/u)
    expect(made).toEqual({ id: made.id, bubblerId, ...said, observer })
    const entry = await newest()
    const at = (await registry.changes.head()).timestamp
    const about = { subject: 'observation', subjectId: entry.id, action: 'created' }
    expect(entry).toMatchObject({ at, by: 'observer', ...about, awards: [] })
    expect(entry.fields).toEqual({ waypoint: bubblerId, ...said, observer: made.observer })
    expect(JSON.stringify(entry)).not.toContain(idOf(ada))
  })

  test('does not say at which time of the day it was made', async () => {
    const { registry, ada, see, pass } = await observed()
    const before = await registry.changes.head()
    await see(ada)
    pass(1.3)
    await see(ada)
    const times = (await registry.changes.entries(before.id)).map(({ at }) => at)
    expect(times[0]).toBe(before.timestamp)
    expect(times.map((time) => time.slice(11, 16))).toEqual(['12:00', '00:00', '00:00'])
  })

  test('has another pseudonym of the same person at another fountain, and the same at the same', async () => {
    const { ada, bob, see, another } = await observed()
    const by = async (actor: Actor, rest?: object) => (await see(actor, 'works', rest)).observer
    const first = await by(ada)
    expect(await by(ada)).toBe(first)
    expect(new Set([first, await by(ada, { bubblerId: await another() }), await by(bob)]).size).toBe(3)
  })

  test.each([
    ['at 101 m', { near: away(101) }],
    ['with a position that may be anywhere', { near: { ...away(0), accuracy: 101 } }],
    ['without a position', {}],
  ])('is not near %s', async (_where, where) => {
    const { ada, see } = await observed()
    expect((await see(ada, 'works', where)).near).toBe(false)
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
    const { ada, see } = await observed()
    const refused = { code: 'INVALID_INPUT', details: { issues: [{ path }] } }
    expect(await refusal(see(ada, 'works', wrong))).toMatchObject(refused)
  })

  test('is of the last thirty days, and of today where the device is ahead of UTC by no more than its zone can be', async () => {
    const { ada, see } = await observed()
    for (const [observedAt, on] of [
      ['2026-07-02', '2026-07-01'],
      ['2026-07-01T23:00:00Z', '2026-07-01'],
      ['2026-07-02T02:05:00Z', '2026-07-01'],
      ['2026-07-02T02:00:00+14:00', '2026-07-01'],
      ['2026-06-01T12:00:00Z', '2026-06-01'],
      ['2026-06-01', '2026-06-01'],
      ['2026-07-01T01:00:00+02:00', '2026-06-30'],
    ] as const)
      expect((await see(ada, 'works', { observedAt })).observedAt).toBe(on)
    // Before ten o’clock it is nowhere tomorrow.
    const early = await observed({ clock: () => new Date('2026-07-01T09:59:00.000Z') })
    await expect(early.see(early.ada, 'works', { observedAt: '2026-07-02' })).rejects.toThrow(
      'observedAt must be at most 2026-07-01, since it is not later anywhere: look at the clock and the time zone',
    )
  })

  test('is for those who are signed in and not blocked', async () => {
    const { registry, ada, see } = await observed()
    expect((await refusal(see(anonymous))).code).toBe('UNAUTHORIZED')
    await registry.users.block(idOf(ada), { reason: 'spam' }, token())
    expect(await refusal(see(ada))).toEqual({ code: 'FORBIDDEN', details: { reason: 'spam' } })
  })
})

test('XP of observations is granted as one sum once the day is over', async () => {
  const { registry, ada, bob, see, another, xp, newest, pass, verify } = await observed()
  const bubblerId = await another()
  for (const rest of [{}, { bubblerId }, { bubblerId }]) await see(ada, 'works', rest)
  expect(await xp(ada)).toBe(0)
  pass(1)
  await see(bob)
  expect([await xp(ada), await xp(bob)]).toEqual([4, 0])
  const awards = [[idOf(ada), 'postObservation', 4]]
  expect(await newest()).toMatchObject({ by: 'api', subject: 'user', action: 'granted', awards })
  pass(1)
  for (const _each of ['once', 'again']) await registry.observations.grantXp()
  expect([await xp(ada), await xp(bob)]).toEqual([4, 2])
  await verify()
})

test('XP of observations is earned once a week at the same fountain, and not by the operator', async () => {
  const { registry, ada, see, xp, pass } = await observed()
  for (const days of [6, 1, 1]) {
    await see(ada)
    pass(days)
  }
  await see(token())
  pass(1)
  await registry.observations.grantXp()
  expect([await xp(ada), await xp(user('api'))]).toEqual([4, 0])
})

test('XP of observations is taken back when the observation is undone, before and after it was granted', async () => {
  const { registry, ada, mo, see, xp, pass } = await observed()
  const undo = (id = 0) => registry.changes.revert(id, { reason: 'spam' }, mo)
  const nextDay = async () => {
    pass(1)
    await registry.observations.grantXp()
    return xp(ada)
  }
  await undo((await see(ada)).id)
  expect(await nextDay()).toBe(0)
  const second = await see(ada)
  expect(await nextDay()).toBe(2)
  await undo(second.id)
  expect(await nextDay()).toBe(0)
})

describe('the status of a fountain', () => {
  test('follows what people, moderators and the operator say, not programs of a moderator, and ages', async () => {
    const { ada, bob, mo, see, another, status, state, pass } = await observed()
    expect(await status()).toEqual({ state: 'unconfirmed', supporters: 0 })
    await see(ada, 'broken')
    expect(await state()).toBe('reported')
    await see(bob, 'dry')
    expect(await status()).toEqual({ state: 'broken', since: '2026-07-01', supporters: 2 })
    pass(31)
    expect(await state()).toBe('reported')
    const after = async (actor: Actor) => {
      const bubblerId = await another()
      return [(await see(actor, 'broken', { bubblerId })).authority, await state(bubblerId)]
    }
    expect(await after(mo)).toEqual(['moderator', 'broken'])
    expect(await after(token())).toEqual(['operator', 'broken'])
    expect(await after(userByToken(idOf(mo)))).toEqual([undefined, 'reported'])
  })

  test('lists find by it, today as well as when it has aged', async () => {
    const { registry, ada, bubblerId, see, another, pass } = await observed()
    const seasonal = await another({ season: '04-01/10-31' })
    const found = async (status: 'works' | 'off' | 'unconfirmed') =>
      (await registry.waypoints.list({ status })).map(({ id }) => id)
    const all = async () => [await found('works'), await found('off'), await found('unconfirmed')]
    await see(ada)
    expect(await all()).toEqual([[bubblerId], [], [seasonal]])
    pass(170)
    expect(await all()).toEqual([[bubblerId], [seasonal], []])
    pass(11)
    expect(await all()).toEqual([[], [seasonal], [bubblerId]])
    const near = { latitude: square.latitude, longitude: square.longitude, radius: 100 }
    expect(await registry.waypoints.list({ status: 'off', near })).toMatchObject([{ id: seasonal }])
    await registry.waypoints.update(seasonal, { season: null }, token())
    expect(await found('off')).toEqual([])
  })

  test('lists take several states, and those that are usable as far as is known', async () => {
    const { registry, ada, bob, bubblerId, see, another } = await observed()
    const [dry, hidden, undrinkable, quiet] = [
      await another(),
      await another({ access: 'private' }),
      await another({ drinkable: 'no' }),
      await another({ access: 'unknown' }),
    ]
    await see(ada)
    for (const actor of [ada, bob]) await see(actor, 'dry', { bubblerId: dry })
    const found = async (filter: Parameters<typeof registry.waypoints.list>[0]) =>
      (await registry.waypoints.list(filter)).map(({ id }) => id)
    expect(await found({ status: ['works', 'broken'] })).toEqual([bubblerId, dry])
    expect(await found({ status: ['works', 'unconfirmed'] })).toEqual([bubblerId, hidden, undrinkable, quiet])
    expect(await found({ usable: true })).toEqual([bubblerId, quiet])
    expect(await found({ usable: false })).toEqual([dry, hidden, undrinkable])
    expect(await found({ access: 'private' })).toEqual([hidden])
    const near = { latitude: square.latitude, longitude: square.longitude }
    expect(await found({ usable: true, near })).toEqual([bubblerId, quiet])
    const all = await registry.waypoints.list()
    const broken = await found({ status: 'broken' })
    const usable = all.filter((one) =>
      isUsable({ ...one, state: broken.includes(one.id) ? 'broken' : undefined }),
    )
    expect(usable.map(({ id }) => id)).toEqual([bubblerId, quiet])
  })

  test('is off or broken as its source says, as long as that lists it', async () => {
    const { registry, status, state, pass } = await observed()
    const input = { ...square, name: 'Listed', latitude: 50 }
    const row = { row: 1, ref: 'a', input, state: 'off' as const }
    const bring = async (rows: (typeof row)[]) => {
      const run = await registry.imports.start({ source, accept: ['shrink'] })
      await run.apply(rows)
      await run.finish({ counts: { rows: rows.length }, missing: 'mark' })
    }
    const off = () => registry.waypoints.list({ status: 'off' })
    await bring([row])
    const id = (await off())[0]?.id ?? 0
    // Nobody said when the source published it.
    expect(await status(id)).toEqual({ state: 'off', supporters: 0 })
    pass(121)
    expect(await state(id)).toBe('unconfirmed')
    expect(await off()).toEqual([])
    // An unchanged listing: no entry has it, only the run.
    await bring([row])
    expect(await state(id)).toBe('off')
    expect(await off()).toHaveLength(1)
    await bring([])
    expect(await off()).toEqual([])
  })

  test('asks the moderators once two people say that it is gone, and deletes nothing', async () => {
    const { registry, ada, bob, mo, bubblerId, see, state } = await observed()
    const queue = async () => (await registry.moderation.queue({ kind: 'reported' }, mo)).items
    for (const _each of ['once', 'again']) await see(ada, 'gone')
    expect(await queue()).toEqual([])
    for (const actor of [bob, mo]) await see(actor, 'gone')
    expect(await queue()).toMatchObject([
      { waypoint: { id: bubblerId }, why: '1 open report: gone', reports: [{ reason: 'gone' }] },
    ])
    expect(await state()).toBe('gone')
    expect((await registry.waypoints.get(bubblerId)).id).toBe(bubblerId)
  })
})

test('passers-by are not in the log, report at most, and are forgotten', async () => {
  const { registry, mo, bubblerId, see, state, pass } = await observed()
  const { id } = await registry.changes.head()
  const made = await see(anonymous, 'dry', { near: away(0), comment: 'x' }, '192.0.2.0/24')
  expect(made).toEqual({ bubblerId, kind: 'dry', observedAt: '2026-07-01', near: false })
  await see(anonymous, 'dry', {}, '198.51.100.0/24')
  expect(await state()).toBe('reported')
  expect((await registry.changes.head()).id).toBe(id)
  expect(await registry.observations.list({ bubblerId })).toEqual([])
  await see(mo)
  expect(await state()).toBe('works')
  pass(31)
  await registry.observations.age()
  expect(await state()).toBe('works')
})

test('passers-by of one network are limited a day, each fountain once', async () => {
  const { see, another, pass } = await observed()
  const dry = (rest: object = {}) => see(anonymous, 'dry', rest, '192.0.2.0/24')
  for (let place = 1; place <= 19; place++) await dry({ bubblerId: await another({ latitude: place }) })
  for (let times = 0; times < 3; times++) await dry()
  const bubblerId = await another({ latitude: 50 })
  const details = { limit: 20, retryAfterSeconds: 43_200 }
  expect(await refusal(dry({ bubblerId }))).toMatchObject({ code: 'RATE_LIMITED', details })
  pass(1)
  await dry({ bubblerId })
})

test('observations move with a merge, one person stays one, and come back with a restore', async () => {
  const { registry, ada, mo, bubblerId, see, another, status, verify } = await observed()
  const copy = await another()
  await see(ada, 'broken')
  const other = await see(ada, 'broken', { bubblerId: copy })
  await registry.waypoints.merge(copy, { into: bubblerId, reason: 'the same' }, mo)
  expect(await status()).toMatchObject({ state: 'reported', supporters: 1 })
  expect(await registry.observations.list({ bubblerId })).toHaveLength(2)
  await registry.waypoints.restore(copy, { reason: 'it is not' }, mo)
  expect(await registry.observations.list({ bubblerId: copy })).toEqual([other])
  await verify()
})

test('observations are undone with a person, and by themselves, and come back', async () => {
  const { registry, ada, mo, bubblerId, see, state, verify } = await observed()
  const made = await see(ada, 'broken', { comment: 'No' })
  const { reverted } = await registry.users.revert(idOf(ada), { since: noon, reason: 'spam' }, mo)
  expect(reverted).toEqual([made.id])
  expect(await registry.observations.list({ bubblerId })).toEqual([])
  expect(await state()).toBe('unconfirmed')
  const [act] = (await registry.moderation.acts()).acts
  expect(act).toMatchObject({ kind: 'reverted', waypoint: { id: bubblerId }, reason: 'spam' })
  expect(act?.person).toBeUndefined()
  await registry.changes.revert(act?.id ?? 0, { reason: 'it was none' }, mo)
  expect(await registry.observations.list({ bubblerId })).toEqual([made])
  await verify()
})

test('observations are in the export of their author, who is not known to be it after leaving, when the comment was redacted', async () => {
  const { registry, ada, bubblerId, see, verify } = await observed()
  const made = await see(ada, 'dry', { comment: 'Not a drop' })
  const text = (await Array.fromAsync(registry.accounts.export(idOf(ada)))).join('')
  expect(JSON.parse(text)).toMatchObject({ observations: [{ ...made, madeOn: '2026-07-01', xp: 2 }] })
  await registry.accounts.leave(idOf(ada), { confirm: 'Ada', texts: 'erase' })
  expect(await registry.observations.list({ bubblerId })).toEqual([{ ...made, comment: undefined }])
  expect(JSON.stringify(await registry.changes.entries(0))).not.toContain('a drop')
  await verify()
})

test('observations are one where a person says the same of a fountain again within a minute', async () => {
  const { registry, ada, bob, bubblerId, see, another, pass, verify } = await observed()
  const other = await another({ latitude: 1 })
  const first = await see(ada)
  pass(59 / 86_400)
  expect(await Promise.all([see(ada), see(ada, 'works', { near: away(0) })])).toEqual([first, first])
  const others = [
    await see(bob),
    await see(ada, 'works', { bubblerId: other }),
    await see(ada, 'works', { observedAt: '2026-06-30' }),
    await see(ada, 'dirty'),
    await see(ada, 'dirty', { comment: 'Leaves' }),
    await see(ada),
  ]
  pass(60 / 86_400)
  others.push(await see(ada))
  expect(new Set([first, ...others].map(({ id }) => id)).size).toBe(8)
  expect(await registry.observations.list({ bubblerId })).toHaveLength(7)
  await verify()
})
