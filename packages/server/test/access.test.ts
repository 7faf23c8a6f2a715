import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openStage,
  roles as cast,
  type Role as CastRole,
  type Stage,
} from '@openfountain/testing/server/stage'

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

/** Who asks for what, and which status each is answered; one line an endpoint. */
interface Scenario {
  readonly method: string
  /** `{fountain}`, `{edit}` and the like stand for ids of the stage, the others for what the caller has. */
  readonly path: string
  /** A function makes one for each caller. */
  readonly body?: unknown
  /** Whether it ends what the caller has, who therefore comes in a session, or as a user, of their own. */
  readonly ends?: 'session' | 'user'
  /** The status of everybody who is not named in `but`. */
  readonly all: number
  readonly but?: Partial<Record<Role, number>>
}

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
/** For a session alone. */
const owner = { ...unauthenticated, ...byApiToken, ...byPersonalToken } as const
/** For whoever may have a session, and presents no token. */
const visitor = {
  'bad token': 401,
  'the personal token of somebody who left': 401,
  ...byApiToken,
  ...byPersonalToken,
} as const
const position = { name: 'Harbour', latitude: 55.6, longitude: 13 }
const ring = [
  [13, 55],
  [14, 55],
  [14, 56],
  [13, 55],
]

const open: readonly Scenario[] = [
  '/api',
  '/api/health',
  '/api/openapi',
  '/api/docs',
  '/api/docs/swagger-ui.css',
  '/api/waypoints',
  '/api/waypoints/{fountain}',
  '/api/waypoints/{fountain}?include=rating',
  '/api/waypoints/search?q=market',
  '/api/waypoints/near-duplicates?lat=55.7&lng=13.2&name=market',
  '/api/user/author',
  '/api/users/author',
  '/api/users',
  '/api/user/leaderboard',
  '/api/reviews',
  '/api/reviews?limit=1&after=1',
  '/api/observations?bubblerId=1',
  '/api/status.json',
  '/api/stats',
  '/api/logs',
  '/api/logs?order=asc',
  '/api/logs/{entry}',
  '/api/logs/recent',
  '/api/logs/head',
  '/api/logs/head?size=1',
  '/api/changes',
  '/api/changes/consistency?from=1',
  '/api/changes/{entry}/inclusion',
  '/api/boundingboxes',
  '/api/sources',
  '/api/exports',
  '/api/moderation/acts',
].map((path) => ({ method: 'GET', path, all: 200 }))

const guarded: readonly Scenario[] = [
  // Nobody is told whether there are metrics that others may read.
  { method: 'GET', path: '/api/metrics', all: 404 },
  { method: 'GET', path: '/api/user', all: 200, but: unauthenticated },
  ...['/api/user', '/api/account'].map((path) => ({
    method: 'PATCH',
    path,
    body: {},
    all: 200,
    but: { ...owner, blocked: 403 },
  })),
  { method: 'POST', path: '/api/account', body: {}, all: 404 },
  {
    method: 'POST',
    path: '/api/waypoints',
    body: position,
    all: 201,
    but: { ...unauthenticated, ...blocked, newcomer: 403 },
  },
  {
    method: 'PATCH',
    path: '/api/waypoints/{fountain}',
    body: { description: 'By the fish market' },
    all: 200,
    but: { ...unauthenticated, ...blocked, newcomer: 403 },
  },
  {
    method: 'DELETE',
    path: '/api/waypoints/{fountain}',
    all: 200,
    but: {
      ...unauthenticated,
      ...blocked,
      newcomer: 403,
      regular: 403,
      author: 403,
      'personal token': 403,
      "moderator's personal token": 403,
    },
  },
  {
    method: 'POST',
    path: '/api/reviews',
    body: { bubblerId: 1, rating: 4 },
    all: 201,
    but: { ...unauthenticated, ...byApiToken, ...blocked },
  },
  ...(['PATCH', 'DELETE'] as const).map((method) => ({
    method,
    path: '/api/reviews?id={review}',
    ...(method === 'PATCH' && { body: { rating: 2 } }),
    all: 200,
    but: {
      ...unauthenticated,
      ...blocked,
      newcomer: 403,
      regular: 403,
      "moderator's personal token": 403,
      ...(method === 'PATCH' && { moderator: 403, token: 403, 'owned token': 403 }),
    },
  })),
  {
    method: 'POST',
    path: '/api/boundingboxes',
    body: { name: 'Lund', coordinates: [ring] },
    all: 401,
    but: { token: 201, 'owned token': 201 },
  },
  {
    method: 'DELETE',
    path: '/api/boundingboxes?id={box}',
    all: 401,
    but: { token: 200, 'owned token': 200 },
  },
  {
    method: 'POST',
    path: '/api/boundingboxes/{box}/restore',
    all: 401,
    but: { token: 404, 'owned token': 404 },
  },
]

