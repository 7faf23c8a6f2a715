import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import {
  anonymous,
  openRegistry,
  restoreDatabase,
  token,
  user,
  type Actor,
  type Registry,
} from '@openfountain/core'
import type { WorkKind } from '@openfountain/core/internal'
import { imported, row } from '@openfountain/testing/imported'
import { emptyRegistry, placed, refusal, square, temporaryFolder } from '@openfountain/testing/registry'
import { SqliteStore } from '../src/store/sqlite/store.ts'

const day = 24 * 60 * 60_000
const since = '2026-01-01T00:00:00.000Z'

async function peopled(database = ':memory:') {
  let now = Date.parse('2026-01-01T12:00:00.000Z')
  const registry = await emptyRegistry({ clock: () => new Date(now), database, durability: 'relaxed' })
  for (const name of ['Ada', 'Bob']) await registry.users.create({ name, xp: 1000 })
  await registry.users.create({ name: 'Mo', isModerator: true })
  return { registry, wait: (milliseconds: number) => void (now += milliseconds) }
}

const ada = user('u1')
const bob = user('u2')
const mo = user('u3')

const reported = async (registry: Registry) =>
  (await registry.moderation.queue({ kind: 'reported' }, mo)).items.flatMap(({ reports = [] }) => reports)

const exported = async (registry: Registry, userId: string): Promise<Record<string, unknown>> =>
  JSON.parse((await Array.fromAsync(registry.accounts.export(userId))).join(''))

test('the work of a person is shown to moderators by kind and in pages; of those who left it has no name and nothing private', async () => {
  const { registry } = await peopled()
  const { moderation, waypoints } = registry
  const places = []
  for (let each = 0; each < 3; each++) places.push(await placed(registry))
  const [one = 0, two = 0, three = 0] = places.map(({ id }) => id)
  await waypoints.update(one, { name: 'Changed' }, ada)
  await waypoints.update(three, { name: 'Changed' }, ada)
  await waypoints.update(three, { name: 'Again' }, ada)
  await waypoints.update(two, { name: 'By another' }, bob)
  const { id: own } = await waypoints.create({ name: 'Own', latitude: 50, longitude: 10 }, ada)
  await waypoints.delete(three, token())
  const review = await registry.reviews.create({ bubblerId: one, rating: 4, comment: 'Cold' }, ada)
  await registry.observations.create({ bubblerId: two, kind: 'broken' }, ada)
  await registry.observations.create({ bubblerId: two, kind: 'works' }, bob)
  await registry.reports.create({ reviewId: review.id, reason: 'private' }, bob)
  for (const about of [{ bubblerId: two }, { userId: 'u2' }])
    await registry.reports.create({ ...about, reason: 'wrong' }, ada)
  const work = (kind: WorkKind, more = {}, id = 'u1', actor: Actor = mo) =>
    moderation.person(id, { kind, ...more }, actor)
  expect((await work('waypoints')).items).toMatchObject([
    { waypointId: one, waypoint: { name: 'Changed' } },
    { waypointId: three, waypoint: undefined },
    { waypointId: own, waypoint: { name: 'Own' } },
  ])
  const first = await work('waypoints', { limit: 2 })
  expect([first.items.length, first.next]).toEqual([2, three])
  const rest = await work('waypoints', { limit: 2, after: first.next })
  expect([rest.items.map(({ waypointId }) => waypointId), rest.next]).toEqual([[own], undefined])
  expect((await work('reviews')).items).toMatchObject([{ waypointId: one, review: { comment: 'Cold' } }])
  const [seen, ...others] = (await work('observations')).items
  expect([seen, others]).toMatchObject([{ waypointId: two, observation: { kind: 'broken' } }, []])
  expect(seen?.observation).not.toHaveProperty('xp')
  expect((await work('reports')).items).toMatchObject([
    { waypointId: two, report: { reason: 'wrong' } },
    { waypointId: undefined, report: { userId: 'u2' } },
  ])
  expect((await work('reports', {}, 'u2')).items).toMatchObject([{ waypointId: one, report: { id: 1 } }])
  for (const actor of [ada, anonymous])
    expect((await refusal(work('reports', {}, 'u1', actor))).code).toMatch(/FORBIDDEN|UNAUTHORIZED/u)
  for (const id of ['api', 'observer', 'nobody'])
    expect((await refusal(work('reports', {}, id))).code).toBe('NOT_FOUND')
  await registry.accounts.leave('u1', { texts: 'erase' })
  const left = await Promise.all(
    (['waypoints', 'reviews', 'observations', 'reports'] as const).map((kind) => work(kind)),
  )
  expect(JSON.stringify(left)).not.toMatch(/Ada|Cold/u)
  expect(left.map(({ items }) => items.length)).toEqual([3, 1, 0, 0])
})

