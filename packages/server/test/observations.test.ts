import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { spring, type Stage, serving } from '@openfountain/testing/server/stage'

const map = 'https://map.example'
const closed = () => serving({ openObservations: false })
const open = () => serving({ openObservations: true, allowedOrigins: [map] })

type Headers = Readonly<Record<string, string>>

const observe = (stage: Stage, by: 'author' | 'moderator' | 'regular' | Headers, given: object = {}) =>
  stage.ask('POST', '/api/observations', {
    ...(typeof by === 'string' ? { as: by } : { headers: by }),
    body: { bubblerId: stage.fountain.id, kind: 'works', ...given },
  })

test('what people see is listed, and makes the status of the fountain', async () => {
  const stage = await closed()
  const { id, latitude, longitude } = stage.fountain
  const today = await stage.registry.observations.today()
  const near = { latitude, longitude, accuracy: 9 }
  const first = await observe(stage, 'regular', { kind: 'broken', near, comment: 'No water' })
  const seen = { bubblerId: id, kind: 'broken', observedAt: today, near: true, comment: 'No water' }
  expect([first.status, first.body]).toEqual([
    201,
    {
      observation: { id: expect.any(Number), observer: expect.any(String), ...seen },
      status: { state: 'reported', since: today, supporters: 1 },
    },
  ])
  await observe(stage, 'author', { kind: 'dry' })
  const offer = async (headers: Headers) => (await stage.ask('GET', '/api/auth', { headers })).body
  expect(await offer(stage.secrets.regular)).toMatchObject({ xpTonight: 2 })
  expect(await offer({})).not.toHaveProperty('xpTonight')
  const status = { state: 'broken', since: today, supporters: 2 }
  expect((await stage.get(`/api/waypoints/${id}`)).body).toMatchObject({ waypoint: { id }, status })
  const listed = await stage.get(`/api/observations?bubblerId=${id}`)
  expect(listed.body).toMatchObject({ observations: [seen, { kind: 'dry', near: false }] })
  expect(listed.text).not.toMatch(/latitude|accuracy|regular|author/u)
  const { body } = await stage.get(`/api/observations?bubblerId=${id}&limit=1`)
  expect(body['observations']).toHaveLength(1)
})

test('lists by several states, by who may use it, and by what is usable; what cannot be is refused by name', async () => {
  const stage = await closed()
  const { id } = stage.fountain
  const found = async (query: string) => {
    const { status, body } = await stage.get(`/api/waypoints?${query}`)
    return status === 200 ? (body['waypoints'] as { id: number }[]).map((each) => each.id) : body['details']
  }
  const every = await found('')
  expect(every).toContain(id)
  expect(await found('status=works,unconfirmed')).toEqual(every)
  expect(await found('status=works,broken')).toEqual([])
  await stage.registry.waypoints.update(id, { access: 'private' }, token())
  expect(await found('access=private')).toEqual([id])
  for (const query of ['status=usable', 'usable=true']) expect(await found(query)).not.toContain(id)
  expect(await found('usable=false')).toContain(id)
  for (const query of ['status=wet', 'status=works,wet', 'status=usable,works', 'access=mine', 'usable=1'])
    expect(await found(query)).toMatchObject({ issues: [{ path: query.split('=')[0] }] })
})

