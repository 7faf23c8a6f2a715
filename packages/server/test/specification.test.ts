import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, spring, type Stage } from '@openfountain/testing/server/stage'

/** The sentences of docs/specification.md, by its sections, as a client sees them. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

describe('specification 2.1: a waypoint', () => {
  test('has the documented fields; unset optional ones are omitted, amenities is always a list', async () => {
    const waypoint = await stage.made({})
    expect(waypoint).toEqual({
      id: 2,
      ...spring,
      amenities: [],
      approved: false,
      verified: false,
      addedByUserId: 'api',
      createdAt: '2026-05-01T12:00:00.000Z',
      updatedAt: '2026-05-01T12:00:00.000Z',
    })
  })

  test('specification 4.1: search results are reduced', async () => {
    await stage.made({
      description: 'In the wood',
      region: 'Skåne',
      image: 'https://example.org/a.jpg',
      maintainer: 'X',
    })
    const { body } = await stage.get('/api/waypoints/search?q=spring')
    expect(body['waypoints']).toEqual([{ id: 2, ...spring, description: 'In the wood', region: 'Skåne' }])
  })
})

describe('specification 2.2: a user', () => {
  test('the public profile omits the e-mail address; the own one has it', async () => {
    const { body } = await stage.get('/api/user/author')
    expect(Object.keys(body['user'] as object).toSorted()).toEqual(
      ['createdAt', 'id', 'level', 'name', 'stats', 'xp'].toSorted(),
    )
    const own = await stage.ask('GET', '/api/user', { as: 'author' })
    expect(own.body['user']).toMatchObject({ email: 'author@example.org', isModerator: false })
    expect(own.body['user']).toHaveProperty('updatedAt')
  })
})

test('specification 2.4: a single log entry carries the user and the waypoint, the recent feed their names, a waypoint neither', async () => {
  expect((await stage.get(`/api/logs/${stage.entryId}`)).body['log']).toMatchObject({
    user: { id: 'author', name: 'Name of author', level: 3 },
    waypoint: { id: 1, name: 'Market square', latitude: 55.7029, longitude: 13.1929 },
    changes: { name: 'Market square', latitude: 55.7029, longitude: 13.1929 },
  })
  const [newest] = (await stage.get('/api/logs/recent')).body['logs'] as object[]
  expect(newest).toMatchObject({
    action: 'approved',
    changes: { approved: true },
    user: { name: 'API' },
    waypoint: { name: 'Market square' },
  })
  const [entry] = (await stage.get('/api/waypoints/1')).body['logs'] as object[]
  expect(Object.keys(entry ?? {})).toEqual(['id', 'bubblerId', 'userId', 'action', 'timestamp'])
})

test('specification 2.6: statistics are those of the moment', async () => {
  const before = (await stage.get('/api/stats')).body
  expect(before).toEqual({
    license: 'ODbL-1.0',
    totalWaypoints: 1,
    totalVerifiedWaypoints: 0,
    totalUsers: 4,
    totalReviews: 1,
    totalContributions: 3,
  })
  await stage.made({ verified: true })
  expect((await stage.get('/api/stats')).body).toMatchObject({ totalWaypoints: 2, totalVerifiedWaypoints: 1 })
})

describe('specification 5: authentication', () => {
  test('rule 1: endpoints for anyone answer the same whatever credentials come', async () => {
    const plain = await stage.get('/api/waypoints')
    for (const as of ['bad cookie', 'bad token', 'moderator', 'token'] as const) {
      const told = await stage.ask('GET', '/api/waypoints', { as })
      expect([told.status, told.text]).toEqual([200, plain.text])
    }
  })

  test('rule 3: missing or invalid credentials are 401', async () => {
    const malformed = [
      'Bearer',
      'Bearer ',
      'Basic dXNlcjpwYXNz',
      'bearer oft_x y',
      `Bearer ${'x'.repeat(9000)}`,
    ]
    for (const authorization of malformed) {
      const told = await stage.ask('GET', '/api/user', { headers: { authorization } })
      expect([told.status, told.body['code']]).toEqual([401, 'UNAUTHORIZED'])
    }
    for (const cookie of ['session=', 'session="', 'other=1', `session=${'x'.repeat(9000)}`, 'sessions=x']) {
      expect((await stage.ask('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
    }
  })

  test('the session cookie is found among others', async () => {
    const { cookie } = stage.secrets['regular']
    const told = await stage.ask('GET', '/api/user', {
      headers: { cookie: `theme=dark; ${cookie}; sessions=1` },
    })
    expect(told.body['user']).toMatchObject({ id: 'regular' })
  })
})

describe('specification 7: errors', () => {
  test('have error, code and details, whatever went wrong', async () => {
    for (const [method, path, as, body] of [
      ['GET', '/api/waypoints/99', 'nobody', undefined],
      ['GET', '/api/logs?limit=x', 'nobody', undefined],
      ['GET', '/api/user', 'nobody', undefined],
      ['POST', '/api/waypoints', 'newcomer', spring],
      ['POST', '/api/waypoints', 'token', { ...spring, latitude: 91 }],
      ['DELETE', '/api/waypoints/1', 'regular', undefined],
      ['PUT', '/api', 'nobody', undefined],
    ] as const) {
      const told = await stage.ask(method, path, { as, body })
      expect(Object.keys(told.body)).toEqual(['error', 'code', 'details'])
    }
  })
})

describe('specification 8: limits', () => {
  test('pages have as many entries as the table says, by default and at most', async () => {
    for (let number = 0; number < 55; number++) {
      await stage.registry.users.create({ name: `User ${number}` })
      await stage.made({})
    }
    for (const [path, usual, most] of [
      ['/api/user/leaderboard?', 10, 100],
      ['/api/users?', 50, 100],
      ['/api/logs?', 50, 100],
      ['/api/logs/recent?', 20, 50],
      ['/api/waypoints/search?q=spring&', 50, 100],
    ] as const) {
      const entries = async (query: string) => {
        const { body } = await stage.get(path + query)
        return Object.values(body).find(Array.isArray)?.length ?? 0
      }
      expect([path, await entries(''), await entries('limit=1')]).toEqual([path, usual, 1])
      expect(await entries(`limit=${most}`)).toBeGreaterThanOrEqual(50)
      for (const limit of [0, most + 1, -1, 1.5, '', 'all', '1e1', '٥', '1&limit=2'])
        expect(await stage.refusal(`${path}limit=${limit}`)).toEqual([400, 'INVALID_INPUT'])
    }
  })
})

test('specification 9: the v6 envelope is opt-in', async () => {
  const asked = { headers: { 'api-version': '6' } }
  const read = await stage.ask('GET', '/api/stats', asked)
  expect(read.body).toMatchObject({ success: true, license: 'ODbL-1.0' })
  const created = await stage.ask('POST', '/api/waypoints', { ...asked, as: 'token', body: spring })
  expect(created.body).toMatchObject({ success: true, id: 2 })
  const list = await stage.ask('GET', '/api/waypoints', asked)
  expect(Object.keys(list.body)).toEqual(['success', 'license', 'author', 'waypoints'])
  const error = await stage.ask('GET', '/api/waypoints/99', asked)
  expect(error.body).toMatchObject({ success: false, message: error.body['error'], code: 'NOT_FOUND' })
  const plain = await stage.ask('GET', '/api/stats', { headers: { 'api-version': '5' } })
  expect(plain.body).not.toHaveProperty('success')
})