describe('reports', () => {
  test('are not in the log, and change nothing that others see', async () => {
    const { registry } = await peopled()
    const { id } = await placed(registry)
    const [head, version] = [await registry.changes.head(), await registry.version()]
    await registry.reports.create({ bubblerId: id, reason: 'wrong', comment: 'Zebulon lives here' }, ada)
    expect(await registry.changes.head()).toEqual(head)
    expect(await registry.version()).toEqual(version)
    expect(JSON.stringify(await registry.changes.entries(0))).not.toContain('Zebulon')
    expect((await registry.changes.verify()).notCovered.join()).toContain('reports')
  })

  test('are about one thing that is there', async () => {
    const { registry } = await peopled()
    const { id } = await placed(registry)
    await registry.waypoints.delete((await placed(registry)).id, token())
    const report = (about: object, actor: Actor = ada) =>
      refusal(registry.reports.create({ reason: 'wrong', ...about }, actor))
    for (const [about, path] of [
      [{}, 'bubblerId'],
      [{ bubblerId: id, userId: 'u2' }, 'bubblerId'],
      [{ bubblerId: 99 }, 'bubblerId'],
      [{ bubblerId: 2 }, 'bubblerId'],
      [{ reviewId: 1 }, 'reviewId'],
      [{ userId: 'nobody' }, 'userId'],
      [{ userId: 'api' }, 'id'],
      [{ bubblerId: id, reason: 'ugly' }, 'reason'],
      [{ bubblerId: id, comment: 'a\u0000b' }, 'comment'],
    ] as const)
      expect(await report(about)).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ path }] } })
    for (const actor of [anonymous, token(), token('u1')])
      expect((await report({ bubblerId: id }, actor)).code).toBe('UNAUTHORIZED')
  })

  test('of one person are at most a hundred at a time, and of a network ten a day', async () => {
    const { registry, wait } = await peopled()
    const ids: number[] = []
    for (let index = 0; index <= 100; index++) ids.push((await placed(registry)).id)
    const report = (index: number, actor: Actor = ada, network?: string) =>
      registry.reports.create({ bubblerId: ids[index] ?? 0, reason: 'gone' }, actor, { network })
    for (let index = 0; index < 100; index++) await report(index)
    expect(await refusal(report(100))).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 100 } })
    await registry.reports.decide(1, { state: 'done' }, mo)
    expect(await report(100)).toBe(101)
    const passing = (index: number, network: string) => report(index, anonymous, network)
    for (let index = 0; index < 10; index++) await passing(index, '192.0.2.0/24')
    expect(await passing(3, '192.0.2.0/24')).toBe(105)
    const details = { limit: 10, windowSeconds: 86_400, retryAfterSeconds: 43_200 }
    expect(await refusal(passing(10, '192.0.2.0/24'))).toEqual({ code: 'RATE_LIMITED', details })
    await passing(10, '198.51.100.0/24')
    wait(day / 2)
    await passing(10, '192.0.2.0/24')
  })

  test('that are repeated after they were decided are new, and may be opened again as if nobody had', async () => {
    const { registry } = await peopled()
    const about = { bubblerId: (await placed(registry)).id, reason: 'wrong', comment: 'Dry' } as const
    const { create, decide, reopen } = {
      create: () => registry.reports.create(about, ada),
      decide: (state: 'dismissed' | 'done', id = 1, actor = mo) =>
        registry.reports.decide(id, { state, note: 'It is not' }, actor),
      reopen: (id = 1, actor: Actor = mo) => registry.reports.reopen(id, actor),
    }
    expect([await create(), await create()]).toEqual([1, 1])
    const before = await reported(registry)
    for (const _each of ['once', 'again'])
      expect(await decide('dismissed')).toMatchObject({ state: 'dismissed' })
    expect(await refusal(decide('done'))).toEqual({ code: 'CONFLICT', details: { state: 'dismissed' } })
    for (const _each of ['once', 'again'])
      expect(await reopen()).toMatchObject({ state: 'open', comment: 'Dry' })
    expect(await reported(registry)).toEqual(before)
    expect(await decide('done')).toMatchObject({ state: 'done' })
    expect(await create()).toBe(2)
    const codes = [decide('done', 3), reopen(3), decide('done', 2, ada), reopen(2, ada), reopen(2, anonymous)]
    const ends = await Promise.all(codes.map(async (each) => (await refusal(each)).code))
    expect(ends.join()).toBe('NOT_FOUND,NOT_FOUND,FORBIDDEN,FORBIDDEN,UNAUTHORIZED')
  })

  test('lose who made them and the comment when that person leaves, and nothing holds it', async () => {
    const database = path.join(await temporaryFolder(), 'a.db')
    const { registry } = await peopled(database)
    const { id } = await placed(registry)
    await registry.reports.create({ bubblerId: id, reason: 'private', comment: 'Zebulon lives here' }, ada)
    await registry.reports.create({ userId: 'u1', reason: 'offensive', comment: 'Rude' }, bob)
    expect(await exported(registry, 'u1')).toMatchObject({
      reports: [{ id: 1, bubblerId: id, reason: 'private', comment: 'Zebulon lives here', state: 'open' }],
    })
    expect(await exported(registry, 'u2')).toMatchObject({ reports: [{ id: 2, userId: 'u1' }] })
    const backup = `${database}.backup`
    await registry.backup(backup)
    await registry.accounts.leave('u1', { texts: 'keep' })
    const [first, second] = await reported(registry)
    const createdAt = '2026-01-01T12:00:00.000Z'
    expect(first).toEqual({ id: 1, bubblerId: id, reason: 'private', state: 'open', createdAt })
    expect(second).toMatchObject({ by: { id: 'u2', name: 'Bob' }, comment: 'Rude' })
    await registry.close()
    expect((await readFile(database)).includes('Zebulon')).toBe(false)
    await using copy = await openRegistry({ database: backup })
    expect((await reported(copy))[0]).toMatchObject({ by: { id: 'u1' }, comment: 'Zebulon lives here' })
  })

  test('lose what was written when the operator erases several at once, also in a backup that is restored', async () => {
    const database = path.join(await temporaryFolder(), 'a.db')
    const { registry } = await peopled(database)
    const scrub = vi.spyOn(SqliteStore.prototype, 'scrub')
    const about = { bubblerId: (await placed(registry)).id, reason: 'private' } as const
    for (const by of [ada, bob]) await registry.reports.create({ ...about, comment: 'Zebulon' }, by)
    await registry.reports.create({ ...about, comment: 'I agree' }, mo)
    await registry.reports.decide(1, { state: 'done', note: 'Zebulon was right' }, mo)
    const backup = `${database}.backup`
    await registry.backup(backup)
    const erased = await registry.reports.eraseAll([2, 1])
    expect(erased.map(({ id, state, comment, note }) => [id, state, comment, note])).toEqual([
      [2, 'open', undefined, undefined],
      [1, 'done', undefined, undefined],
    ])
    expect(scrub).toHaveBeenCalledOnce()
    scrub.mockRestore()
    expect(await registry.reports.eraseAll([])).toEqual([])
    expect((await refusal(registry.reports.eraseAll([3, 9]))).code).toBe('NOT_FOUND')
    expect(JSON.stringify(await exported(registry, 'u1'))).not.toContain('Zebulon')
    await registry.close()
    for (const file of [database, `${database}.erased`])
      expect((await readFile(file)).includes('Zebulon')).toBe(false)
    expect((await readFile(backup)).includes('Zebulon')).toBe(true)
    const clock = () => new Date('2026-01-02T00:00:00.000Z')
    const restored = await restoreDatabase({ database, from: backup, replace: true, clock })
    expect(restored).toMatchObject({ ok: true, erased: 0, erasedReports: 3, left: 0 })
    expect((await readFile(database)).includes('Zebulon')).toBe(false)
  })

  test('lose who made them and what was written 90 days after they were decided', async () => {
    const { registry, wait } = await peopled()
    const about = { bubblerId: (await placed(registry)).id, reason: 'wrong' } as const
    await registry.reports.create({ ...about, comment: 'Zebulon' }, ada)
    await registry.reports.decide(1, { state: 'done', note: 'Zebulon was right' }, mo)
    wait(90 * day)
    await registry.reports.create(about, bob)
    expect(await registry.reports.list({ state: 'done' }, mo)).toMatchObject([{ note: 'Zebulon was right' }])
    wait(1)
    await registry.reports.create(about, bob)
    const [kept] = await registry.reports.list({ state: 'done' }, mo)
    const left = ['bubblerId', 'createdAt', 'decidedAt', 'id', 'reason', 'state']
    expect(Object.keys(kept ?? {}).toSorted()).toEqual(left)
  })
})

