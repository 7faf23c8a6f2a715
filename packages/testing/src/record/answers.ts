import { createHash } from 'node:crypto'
import { picture } from '../photos.ts'
import written from './writes.json' with { type: 'json' }
import paths from './paths.json' with { type: 'json' }
import type { Caller, Story } from './story.ts'

const endpoint = 'https://fcm.googleapis.com/a'

type Ask = readonly [who: Caller, method: string, path: string, body?: unknown, more?: Record<string, string>]

const geo = { accept: 'application/geo+json' }

function bodyOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('photoOf' in body)) return body
  const fields = new FormData()
  fields.set('photo', new Blob([picture(String(body.photoOf))]))
  fields.set('alt', String(body.photoOf))
  return fields
}

/** `{photo}` is the shown photo of fountain 1; `{new}` the newest fountain, `{log}` its newest entry. */
const writes = (written as unknown as readonly Ask[]).map(([who, method, path, body]): Ask => [
  who,
  method,
  path,
  bodyOf(body),
])

const reads: readonly Ask[] = [
  ...paths.map((path): Ask => ['nobody', 'GET', path]),
  [
    'nobody',
    'POST',
    '/api/waypoints/along?within=500',
    {
      type: 'LineString',
      coordinates: [
        [8.59, 47.36],
        [8.6, 47.37],
      ],
    },
  ],
  ['nobody', 'GET', '/api/waypoints?limit=3', undefined, geo],
  ['nobody', 'GET', '/api/waypoints?limit=2', undefined, { 'api-version': '6' }],
  ...['unapproved', 'unverified', 'reported', 'duplicates', 'bursts', 'doubtful', 'photos'].map(
    (kind): Ask => ['mo', 'GET', `/api/moderation/queue?kind=${kind}&limit=3`],
  ),
  ...['waypoints', 'reviews', 'photos', 'observations', 'reports'].map((kind): Ask => [
    'mo',
    'GET',
    `/api/moderation/people/person-2?kind=${kind}&limit=3`,
  ]),
  ['token', 'GET', '/api/user'],
  ...['', '/removals', '/observations', '/sessions', '/tokens', '/identities', '/passkeys'].map(
    (rest): Ask => ['ada', 'GET', `/api/user${rest}`],
  ),
  ['nobody', 'GET', '/api/feeds/changes.atom?bubblerId=1'],
  ['nobody', 'GET', '/api/feeds/changes.json?bubblerId=1'],
  ['ada', 'GET', '/api/user/follows'],
  ['ada', 'GET', '/api/user/fountains'],
  ['ada', 'POST', '/api/user/follows', { what: { near: { latitude: 55.7, longitude: 13.2 }, radius: 500 } }],
  ['ada', 'DELETE', '/api/user/follows/mine'],
  ['ada', 'GET', '/api/user/push'],
  ['ada', 'POST', '/api/user/push', { endpoint, keys: { p256dh: '', auth: '' } }],
  ['ada', 'DELETE', '/api/user/push', { endpoint }],
  ['nobody', 'GET', '/api/unsubscribe?token=daily.0'],
  ['nobody', 'POST', '/api/unsubscribe?token=daily.0'],
  ['ada', 'GET', '/api/user/notifications'],
  ['ada', 'POST', '/api/user/notifications/read', { upTo: 1 }],
  ...['', '/conformance', '/api', '/collections', '/collections/waypoints'].map((rest): Ask => [
    'nobody',
    'GET',
    `/ogc${rest}`,
  ]),
  ...['queryables', 'schema', 'items?limit=2', 'items/1'].map((rest): Ask => [
    'nobody',
    'GET',
    `/ogc/collections/waypoints/${rest}`,
  ]),
  ...['discovery.json', 'v2/services.json', 'v2/requests.json', 'v2/requests/1.json'].map((rest): Ask => [
    'nobody',
    'GET',
    `/open311/${rest}`,
  ]),
  ['nobody', 'GET', '/api/dataset'],
  ['token', 'GET', '/api/webhooks'],
  ['token', 'POST', '/api/webhooks', { url: 'https://city.example/' }],
  ['token', 'PATCH', '/api/webhooks/1', { active: false }],
  ['token', 'DELETE', '/api/webhooks/1'],
]

const random: readonly [RegExp, string][] = [
  [/of([a-z])_[\w-]+/gu, 'of$1_…'],
  [/"id":"[\w-]{16,}"/gu, '"id":"…"'],
  [/"timeStamp":"[^"]+"/gu, '"timeStamp":"…"'],
  [/"version":"\d+\.\d+\.\d+"/gu, '"version":"…"'],
]

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const longest = 2500

/** A request of the record and its answer, without random values. */
export interface Answered {
  readonly caller: Caller
  readonly method: string
  /** As the record has it, and as it was sent. */
  readonly asked: string
  readonly path: string
  readonly response: Response
  readonly text: string
}

export async function* exchanges(
  { registry, app, headers }: Story,
  kind: 'writes' | 'reads',
): AsyncGenerator<Answered> {
  for (const [caller, method, asked, body, more] of kind === 'writes' ? writes : reads) {
    const { logs } = await registry.changes.list({ limit: 1 })
    const newest = logs[0]
    const [photo] = await registry.photos.of(1)
    const path = asked
      .replace('{log}', String(newest?.id))
      .replace('{new}', String(newest?.bubblerId))
      .replace('{photo}', String(photo?.id))
    const isJson = body !== undefined && !(body instanceof FormData)
    const origin: Readonly<Record<string, string>> =
      method === 'GET' || caller === 'token' ? {} : { origin: 'http://fountains.test' }
    const response = await app.fetch(
      new Request(`http://fountains.test${path}`, {
        method,
        headers: {
          ...headers[caller],
          ...origin,
          ...(isJson && { 'content-type': 'application/json' }),
          ...more,
        },
        ...(isJson && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(body instanceof FormData && { body }),
      }),
    )
    // The story's clock advances with each read, and the recording read it once more, for the entity tag.
    if (method !== 'GET' && response.headers.has('etag')) await registry.time()
    const text = random.reduce((now, [what, by]) => now.replaceAll(what, by), await response.text())
    yield { caller, method, asked, path, response, text }
  }
}

/** Sends the requests. @returns one answer per paragraph, and the endpoints used */
export async function answers(story: Story, kind: 'writes' | 'reads'): Promise<string> {
  const lines: string[] = []
  for await (const { caller, method, asked, response, text } of exchanges(story, kind)) {
    const shown = text.length > longest ? `${text.length} characters, sha256 ${sha256(text)}` : text
    const named = ['content-type', 'link', 'allow', 'location'].flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    })
    lines.push([`${caller} ${method} ${asked}`, [response.status, ...named].join(' | '), shown].join('\n'))
  }
  return `${lines.join('\n\n')}\n`
}

export const asked: ReadonlySet<string> = new Set(
  [...writes, ...reads].map(([, method, path]) => `${method} ${path}`),
)
