import { createServer } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { createApp, nodeListener } from '../src/index.ts'
import { listening } from '@openfountain/testing/listening'
import { folder, sha256 } from '@openfountain/testing/server/folder'
import { serving, stageOfFile } from '@openfountain/testing/server/stage'

const stage = await stageOfFile({ allowedOrigins: ['https://map.example'] })

const write = () => stage.registry.waypoints.create({ name: 'Spring', latitude: 1, longitude: 1 }, token())

test.each([
  '/api/stats',
  '/api/waypoints',
  '/api/sources',
  '/api/logs',
  '/api/changes',
  '/api/user/author',
  '/api',
])('entity tags: %s is 304 until the next write', async (path) => {
  const first = await stage.ask('GET', path)
  const tag = first.headers.get('etag') ?? ''
  expect(tag).toMatch(/^"[\w.-]+"$/)
  const again = await stage.ask('GET', path, { headers: { 'if-none-match': tag } })
  expect(again.status).toBe(304)
  expect(again.text).toBe('')
  expect(again.headers.get('etag')).toBe(tag)
  expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
  await write()
  const after = await stage.ask('GET', path, { headers: { 'if-none-match': tag } })
  expect(after.status).toBe(200)
  expect(after.headers.get('etag')).not.toBe(tag)
})

test('entity tags do not make a missing waypoint or a malformed query look unchanged', async () => {
  const any = { 'if-none-match': '*' }
  expect((await stage.ask('GET', '/api/waypoints/999999', { headers: any })).status).toBe(404)
  expect((await stage.ask('GET', '/api/logs?limit=101', { headers: any })).status).toBe(400)
})

test('entity tags differ between the representations of one path', async () => {
  const tags = await Promise.all(
    ([{}, { 'api-version': '6' }, { accept: 'application/geo+json' }] as Record<string, string>[]).map(
      async (headers) => (await stage.ask('GET', '/api/waypoints', { headers })).headers.get('etag'),
    ),
  )
  expect(new Set(tags).size).toBe(3)
  const vary = (await stage.ask('GET', '/api/waypoints')).headers.get('vary')
  expect(vary).toBe('Accept, Accept-Encoding, API-Version, Origin')
})

test('entity tags are the same in two apps over one registry, and others when the licence is another', async () => {
  const twin = createApp(stage.registry)
  const { headers } = await twin.fetch(new Request('http://fountains.test/api/stats'))
  expect(headers.get('etag')).toBe((await stage.ask('GET', '/api/stats')).headers.get('etag'))
  const other = await serving()
  Object.assign(other.registry, { license: 'CC0-1.0' })
  const app = createApp(other.registry)
  const second = await app.fetch(new Request('http://fountains.test/api/stats'))
  expect(second.headers.get('etag')).not.toBe((await other.ask('GET', '/api/stats')).headers.get('etag'))
})

test('public data may be kept and must be asked for again, what is private or failed is kept by nobody', async () => {
  const cacheOf = async (path: string) => (await stage.ask('GET', path, { as: 'author' })).headers
  expect((await cacheOf('/api/waypoints')).get('cache-control')).toBe('public, max-age=0, must-revalidate')
  for (const path of ['/api/user', '/api/nowhere', '/api/health']) {
    const headers = await cacheOf(path)
    expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null])
  }
})

test('where origins are allowed every response varies by origin', async () => {
  for (const [request, status] of [
    ['GET /api/stats', 200],
    ['GET /api/user', 200],
    ['GET /api/docs', 200],
    ['GET /api/exports/gone.csv', 404],
    ['GET /api/%ZZ', 400],
    ['POST /api/waypoints', 415],
    ['OPTIONS /api/waypoints', 204],
  ] as const) {
    const [method = '', path = ''] = request.split(' ')
    const response = await stage.ask(method, path, { as: 'author' })
    expect([request, response.status]).toEqual([request, status])
    expect(response.headers.get('vary')?.split(', ')).toContain('Origin')
  }
})

test('where origins are allowed a file of an export varies by origin, also when it is unchanged', async () => {
  const exports = await folder({ 'a.csv': 'id', SHA256SUMS: `${sha256('id')}  a.csv\n` })
  const strict = await serving({ exports, allowedOrigins: ['https://map.example'] })
  for (const headers of [{}, { 'if-none-match': '*' }] as Record<string, string>[]) {
    const response = await strict.ask('GET', '/api/exports/a.csv', { headers })
    expect(response.headers.get('vary')).toBe('Origin')
  }
  const open = await serving({ exports })
  expect((await open.ask('GET', '/api/exports/a.csv')).headers.get('vary')).toBeNull()
})

test('HEAD responds as GET does, without the body', async () => {
  const get = await stage.ask('GET', '/api/waypoints/1')
  const head = await stage.ask('HEAD', '/api/waypoints/1')
  expect(head.status).toBe(200)
  expect(head.text).toBe('')
  expect([...head.headers]).toEqual([...get.headers])
  expect((await stage.ask('HEAD', '/api/waypoints/999999')).status).toBe(404)
})

