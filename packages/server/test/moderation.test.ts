import { afterEach, beforeEach, expect, test } from 'vitest'
import { token, user } from '@openfountain/core'
import { openStage, spring, type Role, type Stage } from '@openfountain/testing/server/stage'

let stage: Stage

beforeEach(async () => {
  stage = await openStage({ openObservations: false })
})
afterEach(() => stage.close())

const since = '2026-01-01T00:00:00.000Z'
const reason = 'Vandalism'
const asked = (method: string, path: string, as: Role, body?: unknown) =>
  stage.ask(method, path, { as, ...(body !== undefined && { body }) })
const post = (path: string, as: Role, body: unknown) => asked('POST', path, as, body)

/** A waypoint whose name somebody changed, and the entry of that. */
async function edited(name: string): Promise<{ id: number; entry: number }> {
  const { id } = await stage.made({ name: 'Old oak' }, 'token')
  await asked('PATCH', `/api/waypoints/${id}`, 'regular', { name })
  return { id, entry: (await stage.registry.changes.head()).id }
}

test('an entry is undone by another one, which can be undone too', async () => {
  const { id, entry } = await edited('Spam')
  const { status, body } = await post(`/api/logs/${entry}/revert`, 'moderator', { reason })
  expect([status, body]).toEqual([200, { reverted: entry, entries: [entry + 1] }])
  expect((await stage.get(`/api/waypoints/${id}`)).body).toMatchObject({ waypoint: { name: 'Old oak' } })
  expect((await stage.registry.users.get('regular')).xp).toBe(100)
  const again = await post(`/api/logs/${entry + 1}/revert`, 'moderator', { reason: 'It was right' })
  expect(again.status).toBe(200)
  expect((await stage.get(`/api/waypoints/${id}`)).body).toMatchObject({ waypoint: { name: 'Spam' } })
  expect((await stage.registry.users.get('regular')).xp).toBe(110)
})

test('what somebody changed since is a conflict that names the fields', async () => {
  const { id, entry } = await edited('Spam')
  await asked('PATCH', `/api/waypoints/${id}`, 'author', { name: 'Right' })
  const { status, body } = await post(`/api/logs/${entry}/revert`, 'moderator', { reason })
  expect([status, body['code'], body['details']]).toEqual([409, 'CONFLICT', { fields: ['name'] }])
})

test('an evening of a vandal is undone in one act, XP is as before, and the log verifies', async () => {
  const { registry } = stage
  const { id } = await stage.made({ name: 'Old oak' }, 'token')
  const { xp } = await registry.users.get('regular')
  for (let index = 0; index < 20; index++)
    await asked('PATCH', `/api/waypoints/${id}`, 'regular', { name: `Spam ${index}` })
  const dry = await post('/api/users/regular/revert', 'moderator', { since, reason, dryRun: true })
  expect(dry.body).toMatchObject({ conflicts: [] })
  expect(dry.body['reverted']).toHaveLength(20)
  expect((await registry.waypoints.get(id)).name).toBe('Spam 19')
  const { body } = await post('/api/users/regular/revert', 'moderator', { since, reason })
  expect(body).toEqual(dry.body)
  expect(await registry.waypoints.get(id)).toMatchObject({ name: 'Old oak' })
  expect((await registry.users.get('regular')).xp).toBe(xp)
  expect((await registry.changes.verify()).ok).toBe(true)
  const { acts } = await registry.moderation.acts({ limit: 1 })
  expect(acts).toMatchObject([{ kind: 'reverted', reason, person: { id: 'regular' } }])
  const undone = await post(`/api/moderation/acts/${acts[0]?.id}/undo`, 'moderator', {
    reason: 'A map party',
  })
  expect(undone.body).toMatchObject({ conflicts: [], undone: acts[0]?.entries.toReversed() })
  expect((await registry.users.get('regular')).xp).toBe(xp + 200)
})

