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
})

describe('specification 4.3: reviews', () => {
  test('POST returns 201 with the review; missing fields are 400', async () => {
    const post = (body: object) => stage.ask('POST', '/api/reviews', { as: 'newcomer', body })
    const told = await post({ bubblerId: 1, rating: 5, comment: 'Fine' })
    expect(told.status).toBe(201)
    expect(told.body['review']).toMatchObject({ id: 2, userId: 'newcomer', rating: 5, comment: 'Fine' })
    for (const body of [{ rating: 5 }, { bubblerId: 1 }, { bubblerId: 1, rating: 1.5 }])
      expect((await post(body)).status).toBe(400)
  })

  test('PATCH and DELETE name the review and return it; 400 without id, 404 unknown', async () => {
    for (const method of ['PATCH', 'DELETE'])
      for (const [query, status] of [
        ['', 400],
        ['?id=x', 400],
        ['?id=99', 404],
      ] as const) {
        const asked = { as: 'author', ...(method === 'PATCH' && { body: { rating: 1 } }) } as const
        expect((await stage.ask(method, `/api/reviews${query}`, asked)).status).toBe(status)
      }
    const { body } = await stage.ask('PATCH', '/api/reviews?id=1', { as: 'author', body: { rating: 2 } })
    expect(body['review']).toMatchObject({ id: 1, rating: 2, comment: 'Cold and clear' })
    const told = await stage.ask('DELETE', '/api/reviews?id=1', { as: 'author' })
    expect(told.body['review']).toMatchObject({ id: 1, rating: 2, comment: 'Cold and clear' })
    expect((await stage.get('/api/reviews')).body['reviews']).toEqual([])
  })
})

describe('specification 4.5: the log', () => {
  test('are newest first, in pages, narrowed by waypoint, user and action', async () => {
    const { id } = await stage.made({})
    expect((await stage.get('/api/logs')).body).toMatchObject({ total: 3, limit: 50, offset: 0 })
    // Between the approval and the new waypoint a review was posted, whose entry is not here.
    const [added, approved, other] = [stage.entryId, stage.entryId + 1, stage.entryId + 3]
    for (const [query, found] of [
      ['', [other, approved, added]],
      ['limit=1&offset=1', [approved]],
      [`bubblerId=${id}`, [other]],
      ['userId=author', [added]],
      ['action=created&userId=api', [other]],
      [`order=asc&after=${approved}`, [other]],
    ] as const) {
      const { body } = await stage.get(`/api/logs?${query}`)
      expect([query, (body['logs'] as { id: number }[]).map((entry) => entry.id)]).toEqual([query, found])
    }
  })

  test('an unknown entry is 404, and so is one that is not about a waypoint', async () => {
    expect(await stage.refusal('/api/logs/99')).toEqual([404, 'NOT_FOUND'])
    expect((await stage.get(`/api/logs/${stage.entryId}`)).status).toBe(200)
    expect(await stage.refusal(`/api/logs/${stage.entryId + 2}`)).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal('/api/logs/1')).toEqual([404, 'NOT_FOUND'])
  })
})