/** For a moderator's session alone. Personal tokens never have the rights of a moderator. */
const moderator = {
  ...unauthenticated,
  ...byApiToken,
  moderator: 200,
} as const

const moderating: readonly Scenario[] = [
  {
    method: 'GET',
    path: '/api/moderation/queue?kind=reported',
    all: 403,
    but: { ...unauthenticated, moderator: 200, token: 200, 'owned token': 200 },
  },
  ...[
    { path: '/api/logs/{edit}/revert', body: { reason: 'Vandalism' } },
    { path: '/api/users/regular/revert', body: { since: '2027-01-01T00:00:00Z', reason: 'Vandalism' } },
    { path: '/api/moderation/acts/{act}/undo', body: { reason: 'Mistake' } },
    { path: '/api/waypoints/{fountain}/merge', body: { into: 1, reason: 'The same' } },
    { path: '/api/waypoints/{tombstone}/restore', body: { reason: 'It is there' } },
    { path: '/api/waypoints/{fountain}/distinct', body: { from: 1 } },
    { path: '/api/users/quiet/block', body: { reason: 'Vandalism' } },
  ].map((each) => ({ method: 'POST', all: 403, but: moderator, ...each })),
  { method: 'DELETE', path: '/api/users/quiet/block', all: 403, but: { ...moderator, moderator: 204 } },
  {
    method: 'POST',
    path: '/api/reports',
    body: { bubblerId: 1, reason: 'wrong' },
    all: 201,
    but: { ...unauthenticated, ...byApiToken, ...blocked },
  },
  {
    method: 'PATCH',
    path: '/api/reports/{report}',
    body: { state: 'done' },
    all: 403,
    but: moderator,
  },
  { method: 'POST', path: '/api/reports/{report}/reopen', all: 403, but: moderator },
  {
    method: 'POST',
    path: '/api/observations',
    body: { bubblerId: 1, kind: 'works' },
    all: 201,
    but: { ...unauthenticated, ...blocked },
  },
]