test('undoing an act brings back imports that were taken back, which importing again finds, here and in a mirror', async () => {
  const { registry } = await peopled()
  const rows = ['1', '2', '3'].map((ref) => row(ref, `Well ${ref}`))
  const bring = async () =>
    (await imported(registry, rows, undefined, 'remove')).outcomes.map(({ kind }) => kind)
  await bring()
  await registry.waypoints.update(2, { description: 'New' }, ada)
  const shown = async () => (await registry.waypoints.list()).map(({ id, name }) => [id, name])
  const before = await shown()
  const options = { since, reason: 'Wrong', evenBuiltIn: true }
  const { reverted, conflicts } = await registry.users.revert('api', options, token())
  expect([reverted.length, conflicts]).toMatchObject([2, [{ fields: ['description'] }]])
  expect(await bring()).toEqual(['deleted', 'unchanged', 'deleted'])
  const [act] = (await registry.moderation.acts()).acts
  const undo = { reason: 'It was right' }
  expect((await refusal(registry.moderation.undo(act?.id ?? 0, undo, mo))).code).toBe('FORBIDDEN')
  const undone = act?.entries.toReversed()
  expect(await registry.moderation.undo(act?.id ?? 0, undo, token())).toEqual({ undone, conflicts: [] })
  expect(await shown()).toEqual(before)
  expect(await bring()).toEqual(['unchanged', 'unchanged', 'unchanged'])
  const copy = await emptyRegistry()
  await copy.mirror.follow(await registry.changes.entries(0))
  for (const each of [registry, copy]) {
    expect((await each.changes.verify()).problems).toEqual([])
    expect((await each.moderation.acts()).acts.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['reverted', 'It was right'],
      ['reverted', 'Wrong'],
    ])
  }
})

