import { beforeEach, expect, test } from 'vitest'
import { token, user } from '@openfountain/core'
import { type Role, type Stage, serving } from '@openfountain/testing/server/stage'

let stage: Stage

beforeEach(async () => {
  stage = await serving({ openObservations: false })
})

const since = '2026-01-01T00:00:00.000Z'
const reason = 'Vandalism'
const asked = (method: string, path: string, as: Role, body?: unknown) =>
  stage.ask(method, path, { as, body })
const post = (path: string, as: Role, body: unknown) => asked('POST', path, as, body)

test('a moderator cannot undo what imports and programs did, nor in bulk without having signed in of late', async () => {
  const { registry } = stage
  const { id } = await stage.made({ name: 'Old oak' })
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
  const [ids, season] = [[id], '04-15/10-31']
  for (const [path, change] of [
    ['/api/moderation/waypoints', { where: { ids }, set: { season } }],
    ['/api/waypoints/season', { ids, season }],
  ] as const)
    expect((await post(path, 'moderator', change)).body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' })
  await registry.moderation.undo(act, { reason }, token())
  expect(await registry.waypoints.get(id)).toMatchObject({ name: 'Old oak' })
})

test('what is reported is in the queue with its reports until they are decided, for programs without names', async () => {
  const about = { bubblerId: stage.fountain.id }
  const first = await post('/api/reports', 'regular', { ...about, reason: 'gone', comment: ' It is gone ' })
  expect([first.status, first.body]).toEqual([201, { report: { id: 1 } }])
  const changed = { ...about, reason: 'wrong', comment: 'It is elsewhere' }
  expect((await post('/api/reports', 'regular', changed)).body).toEqual(first.body)
  await post('/api/reports', 'author', { ...about, reason: 'wrong' })
  await post('/api/reports', 'author', { reviewId: stage.reviewId, reason: 'offensive' })
  const queue = async (as: Role, page = '') =>
    (await asked('GET', `/api/moderation/queue?kind=reported${page}`, as)).body
  const by = { id: 'regular', name: 'Name of regular' }
  const reports = [{ id: 1, by, comment: 'It is elsewhere', state: 'open' }, { id: 2 }]
  const waypoint = { id: stage.fountain.id }
  expect(await queue('moderator')).toMatchObject({
    total: 2,
    items: [
      { kind: 'reported', waypoint, why: '2 open reports: wrong', reports },
      { review: { id: stage.reviewId }, waypoint },
    ],
  })
  expect(JSON.stringify(await queue('token'))).not.toContain('Name of regular')
  expect(await queue('moderator', '&limit=1')).toMatchObject({ items: [{ reports: [{}, {}] }], next: 1 })
  const decided = await asked('PATCH', '/api/reports/1', 'moderator', { state: 'done', note: 'Moved' })
  expect(decided.body).toMatchObject({ report: { id: 1, state: 'done', note: 'Moved' } })
  const again = await asked('PATCH', '/api/reports/1', 'moderator', { state: 'dismissed' })
  expect([again.status, again.body['details']]).toEqual([409, { state: 'done' }])
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
  // The longest text in the widest letters, twelve characters of the address each.
  expect((await asked('DELETE', `${path}?${why('\u{20000}'.repeat(250))}`, 'moderator')).status).toBe(200)
  const { acts } = (await stage.get('/api/moderation/acts?limit=2')).body as { acts: { reason: string }[] }
  expect(acts.map((act) => act.reason)).toEqual(['\u{20000}'.repeat(250), rude])
})

test('what may be the same fountain is in the queue until it is merged, or found not to be the same', async () => {
  const queue = async () => (await asked('GET', '/api/moderation/queue?kind=duplicates', 'moderator')).body
  const { id, latitude, longitude } = stage.fountain
  expect(await queue()).toMatchObject({ items: [], total: 0 })
  const twin = await stage.made({ latitude: latitude + 0.0001, longitude, name: 'Market Square' })
  const other = await stage.made({ latitude, longitude: longitude + 0.0001, name: 'Market square 2' })
  expect(await queue()).toMatchObject({
    total: 2,
    items: [
      { waypoint: { id: twin.id }, other: { id }, metres: 11.1 },
      { waypoint: { id: other.id }, other: { id }, metres: 6.3 },
    ],
  })
  const distinct = await post(`/api/waypoints/${id}/distinct`, 'moderator', { from: other.id })
  expect(distinct.body).toEqual({ distinct: [id, other.id] })
  expect(await queue()).toMatchObject({ total: 2, items: [{}, { other: { id: twin.id } }] })
  await post(`/api/waypoints/${twin.id}/distinct`, 'moderator', { from: other.id })
  await post(`/api/waypoints/${twin.id}/merge`, 'moderator', { into: id, reason: 'The same' })
  expect(await queue()).toMatchObject({ items: [], total: 0 })
})

test('with open observations whoever is on a permitted page may report', async () => {
  const map = 'https://map.example'
  const open = await serving({ openObservations: true, allowedOrigins: [map] })
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
  ] as Record<string, string>[])
    expect((await report(headers)).status).toBe(401)
  expect((await report({ origin: map, cookie: 'session=ofs_made-up' })).status).toBe(201)
  const { items } = await open.registry.moderation.queue({ kind: 'reported' }, user('moderator'))
  expect(items[0]?.reports).toMatchObject([{ id: 1, comment: 'It is gone' }])
  expect(items[0]?.reports?.[0]).not.toHaveProperty('by')
  expect((await report({ origin: map, ...open.secrets.regular })).status).toBe(201)
})

test('without open observations nobody reports or observes who is not signed in', async () => {
  const headers = { origin: 'http://fountains.test' }
  const body = { bubblerId: stage.fountain.id, reason: 'gone', kind: 'works' }
  for (const path of ['/api/reports', '/api/observations'])
    expect((await stage.ask('POST', path, { headers, body })).status).toBe(401)
  expect((await stage.get('/api/auth')).body).not.toHaveProperty('openObservations')
})

test('refusals say nothing of what is there', async () => {
  const there = await post('/api/reports', 'author', { userId: 'regular', reason: 'wrong' })
  expect(there.status).toBe(201)
  const decide = (id: number) => asked('PATCH', `/api/reports/${id}`, 'regular', { state: 'done' })
  expect((await decide(1)).body).toEqual((await decide(99)).body)
  expect((await asked('GET', '/api/user/export', 'regular')).text).not.toContain('Name of author')
})
