import { openRegistry } from '@openfountain/core'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/index.ts'
import { endpointsOf } from '../src/endpoints/all.ts'
import { sharedDatabase } from '@openfountain/testing/server/database'
import { listenWith } from '@openfountain/testing/server/listening'
import {
  openStage,
  spring,
  start,
  type Role,
  type Stage,
  type Told,
} from '@openfountain/testing/server/stage'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const uuid = '8e03978e-40d5-43dd-bc93-6894a57f9324'

const under = (
  key: string,
  method: string,
  path: string,
  { as = 'author', body, headers = {} }: { as?: Role; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Told> => stage.ask(method, path, { as, body, headers: { 'idempotency-key': key, ...headers } })

const isReplayed = ({ headers }: Told): boolean => headers.get('idempotency-replayed') === 'true'

const cookieOf = async (userId: string) => ({
  cookie: `session=${(await stage.registry.sessions.create(userId)).session}`,
})

const ring = [
  [13, 55],
  [14, 55],
  [14, 56],
  [13, 55],
]

/** A request for each endpoint that takes a key, by its name; prepared on the stage of the test. */
const requests: Readonly<
  Record<string, () => Promise<{ as: Role; method: string; path: string; body?: unknown }>>
> = {
  createWaypoint: async () => ({ as: 'author', method: 'POST', path: '/api/waypoints', body: spring }),
  updateWaypoint: async () => ({
    as: 'author',
    method: 'PATCH',
    path: '/api/waypoints/1',
    body: { region: 'Skåne' },
  }),
  deleteWaypoint: async () => ({ as: 'moderator', method: 'DELETE', path: '/api/waypoints/1' }),
  createReview: async () => ({
    as: 'regular',
    method: 'POST',
    path: '/api/reviews',
    body: { bubblerId: 1, rating: 4, comment: 'Good' },
  }),
  updateReview: async () => ({
    as: 'author',
    method: 'PATCH',
    path: `/api/reviews?id=${stage.reviewId}`,
    body: { rating: 2 },
  }),
  deleteReview: async () => ({ as: 'author', method: 'DELETE', path: `/api/reviews?id=${stage.reviewId}` }),
  createBoundingBox: async () => ({
    as: 'token',
    method: 'POST',
    path: '/api/boundingboxes',
    body: { name: 'Lund', coordinates: [ring] },
  }),
  deleteBoundingBox: async () => {
    const { id } = await stage.registry.areas.create({ name: 'Lund', coordinates: [ring] }, { kind: 'token' })
    return { as: 'token', method: 'DELETE', path: '/api/boundingboxes', body: { id } }
  },
  restoreBoundingBox: async () => {
    const { areas } = stage.registry
    const { id } = await areas.create({ name: 'Lund', coordinates: [ring] }, { kind: 'token' })
    await areas.delete(id, { kind: 'token' })
    return { as: 'token', method: 'POST', path: `/api/boundingboxes/${id}/restore` }
  },
  updateOwnUser: async () => ({ as: 'author', method: 'PATCH', path: '/api/user', body: { name: 'Ada' } }),
  updateAccount: async () => ({ as: 'author', method: 'PATCH', path: '/api/account', body: { name: 'Ada' } }),
  endOtherSessions: async () => {
    await stage.registry.sessions.create('author')
    return { as: 'author', method: 'DELETE', path: '/api/user/sessions' }
  },
  endSession: async () => {
    const { id } = await stage.registry.sessions.create('author')
    return { as: 'author', method: 'DELETE', path: `/api/user/sessions/${id}` }
  },
  revokePersonalToken: async () => {
    const { id } = await stage.registry.personalTokens.create('author', { name: 'Script' })
    return { as: 'author', method: 'DELETE', path: `/api/user/tokens/${id}` }
  },
  renamePasskey: async () => ({
    as: 'author',
    method: 'PATCH',
    path: `/api/user/passkeys/${await addedPasskey('one')}`,
    body: { name: 'Blue' },
  }),
  removePasskey: async () => {
    await addedPasskey('one')
    return { as: 'author', method: 'DELETE', path: `/api/user/passkeys/${await addedPasskey('two')}` }
  },
  revertEntry: async () => {
    await another()
    const { id } = await stage.registry.changes.head()
    return byModerator('POST', `/api/logs/${id}/revert`, { reason: 'Vandalism' })
  },
  revertUser: async () => {
    await another()
    return byModerator('POST', '/api/users/regular/revert', {
      since: new Date(start).toISOString(),
      reason: 'Vandalism',
    })
  },
  undoAct: async () => {
    await stage.registry.waypoints.delete((await another()).id, { kind: 'user', userId: 'moderator' })
    const { id } = await stage.registry.changes.head()
    return byModerator('POST', `/api/moderation/acts/${id}/undo`, { reason: 'Mistake' })
  },
  blockUser: async () => byModerator('POST', '/api/users/regular/block', { reason: 'Vandalism' }),
  unblockUser: async () => {
    await stage.registry.users.block('regular', { reason: 'Vandalism' }, { kind: 'token' })
    return byModerator('DELETE', '/api/users/regular/block')
  },
  mergeWaypoint: async () =>
    byModerator('POST', `/api/waypoints/${(await another()).id}/merge`, { into: 1, reason: 'The same' }),
  restoreWaypoint: async () => {
    await stage.registry.waypoints.delete(1, { kind: 'token' })
    return byModerator('POST', '/api/waypoints/1/restore', { reason: 'It is there' })
  },
  distinguishWaypoint: async () =>
    byModerator('POST', `/api/waypoints/${(await another()).id}/distinct`, { from: 1 }),
  createReport: async () => ({
    as: 'regular',
    method: 'POST',
    path: '/api/reports',
    body: { bubblerId: 1, reason: 'wrong' },
  }),
  createObservation: async () => ({
    as: 'regular',
    method: 'POST',
    path: '/api/observations',
    body: { bubblerId: 1, kind: 'works' },
  }),
  decideReport: async () => {
    const actor = { kind: 'user', userId: 'regular' } as const
    const id = await stage.registry.reports.create({ bubblerId: 1, reason: 'wrong' }, actor)
    return byModerator('PATCH', `/api/reports/${id}`, { state: 'done' })
  },
  reopenReport: async () => {
    const actor = { kind: 'user', userId: 'regular' } as const
    const id = await stage.registry.reports.create({ bubblerId: 1, reason: 'wrong' }, actor)
    await stage.registry.reports.decide(id, { state: 'done' }, { kind: 'token' })
    return byModerator('POST', `/api/reports/${id}/reopen`)
  },
  removeIdentity: async () => {
    await addedPasskey('one')
    const { accounts } = stage.registry
    await accounts.addIdentity('author', { key: 'https://osm 1', provider: 'osm', label: 'Ada there' })
    const [added] = await accounts.identities('author')
    return { as: 'author', method: 'DELETE', path: `/api/user/identities/${added?.id}` }
  },
}

/** A fountain beside that of the stage, by somebody else. */
const another = () => stage.registry.waypoints.create(spring, { kind: 'user', userId: 'regular' })

const byModerator = (method: string, path: string, body?: unknown) => ({
  as: 'moderator' as const,
  method,
  path,
  ...(body !== undefined && { body }),
})

async function addedPasskey(credentialId: string): Promise<number> {
  const key = { publicKey: 'AA', counter: 0, transports: [], isSynced: false }
  const { accounts } = stage.registry
  return (await accounts.addPasskey({ ...key, credentialId, userId: 'author', name: 'Key' })).id
}

const endpoints = () => endpointsOf({ registry: stage.registry, options: {}, version: '0' })

test('every write that needs a credential says what a repetition is, and has a request here', () => {
  const taking = endpoints().filter(({ repeated }) => repeated !== undefined && repeated !== 'ignored')
  expect(taking.map(({ name }) => name).toSorted()).toEqual(Object.keys(requests).toSorted())
  const ignoring = endpoints().filter(({ repeated }) => repeated === 'ignored')
  expect(ignoring.map(({ name }) => name).toSorted()).toEqual([
    'addPasskey',
    'createPersonalToken',
    'getPasskeyAdditionOptions',
    'leave',
    'signOut',
  ])
})

test.each(Object.keys(requests))(
  '%s is done once under a key, and refuses the key for another request',
  async (name) => {
    const request = await requests[name]?.()
    if (request === undefined) throw new Error(`no request for ${name}`)
    const { as, method, path, body } = request
    const first = await under(uuid, method, path, { as, body })
    expect(first.status).toBeLessThan(300)
    expect(isReplayed(first)).toBe(false)
    const head = await stage.registry.changes.head()
    const revision = await stage.registry.revision()
    const again = await under(uuid, method, path, { as, body })
    expect(again.status).toBe(first.status)
    expect(isReplayed(again)).toBe(true)
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body))
    const other = await under(uuid, method, `${path}${path.includes('?') ? '&' : '?'}other=1`, { as, body })
    expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    expect(await stage.registry.changes.head()).toEqual(head)
    expect(await stage.registry.revision()).toBe(revision)
  },
)