test('a moderator cannot undo what imports and programs did, nor in bulk without having signed in of late', async () => {
  const { registry } = stage
  const { id } = await stage.made({ name: 'Old oak' }, 'token')
  const body = { since, reason, evenBuiltIn: true }
  for (const path of ['/api/users/api/revert', '/api/users/observer/revert', '/api/users/api/block'])
    expect(await post(path, 'moderator', body)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  await asked('DELETE', `/api/waypoints/${id}`, 'token')
  const act = (await registry.changes.head()).id
  const undo = `/api/moderation/acts/${act}/undo`
  expect((await post(undo, 'moderator', { reason })).body).toMatchObject({ code: 'FORBIDDEN' })
  stage.pass(11 * 60_000)
  for (const path of ['/api/users/regular/revert', undo])
    expect((await post(path, 'moderator', body)).body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' })
  await registry.moderation.undo(act, { reason }, token())
  expect(await registry.waypoints.get(id)).toMatchObject({ name: 'Old oak' })
})

test('a waypoint is merged into another, and restored', async () => {
  const { fountain } = stage
  const twin = await stage.made({ ...spring, name: 'Market square, twin' }, 'token')
  const merged = await post(`/api/waypoints/${twin.id}/merge`, 'moderator', {
    into: fountain.id,
    reason: 'Same',
  })
  expect(merged.body).toMatchObject({ waypoint: { id: fountain.id } })
  const gone = await stage.get(`/api/waypoints/${twin.id}`)
  expect([gone.status, gone.body['details']]).toMatchObject([404, { mergedInto: fountain.id }])
  const restored = await post(`/api/waypoints/${twin.id}/restore`, 'moderator', { reason: 'Not the same' })
  expect(restored.body).toMatchObject({ waypoint: { id: twin.id, name: 'Market square, twin' } })
})

test('somebody who is blocked is refused every write, also reports, by every credential', async () => {
  const until = '2026-06-01T00:00:00.000Z'
  const blocked = await post('/api/users/regular/block', 'moderator', { reason, until })
  expect([blocked.status, blocked.body]).toEqual([200, { block: { reason, until } }])
  const bubblerId = stage.fountain.id
  for (const [method, path, body] of [
    ['POST', '/api/waypoints', spring],
    ['PATCH', `/api/waypoints/${bubblerId}`, { name: 'Spam' }],
    ['POST', '/api/reviews', { bubblerId, rating: 1 }],
    ['POST', '/api/reports', { bubblerId, reason: 'wrong' }],
    ['PATCH', '/api/user', { name: 'Other' }],
  ] as const) {
    const { status, body: refused } = await asked(method, path, 'regular', body)
    const details = { reason, blockedUntil: until }
    expect([status, refused['code'], refused['details']]).toEqual([403, 'FORBIDDEN', details])
  }
  expect((await asked('DELETE', '/api/users/regular/block', 'moderator')).status).toBe(204)
  expect((await post('/api/reports', 'regular', { userId: 'newcomer', reason: 'wrong' })).status).toBe(201)
  expect((await post('/api/users/moderator/block', 'moderator', { reason })).status).toBe(403)
})

test('what is reported is in the queue with its reports until they are decided', async () => {
  const about = { bubblerId: stage.fountain.id }
  const first = await post('/api/reports', 'regular', { ...about, reason: 'gone', comment: ' It is gone ' })
  expect([first.status, first.body]).toEqual([201, { report: { id: 1 } }])
  const changed = { ...about, reason: 'wrong', comment: 'It is elsewhere' }
  expect((await post('/api/reports', 'regular', changed)).body).toEqual(first.body)
  await post('/api/reports', 'author', { ...about, reason: 'wrong' })
  await post('/api/reports', 'author', { reviewId: stage.reviewId, reason: 'offensive' })
  await post('/api/reports', 'author', { userId: 'newcomer', reason: 'offensive' })
  const queue = async (as: Role, page = '') =>
    (await asked('GET', `/api/moderation/queue?kind=reported${page}`, as)).body
  const by = { id: 'regular', name: 'Name of regular' }
  const reports = [
    { id: 1, by, comment: 'It is elsewhere', state: 'open' },
    { id: 2, by: { id: 'author' } },
  ]
  expect(await queue('moderator')).toMatchObject({
    total: 3,
    items: [
      { kind: 'reported', waypoint: { id: stage.fountain.id }, why: '2 open reports: wrong', reports },
      { review: { id: stage.reviewId }, waypoint: { id: stage.fountain.id } },
      { user: { id: 'newcomer' } },
    ],
  })
  expect(JSON.stringify(await queue('token'))).not.toContain('Name of regular')
  expect(await queue('moderator', '&limit=1')).toMatchObject({ items: [{ reports: [{}, {}] }], next: 1 })
  expect(await queue('moderator', '&limit=1&after=1')).toMatchObject({ items: [{ review: {} }], next: 3 })
  const decided = await asked('PATCH', '/api/reports/1', 'moderator', { state: 'done', note: 'Moved' })
  expect(decided.body).toMatchObject({ report: { id: 1, state: 'done', note: 'Moved' } })
  const again = await asked('PATCH', '/api/reports/1', 'moderator', { state: 'dismissed' })
  expect([again.status, again.body['details']]).toEqual([409, { state: 'done' }])
  await asked('PATCH', '/api/reports/2', 'moderator', { state: 'dismissed' })
  expect((await queue('moderator'))['total']).toBe(2)
})

test('a deletion may have a reason, which everybody can read among the acts', async () => {
  const { fountain, reviewId } = stage
  const why = (text: string) => new URLSearchParams({ reason: text }).toString()
  const path = `/api/waypoints/${fountain.id}`
  for (const bad of [' ', 'x'.repeat(501)])
    expect((await asked('DELETE', `${path}?${why(bad)}`, 'moderator')).body['details']).toMatchObject({
      issues: [{ path: 'reason' }],
    })
  const rude = `Rude & <b>“worse”</b>`
  await asked('DELETE', `/api/reviews?id=${reviewId}&${why(rude)}`, 'moderator')
  // The longest in the widest letters, each of which takes twelve characters of the address.
  expect((await asked('DELETE', `${path}?${why('\u{20000}'.repeat(250))}`, 'moderator')).status).toBe(200)
  const { acts } = (await stage.get('/api/moderation/acts?limit=2')).body as { acts: { reason: string }[] }
  expect(acts.map((act) => act.reason)).toEqual(['\u{20000}'.repeat(250), rude])
})

test('what may be the same fountain is in the queue until it is merged, or found not to be the same', async () => {
  const queue = async () => (await asked('GET', '/api/moderation/queue?kind=duplicates', 'moderator')).body
  const { id, latitude, longitude } = stage.fountain
  expect(await queue()).toMatchObject({ items: [], total: 0 })
  const near = { latitude: latitude + 0.0001, longitude }
  const twin = await stage.made({ ...near, name: 'Market Square' }, 'token')
  const other = await stage.made(
    { latitude, longitude: longitude + 0.0001, name: 'Market square 2' },
    'token',
  )
  expect(await queue()).toMatchObject({
    total: 2,
    items: [
      { waypoint: { id: twin.id }, other: { id }, metres: 11.1 },
      { waypoint: { id: other.id }, other: { id }, metres: 6.3 },
    ],
  })
  const distinct = await post(`/api/waypoints/${id}/distinct`, 'moderator', { from: other.id })
  expect(distinct.body).toEqual({ distinct: [id, other.id] })
  // Then it may be the other one.
  expect(await queue()).toMatchObject({ total: 2, items: [{}, { other: { id: twin.id } }] })
  await post(`/api/waypoints/${twin.id}/distinct`, 'moderator', { from: other.id })
  await post(`/api/waypoints/${twin.id}/merge`, 'moderator', { into: id, reason: 'The same' })
  expect(await queue()).toMatchObject({ items: [], total: 0 })
})

test('with open observations whoever is on a permitted page may report, a few times a day', async () => {
  const map = 'https://map.example'
  const open = await openStage({ openObservations: true, allowedOrigins: [map] })
  const about = (bubblerId: number) => ({ bubblerId, reason: 'gone', comment: 'It is gone' })
  const report = (headers: Readonly<Record<string, string>>, body: object = about(open.fountain.id)) =>
    open.ask('POST', '/api/reports', { headers, body })
  expect((await open.get('/api/auth')).body).toMatchObject({ openObservations: true, user: null })
  for (const origin of [map, 'http://fountains.test'])
    expect((await report({ origin })).body).toEqual({ report: { id: 1 } })
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: map, authorization: 'Bearer oft_made-up' },
    { origin: map, authorization: open.secrets.token['authorization'] ?? '' },
  ])
    expect((await report(headers)).status).toBe(401)
  // A session that has ended is no reason to be silent.
  expect((await report({ origin: map, cookie: 'session=ofs_made-up' })).status).toBe(201)
  for (let index = 1; index < 10; index++)
    expect((await report({ origin: map }, about((await open.made(spring, 'token')).id))).status).toBe(201)
  const beyond = await report({ origin: map }, about((await open.made(spring, 'token')).id))
  expect([beyond.status, beyond.body['code'], beyond.headers.get('retry-after')]).toEqual([
    429,
    'RATE_LIMITED',
    '43200',
  ])
  const { items } = await open.registry.moderation.queue({ kind: 'reported' }, user('moderator'))
  expect(items[0]?.reports).toMatchObject([{ id: 1, comment: 'It is gone' }])
  expect(items[0]?.reports?.[0]).not.toHaveProperty('by')
  expect((await report({ origin: map, ...open.secrets.regular })).status).toBe(201)
  await open.close()
})

