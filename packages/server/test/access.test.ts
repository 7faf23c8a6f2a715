import { expect, test, describe } from 'vitest'
import type { Actor, Photo } from '@openfountain/core'
import { endpointsOf } from '../src/endpoints/all.ts'
import {
  ring,
  roles as cast,
  type Role as CastRole,
  type Stage,
  stageOfFile,
} from '@openfountain/testing/server/stage'

const device = {
  endpoint: 'https://fcm.googleapis.com/a',
  keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) },
}

/** Callers besides the cast; `blocked` and `left` are users of their own. */
const others = [
  'personal token',
  "moderator's personal token",
  'blocked',
  "blocked one's personal token",
  'somebody who left',
  'the personal token of somebody who left',
] as const

type Role = CastRole | (typeof others)[number]

const roles: readonly Role[] = [...cast, ...others]

/** A request with the status for each caller; one row per endpoint. */
type Row = [
  /** `{fountain}`, `{edit}` and the like are ids of the stage, the others are the caller's own. */
  request: string,
  /** The status of all roles that are not in `but`. */
  all: number,
  but?: Partial<Record<Role, number>>,
  /** A function makes one for each caller. */
  body?: unknown,
  /** The caller's session or user that the request ends; the caller then gets one of their own. */
  ends?: 'session' | 'user',
]

const unauthenticated = {
  nobody: 401,
  'bad cookie': 401,
  'bad token': 401,
  'somebody who left': 401,
  'the personal token of somebody who left': 401,
} as const
const blocked = { blocked: 403, "blocked one's personal token": 403 } as const
const byApiToken = { token: 401, 'owned token': 401 } as const
const byPersonalToken = {
  'personal token': 401,
  "moderator's personal token": 401,
  "blocked one's personal token": 401,
} as const
const owner = { ...unauthenticated, ...byApiToken, ...byPersonalToken } as const
const visitor = {
  'bad token': 401,
  'the personal token of somebody who left': 401,
  ...byApiToken,
  ...byPersonalToken,
} as const
const writer = { ...unauthenticated, ...blocked } as const
const changing = { ...owner, blocked: 403 } as const
const ofOperator = { token: 200, 'owned token': 200 } as const
const position = { name: 'Harbour', latitude: 55.6, longitude: 13 }

const open = `
  /api /api/health /api/openapi /api/docs /api/docs/swagger-ui.css /api/waypoints
  /api/waypoints/{fountain} /api/waypoints/{fountain}?include=rating
  /api/waypoints/{fountain}?include=rating,photos /api/waypoints/{fountain}/photos
  /api/waypoints/search?q=market /api/waypoints/near-duplicates?lat=55.7&lng=13.2&name=market
  /api/user/author /api/users/author /api/users /api/user/leaderboard /api/reviews
  /api/reviews?limit=1&after=1 /api/observations?bubblerId=1 /api/status.json /api/stats /api/logs
  /api/logs?order=asc /api/logs/{entry} /api/logs/recent /api/logs/head /api/logs/head?size=1 /api/changes
  /api/logs/consistency?from=1 /api/logs/{entry}/proof /api/boundingboxes /api/sources /api/exports
  /api/moderation/acts /ogc /ogc/conformance /ogc/api /ogc/collections /ogc/collections/waypoints
  /ogc/collections/waypoints/queryables /ogc/collections/waypoints/schema /ogc/collections/waypoints/items
  /ogc/collections/waypoints/items/{fountain} /open311/discovery.json /open311/v2/services.json
  /open311/v2/requests.json /open311/v2/requests/{fountain}.json`
  .trim()
  .split(/\s+/u)
  .map((path): Row => [`GET ${path}`, 200])

const reviewed = { ...writer, newcomer: 403, regular: 403, "moderator's personal token": 403 } as const

const badBearer = { 'bad token': 401, 'the personal token of somebody who left': 401 } as const
let names = 0
let pictures = 0
const pictured = () => {
  const form = new FormData()
  form.set('photo', new Blob([`picture ${++pictures}`]))
  return form
}
const renaming = () => ({ name: `Name ${++names}` })