test('the answer to a repeated revert of a person says what was undone, and where there is more', async () => {
  const regular = { kind: 'user', userId: 'regular' } as const
  const { id } = await another()
  await stage.registry.waypoints.update(id, { region: 'Skåne' }, regular)
  await stage.registry.waypoints.update(1, { region: 'Skåne' }, regular)
  await stage.registry.waypoints.update(1, { region: 'Malmö' }, { kind: 'token' })
  await stage.registry.waypoints.update(id, { name: 'Spam', description: 'Spam' }, regular)
  await stage.registry.waypoints.update(id, { name: 'Well' }, { kind: 'token' })
  const body = { since: new Date(start).toISOString(), reason: 'Vandalism' }
  const path = '/api/users/regular/revert'
  const first = await under(uuid, 'POST', path, { as: 'moderator', body })
  expect(first.body['reverted']).toHaveLength(2)
  expect(first.body['conflicts']).toMatchObject([
    { fields: ['name'] },
    { fields: ['region'] },
    { fields: ['name'] },
  ])
  expect((await under(uuid, 'POST', path, { as: 'moderator', body })).body).toEqual(first.body)
  const { id: more } = await another()
  const again = await under(uuid, 'POST', path, { as: 'moderator', body })
  expect(again.body['reverted']).toEqual(first.body['reverted'])
  expect(await stage.registry.waypoints.get(more)).toMatchObject({ name: spring.name })
  const { body: rest } = await stage.ask('POST', path, {
    as: 'moderator',
    body: { ...body, before: again.body['next'] },
  })
  expect(rest['reverted']).toHaveLength(1)
})