/** Signing in, and what belongs to an account. Nothing but links is configured. */
const accounts: readonly Scenario[] = [
  { method: 'GET', path: '/api/auth', all: 200, but: visitor },
  {
    method: 'POST',
    path: '/api/auth/links/redeem',
    body: async () => ({ secret: (await stage.registry.accounts.invite({ name: 'New' })).secret }),
    ends: 'session',
    all: 200,
    but: visitor,
  },
  ...[
    { path: '/api/auth/codes', body: { email: 'a@example.net' } },
    { path: '/api/auth/codes/redeem', body: { email: 'a@example.net', code: '12345678' } },
    { path: '/api/auth/passkeys/options' },
    { path: '/api/auth/passkeys/sign-in', body: { response: {} } },
  ].map((each) => ({ method: 'POST', all: 404, but: visitor, ...each })),
  { method: 'GET', path: '/api/auth/providers/osm', all: 404, but: visitor },
  { method: 'GET', path: '/api/auth/providers/osm/callback', all: 404, but: visitor },
  { method: 'POST', path: '/api/auth/sign-out', ends: 'session', all: 204, but: owner },
  { method: 'GET', path: '/api/user/sessions', all: 200, but: owner },
  { method: 'DELETE', path: '/api/user/sessions', ends: 'user', all: 204, but: owner },
  { method: 'DELETE', path: '/api/user/sessions/{session}', all: 204, but: owner },
  { method: 'GET', path: '/api/user/tokens', all: 200, but: owner },
  {
    method: 'POST',
    path: '/api/user/tokens',
    body: { name: 'Script' },
    all: 201,
    but: { ...owner, blocked: 403 },
  },
  { method: 'DELETE', path: '/api/user/tokens/{token}', all: 204, but: owner },
  { method: 'GET', path: '/api/user/identities', all: 200, but: owner },
  {
    method: 'DELETE',
    path: '/api/user/identities/{identity}',
    all: 204,
    but: { ...owner, blocked: 403 },
  },
  { method: 'GET', path: '/api/user/passkeys', all: 200, but: owner },
  { method: 'POST', path: '/api/user/passkeys/options', all: 404, but: owner },
  {
    method: 'POST',
    path: '/api/user/passkeys',
    body: { response: {}, name: 'Key' },
    all: 404,
    but: owner,
  },
  {
    method: 'PATCH',
    path: '/api/user/passkeys/{passkey}',
    body: { name: 'Blue key' },
    all: 200,
    but: { ...owner, blocked: 403 },
  },
  {
    method: 'DELETE',
    path: '/api/user/passkeys/{passkey}',
    all: 204,
    but: { ...owner, blocked: 403 },
  },
  { method: 'GET', path: '/api/user/export', all: 200, but: owner },
  {
    method: 'DELETE',
    path: '/api/user',
    body: { confirm: 'Temporary', texts: 'erase' },
    ends: 'user',
    all: 204,
    but: owner,
  },
]

/** Everything that must not be in an answer to somebody: all addresses but one's own, and every secret. */
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

let stage: Stage
let further: Readonly<Record<string, Readonly<Record<string, string>>>> = {}

const cookieOf = async (userId: string) => ({
  cookie: `session=${(await stage.registry.sessions.create(userId)).session}`,
})
const personalTokenOf = async (userId: string) => ({
  authorization: `Bearer ${(await stage.registry.personalTokens.create(userId, { name: 'test' })).token}`,
})

/** Gives a user what the requests remove: a passkey, two other ways to sign in, and a token. */
async function equip(userId: string): Promise<void> {
  const { accounts: ways, personalTokens } = stage.registry
  const key = { publicKey: 'AA', counter: 0, transports: [], isSynced: false }
  await ways.addPasskey({ ...key, credentialId: `key-of-${userId}`, userId, name: 'Key' })
  for (const provider of ['osm', 'google'])
    await ways.addIdentity(userId, { key: `https://${provider} ${userId}`, provider, label: 'There' })
  await personalTokens.create(userId, { name: 'To be revoked' })
}

beforeAll(async () => {
  stage = await openStage()
  const { users, accounts: people } = stage.registry
  for (const id of ['blocked', 'left', 'quiet'])
    await users.create({ id, name: `Name of ${id}`, email: `${id}@example.org`, xp: 300 })
  // Before the block, in which nothing can be added.
  for (const userId of ['newcomer', 'regular', 'author', 'moderator', 'blocked']) await equip(userId)
  further = {
    'personal token': await personalTokenOf('author'),
    "moderator's personal token": await personalTokenOf('moderator'),
    blocked: await cookieOf('blocked'),
    "blocked one's personal token": await personalTokenOf('blocked'),
    'somebody who left': await cookieOf('left'),
    'the personal token of somebody who left': await personalTokenOf('left'),
  }
  await users.block('blocked', { reason: 'Vandalism' }, { kind: 'user', userId: 'moderator' })
  await people.leave('left', { texts: 'keep' })
})
afterAll(() => stage.close())

/** The user of a caller who comes with a session that is good. */
function sessionUserOf(as: Role): string | undefined {
  const withSession: readonly Role[] = ['newcomer', 'regular', 'author', 'moderator', 'blocked']
  return withSession.includes(as) ? as : undefined
}

