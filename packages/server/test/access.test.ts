import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, roles, type Role, type Stage } from './stage.ts'

/** Who asks for what, and which status each is answered; one line an endpoint. */
interface Scenario {
  readonly method: string
  /** `{fountain}`, `{entry}`, `{review}` and `{box}` stand for ids of the stage. */
  readonly path: string
  readonly body?: unknown
  /** The status of everybody who is not named in `but`. */
  readonly all: number
  readonly but?: Partial<Record<Role, number>>
}

const unauthenticated = { nobody: 401, 'bad cookie': 401, 'bad token': 401 } as const
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
  '/api/waypoints/search?q=market',
  '/api/user/author',
  '/api/users/author',
  '/api/users',
  '/api/user/leaderboard',
  '/api/reviews',
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
].map((path) => ({ method: 'GET', path, all: 200 }))

const guarded: readonly Scenario[] = [
  { method: 'GET', path: '/api/user', all: 200, but: unauthenticated },
  {
    method: 'PATCH',
    path: '/api/user',
    body: {},
    all: 200,
    but: { ...unauthenticated, token: 401, 'owned token': 401 },
  },
  {
    method: 'PATCH',
    path: '/api/account',
    body: {},
    all: 200,
    but: { ...unauthenticated, token: 401, 'owned token': 401 },
  },
  { method: 'POST', path: '/api/account', body: {}, all: 404 },
  {
    method: 'POST',
    path: '/api/waypoints',
    body: position,
    all: 201,
    but: { ...unauthenticated, newcomer: 403 },
  },
  {
    method: 'PATCH',
    path: '/api/waypoints/{fountain}',
    body: { description: 'By the fish market' },
    all: 200,
    but: { ...unauthenticated, newcomer: 403 },
  },
  {
    method: 'DELETE',
    path: '/api/waypoints/{fountain}',
    all: 200,
    but: { ...unauthenticated, newcomer: 403, regular: 403, author: 403 },
  },
  {
    method: 'POST',
    path: '/api/reviews',
    body: { bubblerId: 1, rating: 4 },
    all: 201,
    but: { ...unauthenticated, token: 401, 'owned token': 401 },
  },
  {
    method: 'DELETE',
    path: '/api/reviews?id={review}',
    all: 200,
    but: { ...unauthenticated, newcomer: 403, regular: 403 },
  },
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
]

/** Everything that must not be in an answer to somebody: all addresses but one's own, and every secret. */
function forbidden(stage: Stage, role: Role): string[] {
  const own = role === 'owned token' ? 'author' : role
  const addresses = ['newcomer', 'regular', 'author', 'moderator']
    .filter((id) => id !== own)
    .map((id) => `${id}@example.org`)
  const secrets = Object.values(stage.secrets)
    .flatMap((headers) => Object.values(headers))
    .map((header) => header.replace(/^(?:Bearer |session=)/, ''))
  return [...addresses, ...secrets, 'secretHash', 'better-sqlite', 'SQLITE', process.cwd(), 'node_modules']
}

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

async function prepared(path: string): Promise<string> {
  const { registry } = stage
  const author = { kind: 'user', userId: 'author' } as const
  if (path.includes('{fountain}')) {
    const made = await registry.waypoints.create(position, author)
    return path.replace('{fountain}', String(made.id))
  }
  if (path.includes('{entry}')) return path.replace('{entry}', String(stage.entryId))
  if (path.includes('{review}')) {
    const made = await registry.reviews.create({ bubblerId: stage.fountain.id, rating: 3 }, author)
    return path.replace('{review}', String(made.id))
  }
  if (path.includes('{box}')) {
    const made = await registry.areas.create({ name: 'Skåne', coordinates: [ring] }, { kind: 'token' })
    return path.replace('{box}', String(made.id))
  }
  return path
}

describe.each([...open, ...guarded])('$method $path', ({ method, path, body, all, but }) => {
  test.each(roles)('asked by %s', async (as) => {
    const wanted = but?.[as] ?? all
    const told = await stage.ask(method, await prepared(path), { as, body })
    expect(told.status).toBe(wanted)
    for (const secret of forbidden(stage, as)) expect(told.text).not.toContain(secret)
    // Only one's own profile has one's own address.
    const isOwnProfile = method === 'GET' && path === '/api/user'
    const isOwnEdit = method === 'PATCH' && (path === '/api/user' || path === '/api/account')
    if (!isOwnProfile && !isOwnEdit) expect(told.text).not.toContain('@example.org')
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
})

test('the table has every endpoint of the document', () => {
  const told = Object.entries(stage.document.paths).flatMap(([route, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${route.replaceAll(/\{\w+\}/g, '*')}`),
  )
  const star = ({ method, path }: Scenario) =>
    `${method} ${path
      .replace(/\?.*/, '')
      .replaceAll(/\{\w+\}/g, '*')
      .replace('/author', '/*')}`
  const tested = new Set([...open, ...guarded].map(star))
  expect(told.filter((each) => !each.startsWith('GET /api/exports/') && !tested.has(each))).toEqual([])
})

test('nothing failed in the server', async () => {
  expect(stage.failures).toEqual([])
  await expect(stage.registry.changes.verify()).resolves.toMatchObject({ ok: true })
})
