import { beforeEach, expect, test } from 'vitest'
import { createApp } from '../src/index.ts'
import {
  spring,
  start,
  type Role,
  type Stage,
  type StageResponse,
  serving,
} from '@openfountain/testing/server/stage'

let stage: Stage
beforeEach(async () => {
  stage = await serving({})
})

const uuid = '8e03978e-40d5-43dd-bc93-6894a57f9324'

const under = (
  key: string,
  method: string,
  path: string,
  { as = 'author', body, headers = {} }: { as?: Role; body?: unknown; headers?: Record<string, string> } = {},
): Promise<StageResponse> =>
  stage.ask(method, path, { as, body, headers: { 'idempotency-key': key, ...headers } })

const isReplayed = ({ headers }: StageResponse): boolean => headers.get('idempotency-replayed') === 'true'

const operator = { kind: 'token' } as const
const regular = { kind: 'user', userId: 'regular' } as const
const reason = { reason: 'Vandalism' }

const another = () => stage.registry.waypoints.create(spring, regular)

test('the answer to a repeated revert of a person says what was undone, and where there is more', async () => {
  const { waypoints } = stage.registry
  const { id } = await another()
  await waypoints.update(id, { region: 'Skåne' }, regular)
  await waypoints.update(1, { region: 'Skåne' }, regular)
  await waypoints.update(1, { region: 'Malmö' }, operator)
  const body = { since: new Date(start).toISOString(), ...reason }
  const path = '/api/users/regular/revert'
  const first = await under(uuid, 'POST', path, { as: 'moderator', body })
  expect(first.body).toMatchObject({ reverted: [{}, {}], conflicts: [{ fields: ['region'] }] })
  expect((await under(uuid, 'POST', path, { as: 'moderator', body })).body).toEqual(first.body)
  const { id: more } = await another()
  const again = await under(uuid, 'POST', path, { as: 'moderator', body })
  expect(again.body['reverted']).toEqual(first.body['reverted'])
  expect(await waypoints.get(more)).toMatchObject({ name: spring.name })
  const next = { ...body, before: again.body['next'] }
  const { body: rest } = await stage.ask('POST', path, { as: 'moderator', body: next })
  expect(rest['reverted']).toHaveLength(1)
})

test('a repetition is answered with the waypoint as it is now, and does not look at conditions again', async () => {
  const path = '/api/waypoints?unlessNear=30'
  const first = await under(uuid, 'POST', path, { body: spring })
  expect(first.status).toBe(201)
  await stage.ask('PATCH', `/api/waypoints/${first.body['id']}`, { as: 'token', body: { name: 'Well' } })
  const again = await under(uuid, 'POST', path, { body: spring })
  expect([again.status, again.body['id'], again.body['name']]).toEqual([201, first.body['id'], 'Well'])
  const { body } = await stage.ask('POST', path, { as: 'author', body: spring })
  expect(body['code']).toBe('DUPLICATE')
})

test('a repetition is looked at before If-Match, which somebody else’s change fails since', async () => {
  const tag = (await stage.ask('GET', '/api/waypoints/1')).headers.get('etag') ?? ''
  const patch = (key: string) =>
    under(key, 'PATCH', '/api/waypoints/1', { body: { region: 'Skåne' }, headers: { 'if-match': tag } })
  expect((await patch('k1')).status).toBe(200)
  await stage.ask('PATCH', '/api/waypoints/1', { as: 'token', body: { region: 'Malmö' } })
  const again = await patch('k1')
  expect([again.status, isReplayed(again), again.body['region']]).toEqual([200, true, 'Malmö'])
  const next = { as: 'author', body: {}, headers: { 'if-match': again.headers.get('etag') ?? '' } } as const
  expect((await stage.ask('PATCH', '/api/waypoints/1', next)).status).toBe(200)
  expect((await patch('k2')).status).toBe(412)
})

test('a repetition says that what it made is gone; and may come in another session, from a program, and after a restart', async () => {
  const { registry } = stage
  const { body } = await under(uuid, 'POST', '/api/waypoints', { body: spring })
  const { token } = await registry.personalTokens.create('author', { name: 'Script' })
  const { session } = await registry.sessions.create('author')
  const callers: Record<string, string>[] = [
    { cookie: `session=${session}` },
    { authorization: `Bearer ${token}` },
  ]
  for (const headers of callers) {
    const again = await under(uuid, 'POST', '/api/waypoints', { as: 'nobody', body: spring, headers })
    expect([isReplayed(again), again.body]).toEqual([true, body])
  }
  await registry.waypoints.delete(Number(body['id']), operator)
  const request = new Request('http://fountains.test/api/waypoints', {
    method: 'POST',
    headers: { ...stage.secrets.author, 'content-type': 'application/json', 'idempotency-key': uuid },
    body: JSON.stringify(spring),
  })
  const gone = await createApp(registry).fetch(request)
  expect([gone.status, gone.headers.get('idempotency-replayed')]).toEqual([404, 'true'])
})

test.each(['', '  ', `"${'x'.repeat(65)}"`, 'a\u0001b', 'a\tb', 'cl\u00E9', '""'])(
  'a key cannot be %j, and nothing is written',
  async (key) => {
    const revision = await stage.registry.revision()
    const { status, body } = await under(key, 'POST', '/api/waypoints', { body: spring })
    expect([status, body['code']]).toEqual([400, 'INVALID_INPUT'])
    expect(body['details']).toMatchObject({ issues: [{ path: 'Idempotency-Key' }] })
    expect(await stage.registry.revision()).toBe(revision)
  },
)

test.each([
  ['k', '"k"'],
  ['x'.repeat(64), `"${'x'.repeat(64)}"`],
  ["'; drop table secrets; --", "'; drop table secrets; --"],
  ['__proto__', '__proto__'],
  ['%00', '%00'],
  ['a "b" c', String.raw`"a \"b\" c"`],
])('a key may be %j, and in quotes, as its draft standard writes it: %j', async (key, quoted) => {
  const first = await under(key, 'POST', '/api/waypoints', { body: spring })
  expect([first.status, isReplayed(first)]).toEqual([201, false])
  expect(isReplayed(await under(quoted, 'POST', '/api/waypoints', { body: spring }))).toBe(true)
})

test('a key is not looked at by reads', async () => {
  for (const path of ['/api/waypoints/1', '/api/user'])
    expect((await under('x'.repeat(65), 'GET', path)).status).toBe(200)
})