test('acts are what moderators and the operator did, and nothing that people and imports do', async () => {
  const { registry } = await peopled()
  const { id } = await registry.waypoints.create(square, ada)
  await placed(registry)
  await registry.waypoints.update(id, { description: 'New' }, bob)
  const review = await registry.reviews.create({ bubblerId: id, rating: 1 }, ada)
  const other = await registry.reviews.create({ bubblerId: id, rating: 1, comment: 'Rude' }, bob)
  await registry.reviews.delete(review.id, ada)
  const run = await registry.imports.start({ source: { name: 'Lund', license: 'CC0-1.0' } })
  const rows = { ref: 'a', input: { ...square, verified: true } }
  await run.apply([{ row: 1, ...rows }])
  await run.apply([{ row: 1, ...rows, input: { ...square, verified: false } }])
  await run.finish({ counts: {}, missing: 'remove' })
  const next = await registry.imports.start({
    source: { name: 'Lund', license: 'CC0-1.0' },
    accept: ['shrink'],
  })
  await next.finish({ counts: {}, missing: 'remove' })
  expect((await registry.moderation.acts()).acts).toEqual([])
  await registry.waypoints.update(id, { approved: true, verified: true }, mo)
  await registry.reviews.delete(other.id, mo)
  await registry.users.block('u2', { reason: 'Rude', until: '2027-01-01T00:00:00.000Z' }, mo)
  await registry.users.unblock('u2', token())
  await registry.changes.redact(8, { reason: 'A secret' })
  await registry.accounts.leave('u2', { texts: 'keep' })
  const { acts } = await registry.moderation.acts()
  expect(
    acts.map(({ kind, user: by, person, waypoint, review: of }) => [kind, by, person ?? of ?? waypoint]),
  ).toEqual([
    ['redacted', { id: 'api', name: 'API' }, { id: 'u2' }],
    ['unblocked', { id: 'api', name: 'API' }, { id: 'u2' }],
    ['blocked', { id: 'u3', name: 'Mo' }, { id: 'u2' }],
    ['deleted', { id: 'u3', name: 'Mo' }, { id: other.id, waypoint: { id, name: square.name } }],
    ['verified', { id: 'u3', name: 'Mo' }, { id, name: square.name }],
    ['approved', { id: 'u3', name: 'Mo' }, { id, name: square.name }],
  ])
  expect(acts[2]).toMatchObject({ reason: 'Rude', until: '2027-01-01T00:00:00.000Z' })
  const first = await registry.moderation.acts({ limit: 2 })
  const rest = await registry.moderation.acts({ limit: 100, after: first.next })
  expect([...first.acts, ...rest.acts]).toEqual(acts)
  expect(rest).not.toHaveProperty('next')
})

