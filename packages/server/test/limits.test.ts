import { openRegistry } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { type AccessEntry, createApp, type Failure } from '../src/index.ts'
import { reportFailure } from '../src/http/access-log.ts'
import { RateLimit } from '../src/http/rate-limit.ts'
import { sharedDatabase } from '@openfountain/testing/database'
import { folder } from '@openfountain/testing/server/folder'
import { openStage, start, serving } from '@openfountain/testing/server/stage'

test('the rate limit lets a burst through, says what is left, and refuses with the time to wait', async () => {
  let now = 0
  const stage = await serving({ rateLimit: { perMinute: 3, now: () => now } })
  const unlimited = await serving({})
  expect((await unlimited.get('/api/stats')).headers.get('ratelimit-limit')).toBeNull()
  now = 60_000
  const first = await stage.ask('GET', '/api/stats')
  expect(first.headers.get('ratelimit-limit')).toBe('3')
  expect(first.headers.get('ratelimit-remaining')).toBe('2')
  expect(first.headers.get('ratelimit-reset')).toBe('20')
  expect(first.headers.get('ratelimit-policy')).toBe('3;w=60')
  await stage.ask('GET', '/api/nowhere')
  await stage.ask('POST', '/api/waypoints')
  const refused = await stage.ask('GET', '/api/stats')
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('20')
  expect(refused.body).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 3, windowSeconds: 60 } })
  now += 19_000
  expect((await stage.ask('GET', '/api/stats')).status).toBe(429)
  now += 1000
  expect((await stage.ask('GET', '/api/stats')).status).toBe(200)
})

test('the rate limit never keeps a supervisor from asking for the health', async () => {
  const stage = await serving({ rateLimit: { perMinute: 1, now: () => 0 } })
  for (let times = 0; times < 5; times++) expect((await stage.ask('GET', '/api/health')).status).toBe(200)
})

test('the rate limit forgets the client that was silent longest when there are too many', () => {
  const limit = new RateLimit({ perMinute: 1, clients: 2, now: () => 0 })
  limit.take('192.0.2.1')
  limit.take('192.0.2.2')
  limit.take('192.0.2.3')
  expect(() => limit.take('192.0.2.3')).toThrow('Too many requests')
  expect(() => limit.take('192.0.2.1')).not.toThrow()
})

test('the rate limit counts a malformed path like any other request', async () => {
  const stage = await serving({ rateLimit: { perMinute: 1, now: () => 0 }, trustProxy: true })
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const first = await stage.raw('GET', '/api/waypoints/%E0%A4', { headers })
  expect(first.status).toBe(400)
  expect(first.headers.get('ratelimit-remaining')).toBe('0')
  expect(first.headers.get('access-control-allow-origin')).toBe('*')
  for (const path of ['/api/%ZZ', '/api/%', '/api/stats'])
    expect((await stage.raw('GET', path, { headers })).status).toBe(429)
})

test('the access log has a line for each request, with the route and never what was sent', async () => {
  const lines: AccessEntry[] = []
  const stage = await serving({ accessLog: (entry) => lines.push(entry), trustProxy: true })
  lines.length = 0
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }
  await stage.ask('GET', '/api/waypoints/ada@example.org?secret=hunter2', { headers: forwarded })
  await stage.ask('PATCH', '/api/boundingboxes?secret=hunter2', { headers: forwarded })
  await stage.ask('GET', '/api/user', { as: 'author', headers: forwarded })
  await stage.ask('GET', '/api/waypoints', { headers: { ...forwarded, accept: 'application/geo+json' } })
  await stage.ask('GET', '/api/docs', { headers: forwarded })
  await stage.ask('OPTIONS', '/api/waypoints', { headers: forwarded })
  expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['GET', '/api/waypoints/{id}', 400],
    ['PATCH', '/api/boundingboxes', 405],
    ['GET', '/api/user', 200],
    ['GET', '/api/waypoints', 200],
    ['GET', '/api/docs', 200],
    ['OPTIONS', '/api/waypoints', 204],
  ])
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(lines.length)
  for (const line of lines) {
    expect(line).toMatchObject({ client: '192.0.2.7' })
    expect(line.milliseconds).toBeGreaterThanOrEqual(0)
    if (line.status === 200) expect(line.bytes).toBeGreaterThan(100)
  }
  const text = JSON.stringify(lines)
  for (const secret of ['ada@', 'hunter2', 'author@', 'ofs_']) expect(text).not.toContain(secret)
})