const guarded: readonly Row[] = [
  ['GET /api/log/keys', 404],
  ['GET /api/log/checkpoint', 404],
  ['GET /api/log/tile/{level}/{first}', 404],
  ['GET /api/log/tile/{level}/{first}/{second}', 404],
  ['GET /api/log/tile/{level}/{first}/{second}/{third}', 404],
  ['GET /api/log/tile/entries/000.p/1', 200],
  ['GET /api/metrics', 404],
  [
    'POST /api/waypoints/along',
    200,
    {},
    {
      type: 'LineString',
      coordinates: [
        [13.1, 55.7],
        [13.2, 55.71],
      ],
    },
  ],
  ['GET /api/dataset', 404],
  ['GET /api/user', 200, unauthenticated],
  ['PATCH /api/user', 200, changing, renaming],
  ['PATCH /api/account', 200, changing, renaming],
  ['POST /api/account', 404, {}, {}],
  ['POST /api/waypoints', 201, { ...writer, newcomer: 403 }, position],
  ['PATCH /api/waypoints/{fountain}', 200, { ...writer, newcomer: 403 }, { description: 'By the market' }],
  ['DELETE /api/waypoints/{fountain}', 200, { ...reviewed, author: 403, 'personal token': 403 }],
  ['POST /api/reviews', 201, { ...writer, ...byApiToken }, { bubblerId: 1, rating: 4 }],
  [
    'PATCH /api/reviews?id={review}',
    200,
    { ...reviewed, moderator: 403, token: 403, 'owned token': 403 },
    { rating: 2 },
  ],
  ['DELETE /api/reviews?id={review}', 200, reviewed],
  ['POST /api/waypoints/{fountain}/photos', 201, { ...writer, ...byApiToken }, pictured],
  ['GET /api/feeds/changes.atom', 200, badBearer],
  ['GET /api/feeds/changes.json', 200, badBearer],
  ['GET /api/feeds/changes.json?userId=author', 200, { ...reviewed, author: 200, 'personal token': 200 }],
  ['GET /api/photos', 200, badBearer],
  ['GET /api/photos?userId=author&limit=1', 200, badBearer],
  ['GET /api/photos/files/{picture}', 200, badBearer],
  [
    'GET /api/photos/files/{waiting}',
    404,
    { ...badBearer, author: 200, 'owned token': 200, 'personal token': 200, moderator: 200, token: 200 },
  ],
  [
    'PATCH /api/photos/{photo}',
    200,
    { ...reviewed, moderator: 403, token: 403, 'owned token': 403 },
    { alt: 'Market square' },
  ],
  [
    'PATCH /api/photos/{photo}',
    403,
    { ...unauthenticated, moderator: 200, ...ofOperator },
    { state: 'hidden' },
  ],
  ['DELETE /api/photos?id={photo}', 200, reviewed],
  ['POST /api/boundingboxes', 401, { token: 201, 'owned token': 201 }, { name: 'Lund', coordinates: [ring] }],
  ['DELETE /api/boundingboxes?id={box}', 401, ofOperator],
  ['POST /api/boundingboxes/{removed}/restore', 401, ofOperator],
  ['GET /api/user/fountains', 200, { ...unauthenticated, ...byApiToken }],
  ['GET /api/user/follows', 200, { ...unauthenticated, ...byApiToken }],
  ['POST /api/user/follows', 201, { ...unauthenticated, ...byApiToken }, { what: { region: 'Skåne' } }],
  ['DELETE /api/user/follows/{follow}', 204, { ...unauthenticated, ...byApiToken }],
  ['GET /api/user/push', 200, { ...unauthenticated, ...byApiToken }],
  ['POST /api/user/push', 204, { ...unauthenticated, ...byApiToken }, device],
  ['DELETE /api/user/push', 204, { ...unauthenticated, ...byApiToken }, { endpoint: device.endpoint }],
  ['GET /api/unsubscribe?token=daily.0', 404],
  ['POST /api/unsubscribe?token=daily.0', 404],
  ['GET /api/user/notifications?limit=1', 200, { ...unauthenticated, ...byApiToken }],
  ['POST /api/user/notifications/read', 200, { ...unauthenticated, ...byApiToken }, { upTo: 1 }],
  ['GET /api/webhooks', 401, ofOperator],
  ['POST /api/webhooks', 401, { token: 201, 'owned token': 201 }, { url: 'https://city.example/' }],
  ['PATCH /api/webhooks/{webhook}', 401, ofOperator, { active: false }],
  ['DELETE /api/webhooks/{webhook}', 401, { token: 204, 'owned token': 204 }],
]

