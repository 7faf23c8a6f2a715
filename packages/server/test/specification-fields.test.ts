import { beforeEach, expect, test } from 'vitest'
import { user, type Actor } from '@openfountain/core'
import { spring, type Stage, serving } from '@openfountain/testing/server/stage'

let stage: Stage
beforeEach(async () => {
  stage = await serving()
})

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  stage.ask('GET', path, { headers })

test('specification 2: what GET returned can be sent back: unknown and read-only fields are ignored', async () => {
  const { waypoint } = (await get('/api/waypoints/1')).body
  const before = await get('/api/logs/head')
  for (const as of ['regular', 'token'] as const) {
    const body = { ...(waypoint as object), colour: 'blue' }
    const response = await stage.ask('PATCH', '/api/waypoints/1', { as, body })
    expect([response.status, response.body]).toEqual([200, waypoint])
  }
  expect((await get('/api/logs/head')).body).toEqual(before.body)
})

test('specification 5: a token stands for its owner, or the built-in user, and writes as it', async () => {
  const own = await stage.ask('GET', '/api/user', { as: 'owned token' })
  expect(own.body['user']).toMatchObject({ id: 'author', email: 'author@example.org' })
  const builtIn = await stage.ask('GET', '/api/user', { as: 'token' })
  expect(builtIn.body['user']).toMatchObject({ id: 'api', name: 'API', xp: 0 })
  expect((await stage.made({}, 'owned token'))['addedByUserId']).toBe('author')
})

test('specification 5: a request with a cookie and a bearer token acts as the token', async () => {
  const both = { ...stage.secrets['regular'], ...stage.secrets['token'] }
  expect((await get('/api/user', both)).body['user']).toMatchObject({ id: 'api' })
  const bad = { ...stage.secrets['regular'], ...stage.secrets['bad token'] }
  expect((await get('/api/user', bad)).status).toBe(401)
})

test('specification 5: a host with its own accounts says who asks, and can fall back on the registry', async () => {
  const other = await serving({
    resolveActor: (request, builtIn) =>
      request.headers.get('x-account') === null
        ? builtIn()
        : { kind: 'user', userId: request.headers.get('x-account') ?? '' },
  })
  const named = await other.ask('GET', '/api/user', { headers: { 'x-account': 'regular' } })
  expect(named.body['user']).toMatchObject({ id: 'regular' })
  expect((await other.ask('GET', '/api/user', { as: 'author' })).body['user']).toMatchObject({
    id: 'author',
  })
  expect((await other.ask('GET', '/api/user')).status).toBe(401)
  const foreign = { 'x-account': 'regular', origin: 'https://evil.example' }
  expect((await other.ask('PATCH', '/api/user', { body: {}, headers: foreign })).status).toBe(403)
})

test.each<[unknown]>([[user(undefined as unknown as string)], [null], ['regular'], [{}], [user('api')]])(
  'specification 5: a host that says %j has said nobody, also where passers-by may write',
  async (actor) => {
    const other = await serving({ resolveActor: () => actor as Actor, openObservations: true })
    const body = { bubblerId: 1, rating: 5, kind: 'works' }
    const headers = { origin: 'http://fountains.test' }
    for (const path of ['/api/reviews', '/api/observations', '/api/waypoints'])
      expect((await other.ask('POST', path, { body, headers })).body['code']).toBe('UNAUTHORIZED')
  },
)

test('specification 4.2 and 4.6: GET /api/users returns public profiles in pages, and one as GET /api/user/{id}', async () => {
  const { body } = await get('/api/users?limit=2')
  expect(body).toMatchObject({ total: 4, limit: 2, offset: 0 })
  expect(body['users']).toHaveLength(2)
  expect((await get('/api/users/author')).text).toBe((await get('/api/user/author')).text)
})

test('specification 2.8 and 4.6: a waypoint says where it came from, and GET /api/sources lists all', async () => {
  const { registry } = stage
  const source = { name: 'City of Zürich', license: 'CC0-1.0', url: 'https://example.org/' }
  const run = await registry.imports.start({ source })
  await run.apply([{ row: 1, ref: 'WVZ-7', input: spring }])
  await run.finish({ counts: { created: 1 }, missing: 'keep' })
  expect((await get('/api/waypoints/2')).body['sources']).toMatchObject([{ ...source, id: 1, ref: 'WVZ-7' }])
  expect((await get('/api/sources')).body['sources']).toMatchObject([{ ...source, id: 1, waypoints: 1 }])
})
