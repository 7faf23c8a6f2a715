import { token, user, userByToken, type Registry } from '@openfountain/core'
import { imported, row } from '@openfountain/testing/imported'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'

const maintainer = 'City of Lund'
const keeper = user('keeper')
const mo = user('mo')
const ada = user('ada')

/** A registry in which `keeper` keeps the fountains of a city: 1 and 2 are theirs, 3 says so by somebody else's word. */
async function kept() {
  let now = Date.parse('2026-01-10T12:00:00.000Z')
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  for (const id of ['keeper', 'ada'])
    await registry.users.create({ id, name: id, xp: id === 'ada' ? 100 : 0 })
  await registry.users.create({ id: 'mo', name: 'mo', isModerator: true, xp: 100 })
  for (const name of ['One', 'Two']) await placed(registry, { name, maintainer })
  await registry.waypoints.create({ name: 'Three', latitude: 3, longitude: 3, maintainer }, ada)
  await registry.users.setKeeper('keeper', { maintainer }, true)
  return { registry, wait: (days: number) => void (now += days * 86_400_000) }
}

const theirs = async (registry: Registry) =>
  (await registry.waypoints.list({ keeper: 'keeper' })).map(({ id }) => id)
const said = async (registry: Registry, bubblerId: number, actor = keeper) =>
  (await registry.observations.create({ bubblerId, kind: 'broken' }, actor)).authority
const isSound = async (registry: Registry) => expect((await registry.changes.verify()).ok).toBe(true)

test('the word of a keeper about their fountains is the operator’s, decided when it is written', async () => {
  const { registry } = await kept()
  expect(await theirs(registry)).toEqual([1, 2])
  expect((await registry.users.profile('keeper')).keeps).toEqual([{ maintainer }])
  expect(await said(registry, 1)).toBe('keeper')
  expect(await registry.observations.status(1)).toMatchObject({ state: 'broken', supporters: 1 })
  expect(await said(registry, 3)).toBeUndefined()
  expect(await registry.observations.status(3)).toMatchObject({ state: 'reported' })
  expect(await said(registry, 2, userByToken('keeper'))).toBe('keeper')
  await registry.users.setKeeper('keeper', { maintainer }, false)
  expect(await theirs(registry)).toEqual([])
  expect(await said(registry, 1, ada)).toBeUndefined()
  expect(await registry.observations.create({ bubblerId: 2, kind: 'works' }, keeper)).not.toHaveProperty(
    'authority',
  )
  expect(await registry.observations.status(1)).toMatchObject({ state: 'broken' })
  await isSound(registry)
})

test('a keeper says until when a fountain is off, and others may not', async () => {
  const { registry, wait } = await kept()
  const off = { bubblerId: 1, kind: 'dry', until: '2026-03-31' } as const
  await registry.observations.create(off, keeper)
  expect(await registry.observations.status(1)).toMatchObject({ state: 'off', since: '2026-01-10' })
  wait(60)
  expect(await registry.observations.status(1)).toMatchObject({ state: 'off' })
  wait(21)
  expect(await registry.observations.status(1)).toMatchObject({ state: 'unconfirmed' })
  const until = '2026-05-01'
  const again = { bubblerId: 1, kind: 'dry', until } as const
  for (const [given, actor, code] of [
    [again, ada, 'FORBIDDEN'],
    [{ ...again, bubblerId: 3 }, keeper, 'FORBIDDEN'],
    [{ ...again, kind: 'broken' }, keeper, 'INVALID_INPUT'],
    [{ ...again, until: '2026-03-31' }, keeper, 'INVALID_INPUT'],
    [{ ...again, until: '2027-05-01' }, keeper, 'INVALID_INPUT'],
  ] as const)
    expect((await refusal(registry.observations.create(given, actor))).code).toBe(code)
  await isSound(registry)
})