/** For a moderator's session only. Personal tokens never have moderator rights. */
const moderator = { ...unauthenticated, ...byApiToken, moderator: 200 } as const

const moderating: readonly Row[] = [
  ['GET /api/moderation/queue?kind=reported', 403, { ...unauthenticated, moderator: 200, ...ofOperator }],
  [
    'POST /api/moderation/doubtful',
    403,
    { ...unauthenticated, moderator: 200, ...ofOperator },
    { decisions: [{ id: 1, decision: 'skip' }] },
  ],
  [
    'POST /api/moderation/waypoints',
    403,
    { ...unauthenticated, moderator: 200, ...ofOperator },
    { where: { ids: [1] }, set: { season: '04-15/10-31' } },
  ],
  [
    'POST /api/waypoints/season',
    403,
    { ...unauthenticated, moderator: 200, ...ofOperator },
    { ids: [1], season: '04-15/10-31', reason: 'The city says so' },
  ],
  ['GET /api/moderation/people/regular?kind=reports', 403, moderator],
  ['POST /api/logs/{edit}/revert', 403, moderator, { reason: 'Vandalism' }],
  ['POST /api/users/regular/revert', 403, moderator, { since: '2027-01-01T00:00:00Z', reason: 'Vandalism' }],
  ['POST /api/moderation/acts/{act}/undo', 403, moderator, { reason: 'Mistake' }],
  ['POST /api/waypoints/{fountain}/merge', 403, moderator, { into: 1, reason: 'The same' }],
  ['POST /api/waypoints/{tombstone}/restore', 403, moderator, { reason: 'It is there' }],
  ['POST /api/waypoints/{fountain}/distinct', 403, moderator, { from: 1 }],
  ['POST /api/users/quiet/block', 403, moderator, { reason: 'Vandalism' }],
  ['DELETE /api/users/{blocked}/block', 403, { ...moderator, moderator: 204 }],
  ['POST /api/reports', 201, { ...writer, ...byApiToken }, { bubblerId: 1, reason: 'wrong' }],
  ['PATCH /api/reports/{report}', 403, moderator, { state: 'done' }],
  ['POST /api/reports/{report}/reopen', 403, moderator],
  ['POST /api/observations', 201, writer, { bubblerId: 1, kind: 'works' }],
]

const invited = async () => ({ secret: (await stage.registry.accounts.invite({ name: 'New' })).secret })

const accounts: readonly Row[] = [
  ['GET /api/auth', 200, visitor],
  ['POST /api/auth/links/redeem', 200, visitor, invited, 'session'],
  ['POST /api/auth/codes', 404, visitor, { email: 'a@example.net' }],
  ['POST /api/auth/codes/redeem', 404, visitor, { email: 'a@example.net', code: '12345678' }],
  ['POST /api/auth/passkeys/options', 404, visitor],
  ['POST /api/auth/passkeys/sign-in', 404, visitor, { response: {} }],
  ['GET /api/auth/providers/osm', 404, visitor],
  ['GET /api/auth/providers/osm/callback', 404, visitor],
  ['POST /api/auth/sign-out', 204, owner, undefined, 'session'],
  ['GET /api/user/sessions', 200, owner],
  ['DELETE /api/user/sessions', 204, owner, undefined, 'user'],
  ['DELETE /api/user/sessions/{session}', 204, owner],
  ['GET /api/user/removals', 200, owner],
  ['GET /api/user/observations', 200, owner],
  ['GET /api/user/tokens', 200, owner],
  ['POST /api/user/tokens', 201, changing, { name: 'Script' }],
  ['DELETE /api/user/tokens/{token}', 204, owner],
  ['GET /api/user/identities', 200, owner],
  ['DELETE /api/user/identities/{identity}', 204, changing],
  ['GET /api/user/passkeys', 200, owner],
  ['POST /api/user/passkeys/options', 404, owner],
  ['POST /api/user/passkeys', 404, owner, { response: {}, name: 'Key' }],
  ['PATCH /api/user/passkeys/{passkey}', 200, changing, { name: 'Blue key' }],
  ['DELETE /api/user/passkeys/{passkey}', 204, changing],
  ['GET /api/user/export', 200, owner],
  ['DELETE /api/user', 204, owner, { confirm: 'Temporary', texts: 'erase' }, 'user'],
]