test.each([
  ['PUT', '/api/waypoints', 'GET, HEAD, POST, OPTIONS'],
  ['POST', '/api/waypoints/1', 'GET, HEAD, PATCH, DELETE, OPTIONS'],
  ['DELETE', '/api/stats', 'GET, HEAD, OPTIONS'],
  ['POST', '/api/waypoints/search', 'GET, HEAD, OPTIONS'],
  ['GET', '/api/account', 'PATCH, OPTIONS'],
  ['PROPFIND', '/api', 'GET, HEAD, OPTIONS'],
])('%s %s is 405 and tells what is allowed', async (method, path, allow) => {
  const response = await stage.ask(method, path)
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe(allow)
  expect(response.body).toMatchObject({ code: 'METHOD_NOT_ALLOWED', details: {} })
})

test('a path that is not percent-encoded UTF-8 is 400, and an unknown one 404, in the usual body', async () => {
  for (const path of ['/api/waypoints/%', '/api/user/%ff%fe', '/%zz']) {
    const response = await stage.ask('GET', path)
    expect(response.status).toBe(400)
    expect(response.body['code']).toBe('INVALID_INPUT')
  }
  const unknown = await stage.ask('GET', '/api/<script>')
  expect(unknown.status).toBe(404)
  expect(unknown.text).not.toContain('script')
})

const evil = 'https://evil.example'
const known = 'https://map.example'

test('reads are open to every origin, without credentials', async () => {
  const { headers } = await stage.ask('GET', '/api/waypoints', { headers: { origin: evil } })
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('access-control-expose-headers')).toContain('ETag')
})

test('private reads and writes are open to configured origins alone', async () => {
  const asked = { as: 'author', headers: { origin: evil } } as const
  expect((await stage.ask('GET', '/api/user', asked)).headers.get('access-control-allow-origin')).toBeNull()
  const { headers } = await stage.ask('GET', '/api/user', { as: 'author', headers: { origin: known } })
  expect(headers.get('access-control-allow-origin')).toBe(known)
  expect(headers.get('access-control-allow-credentials')).toBe('true')
})

test('a preflight lets any origin read, and a configured one write', async () => {
  const preflight = async (origin: string, path: string) => {
    const { headers } = await stage.ask('OPTIONS', path, {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    return [headers.get('access-control-allow-methods'), headers.get('access-control-allow-credentials')]
  }
  expect(await preflight(evil, '/api/waypoints')).toEqual(['GET, HEAD', null])
  expect(await preflight(evil, '/api/user')).toEqual([null, null])
  expect(await preflight(known, '/api/waypoints')).toEqual(['GET, HEAD, POST, OPTIONS', 'true'])
  const { headers } = await stage.ask('OPTIONS', '/api/waypoints', { headers: { origin: known } })
  for (const name of ['Authorization', 'If-Match', 'Idempotency-Key', 'Signed-In-As'])
    expect(headers.get('access-control-allow-headers')).toContain(name)
  for (const name of ['ETag', 'Idempotency-Replayed', 'Link', 'Location'])
    expect(headers.get('access-control-expose-headers')).toContain(name)
})

test('compression packs what is worth packing, as the client prefers', async () => {
  const small = await stage.ask('GET', '/api/stats', { headers: { 'accept-encoding': 'br' } })
  expect(small.headers.get('content-encoding')).toBeNull()
  const plain = await stage.ask('GET', '/api/logs')
  const packed = async (accepted: string) => {
    const response = await stage.raw('GET', '/api/logs', { headers: { 'accept-encoding': accepted } })
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength))
    return { encoding: response.headers.get('content-encoding'), bytes, tag: response.headers.get('etag') }
  }
  const brotli = await packed('gzip, deflate, br')
  expect(brotli.encoding).toBe('br')
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.text)
  expect(brotli.tag).toBe(plain.headers.get('etag')?.replace(/"$/, '-br"'))
  const gzip = await packed('br;q=0.5, gzip')
  expect(gzip.encoding).toBe('gzip')
  expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text)
})

test.each(['/api/waypoints', '/api/logs', '/api/openapi', '/api/docs', '/api/docs/swagger-ui.css', '/'])(
  'an app whose host compresses sends %s as it is, whatever the client takes',
  async (path) => {
    const site = await folder({ 'index.html': '<p>Page of a site</p>'.repeat(200) })
    const app = createApp(stage.registry, { compress: false, site })
    const ask = async (accepted: string) => {
      const headers = { 'accept-encoding': accepted }
      const response = await app.fetch(new Request(`http://fountains.test${path}`, { headers }))
      return [response.headers.get('content-encoding'), await response.text()]
    }
    const [, plain] = await ask('identity')
    expect(await ask('br, gzip')).toEqual([null, plain])
  },
)

test('headers of every response keep browsers from guessing types and from running data', async () => {
  for (const path of ['/api/waypoints', '/api/nowhere', '/api/user']) {
    const { headers } = await stage.ask('GET', path)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
})

test('nothing failed in the server', () => {
  expect(stage.failures).toEqual([])
})

test.each<[string, (response: Response) => Response | Promise<Response>]>([
  ['the headers', (response) => (response.headers.set('x-host', 'here'), response)],
  [
    'the whole response',
    async (response) => new Response(await response.text(), { headers: { 'x-host': 'here' } }),
  ],
])('a host that wraps the app changes %s', async (_, change) => {
  const app = createApp(stage.registry)
  const server = createServer(nodeListener({ fetch: async (request) => change(await app.fetch(request)) }))
  const response = await fetch(`http://127.0.0.1:${await listening(server)}/api/stats`)
  expect(response.headers.get('x-host')).toBe('here')
  expect(await response.json()).toEqual((await stage.ask('GET', '/api/stats')).body)
})