test('that a city closed its request is said by the operator alone, and changes no state', async () => {
  const { registry } = await kept()
  const closed = { bubblerId: 1, kind: 'closed' } as const
  for (const actor of [ada, keeper, mo, token('mo', 'moderate')])
    expect((await refusal(registry.observations.create(closed, actor))).code).toBe('FORBIDDEN')
  const passing = registry.observations.create(closed, { kind: 'anonymous' }, { network: '192.0.2.0/24' })
  expect((await refusal(passing)).code).toBe('FORBIDDEN')
  await registry.observations.create({ bubblerId: 1, kind: 'broken' }, token())
  await registry.observations.create({ ...closed, comment: 'Water works: done' }, token())
  expect(await registry.observations.status(1)).toMatchObject({ state: 'broken', supporters: 1 })
  await isSound(registry)
})

test('what a keeper says is gone asks a moderator at once', async () => {
  const { registry } = await kept()
  await registry.observations.create({ bubblerId: 1, kind: 'gone' }, keeper)
  expect(await registry.observations.status(1)).toMatchObject({ state: 'gone' })
  expect(await registry.reports.list({}, mo)).toMatchObject([{ bubblerId: 1, reason: 'gone' }])
})

test('somebody else’s maintainer goes to the queue and leaves the keeper in place; a keeper’s is refused', async () => {
  const { registry } = await kept()
  const change = { maintainer: 'Nobody', description: 'By the door' }
  const answer = await registry.waypoints.update(1, change, ada)
  expect(answer).toMatchObject({ maintainer, description: 'By the door' })
  expect(await registry.reports.list({}, mo)).toMatchObject([
    { bubblerId: 1, reason: 'wrong', comment: 'maintainer: Nobody', by: { id: 'ada' } },
  ])
  await registry.waypoints.update(2, { maintainer: null }, ada)
  expect(await theirs(registry)).toEqual([1, 2])
  await registry.users.grantXp('keeper', 50, 'Edits')
  for (const id of [1, 2])
    expect((await refusal(registry.waypoints.update(id, change, keeper))).code).toBe('FORBIDDEN')
  expect((await refusal(registry.waypoints.update(1, change, token('ada', 'contribute')))).code).toBe(
    'FORBIDDEN',
  )
  await registry.waypoints.update(3, { maintainer: 'Nobody' }, keeper)
  expect(await theirs(registry)).toEqual([1, 2])
  await isSound(registry)
})

test('a moderator hands a fountain over, takes it away, and a revert brings both back', async () => {
  const { registry } = await kept()
  await registry.waypoints.update(3, { maintainer }, mo)
  expect(await theirs(registry)).toEqual([1, 2, 3])
  await registry.waypoints.update(1, { maintainer: 'A club' }, mo)
  expect(await theirs(registry)).toEqual([2, 3])
  expect(await said(registry, 1)).toBeUndefined()
  const handed = (await registry.waypoints.history(1)).at(-1)?.id ?? 0
  await registry.changes.revert(handed, { reason: 'It is the city’s' }, mo)
  expect(await theirs(registry)).toEqual([1, 2, 3])
  await registry.waypoints.delete(2, mo)
  await registry.waypoints.restore(2, { reason: 'It is there' }, mo)
  expect(await theirs(registry)).toEqual([1, 2, 3])
  await registry.waypoints.create({ name: 'Four', latitude: 4, longitude: 4, maintainer: 'B' }, ada)
  const { id } = await registry.waypoints.create({ name: 'Five', latitude: 5, longitude: 5, maintainer }, ada)
  await registry.waypoints.update(id, { maintainer: 'C' }, ada)
  const changed = (await registry.waypoints.history(id)).at(-1)?.id ?? 0
  await registry.changes.revert(changed, { reason: 'No' }, mo)
  expect(await registry.waypoints.get(id)).toMatchObject({ maintainer })
  expect(await theirs(registry)).toEqual([1, 2, 3])
  await isSound(registry)
})

