import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  createApp,
  type AppOptions,
  type HeavyWorkOptions,
  type ListenerLimits,
  type SiteOptions,
} from '../src/index.ts'
import { folder } from '@openfountain/testing/server/folder'
import { stageOfFile } from '@openfountain/testing/server/stage'

const stage = await stageOfFile()

/** A page writes with its visitor's session, through a host that reports localhost to the app. */
async function statusOfWrite(options: AppOptions, headers: Readonly<Record<string, string>>) {
  const request = new Request('http://localhost:3000/api/user', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...stage.secrets.regular, ...headers },
    body: '{}',
  })
  return (await createApp(stage.registry, options).fetch(request)).status
}

type Undefinable<Options> = { [Name in keyof Options]?: Options[Name] | undefined }

test('an option that may be absent may be undefined', () => {
  expectTypeOf<Undefinable<AppOptions>>().toExtend<AppOptions>()
  expectTypeOf<Undefinable<HeavyWorkOptions>>().toExtend<HeavyWorkOptions>()
  expectTypeOf<Undefinable<ListenerLimits>>().toExtend<ListenerLimits>()
  expectTypeOf<Undefinable<SiteOptions> & { folder: string }>().toExtend<SiteOptions>()
})

test('an option that there is not is refused by name', () => {
  const options = { publicURL: 'https://fountains.example' } as AppOptions
  expect(() => createApp(stage.registry, options)).toThrow(
    /^publicURL is unknown; the options are .*publicUrl/u,
  )
})

describe.each(['https://fountains.example', 'https://fountains.example:443/water'])(
  'an app whose publicUrl is %s',
  (publicUrl) => {
    test.each([
      ['its own pages', { origin: 'https://fountains.example' }, 200],
      ['its own pages under another scheme', { origin: 'http://fountains.example' }, 403],
      ['another port of its host', { origin: 'https://fountains.example:8443' }, 403],
      ['a sister host', { origin: 'https://www.fountains.example' }, 403],
      ['the address that its host tells', { origin: 'http://localhost:3000' }, 403],
      ['another name of its host', { origin: 'https://other.example', 'sec-fetch-site': 'same-origin' }, 403],
      ['an origin that hides', { origin: 'null' }, 403],
      ['no browser', {}, 200],
      ['its own pages, in a browser that leaves the origin out', { 'sec-fetch-site': 'same-origin' }, 200],
      ['another site, in a browser that leaves the origin out', { 'sec-fetch-site': 'cross-site' }, 403],
    ])('lets %s write as it should', async (_who, headers, status) => {
      expect(await statusOfWrite({ publicUrl }, headers)).toBe(status)
    })

    test('takes no other address from a proxy that it trusts', async () => {
      const origin = 'https://evil.example'
      const headers = { origin, 'x-forwarded-host': 'evil.example' }
      expect(await statusOfWrite({ publicUrl, trustProxy: true }, headers)).toBe(403)
    })

    test('lets configured origins write beside its own', async () => {
      const options = { publicUrl, allowedOrigins: ['https://map.example'] }
      expect(await statusOfWrite(options, { origin: 'https://map.example' })).toBe(200)
    })
  },
)

const proxied = { 'x-forwarded-host': 'fountains.example:8443', 'x-forwarded-proto': 'https' }

test.each<[who: string, headers: Readonly<Record<string, string>>, status: number]>([
  ['its own pages', { origin: 'http://localhost:3000' }, 200],
  ['another scheme', { origin: 'https://localhost:3000' }, 403],
  ['another port', { origin: 'http://localhost:3001' }, 403],
  ['another host', { origin: 'http://127.0.0.1:3000' }, 403],
  ['what anybody forwards', { origin: 'https://fountains.example:8443', ...proxied }, 403],
  [
    'its own pages behind an unknown proxy',
    { origin: 'https://fountains.example', 'sec-fetch-site': 'same-origin' },
    200,
  ],
  [
    'a sister behind an unknown proxy',
    { origin: 'https://fountains.example', 'sec-fetch-site': 'same-site' },
    403,
  ],
  ['what is no origin', { origin: 'localhost:3000' }, 403],
  ['an origin that hides', { origin: 'null' }, 403],
  ['another site, in a browser that leaves the origin out', { 'sec-fetch-site': 'cross-site' }, 403],
  ['a sister host, in a browser that leaves the origin out', { 'sec-fetch-site': 'same-site' }, 403],
  ['no browser', {}, 200],
])('an app without a publicUrl lets %s write as it should', async (_who, headers, status) => {
  expect(await statusOfWrite({}, headers)).toBe(status)
})

test.each([
  ['https://fountains.example:8443', proxied, 200],
  ['https://fountains.example', proxied, 403],
  ['http://localhost:3000', proxied, 403],
  ['http://x:99999', { 'x-forwarded-host': 'x:99999' }, 403],
])(
  'an app without a publicUrl behind a trusted proxy lets %s write as it should',
  async (origin, forwarded, status) => {
    expect(await statusOfWrite({ trustProxy: true }, { origin, ...forwarded })).toBe(status)
  },
)

test.each([
  'fountains.example',
  'https://',
  'ftp://fountains.example',
  'https://ada:secret@fountains.example',
  'https://fountains.example/?page=1',
  'https://fountains.example/#map',
])('the publicUrl %s is refused with the remedy', (publicUrl) => {
  const made = (): unknown => createApp(stage.registry, { publicUrl })
  expect(made).toThrow(/^publicUrl .*write it as https:\/\/host/u)
  expect(made).not.toThrow('secret')
})

const ofApi = ['/api', '/api/docs', '/api/docs/start.js', '/api/user', '/api/nowhere', '/nowhere', '/%ff']
const paths = [...ofApi, '/api/exports', '/api/exports/waypoints.csv']

async function transportOf(path: string, options: AppOptions): Promise<string | null> {
  const response = await createApp(stage.registry, options).fetch(new Request(`http://localhost:3000${path}`))
  return response.headers.get('strict-transport-security')
}

test.each([
  [{ publicUrl: 'https://fountains.example' }, 'max-age=31536000'],
  [
    { publicUrl: 'https://fountains.example', strictTransport: 'subdomains' },
    'max-age=31536000; includeSubDomains',
  ],
  [{ publicUrl: 'https://fountains.example', strictTransport: 'off' }, null],
  [{ publicUrl: 'http://fountains.example', strictTransport: 'subdomains' }, null],
  [{}, null],
] as const)('Strict-Transport-Security: with %j every response has %s', async (options, expected) => {
  const exports = await folder({ SHA256SUMS: `${'0'.repeat(64)}  waypoints.csv\n`, 'waypoints.csv': 'id' })
  for (const path of paths)
    expect([path, await transportOf(path, { ...options, exports })]).toEqual([path, expected])
})

test('Strict-Transport-Security is on the responses to OPTIONS, to a conditional request and beyond the rate limit, too', async () => {
  const app = createApp(stage.registry, {
    publicUrl: 'https://fountains.example',
    rateLimit: { perMinute: 3, now: () => 0 },
  })
  const ask = (init: RequestInit): Promise<Response> =>
    Promise.resolve(app.fetch(new Request('http://localhost:3000/api/stats', init)))
  const first = await ask({})
  const responses = [
    first,
    await ask({ headers: { 'if-none-match': first.headers.get('etag') ?? '' } }),
    await ask({ method: 'OPTIONS' }),
    await ask({}),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 304, 204, 429])
  for (const { headers } of responses) {
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('ratelimit-limit')).toBe('3')
  }
})