const rows = [...open, ...guarded, ...moderating, ...accounts]

/** Texts that must not be in an answer: every secret, and all addresses but the caller's own. */
function forbidden(stage: Stage, role: Role): string[] {
  const ownerOf: Partial<Record<Role, string>> = {
    'owned token': 'author',
    'personal token': 'author',
    "moderator's personal token": 'moderator',
    "blocked one's personal token": 'blocked',
  }
  const own = ownerOf[role] ?? role
  const addresses = ['newcomer', 'regular', 'author', 'moderator', 'blocked', 'left']
    .filter((id) => id !== own)
    .map((id) => `${id}@example.org`)
  const secrets = [...Object.values(stage.secrets), ...Object.values(further)]
    .flatMap((headers) => Object.values(headers))
    .map((header) => header.replace(/^(?:Bearer |session=)/, ''))
  return [...addresses, ...secrets, 'secretHash', 'better-sqlite', 'SQLITE', process.cwd(), 'node_modules']
}

const stage = await stageOfFile()

const cookieOf = async (userId: string) => ({
  cookie: `session=${(await stage.registry.sessions.create(userId)).session}`,
})
const personalTokenOf = async (userId: string) => ({
  authorization: `Bearer ${(await stage.registry.personalTokens.create(userId, { name: 'test' })).token}`,
})

/** Gives a user the things that the requests remove: a passkey, two other sign-in methods, and a token. */
async function equip(userId: string, which = 'first'): Promise<void> {
  const { accounts: ways, personalTokens } = stage.registry
  const key = { publicKey: 'AA', counter: 0, transports: [], isSynced: false }
  await ways.addPasskey({ ...key, credentialId: `${which} key of ${userId}`, userId, name: 'Key' })
  for (const provider of ['osm', 'google'])
    await ways.addIdentity(userId, {
      key: `https://${provider} ${which} ${userId}`,
      provider,
      label: 'There',
    })
  await personalTokens.create(userId, { name: 'To be revoked' })
}

const { users, accounts: people } = stage.registry
for (const id of ['blocked', 'left', 'quiet'])
  await users.create({ id, name: `Name of ${id}`, email: `${id}@example.org`, xp: 300 })
// Before the block, which refuses additions.
for (const userId of ['newcomer', 'regular', 'author', 'moderator', 'blocked']) await equip(userId)
const further: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'personal token': await personalTokenOf('author'),
  "moderator's personal token": await personalTokenOf('moderator'),
  blocked: await cookieOf('blocked'),
  "blocked one's personal token": await personalTokenOf('blocked'),
  'somebody who left': await cookieOf('left'),
  'the personal token of somebody who left': await personalTokenOf('left'),
}
await users.block('blocked', { reason: 'Vandalism' }, { kind: 'user', userId: 'moderator' })
await people.leave('left', { texts: 'keep' })

function sessionUserOf(as: Role): string | undefined {
  const withSession: readonly Role[] = ['newcomer', 'regular', 'author', 'moderator', 'blocked']
  return withSession.includes(as) ? as : undefined
}

async function headersOf(as: Role, ends: Row[4]): Promise<Readonly<Record<string, string>>> {
  const userId = sessionUserOf(as)
  if (userId !== undefined && ends === 'session') return cookieOf(userId)
  if (userId !== undefined && ends === 'user') {
    const { users } = stage.registry
    const made = await users.create({ name: 'Temporary', isModerator: as === 'moderator' })
    if (as === 'blocked') await users.block(made.id, { reason: 'Vandalism' }, { kind: 'token' })
    await cookieOf(made.id)
    return cookieOf(made.id)
  }
  return further[as] ?? stage.secrets[as as CastRole]
}

