import { token, user } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import { emptyRegistry, placed, square } from '@openfountain/testing/registry'
import { expect, expectTypeOf, test } from 'vitest'
import {
  ApiError,
  createApiClient,
  dataOf,
  entries,
  pages,
  type ApiFailure,
  type Waypoint,
} from '../src/index.ts'

async function served(given: { readonly token?: string } = {}) {
  const registry = await emptyRegistry()
  const app = createApp(registry)
  const asked: string[] = []
  const fetch = async (request: Request) => {
    asked.push(new URL(request.url).search)
    return app.fetch(request)
  }
  return {
    registry,
    asked,
    fetch,
    api: createApiClient({ baseUrl: 'http://fountains.test', fetch, ...given }),
  }
}

test('a fountain is written with a token, and read back', async () => {
  const { registry, fetch } = await served()
  const { token: secret } = await registry.tokens.create({ name: 'App' })
  const api = createApiClient({ baseUrl: 'http://fountains.test', fetch, token: secret })
  const { id } = dataOf(await api.POST('/api/waypoints', { body: square }))
  const { waypoint } = dataOf(await api.GET('/api/waypoints/{id}', { params: { path: { id } } }))
  expect(waypoint.name).toBe(square.name)
  expectTypeOf(waypoint).toExtend<Waypoint>()
})

test('errors are told apart by their code, with the facts of it', async () => {
  const { api, registry } = await served()
  const [kept, gone] = [await placed(registry), await placed(registry)]
  await registry.waypoints.merge(gone.id, { into: kept.id, reason: 'The same' }, token())
  const { error } = await api.GET('/api/waypoints/{id}', { params: { path: { id: gone.id } } })
  expect(error?.code === 'NOT_FOUND' && error.details.mergedInto).toBe(kept.id)
  const refused = await api.POST('/api/waypoints', { body: square })
  expect(() => dataOf(refused)).toThrow(ApiError)
  expect(() => dataOf(refused)).toThrow(
    expect.objectContaining({
      status: 401,
      failure: { code: 'UNAUTHORIZED', details: {}, error: expect.any(String) },
    }),
  )
  const facts = (failure: ApiFailure) => {
    if (failure.code === 'INSUFFICIENT_XP') expectTypeOf(failure.details.required).toEqualTypeOf<number>()
    return failure.code
  }
  expect(facts(refused.error as ApiFailure)).toBe('UNAUTHORIZED')
})

test('an error of a proxy before the server is not taken for one of the API', async () => {
  const api = createApiClient({
    baseUrl: 'http://fountains.test',
    fetch: async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
  })
  const answer = await api.GET('/api/stats')
  expect(() => dataOf(answer)).toThrow(/ answered 502$/u)
})

test('lists are read page by page with the same filters, no further than they are asked for, until they are aborted', async () => {
  const { api, registry, asked } = await served()
  for (let at = 0; at < 5; at += 1)
    await placed(registry, { latitude: at, region: at === 2 ? 'Malmö' : 'Lund' })
  const query = { region: 'Lund', limit: 2 }
  const ids: number[] = []
  for await (const waypoint of entries(api, '/api/waypoints', { query })) {
    expectTypeOf(waypoint.name).toEqualTypeOf<string>()
    ids.push(waypoint.id)
  }
  expect(ids).toEqual([1, 2, 4, 5])
  expect(asked).toEqual([
    '?region=Lund&limit=2',
    '?region=Lund&limit=2&after=2',
    '?region=Lund&limit=2&after=5',
  ])
  asked.length = 0
  for await (const { waypoints } of pages(api, '/api/waypoints', { query })) {
    expect(waypoints).toHaveLength(2)
    break
  }
  expect(asked).toHaveLength(1)
  const stopped = entries(api, '/api/waypoints', { query, signal: AbortSignal.abort() })
  await expect(stopped.next()).rejects.toMatchObject({ name: 'AbortError' })
})

test('reviews and changes are lists in pages, too', async () => {
  const { api, registry } = await served()
  const { id } = await placed(registry)
  const ada = await registry.users.create({ name: 'Ada', xp: 100 })
  await registry.reviews.create({ bubblerId: id, rating: 4 }, user(ada.id))
  const reviews = await Array.fromAsync(entries(api, '/api/reviews', { query: { limit: 1 } }))
  expect(reviews.map(({ rating }) => rating)).toEqual([4])
  const changes = await Array.fromAsync(entries(api, '/api/changes', { query: { limit: 1 } }))
  expect(changes.map((entry) => entry.id)).toEqual(changes.map((_, at) => at + 1))
})