describe('a repetition', () => {
  test('is answered with the waypoint as it is now, and does not look at conditions again', async () => {
    const path = '/api/waypoints?unlessNear=30'
    const first = await under(uuid, 'POST', path, { body: spring })
    expect(first.status).toBe(201)
    await stage.ask('PATCH', `/api/waypoints/${first.body['id']}`, { as: 'token', body: { name: 'Well' } })
    const again = await under(uuid, 'POST', path, { body: spring })
    expect([again.status, again.body['id'], again.body['name']]).toEqual([201, first.body['id'], 'Well'])
    const { body } = await stage.ask('POST', path, { as: 'author', body: spring })
    expect(body['code']).toBe('DUPLICATE')
  })

  test('is looked at before If-Match, which somebody else’s change fails since', async () => {
    const tag = (await stage.ask('GET', '/api/waypoints/1')).headers.get('etag') ?? ''
    const patch = (key: string) =>
      under(key, 'PATCH', '/api/waypoints/1', { body: { region: 'Skåne' }, headers: { 'if-match': tag } })
    expect((await patch('k1')).status).toBe(200)
    await stage.ask('PATCH', '/api/waypoints/1', { as: 'token', body: { region: 'Malmö' } })
    const again = await patch('k1')
    expect([again.status, isReplayed(again), again.body['region']]).toEqual([200, true, 'Malmö'])
    const now = await stage.ask('GET', '/api/waypoints/1')
    expect(again.headers.get('etag')).toBe(now.headers.get('etag'))
    expect((await patch('k2')).status).toBe(412)
  })

  test('says that what it made is gone', async () => {
    const { body } = await under(uuid, 'POST', '/api/waypoints', { body: spring })
    await stage.ask('DELETE', `/api/waypoints/${body['id']}`, { as: 'token' })
    const again = await under(uuid, 'POST', '/api/waypoints', { body: spring })
    expect([again.status, again.body['code'], isReplayed(again)]).toEqual([404, 'NOT_FOUND', true])
  })

  test('of a deleted review has no text of it', async () => {
    await under(uuid, 'DELETE', `/api/reviews?id=${stage.reviewId}`)
    const again = await under(uuid, 'DELETE', `/api/reviews?id=${stage.reviewId}`)
    expect(again.body['review']).toMatchObject({ id: stage.reviewId, rating: 5 })
    expect(again.text).not.toContain('Cold and clear')
  })

  test('may come in another session, from a program, and after a restart', async () => {
    const first = await under(uuid, 'POST', '/api/waypoints', { body: spring })
    const { token } = await stage.registry.personalTokens.create('author', { name: 'Script' })
    const program = { authorization: `Bearer ${token}` }
    for (const headers of [await cookieOf('author'), program])
      expect(
        isReplayed(await under(uuid, 'POST', '/api/waypoints', { as: 'nobody', body: spring, headers })),
      ).toBe(true)
    const app = createApp(stage.registry)
    const request = new Request('http://fountains.test/api/waypoints', {
      method: 'POST',
      headers: { ...stage.secrets.author, 'content-type': 'application/json', 'idempotency-key': uuid },
      body: JSON.stringify(spring),
    })
    expect(await (await app.fetch(request)).json()).toEqual(first.body)
  })

  test('by somebody else is a request of their own', async () => {
    const first = await under(uuid, 'POST', '/api/waypoints', { body: spring })
    for (const as of ['regular', 'moderator', 'token', 'owned token'] as const) {
      const other = await under(uuid, 'POST', '/api/waypoints', { as, body: spring })
      expect([other.status, isReplayed(other)]).toEqual([201, false])
      expect(other.body['id']).not.toBe(first.body['id'])
    }
    const { token } = await stage.registry.tokens.create({ name: 'second' })
    const headers = { authorization: `Bearer ${token}` }
    expect(
      isReplayed(await under(uuid, 'POST', '/api/waypoints', { as: 'nobody', body: spring, headers })),
    ).toBe(false)
    const nobody = await under(uuid, 'POST', '/api/waypoints', { as: 'nobody', body: spring })
    expect(nobody.status).toBe(401)
  })

  test('needs the right that the act needed', async () => {
    const { users } = stage.registry
    await under('k1', 'POST', '/api/waypoints', { as: 'moderator', body: spring })
    await under('k2', 'DELETE', '/api/waypoints/1', { as: 'moderator' })
    await users.setModerator('moderator', false)
    expect((await under('k2', 'DELETE', '/api/waypoints/1', { as: 'moderator' })).status).toBe(403)
    expect(isReplayed(await under('k1', 'POST', '/api/waypoints', { as: 'moderator', body: spring }))).toBe(
      true,
    )
    await users.block('moderator', { reason: 'Vandalism' }, { kind: 'token' })
    const blocked = await under('k1', 'POST', '/api/waypoints', { as: 'moderator', body: spring })
    expect([blocked.status, blocked.body['details']]).toEqual([403, { reason: 'Vandalism' }])
  })
})