const fileOf = ({ urls }: Photo): string => urls.small.split('/').at(-1) ?? ''

function photograph(by: Actor): Promise<Photo> {
  const bytes = Buffer.from(`picture ${++pictures}`)
  return stage.registry.photos.create(stage.fountain.id, bytes, {}, by)
}

async function prepared(path: string, as: Role): Promise<string> {
  const { registry } = stage
  const author = { kind: 'user', userId: 'author' } as const
  const owning = sessionUserOf(as) ?? 'author'
  const area = async () =>
    (await registry.areas.create({ name: 'Skåne', coordinates: [ring] }, { kind: 'token' })).id
  const makers: Readonly<Record<string, () => Promise<number | string>>> = {
    fountain: async () => (await registry.waypoints.create(position, author)).id,
    entry: async () => stage.entryId,
    edit: async () => {
      const { id } = await registry.waypoints.create(position, author)
      await registry.waypoints.update(id, { description: `Changed ${id}` }, author)
      return (await registry.changes.head()).id
    },
    tombstone: async () => {
      const { id } = await registry.waypoints.create(position, author)
      await registry.waypoints.delete(id, { kind: 'token' })
      return id
    },
    act: async () => {
      const { id } = await registry.waypoints.create(position, author)
      await registry.waypoints.delete(id, { kind: 'user', userId: 'moderator' })
      return (await registry.changes.head()).id
    },
    report: async () => {
      const { id } = await registry.waypoints.create(position, author)
      return registry.reports.create({ bubblerId: id, reason: 'gone' }, author)
    },
    review: async () =>
      (await registry.reviews.create({ bubblerId: stage.fountain.id, rating: 3 }, author)).id,
    photo: async () => (await photograph(author)).id,
    picture: async () => fileOf(await photograph(author)),
    waiting: async () => {
      const photo = await photograph(author)
      await registry.photos.update(photo.id, { state: 'hidden' }, { kind: 'token' })
      return fileOf(photo)
    },
    box: area,
    webhook: async () =>
      (await registry.webhooks.create({ url: 'https://city.example/' }, { kind: 'token' })).id,
    follow: () => Promise.resolve('mine'),
    removed: async () => {
      const id = await area()
      await registry.areas.delete(id, { kind: 'token' })
      return id
    },
    blocked: async () => {
      const { id } = await registry.users.create({ name: 'Vandal' })
      await registry.users.block(id, { reason: 'Vandalism' }, { kind: 'token' })
      return id
    },
    session: async () => (await registry.sessions.create(owning)).id,
    token: async () => (await registry.personalTokens.list(owning)).at(-1)?.id ?? 0,
    passkey: async () => (await registry.accounts.passkeys(owning)).at(-1)?.id ?? 0,
    identity: async () => (await registry.accounts.identities(owning)).at(-1)?.id ?? 0,
  }
  const name = /\{(\w+)\}/u.exec(path)?.[1]
  const make = name === undefined ? undefined : makers[name]
  return make === undefined ? path : path.replace(`{${name}}`, String(await make()))
}