test('acts have the reason of a deletion, but not what authors say of reviews of their own', async () => {
  const { registry } = await peopled()
  const { id } = await placed(registry)
  for (const actor of [ada, bob]) await registry.reviews.create({ bubblerId: id, rating: 1 }, actor)
  await registry.reviews.delete(1, ada, { reason: 'Mine' })
  await registry.reviews.delete(2, mo, { reason: 'Rude' })
  const long = { reason: 'x'.repeat(2001) }
  expect((await refusal(registry.waypoints.delete(id, mo, long))).code).toBe('INVALID_INPUT')
  expect((await refusal(registry.waypoints.delete(id, ada, { reason: 'Mine' }))).code).toBe('FORBIDDEN')
  await registry.waypoints.delete(id, mo, { reason: 'It is gone' })
  expect((await registry.moderation.acts()).acts).toMatchObject([
    { kind: 'deleted', reason: 'It is gone', waypoint: { id } },
    { kind: 'deleted', reason: 'Rude', review: { id: 2 } },
  ])
  expect(JSON.stringify(await registry.changes.entries(0))).not.toContain('Mine')
  expect(await registry.changes.verify()).toMatchObject({ ok: true })
})

test('acts have no reason that was redacted, and say so', async () => {
  const { registry } = await peopled()
  await placed(registry)
  await registry.users.block('u2', { reason: 'Zebulon' }, mo)
  const { id } = await registry.changes.head()
  await registry.waypoints.merge((await placed(registry)).id, { into: 1, reason: 'Zebulon' }, mo)
  const merged = (await registry.changes.head()).id
  for (const each of [id, merged])
    await registry.changes.redact(each, { reason: `privacy of ${each}`, fields: ['reason'] })
  const { acts } = await registry.moderation.acts()
  expect(JSON.stringify(acts)).not.toContain('Zebulon')
  expect(acts.map(({ kind, reason, redacted }) => [kind, reason, redacted])).toEqual([
    ['redacted', `privacy of ${merged}`, undefined],
    ['redacted', `privacy of ${id}`, undefined],
    ['merged', undefined, true],
    ['blocked', undefined, true],
  ])
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('bursts are of people within a day, not of moderators, programs and imports', async () => {
  const { registry, wait } = await peopled()
  await placed(registry)
  for (let index = 0; index < 40; index++) {
    if (index < 29) await registry.waypoints.update(1, { description: `A ${index}` }, ada)
    await registry.waypoints.update(1, { region: `B ${index}` }, bob)
    await registry.waypoints.update(1, { maintainer: `T ${index}` }, token())
    await registry.waypoints.update(1, { approved: index % 2 === 0 }, mo)
  }
  const bursts = async () => (await registry.moderation.queue({ kind: 'bursts' }, mo)).items
  expect(await bursts()).toMatchObject([
    { user: { id: 'u2' }, changes: 40, since: '2026-01-01T12:00:00.000Z' },
  ])
  wait(day)
  expect(await bursts()).toHaveLength(1)
  wait(1)
  expect(await bursts()).toEqual([])
})