test('a keeper of a source keeps what it lists, until it lists it no more', async () => {
  const { registry } = await kept()
  await imported(registry, [row('1', 'One'), row('2', 'Two', { maintainer })])
  const [source] = await registry.sources.list()
  await registry.users.setKeeper('keeper', { source: source?.name ?? '' }, true)
  await registry.users.setKeeper('keeper', { maintainer }, false)
  const all = await theirs(registry)
  expect(all).toHaveLength(2)
  expect(await said(registry, all[0] ?? 0)).toBe('keeper')
  expect((await registry.users.profile('keeper')).keeps).toEqual([{ source: source?.name }])
  expect((await refusal(registry.users.setKeeper('keeper', { source: 'No such' }, true))).code).toBe(
    'INVALID_INPUT',
  )
  await isSound(registry)
})

test('a keeper sets the season of their fountains without XP, and nothing else of many', async () => {
  const { registry } = await kept()
  const set = { season: '04-15/10-31' }
  const many = (where: object, more: object = { set }) =>
    registry.waypoints.updateMany({ where, reason: 'Winter', ...more }, keeper)
  const foreign = await refusal(many({ ids: [1, 3] }))
  expect(foreign).toMatchObject({ code: 'FORBIDDEN', details: { ids: [3] } })
  expect((await registry.waypoints.get(1)).season).toBeUndefined()
  expect(await many({ maintainer })).toMatchObject({ changed: [1, 2] })
  const act = await many({ ids: [2] }, { set: { season: null } })
  expect(act).toMatchObject({ changed: [2] })
  for (const more of [{ remove: true }, { set: { verified: true } }, { set: { ...set, maintainer: 'Me' } }])
    expect((await refusal(many({ ids: [1] }, more))).code).toBe('FORBIDDEN')
  expect((await refusal(registry.waypoints.updateMany({ where: { ids: [1] }, set }, ada))).code).toBe(
    'FORBIDDEN',
  )
  expect((await refusal(registry.waypoints.delete(1, keeper))).code).toBe('FORBIDDEN')
  expect(
    await registry.waypoints
      .update(1, { approved: true, name: 'Won' }, keeper)
      .catch((error: unknown) => error),
  ).toMatchObject({ code: 'INSUFFICIENT_XP' })
  await registry.moderation.undo(act.act ?? 0, { reason: 'A mistake' }, mo)
  expect((await registry.waypoints.get(2)).season).toBe('04-15/10-31')
  await isSound(registry)
})

test('who leaves, is blocked, or whose maintainer is redacted keeps nothing; the log agrees', async () => {
  const { registry } = await kept()
  await registry.users.block('keeper', { reason: 'Vandalism' }, mo)
  expect((await refusal(registry.observations.create({ bubblerId: 1, kind: 'works' }, keeper))).code).toBe(
    'FORBIDDEN',
  )
  await registry.users.unblock('keeper', mo)
  const of = async (action: string) =>
    (await Array.fromAsync(registry.changes.since(0))).find((each) => each.action === action)
  expect(await of('entrusted')).toMatchObject({
    by: 'api',
    subject: 'user',
    subjectId: 'keeper',
    fields: { maintainer },
  })
  await registry.users.setKeeper('ada', { maintainer: 'Jane Roe' }, true)
  const entries = await Array.fromAsync(registry.changes.since(0))
  const named = entries.find(({ fields }) => fields['maintainer'] === 'Jane Roe')
  await registry.changes.redact(named?.id ?? 0, { reason: 'A person' })
  expect((await registry.users.profile('ada')).keeps).toBeUndefined()
  await isSound(registry)
  await registry.accounts.leave('keeper', { texts: 'keep' })
  expect(await theirs(registry)).toEqual([])
  expect(await of('relieved')).toMatchObject({ subjectId: 'keeper', fields: { maintainer } })
  await isSound(registry)
})