// In this order: later requests depend on earlier ones.
describe('one registry', { shuffle: false }, () => {
  test.for(rows)('%s gives each caller what is theirs', async ([request, all, but = {}, body, ends]) => {
    const [method = '', path = ''] = request.split(' ')
    const codes: Readonly<Record<number, readonly string[]>> = {
      401: ['UNAUTHORIZED'],
      403: ['FORBIDDEN', 'INSUFFICIENT_XP'],
      404: ['NOT_FOUND'],
    }
    const isAboutOneself = ['/api/user', '/api/account', '/api/auth', '/api/user/export'].includes(path)
    for (const as of roles) {
      const wanted = but[as] ?? all
      const sent: unknown = typeof body === 'function' ? await body() : body
      const headers = await headersOf(as, ends)
      const response = await stage.ask(method, await prepared(path, as), { headers, body: sent })
      expect([as, response.status]).toEqual([as, wanted])
      for (const secret of forbidden(stage, as))
        expect([as, response.text.includes(secret)]).toEqual([as, false])
      if (!isAboutOneself) expect(response.text).not.toContain('@example.org')
      if (wanted < 400) continue
      expect(codes[wanted]).toContain(response.body['code'])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('www-authenticate')).toBe(wanted === 401 ? 'Bearer' : null)
    }
  })

  const star = (request: string): string =>
    request
      .replace(/\?.*/, '')
      .replaceAll(/\{\w+\}(?:\.json)?/g, '*')
      .replace(/\/(?:author|osm|regular|quiet)\b/u, '/*')

  test('the table has every endpoint of the document', () => {
    const declared = Object.entries(stage.document.paths).flatMap(([route, operations]) =>
      Object.keys(operations).map((method) => star(`${method.toUpperCase()} ${route}`)),
    )
    const tested = new Set(rows.map(([request]) => star(request)))
    expect(declared.filter((each) => !each.startsWith('GET /api/exports/') && !tested.has(each))).toEqual([])
  })

  test('specification 4: every successful GET carries the licence, but for the document, its page, metrics and what is the caller’s own', async () => {
    const free =
      /^\/(?:ogc|open311|api\/(?:openapi|docs|auth|feeds|log\/|photos\/files|user\/(?:export|follows|identities|notifications|observations|passkeys|push|removals|sessions|tokens)))/u
    for (const [request] of rows) {
      const [method = '', path = ''] = request.split(' ')
      if (method !== 'GET') continue
      const response = await stage.ask('GET', await prepared(path, 'moderator'), { as: 'moderator' })
      const license = free.test(path) ? undefined : 'ODbL-1.0'
      if (response.status === 200) expect([path, response.body['license']]).toEqual([path, license])
    }
  })

  /** The permitted writes with an allowed role, and the expected outcome of a repetition under the same key. */
  const writes = rows.flatMap(([request, all, but = {}, ...more]) => {
    const as = roles.find((role) => (but[role] ?? all) < 300)
    return as === undefined || request.startsWith('GET') ? [] : [{ request, as, more }]
  })

  test.for(writes)(
    '$request is done once under a key, which is refused for another request',
    async ({ request, as, more: [body, ends] }) => {
      const endpoints = endpointsOf({ registry: stage.registry, options: {} })
      const endpoint = endpoints.find(({ method, route }) => star(`${method} ${route}`) === star(request))
      const owner = sessionUserOf(as)
      if (owner !== undefined) await equip(owner, request)
      const [method = '', template = ''] = request.split(' ')
      const path = await prepared(template, as)
      const headers = { ...(await headersOf(as, ends)), 'idempotency-key': request }
      const sent: unknown = typeof body === 'function' ? await body() : body
      const ask = (to: string) => stage.ask(method, to, { headers, body: sent })
      const first = await ask(path)
      expect([first.status < 300, first.headers.get('idempotency-replayed')]).toEqual([true, null])
      if (endpoint?.repeated === undefined || endpoint.repeated === 'ignored') {
        const secret = [
          'redeemLink',
          'findAlong',
          'addPasskey',
          'createPersonalToken',
          'createWebhook',
          'leave',
          'signOut',
        ]
        expect(secret).toContain(endpoint?.name)
        expect((await ask(path)).headers.get('idempotency-replayed')).toBe(null)
        return
      }
      const revision = await stage.registry.revision()
      const again = await ask(path)
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true'])
      expect(Object.keys(again.body).toSorted()).toEqual(Object.keys(first.body).toSorted())
      const other = await ask(`${path}${path.includes('?') ? '&' : '?'}other=1`)
      expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
      expect(await stage.registry.revision()).toBe(revision)
    },
  )

  test('nothing failed in the server', async () => {
    expect(stage.failures).toEqual([])
    await expect(stage.registry.changes.verify()).resolves.toMatchObject({ ok: true })
  })
})
