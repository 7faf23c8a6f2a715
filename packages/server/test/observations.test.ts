import { token } from '@openfountain/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStage, spring, type Role, type Stage } from '@openfountain/testing/server/stage'

let stage: Stage

beforeEach(async () => {
  stage = await openStage({ openObservations: false })
})
afterEach(() => stage.close())

const day = 86_400_000
const today = async () => (await stage.registry.observations.today()) as string
const observe = (as: Role, given: object = {}) =>
  stage.ask('POST', '/api/observations', {
    as,
    body: { bubblerId: stage.fountain.id, kind: 'works', ...given },
  })
const fountain = () => stage.get(`/api/waypoints/${stage.fountain.id}`)

test('what people see is listed, and makes the status of the fountain', async () => {
  const near = { latitude: stage.fountain.latitude, longitude: stage.fountain.longitude, accuracy: 9 }
  const first = await observe('regular', { kind: 'broken', near, comment: 'No water' })
  const seen = { bubblerId: stage.fountain.id, kind: 'broken', observedAt: await today() }
  expect([first.status, first.body]).toEqual([
    201,
    {
      observation: {
        id: expect.any(Number),
        ...seen,
        near: true,
        observer: expect.any(String),
        comment: 'No water',
      },
      status: { state: 'reported', since: await today(), supporters: 1 },
    },
  ])
  await observe('author', { kind: 'dry' })
  const status = { state: 'broken', since: await today(), supporters: 2 }
  expect((await fountain()).body).toMatchObject({ waypoint: { id: stage.fountain.id }, status })
  const listed = await stage.get(`/api/observations?bubblerId=${stage.fountain.id}`)
  expect(listed.body).toMatchObject({
    license: expect.any(String),
    observations: [seen, { kind: 'dry', near: false }],
  })
  expect(JSON.stringify(listed.body)).not.toMatch(/latitude|accuracy|regular|author/u)
  const { body } = await stage.get(`/api/observations?bubblerId=${stage.fountain.id}&limit=1`)
  expect(body['observations']).toHaveLength(1)
})

test('what cannot be is refused by name', async () => {
  for (const [given, path] of [
    [{ bubblerId: undefined }, 'bubblerId'],
    [{ bubblerId: 99_999 }, 'bubblerId'],
    [{ kind: 'wet' }, 'kind'],
    [{ observedAt: '2099-01-01T00:00:00Z' }, 'observedAt'],
    [{ near: 'here' }, 'near'],
  ] as const)
    expect(await observe('regular', given)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { issues: [{ path }] } },
    })
})

test('the fountain has another entity tag after an observation and on another day, which conditions accept', async () => {
  const before = (await fountain()).headers.get('etag') ?? ''
  await observe('regular')
  const after = await fountain()
  const tag = after.headers.get('etag') ?? ''
  expect(tag).not.toBe(before)
  const held = { 'if-none-match': tag }
  expect((await stage.ask('GET', `/api/waypoints/${stage.fountain.id}`, { headers: held })).status).toBe(304)
  stage.pass(day)
  const tomorrow = await stage.ask('GET', `/api/waypoints/${stage.fountain.id}`, { headers: held })
  expect([tomorrow.status, tomorrow.headers.get('etag') === tag]).toEqual([200, false])
  const changed = await stage.ask('PATCH', `/api/waypoints/${stage.fountain.id}`, {
    as: 'token',
    headers: { 'if-match': before },
    body: { name: 'Renamed' },
  })
  expect(changed.status).toBe(200)
})

test('lists find by the status of today, and are not taken for those of yesterday', async () => {
  const other = await stage.made({ ...spring, name: 'Other' }, 'token')
  await observe('regular')
  const list = (query: string, headers: Readonly<Record<string, string>> = {}) =>
    stage.ask('GET', `/api/waypoints${query}`, { headers })
  const ids = async (status: string) =>
    ((await list(`?status=${status}`)).body['waypoints'] as { id: number }[]).map(({ id }) => id)
  expect(await ids('works')).toEqual([stage.fountain.id])
  expect(await ids('unconfirmed')).toEqual([other.id])
  const asked = [
    ['?status=works', {}],
    ['', { accept: 'application/geo+json' }],
  ] as const
  const held = await Promise.all(asked.map(([query, headers]) => list(query, headers)))
  expect(held[1]?.body['features']).toMatchObject([
    { properties: { state: 'works' } },
    { properties: { state: 'unconfirmed' } },
  ])
  const again = async () =>
    Promise.all(
      asked.map(async ([query, headers], index) => {
        const tag = held[index]?.headers.get('etag') ?? ''
        return (await list(query, { ...headers, 'if-none-match': tag })).status
      }),
    )
  expect(await again()).toEqual([304, 304])
  stage.pass(181 * day)
  expect(await again()).toEqual([200, 200])
  expect(await ids('works')).toEqual([])
})