test('without open observations nobody reports or observes who is not signed in', async () => {
  const headers = { origin: 'http://fountains.test' }
  const body = { bubblerId: stage.fountain.id, reason: 'gone', kind: 'works' }
  for (const path of ['/api/reports', '/api/observations'])
    expect((await stage.ask('POST', path, { headers, body })).status).toBe(401)
  expect((await stage.get('/api/auth')).body).not.toHaveProperty('openObservations')
})

test('moderation is refused to pages of other sites, and refusals say nothing of what is there', async () => {
  const headers = { ...stage.secrets.moderator, origin: 'https://evil.example' }
  for (const [path, body] of [
    ['/api/users/regular/block', { reason }],
    ['/api/users/regular/revert', { since, reason }],
    [`/api/waypoints/${stage.fountain.id}/restore`, { reason }],
    ['/api/reports', { userId: 'regular', reason: 'wrong' }],
  ] as const)
    expect((await stage.ask('POST', path, { headers, body })).status).toBe(403)
  const there = await post('/api/reports', 'author', { userId: 'regular', reason: 'wrong' })
  expect(there.status).toBe(201)
  const [one, none] = [
    await asked('PATCH', '/api/reports/1', 'regular', { state: 'done' }),
    await asked('PATCH', '/api/reports/99', 'regular', { state: 'done' }),
  ]
  expect(one.body).toEqual(none.body)
  expect((await asked('GET', '/api/user/export', 'regular')).text).not.toContain('Name of author')
})
