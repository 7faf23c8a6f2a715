import { token } from '@openfountain/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, spring, type Stage } from '@openfountain/testing/server/stage'

/** The sentences of docs/specification.md, section 4: its endpoints. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

describe('specification 4.1: waypoints', () => {
  test('GET returns license, author and all waypoints by id', async () => {
    await stage.made({})
    const { body } = await stage.get('/api/waypoints')
    expect(Object.keys(body)).toEqual(['license', 'author', 'waypoints'])
    expect((body['waypoints'] as { id: number }[]).map(({ id }) => id)).toEqual([1, 2])
  })

  test('POST returns 201 with the bare waypoint', async () => {
    const told = await stage.ask('POST', '/api/waypoints', { as: 'token', body: spring })
    expect(told.status).toBe(201)
    expect(told.body).toMatchObject({ id: 2, approved: false, verified: false, addedByUserId: 'api' })
  })

  test.each([
    [{}, 'name'],
    [{ ...spring, latitude: 'north' }, 'latitude'],
    [{ ...spring, longitude: null }, 'longitude'],
    [{ ...spring, amenities: 'tap' }, 'amenities'],
    [{ ...spring, image: 'not a URL' }, 'image'],
  ])('POST of %j is 400 and names %s', async (body, field) => {
    const told = await stage.ask('POST', '/api/waypoints', { as: 'token', body })
    expect(told.status).toBe(400)
    expect(told.body).toMatchObject({ code: 'INVALID_INPUT' })
    const { issues } = told.body['details'] as { issues: { path: string; message: string }[] }
    expect(issues.map(({ path }) => path)).toContain(field)
  })

  test('GET of one returns the waypoint and its log; an unknown id is 404, a malformed one 400', async () => {
    const { body } = await stage.get('/api/waypoints/1')
    expect(Object.keys(body)).toEqual(['license', 'waypoint', 'status', 'logs', 'sources', 'logsTotal'])
    expect(await stage.refusal('/api/waypoints/99')).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal('/api/waypoints/9999999999999999999999')).toEqual([404, 'NOT_FOUND'])
    for (const id of ['x', '1.0', '-1', '+1', '1e0', '0x1', '%31%20', '01', '1%00', '١']) {
      expect(await stage.refusal(`/api/waypoints/${id}`)).toEqual([400, 'INVALID_INPUT'])
    }
  })

  test('GET of one with a long log has its newest 100 entries, their number, and a link to the rest', async () => {
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

  test('PATCH changes only what is given and returns the bare waypoint', async () => {
    stage.pass(60_000)
    const told = await stage.ask('PATCH', '/api/waypoints/1', { as: 'regular', body: { region: 'Skåne' } })
    expect(told.status).toBe(200)
    expect(told.body).toMatchObject({
      name: 'Market square',
      region: 'Skåne',
      updatedAt: '2026-05-01T12:01:00.000Z',
    })
    expect((await stage.ask('PATCH', '/api/waypoints/99', { as: 'token', body: {} })).status).toBe(404)
    expect((await stage.ask('PATCH', '/api/waypoints/x', { as: 'token', body: {} })).status).toBe(400)
    expect((await stage.ask('PATCH', '/api/waypoints/1', { as: 'token', body: { name: 7 } })).status).toBe(
      400,
    )
  })

  test('search needs q, and finding nothing is a valid result', async () => {
    expect(await stage.refusal('/api/waypoints/search')).toEqual([400, 'INVALID_INPUT'])
    expect(await stage.refusal('/api/waypoints/search?q=')).toEqual([400, 'INVALID_INPUT'])
    expect(await stage.refusal('/api/waypoints/search?q=%20%09')).toEqual([400, 'INVALID_INPUT'])
    const { status, body } = await stage.get('/api/waypoints/search?q=nothing')
    expect([status, body['waypoints']]).toEqual([200, []])
  })
})

describe('specification 4.2: users', () => {
  test('PATCH /api/user changes name and e-mail address and refreshes updatedAt', async () => {
    stage.pass(60_000)
    const body = { name: 'Ada', email: 'ada@example.org' }
    const told = await stage.ask('PATCH', '/api/user', { as: 'regular', body })
    expect(told.body['user']).toMatchObject({ ...body, updatedAt: '2026-05-01T12:01:00.000Z' })
    const bad = await stage.ask('PATCH', '/api/user', { as: 'regular', body: { email: 'nobody' } })
    expect([bad.status, bad.body['code']]).toEqual([400, 'INVALID_INPUT'])
  })

  test('an unknown user is 404', async () => {
    expect(await stage.refusal('/api/user/nobody')).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal('/api/users/nobody')).toEqual([404, 'NOT_FOUND'])
  })

  test('the leaderboard is ordered by XP, in pages, with the overall number of users', async () => {
    const { body } = await stage.get('/api/user/leaderboard?limit=2&offset=1')
    expect((body['leaderboard'] as { id: string }[]).map(({ id }) => id)).toEqual(['author', 'regular'])
    expect(body['total']).toBe(4)
  })
})

describe('specification 4.3: reviews', () => {
  test('filters combine as narrowing', async () => {
    await stage.made({})
    await stage.ask('POST', '/api/reviews', { as: 'regular', body: { bubblerId: 1, rating: 2 } })
    await stage.ask('POST', '/api/reviews', { as: 'regular', body: { bubblerId: 2, rating: 3 } })
    const ids = async (query: string) =>
      ((await stage.get(`/api/reviews${query}`)).body['reviews'] as { id: number }[]).map(({ id }) => id)
    expect(await ids('')).toEqual([1, 2, 3])
    expect(await ids('?userId=regular')).toEqual([2, 3])
    expect(await ids('?userId=regular&bubblerId=1')).toEqual([2])
    expect(await ids('?userId=nobody')).toEqual([])
  })

  test('POST returns 201 with the review; missing fields are 400', async () => {
    const told = await stage.ask('POST', '/api/reviews', {
      as: 'newcomer',
      body: { bubblerId: 1, rating: 5, comment: 'Fine' },
    })
    expect(told.status).toBe(201)
    expect(told.body['review']).toMatchObject({ id: 2, userId: 'newcomer', rating: 5, comment: 'Fine' })
    for (const body of [
      { rating: 5 },
      { bubblerId: 1 },
      { bubblerId: 1, rating: 6 },
      { bubblerId: 1, rating: 1.5 },
    ]) {
      expect((await stage.ask('POST', '/api/reviews', { as: 'newcomer', body })).status).toBe(400)
    }
  })

  test('PATCH is for the author alone, changes what is given, and earns nothing', async () => {
    const change = (as: 'regular' | 'author' | 'moderator' | 'token', query: string, body: object) =>
      stage.ask('PATCH', `/api/reviews${query}`, { as, body })
    for (const other of ['regular', 'moderator', 'token'] as const)
      expect((await change(other, '?id=1', { rating: 1 })).status).toBe(403)
    expect((await change('author', '', { rating: 1 })).status).toBe(400)
    expect((await change('author', '?id=99', { rating: 1 })).status).toBe(404)
    expect((await change('author', '?id=1', { rating: 6 })).status).toBe(400)
    const { xp } = await stage.registry.users.get('author')
    const told = await change('author', '?id=1', { rating: 2 })
    expect(told.status).toBe(200)
    expect(told.body['review']).toMatchObject({ id: 1, rating: 2, comment: 'Cold and clear' })
    expect((await change('author', '?id=1', { comment: null })).body['review']).not.toHaveProperty('comment')
    expect((await stage.registry.users.get('author')).xp).toBe(xp)
    expect((await stage.get('/api/reviews')).body['reviews']).toMatchObject([{ id: 1, rating: 2 }])
  })

  test('DELETE is for the author, moderators and tokens, and returns the review; 400 without id, 404 unknown', async () => {
    const remove = (as: 'regular' | 'author' | 'token', query: string) =>
      stage.ask('DELETE', `/api/reviews${query}`, { as })
    expect((await remove('regular', '?id=1')).status).toBe(403)
    expect((await remove('author', '')).status).toBe(400)
    expect((await remove('author', '?id=x')).status).toBe(400)
    expect((await remove('author', '?id=99')).status).toBe(404)
    const told = await remove('author', '?id=1')
    expect(told.body['review']).toMatchObject({ id: 1, comment: 'Cold and clear' })
    expect((await remove('author', '?id=1')).status).toBe(404)
    expect((await stage.get('/api/reviews')).body['reviews']).toEqual([])
  })
})

describe('specification 4.5: the log', () => {
  test('are newest first, in pages, narrowed by waypoint, user and action', async () => {
    const { id } = await stage.made({})
    const all = (await stage.get('/api/logs')).body
    expect(all).toMatchObject({ total: 3, limit: 50, offset: 0 })
    const ids = async (query: string) =>
      ((await stage.get(`/api/logs?${query}`)).body['logs'] as { id: number }[]).map((entry) => entry.id)
    // Between the approval and the new waypoint a review was posted, whose entry is not here.
    const [added, approved, other] = [stage.entryId, stage.entryId + 1, stage.entryId + 3]
    expect(await ids('')).toEqual([other, approved, added])
    expect(await ids('limit=1&offset=1')).toEqual([approved])
    expect(await ids(`bubblerId=${id}`)).toEqual([other])
    expect(await ids('userId=author')).toEqual([added])
    expect(await ids('action=approved')).toEqual([approved])
    expect(await ids('action=created&userId=api')).toEqual([other])
    expect(await ids(`order=asc&after=${approved}`)).toEqual([other])
    expect(await stage.refusal('/api/logs?action=exploded')).toEqual([400, 'INVALID_INPUT'])
  })

  test('the recent feed says how many entries it has', async () => {
    const { body } = await stage.get('/api/logs/recent?limit=1')
    expect(body['total']).toBe(1)
  })

  test('an unknown entry is 404, and so is one that is not about a waypoint', async () => {
    expect(await stage.refusal('/api/logs/99')).toEqual([404, 'NOT_FOUND'])
    expect((await stage.get(`/api/logs/${stage.entryId}`)).status).toBe(200)
    expect(await stage.refusal(`/api/logs/${stage.entryId + 2}`)).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal('/api/logs/1')).toEqual([404, 'NOT_FOUND'])
  })
})