test('with open observations whoever is on a permitted page may say it, for a report at most', async () => {
  const map = 'https://map.example'
  const open = await openStage({ openObservations: true, allowedOrigins: [map] })
  const bubblerId = open.fountain.id
  const see = (headers: Readonly<Record<string, string>>) =>
    open.ask('POST', '/api/observations', { headers, body: { bubblerId, kind: 'gone' } })
  const head = await open.registry.changes.head()
  const seen = await see({ origin: map })
  expect([seen.status, seen.body]).toMatchObject([
    201,
    { observation: { kind: 'gone', near: false }, status: { state: 'reported', supporters: 1 } },
  ])
  expect(seen.body['observation']).not.toHaveProperty('id')
  const strangers = [
    {},
    { origin: 'https://evil.example' },
    { origin: map, authorization: 'Bearer oft_made-up' },
  ]
  for (const headers of strangers) expect((await see(headers as Record<string, string>)).status).toBe(401)
  expect(await open.registry.changes.head()).toEqual(head)
  expect((await open.get(`/api/observations?bubblerId=${bubblerId}`)).body['observations']).toEqual([])
  await open.ask('POST', '/api/observations', { as: 'moderator', body: { bubblerId, kind: 'works' } })
  expect((await see({ origin: map })).body).toMatchObject({ status: { state: 'works' } })
  await open.close()
})

test('statuses of all waypoints of which something is known are one document, also those that passers-by saw', async () => {
  const map = 'https://map.example'
  const open = await openStage({ openObservations: true, allowedOrigins: [map] })
  const other = await open.made({})
  const empty = await open.get('/api/status.json')
  const day = await open.registry.observations.today()
  expect(empty.body).toEqual({ license: 'ODbL-1.0', asOf: day, ttl: 86_400, states: {} })
  const tag = empty.headers.get('etag') ?? ''
  const again = (path = '/api/status.json') => open.ask('GET', path, { headers: { 'if-none-match': tag } })
  expect((await again()).status).toBe(304)
  const passerBy = { headers: { origin: map }, body: { bubblerId: other.id, kind: 'dry' } }
  await open.ask('POST', '/api/observations', passerBy)
  const { bubblerId } = { bubblerId: open.fountain.id }
  await open.ask('POST', '/api/observations', { as: 'moderator', body: { bubblerId, kind: 'works' } })
  const works = { state: 'works', since: day, lastConfirmed: day, supporters: 1 }
  const reported = { state: 'reported', since: day, supporters: 1 }
  expect((await again()).body['states']).toEqual({ [bubblerId]: works, [other.id]: reported })
  const seen = await open.get(`/api/status.json?seenSince=${day}`)
  expect(seen.body['states']).toEqual({ [other.id]: reported })
  expect((await open.get('/api/status.json?seenSince=2999-01-01')).body['states']).toEqual({})
  expect((await open.get('/api/status.json?seenSince=yesterday')).body).toMatchObject({
    code: 'INVALID_INPUT',
    details: { issues: [{ path: 'seenSince' }] },
  })
  await open.registry.waypoints.delete(other.id, token())
  expect((await open.get('/api/status.json')).body['states']).toEqual({ [bubblerId]: works })
  await open.close()
})

test('what a new account says against it is kept as a passer-by’s, and told again under its key', async () => {
  const way = { key: 'https://id.example 1', provider: 'example', label: 'Fresh' }
  const fresh = await stage.registry.accounts.signIn(way, { name: 'Fresh', registration: 'open' })
  const headers = { cookie: `session=${fresh.session}`, 'idempotency-key': 'once' }
  const body = { bubblerId: stage.fountain.id, kind: 'gone' }
  const [first, again] = [
    await stage.ask('POST', '/api/observations', { headers, body }),
    await stage.ask('POST', '/api/observations', { headers, body }),
  ]
  expect(first).toMatchObject({ status: 201, body: { observation: { ...body, near: false } } })
  expect(first.body['observation']).not.toHaveProperty('id')
  expect(again).toMatchObject({ status: 201, body: { observation: first.body['observation'] } })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})