describe('a key', () => {
  test.each([
    ['empty', ''],
    ['blank', '  '],
    ['of 65 characters', 'x'.repeat(65)],
    ['of 65 characters in quotes', `"${'x'.repeat(65)}"`],
    ['with a control character', 'a\u0001b'],
    ['with a tab', 'a\tb'],
    ['of another script', 'cl\u00E9'],
    ['of nothing in quotes', '""'],
  ])('that is %s is refused, and nothing is written', async (_kind, key) => {
    const revision = await stage.registry.revision()
    const { status, body } = await under(key, 'POST', '/api/waypoints', { body: spring })
    expect([status, body['code']]).toEqual([400, 'INVALID_INPUT'])
    expect(body['details']).toMatchObject({ issues: [{ path: 'Idempotency-Key' }] })
    expect(await stage.registry.revision()).toBe(revision)
  })

  test.each(['k', 'x'.repeat(64), "'; drop table secrets; --", '__proto__', '{"a":1}', '%00', 'a "b" c'])(
    'may be %j',
    async (key) => {
      const first = await under(key, 'POST', '/api/waypoints', { body: spring })
      expect([first.status, isReplayed(first)]).toEqual([201, false])
      expect(isReplayed(await under(key, 'POST', '/api/waypoints', { body: spring }))).toBe(true)
    },
  )

  test('may be in quotes, as its draft standard writes it', async () => {
    await under(uuid, 'POST', '/api/waypoints', { body: spring })
    expect(isReplayed(await under(`"${uuid}"`, 'POST', '/api/waypoints', { body: spring }))).toBe(true)
    await under(String.raw`"a \"b\" c"`, 'POST', '/api/waypoints', { body: { ...spring, name: 'B' } })
    expect(
      isReplayed(await under('a "b" c', 'POST', '/api/waypoints', { body: { ...spring, name: 'B' } })),
    ).toBe(true)
  })

  test('is not looked at where a secret is made, and by reads', async () => {
    const make = () => under(uuid, 'POST', '/api/user/tokens', { body: { name: 'Script' } })
    const [one, two] = [await make(), await make()]
    expect([one.status, two.status, isReplayed(two)]).toEqual([201, 201, false])
    expect(one.body['secret']).not.toBe(two.body['secret'])
    for (const path of ['/api/waypoints/1', '/api/user'])
      expect((await under('x'.repeat(65), 'GET', path)).status).toBe(200)
  })

  test('of a refused request may be used again', async () => {
    const poor = await under(uuid, 'POST', '/api/waypoints', { as: 'newcomer', body: spring })
    expect([poor.status, isReplayed(poor)]).toEqual([403, false])
    await stage.registry.users.grantXp('newcomer', 20, 'for looking at fountains')
    const rich = await under(uuid, 'POST', '/api/waypoints', {
      as: 'newcomer',
      body: { ...spring, name: 'Other' },
    })
    expect([rich.status, isReplayed(rich)]).toEqual([201, false])
  })

  test('may be sent by pages of allowed origins, which may read whether it was a repetition', async () => {
    const origin = 'https://map.example'
    const app = createApp(stage.registry, { allowedOrigins: [origin] })
    const preflight = await app.fetch(
      new Request('http://fountains.test/api/waypoints', { method: 'OPTIONS', headers: { origin } }),
    )
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key')
    expect(preflight.headers.get('access-control-expose-headers')).toContain('Idempotency-Replayed')
  })
})

test('fifty repetitions at two servers on one database are one write', async () => {
  const database = await sharedDatabase()
  const first = await openStage({}, database)
  const second = await openRegistry({ database, durability: 'relaxed', clock: () => new Date(start) })
  const servers = [await listenWith(first.app), await listenWith(createApp(second))]
  onTestFinished(async () => {
    for (const server of servers) await server.close(0)
    await second.close()
    await first.close()
  })
  const sent = Array.from({ length: 50 }, async (_, number) => {
    const response = await fetch(`${servers[number % 2]?.url}/api/waypoints`, {
      method: 'POST',
      headers: { ...first.secrets.author, 'content-type': 'application/json', 'idempotency-key': uuid },
      body: JSON.stringify(spring),
    })
    const { id } = (await response.json()) as { id: number }
    return [response.status, response.headers.get('idempotency-replayed'), id] as const
  })
  const answers = await Promise.all(sent)
  expect(answers.filter(([status]) => status !== 201)).toEqual([])
  expect(answers.filter(([, replayed]) => replayed === null)).toHaveLength(1)
  expect(new Set(answers.map(([, , id]) => id)).size).toBe(1)
  expect((await second.statistics()).totalWaypoints).toBe(2)
})
