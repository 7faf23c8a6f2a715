import { beforeEach, expect, test } from 'vitest'
import { token } from '@openfountain/core'
import { spring, type Stage, serving } from '@openfountain/testing/server/stage'

let stage: Stage
beforeEach(async () => {
  stage = await serving()
})

test('specification 2.1: a waypoint has the documented fields; unset optional ones are omitted, amenities is always a list', async () => {
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

test('specification 2.2: the public profile omits the e-mail address; the own one has it', async () => {
  const { body } = await stage.get('/api/user/author')
  expect(Object.keys(body['user'] as object).toSorted()).toEqual(
    ['createdAt', 'id', 'level', 'name', 'stats', 'xp'].toSorted(),
  )
  const own = await stage.ask('GET', '/api/user', { as: 'author' })
  expect(own.body['user']).toMatchObject({ email: 'author@example.org', isModerator: false })
  expect(own.body['user']).toHaveProperty('updatedAt')
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

test('specification 5: rule 1: endpoints for anyone answer the same whatever credentials come', async () => {
  const plain = await stage.get('/api/waypoints')
  for (const as of ['bad cookie', 'bad token', 'moderator', 'token'] as const) {
    const response = await stage.ask('GET', '/api/waypoints', { as })
    expect([response.status, response.text]).toEqual([200, plain.text])
  }
})

test('specification 5: rule 3: missing or invalid credentials are 401', async () => {
  const malformed = [
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'bearer oft_x y',
    `Bearer ${'x'.repeat(9000)}`,
  ]
  for (const authorization of malformed) {
    const response = await stage.ask('GET', '/api/user', { headers: { authorization } })
    expect([response.status, response.body['code']]).toEqual([401, 'UNAUTHORIZED'])
  }
  for (const cookie of ['session=', 'session="', 'other=1', `session=${'x'.repeat(9000)}`, 'sessions=x']) {
    expect((await stage.ask('GET', '/api/user', { headers: { cookie } })).status).toBe(401)
  }
})

test('specification 5: the session cookie is found among others', async () => {
  const { cookie } = stage.secrets['regular']
  const response = await stage.ask('GET', '/api/user', {
    headers: { cookie: `theme=dark; ${cookie}; sessions=1` },
  })
  expect(response.body['user']).toMatchObject({ id: 'regular' })
})

test('specification 4.1 to 4.5: refused queries are named by parameter and kind', async () => {
  for (const [query, code, path] of [
    ['?bbox=1,2,3,91', 'INVALID_COORDINATES', 'bbox'],
    ['?near=91,0', 'INVALID_COORDINATES', 'near'],
    ['?radius=5', 'INVALID_INPUT', 'radius'],
    ['?updatedSince=2026-02-30', 'INVALID_INPUT', 'updatedSince'],
    ['?limit=100001', 'INVALID_INPUT', 'limit'],
    ['?region=a&region=b', 'INVALID_INPUT', 'region'],
    ['/near-duplicates?lat=91&lng=13', 'INVALID_COORDINATES', 'lat'],
    ['/near-duplicates?lat=55&lng=1e1', 'INVALID_INPUT', 'lng'],
    ['/near-duplicates?lat=55&lng=13&name=%00', 'INVALID_INPUT', 'name'],
  ] as const) {
    const { status, body } = await stage.get(`/api/waypoints${query}`)
    expect([query, status, body['code']]).toEqual([query, 400, code])
    expect(body['details']).toMatchObject({ issues: [{ path }] })
  }
})

test('specification 4.1 to 4.5: what is not there is 404, and what can be no id 400', async () => {
  const { entryId } = stage
  const missing = ['waypoints/99', 'waypoints/9999999999999999999999', 'user/nobody', 'users/nobody']
  // The last entries are about a review and about a user, not about a waypoint.
  for (const path of [...missing, 'logs/99', `logs/${entryId + 2}`, 'logs/1'])
    expect([path, await stage.refusal(`/api/${path}`)]).toEqual([path, [404, 'NOT_FOUND']])
  for (const id of ['x', '1.0', '-1', '+1', '1e0', '0x1', '%31%20', '01', '1%00', '١'])
    expect(await stage.refusal(`/api/waypoints/${id}`)).toEqual([400, 'INVALID_INPUT'])
  for (const method of ['PATCH', 'DELETE'])
    for (const [query, status] of [
      ['', 400],
      ['?id=x', 400],
      ['?id=99', 404],
    ] as const) {
      const asked = { as: 'author', ...(method === 'PATCH' && { body: { rating: 1 } }) } as const
      expect((await stage.ask(method, `/api/reviews${query}`, asked)).status).toBe(status)
    }
})

test('specification 4.1 to 4.5: GET of one waypoint with a long log has its newest 100 entries, their number, and a link to the rest', async () => {
  const { body: short } = await stage.get('/api/waypoints/1')
  expect(Object.keys(short)).toEqual(['license', 'waypoint', 'status', 'logs', 'sources', 'logsTotal'])
  const { id } = await stage.made({})
  for (const edit of Array.from({ length: 249 }).keys())
    await stage.registry.waypoints.update(id, { description: `Edit ${edit}` }, token())
  const { body, text } = await stage.get(`/api/waypoints/${id}`)
  const ids = (from: Record<string, unknown>) => (from['logs'] as { id: number }[]).map((entry) => entry.id)
  const all = (await stage.registry.waypoints.history(id)).map((entry) => entry.id)
  expect(ids(body)).toEqual(all.slice(-100))
  expect(body['logsTotal']).toBe(250)
  expect(text.length).toBeLessThan(20_000)
  const more = String(body['moreLogs'])
  const rest = await stage.get(more)
  expect(rest.body).toMatchObject({ total: 250, offset: 100 })
  const last = await stage.get(more.replace('offset=100', 'offset=200'))
  expect([...ids(rest.body), ...ids(last.body)]).toEqual(all.slice(0, -100).toReversed())
})

test('specification 7: errors have error, code and details, whatever went wrong', async () => {
  for (const [method, path, as] of [
    ['GET', '/api/waypoints/99', 'nobody'],
    ['GET', '/api/logs?limit=x', 'nobody'],
    ['GET', '/api/user', 'nobody'],
    ['DELETE', '/api/waypoints/1', 'regular'],
    ['PUT', '/api', 'nobody'],
  ] as const)
    expect(Object.keys((await stage.ask(method, path, { as })).body)).toEqual(['error', 'code', 'details'])
})

test('specification 8: pages have as many entries as the table says, by default and at most', async () => {
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

test('near duplicates are listed with the licence, and refuse a waypoint that is added unless one is near', async () => {
  const near = { name: 'Market Square', latitude: 55.70295, longitude: 13.1929 }
  const { body } = await stage.get(
    '/api/waypoints/near-duplicates?lat=55.70295&lng=13.1929&name=Market%20Square',
  )
  expect(body['license']).toBe(stage.registry.license)
  expect(body['candidates']).toMatchObject([{ waypoint: { id: 1 }, metres: 5.6, score: 0.959 }])
  const add = (query: string) => stage.ask('POST', `/api/waypoints${query}`, { as: 'regular', body: near })
  const refused = await add('?unlessNear=30')
  expect(refused).toMatchObject({ status: 409, body: { code: 'DUPLICATE' } })
  expect(refused.body['details']).toEqual({ candidates: body['candidates'] })
  for (const query of ['?unlessNear=5', '']) expect((await add(query)).status).toBe(201)
})