/** What a caller presents; a session, or a user, of its own where the request ends it. */
async function headersOf(as: Role, ends: Scenario['ends']): Promise<Readonly<Record<string, string>>> {
  const userId = sessionUserOf(as)
  if (userId !== undefined && ends === 'session') return cookieOf(userId)
  if (userId !== undefined && ends === 'user') {
    const { users } = stage.registry
    const made = await users.create({ name: 'Temporary', isModerator: as === 'moderator' })
    if (as === 'blocked') await users.block(made.id, { reason: 'Vandalism' }, { kind: 'token' })
    return cookieOf(made.id)
  }
  return further[as] ?? stage.secrets[as as CastRole]
}

async function prepared(path: string, as: Role): Promise<string> {
  const { registry } = stage
  const author = { kind: 'user', userId: 'author' } as const
  const owning = sessionUserOf(as) ?? 'author'
  const makers: Readonly<Record<string, () => Promise<number>>> = {
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
    box: async () =>
      (await registry.areas.create({ name: 'Skåne', coordinates: [ring] }, { kind: 'token' })).id,
    session: async () => (await registry.sessions.create(owning)).id,
    token: async () => (await registry.personalTokens.list(owning)).at(-1)?.id ?? 0,
    passkey: async () => (await registry.accounts.passkeys(owning)).at(-1)?.id ?? 0,
    identity: async () => (await registry.accounts.identities(owning)).at(-1)?.id ?? 0,
  }
  const name = /\{(\w+)\}/u.exec(path)?.[1]
  const make = name === undefined ? undefined : makers[name]
  return make === undefined ? path : path.replace(`{${name}}`, String(await make()))
}

describe.each([...open, ...guarded, ...moderating, ...accounts])(
  '$method $path',
  ({ method, path, body, ends, all, but }) => {
    test.each(roles)('asked by %s', async (as) => {
      const wanted = but?.[as] ?? all
      const sent: unknown = typeof body === 'function' ? await body() : body
      const headers = await headersOf(as, ends)
      const told = await stage.ask(method, await prepared(path, as), { headers, body: sent })
      expect(told.status).toBe(wanted)
      for (const secret of forbidden(stage, as)) expect(told.text).not.toContain(secret)
      // Only one's own profile has one's own address.
      const isOwnProfile = method === 'GET' && path === '/api/user'
      const isOwnEdit = method === 'PATCH' && (path === '/api/user' || path === '/api/account')
      const isAboutOneself = path === '/api/auth' || path === '/api/user/export'
      if (!isOwnProfile && !isOwnEdit && !isAboutOneself) expect(told.text).not.toContain('@example.org')
      if (wanted >= 400) {
        const codes: Readonly<Record<number, readonly string[]>> = {
          401: ['UNAUTHORIZED'],
          403: ['FORBIDDEN', 'INSUFFICIENT_XP'],
          404: ['NOT_FOUND'],
        }
        expect(codes[wanted]).toContain(told.body['code'])
        expect(told.headers.get('cache-control')).toBe('no-store')
      }
      if (wanted === 401) expect(told.headers.get('www-authenticate')).toBe('Bearer')
    })
  },
)

test('the table has every endpoint of the document', () => {
  const told = Object.entries(stage.document.paths).flatMap(([route, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${route.replaceAll(/\{\w+\}/g, '*')}`),
  )
  const star = ({ method, path }: Scenario) =>
    `${method} ${path
      .replace(/\?.*/, '')
      .replaceAll(/\{\w+\}/g, '*')
      .replace(/\/(?:author|osm|regular|quiet)\b/u, '/*')}`
  const tested = new Set([...open, ...guarded, ...moderating, ...accounts].map(star))
  expect(told.filter((each) => !each.startsWith('GET /api/exports/') && !tested.has(each))).toEqual([])
})

test('nothing failed in the server', async () => {
  expect(stage.failures).toEqual([])
  await expect(stage.registry.changes.verify()).resolves.toMatchObject({ ok: true })
})