test('the access log has the path of what was not found, without the query', async () => {
  const lines: AccessEntry[] = []
  const site = await folder({})
  const stage = await serving({ accessLog: (entry) => lines.push(entry), site })
  lines.length = 0
  await stage.ask('GET', '/api/fountains?secret=hunter2')
  await stage.ask('GET', '/api/waypoints/999?secret=hunter2')
  await stage.raw('GET', '/old/page.html?secret=hunter2')
  await stage.ask('GET', '/api/stats?secret=hunter2')
  await stage.raw('GET', `/api/${'long/'.repeat(400)}`)
  expect(lines.map(({ route, path, status }) => [route, path, status])).toEqual([
    [undefined, '/api/fountains', 404],
    ['/api/waypoints/{id}', '/api/waypoints/999', 404],
    ['site', '/old/page.html', 404],
    ['/api/stats', undefined, 200],
    [undefined, `/api/${'long/'.repeat(99)}…`, 404],
  ])
  expect(JSON.stringify(lines)).not.toContain('hunter2')
})

test('the access log of failures is written so that no message looks like another entry', () => {
  const written: string[] = []
  const write = process.stderr.write
  process.stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0
  onTestFinished(() => void (process.stderr.write = write))
  const error = new Error('no \u001b[2J\u009b\rrequest\nrequest 7 (GET /) failed: nothing')
  reportFailure({ requestId: '1', method: 'GET', route: undefined, error })
  const [first, ...more] = written.join('').trimEnd().split('\n')
  expect(first).toBe('request 1 (GET unknown path) failed: Error: no \\u001b[2J\\u009b\\u000drequest')
  expect(more[0]).toBe('    request 7 (GET /) failed: nothing')
  for (const line of more) expect(line).toMatch(/^ {4}[^\p{C}]*$/u)
})

const broken = async () => {
  const failures: Failure[] = []
  const stage = await serving({})
  const app = createApp(stage.registry, {
    onFailure: (failure) => failures.push(failure),
    resolveActor: () => {
      throw Object.assign(new Error('password=hunter2 at /home/ada'), { status: 418 })
    },
  })
  const ask = (headers: Readonly<Record<string, string>> = {}) =>
    app.fetch(new Request('http://fountains.test/api/user', { headers }))
  return { failures, ask }
}

test('a failure of the server is a 500 with only an id, which finds it in the log', async () => {
  const { failures, ask } = await broken()
  const response = await ask()
  expect(response.status).toBe(500)
  const body = (await response.json()) as { details: { requestId: string } }
  expect(body).toMatchObject({ code: 'INTERNAL' })
  expect(JSON.stringify(body)).not.toMatch(/hunter2|home|418/)
  expect(failures).toHaveLength(1)
  expect(failures[0]?.requestId).toBe(body.details.requestId)
  expect(failures[0]?.route).toBe('/api/user')
  expect(response.headers.get('x-request-id')).toBe(body.details.requestId)
})

test('a closed registry is a 503 and reported as a failure, not a crash', async () => {
  const stage = await openStage()
  await stage.registry.close()
  for (const [method, path] of [
    ['GET', '/api/stats'],
    ['POST', '/api/waypoints'],
  ] as const) {
    const { status, body } = await stage.ask(method, path, {
      as: 'token',
      ...(method === 'POST' && { body: {} }),
    })
    expect([status, body['code']]).toEqual([503, 'UNAVAILABLE'])
  }
  expect(stage.failures).toMatchObject([{ code: 'REGISTRY_CLOSED' }, { code: 'REGISTRY_CLOSED' }])
})

test('a database that cannot be written is a 503, and only the operator gets its path', async () => {
  const database = await sharedDatabase()
  const stage = await serving({}, database)
  await using reader = await openRegistry({ database, readOnly: true, clock: () => new Date(start) })
  const failures: Failure[] = []
  const app = createApp(reader, { onFailure: (failure) => failures.push(failure) })
  const ask = (method: string, path: string, body?: string) =>
    app.fetch(
      new Request(`http://fountains.test${path}`, {
        method,
        headers: { ...stage.secrets['token'], 'content-type': 'application/json' },
        body,
      }),
    )
  const refused = await ask('POST', '/api/waypoints', '{"name":"Spring","latitude":1,"longitude":1}')
  await stage.conformance.check('POST', '/api/waypoints', refused)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  const text = await refused.text()
  expect(text).toContain('"UNAVAILABLE"')
  expect(text).not.toContain(database)
  expect(failures).toMatchObject([{ error: { code: 'STORAGE_READ_ONLY' } }])
  expect((await ask('GET', '/api/waypoints/1')).status).toBe(200)
})