test('entity tags are others after an observation and on another day, and conditions accept the older ones', async () => {
  const stage = await closed()
  const path = `/api/waypoints/${stage.fountain.id}`
  const before = (await stage.get(path)).headers.get('etag') ?? ''
  await observe(stage, 'regular')
  const asked = [
    [path, {}],
    ['/api/waypoints?status=works', {}],
    ['/api/waypoints', { accept: 'application/geo+json' }],
  ] as const
  const held = await Promise.all(asked.map(([each, headers]) => stage.ask('GET', each, { headers })))
  const tags = held.map(({ headers }) => headers.get('etag') ?? '')
  expect(tags[0]).not.toBe(before)
  expect(held[1]?.body['waypoints']).toMatchObject([{ id: stage.fountain.id }])
  expect(held[2]?.body['features']).toMatchObject([{ properties: { state: 'works' } }])
  const again = () =>
    Promise.all(
      asked.map(([each, headers], index) =>
        stage.ask('GET', each, { headers: { ...headers, 'if-none-match': tags[index] ?? '' } }),
      ),
    )
  expect((await again()).map(({ status }) => status)).toEqual([304, 304, 304])
  stage.pass(181 * 86_400_000)
  const later = await again()
  expect(later.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(later[1]?.body['waypoints']).toEqual([])
  const headers = { 'if-match': before }
  const changed = await stage.ask('PATCH', path, { as: 'token', headers, body: { name: 'Renamed' } })
  expect(changed.status).toBe(200)
})

test('with open observations whoever is on a permitted page may say it, for a report at most', async () => {
  const stage = await open()
  const head = await stage.registry.changes.head()
  const seen = await observe(stage, { origin: map }, { kind: 'gone' })
  expect([seen.status, seen.body]).toMatchObject([
    201,
    { observation: { kind: 'gone', near: false }, status: { state: 'reported', supporters: 1 } },
  ])
  expect(seen.body['observation']).not.toHaveProperty('id')
  const strangers: readonly Headers[] = [
    {},
    { origin: 'https://evil.example' },
    { origin: map, authorization: 'Bearer oft_made-up' },
  ]
  for (const headers of strangers) expect((await observe(stage, headers)).status).toBe(401)
  expect(await stage.registry.changes.head()).toEqual(head)
  const { body } = await stage.get(`/api/observations?bubblerId=${stage.fountain.id}`)
  expect(body['observations']).toEqual([])
  await observe(stage, 'moderator')
  expect((await observe(stage, { origin: map }, { kind: 'gone' })).body).toMatchObject({
    status: { state: 'works' },
  })
})

test('with passers-by whoever is on a permitted page may say that it works or is broken, which confirms nothing', async () => {
  const stage = await serving({ passersBy: true, contact: 'water@lund.example', allowedOrigins: [map] })
  const { id } = stage.fountain
  const head = await stage.registry.changes.head()
  expect((await stage.get('/api/auth')).body).toMatchObject({
    passersBy: true,
    contact: 'water@lund.example',
  })
  const works = await observe(stage, { origin: map }, { comment: 'Read https://spam.example' })
  expect([works.status, works.body]).toMatchObject([201, { status: { state: 'unconfirmed' } }])
  expect(works.text).not.toContain('spam')
  const broken = await observe(stage, { origin: map }, { kind: 'broken' })
  expect(broken.body).toMatchObject({ status: { state: 'reported' } })
  // What a passer-by said before, a passer-by takes back; what somebody with an account said, none.
  expect((await observe(stage, { origin: map })).body).toMatchObject({ status: { state: 'unconfirmed' } })
  await observe(stage, 'regular', { kind: 'broken' })
  expect((await observe(stage, { origin: map })).body).toMatchObject({ status: { state: 'reported' } })
  for (const kind of ['dry', 'dirty', 'blocked', 'gone']) {
    const refused = await observe(stage, { origin: map }, { kind })
    expect([refused.status, refused.body['code']]).toEqual([401, 'UNAUTHORIZED'])
  }
  expect((await observe(stage, { origin: map }, { kind: 'wet' })).status).toBe(400)
  for (const headers of [{}, { origin: 'https://evil.example' }] as Headers[])
    expect((await observe(stage, headers)).status).toBe(401)
  const report = { headers: { origin: map }, body: { bubblerId: id, reason: 'gone' } }
  expect((await stage.ask('POST', '/api/reports', report)).status).toBe(401)
  expect((await stage.registry.changes.head()).id).toBe(head.id + 1)
})

test('statuses of all waypoints of which something is known are one document, also those that passers-by saw', async () => {
  const stage = await open()
  const { id: other } = await stage.made(spring)
  const day = await stage.registry.observations.today()
  const empty = await stage.get('/api/status.json')
  expect(empty.body).toEqual({ license: 'ODbL-1.0', asOf: day, ttl: 86_400, states: {} })
  const headers = { 'if-none-match': empty.headers.get('etag') ?? '' }
  const again = () => stage.ask('GET', '/api/status.json', { headers })
  expect((await again()).status).toBe(304)
  await observe(stage, { origin: map }, { bubblerId: other, kind: 'dry' })
  await observe(stage, 'moderator')
  const works = { state: 'works', since: day, lastConfirmed: day, supporters: 1 }
  const reported = { state: 'reported', since: day, supporters: 1 }
  expect((await again()).body['states']).toEqual({ [stage.fountain.id]: works, [other]: reported })
  const since = async (given: string) => (await stage.get(`/api/status.json?seenSince=${given}`)).body
  expect((await since(String(day)))['states']).toEqual({ [other]: reported })
  expect((await since('2999-01-01'))['states']).toEqual({})
  expect(await since('yesterday')).toMatchObject({ details: { issues: [{ path: 'seenSince' }] } })
  await stage.registry.waypoints.delete(other, token())
  expect((await again()).body['states']).toEqual({ [stage.fountain.id]: works })
})

test('what a new account says against it is kept as a passer-by’s, and told again under its key', async () => {
  const stage = await closed()
  const way = { key: 'https://id.example 1', provider: 'example', label: 'Fresh' }
  const fresh = await stage.registry.accounts.signIn(way, { name: 'Fresh', registration: 'open' })
  const headers = { cookie: `session=${fresh.session}`, 'idempotency-key': 'once' }
  const first = await observe(stage, headers, { kind: 'gone' })
  expect(first).toMatchObject({ status: 201, body: { observation: { kind: 'gone', near: false } } })
  expect(first.body['observation']).not.toHaveProperty('id')
  const again = await observe(stage, headers, { kind: 'gone' })
  expect(again).toMatchObject({ status: 201, body: { observation: first.body['observation'] } })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})
