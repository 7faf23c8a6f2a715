import { user } from '@openfountain/core'
import { expect, test } from 'vitest'
import {
  createApp,
  jsonLines,
  refusalEvents,
  type AccessEntry,
  type AppOptions,
  type RefusedRequest,
} from '../src/index.ts'
import { spring, type Role, serving } from '@openfountain/testing/server/stage'

async function logged(options: AppOptions = {}) {
  const refused: RefusedRequest[] = []
  const requests: AccessEntry[] = []
  const stage = await serving({
    ...options,
    securityLog: (entry) => refused.push(entry),
    accessLog: (entry) => requests.push(entry),
  })
  requests.length = 0
  return { stage, refused, requests }
}

const review = { bubblerId: 1, rating: 5 }
const bodies: Readonly<Record<string, unknown>> = { '/api/waypoints': spring, '/api/reviews': review }
test.each<[string, string, Role, Partial<RefusedRequest>]>([
  ['a made-up cookie', 'GET /api/user', 'bad cookie', { credential: 'session', status: 401 }],
  ['a made-up token', 'POST /api/waypoints', 'bad token', { credential: 'token', status: 401 }],
  ['no credential', 'POST /api/waypoints', 'nobody', { code: 'UNAUTHORIZED' }],
  ['too little XP', 'POST /api/waypoints', 'newcomer', { code: 'INSUFFICIENT_XP', user: 'newcomer' }],
  ['too few rights', 'DELETE /api/waypoints/1', 'regular', { code: 'FORBIDDEN', user: 'regular' }],
  ['the wrong credential', 'POST /api/reviews', 'owned token', { code: 'UNAUTHORIZED', user: 'author' }],
])('the security log has an entry for %s', async (_what, request, as, expected) => {
  const { stage, refused, requests } = await logged()
  const [method = '', path = ''] = request.split(' ')
  const { status } = await stage.ask(method, path, { as, body: bodies[path] })
  const event = expected.credential === undefined ? 'permission.refused' : 'authentication.failed'
  expect(refused).toMatchObject([{ event, method, status, ...expected }])
  expect(requests.map(({ requestId }) => requestId)).toEqual(refused.map(({ requestId }) => requestId))
  expect(requests[0]?.user).toBe(expected.user)
})

test('the security log has entries for the page of another site, a blocked user and a client beyond its rate', async () => {
  const { stage, refused } = await logged({ rateLimit: { perMinute: 4, now: () => 0 } })
  await stage.ask('POST', '/api/reviews', {
    as: 'regular',
    body: review,
    headers: { origin: 'https://elsewhere.example' },
  })
  await stage.registry.users.block('regular', { reason: 'Vandalism' }, user('moderator'))
  await stage.ask('POST', '/api/reviews', { as: 'regular', body: review })
  await stage.get('/api/stats')
  await stage.get('/api/stats')
  expect(refused).toMatchObject([
    { event: 'origin.refused', user: 'regular', status: 403, route: '/api/reviews' },
    { event: 'block.refused', user: 'regular', status: 403 },
    { event: 'rate.limited', status: 429, route: '/api/stats' },
  ])
  expect(Object.keys(refusalEvents)).toEqual(expect.arrayContaining(refused.map(({ event }) => event)))
})

test('the security log has none for what succeeds, is not found or is malformed', async () => {
  const { stage, refused } = await logged()
  await stage.ask('GET', '/api/user', { as: 'regular' })
  await stage.get('/api/waypoints/999')
  await stage.ask('POST', '/api/reviews', { as: 'regular', body: {} })
  await stage.ask('GET', '/api/stats', { as: 'bad token' })
  expect(refused).toEqual([])
})

test('the access log names whom the embedding host identifies, and nobody where credentials are ignored', async () => {
  const { stage } = await logged()
  const requests: AccessEntry[] = []
  const app = createApp(stage.registry, {
    resolveActor: () => user('author'),
    accessLog: (entry) => requests.push(entry),
  })
  await app.fetch(new Request('http://fountains.test/api/user'))
  await app.fetch(new Request('http://fountains.test/api/stats'))
  expect(requests.map(({ user }) => user)).toEqual(['author', undefined])
})

test('lines of JSON have no secret, query or e-mail address, and stay one line whatever a client sends', async () => {
  let written = ''
  const { stage } = await logged()
  const log = jsonLines((line) => (written += line))
  const app = createApp(stage.registry, { accessLog: log, securityLog: log })
  const evil = 'x\u202e\u2028\u0085'
  const requests = [
    new Request('http://fountains.test/api/user?token=oft_typed&mail=ada@example.org', {
      headers: { authorization: 'Bearer oft_made-up', cookie: 'session=ofs_made-up' },
    }),
    new Request(`http://fountains.test/api/${encodeURIComponent(`${evil}\n{"event":"x"} user=root`)}`),
    new Request('http://fountains.test/api/waypoints', {
      method: 'POST',
      headers: { ...stage.secrets.newcomer, 'content-type': 'application/json' },
      body: JSON.stringify({ ...spring, name: `ada@example.org ${evil}` }),
    }),
  ]
  for (const request of requests) await app.fetch(request)
  expect(written.trimEnd().split('\n')).toHaveLength(5)
  expect(written).not.toMatch(/of[st]_|example\.org|typed/u)
  expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(written).toContain('authentication.failed')
  expect(written).toContain('newcomer')
})

test('lines of JSON escape what an identifier of the embedding host may contain', () => {
  let written = ''
  jsonLines((line) => (written += line))({
    event: 'x',
    user: 'a b"\n\u202e=c',
    entries: [1, 2],
    until: undefined,
  })
  expect(written.split('\n')).toHaveLength(2)
  expect(written.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(written).toBe('{"event":"x","user":"a b\\"\\n\\u202e=c","entries":[1,2]}\n')
})
