import { Worker } from 'node:worker_threads'
import type { Registry, WaypointFilterInput } from '@openfountain/core'
import { expect, test, vi } from 'vitest'
import type { AppOptions } from '../src/index.ts'
import { HeavyWork } from '../src/http/heavy-work.ts'
import { isOnPostgres, sharedDatabase } from '@openfountain/testing/database'
import { serving } from '@openfountain/testing/server/stage'

const count = 2500

async function fill(registry: Registry): Promise<void> {
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  const rows = Array.from({ length: count }, (_, made) => ({
    row: made + 1,
    ref: String(made),
    input: { name: `Källa ${made}`, latitude: 1, longitude: 1, verified: made % 2 === 0 },
  }))
  await run.apply(rows)
  await run.finish({ counts: {}, missing: 'keep' })
}

test('heavy work gives up waiting for a turn that does not come, and leaves the queue', async () => {
  const work = new HeavyWork({ atOnce: 1, waiting: 1, waitMilliseconds: 5 })
  const end = await work.begin()
  await expect(work.begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(work.begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  end()
  await expect(work.begin()).resolves.toBeTypeOf('function')
})

test('keeps whole lists apart from light reads, and a list that is given up leaves its turn', async () => {
  const stage = await serving({ heavyWork: { atOnce: 1, waiting: 0 } })
  await fill(stage.registry)
  const first = await stage.raw('GET', '/api/waypoints')
  const refused = await stage.ask('GET', '/api/waypoints')
  expect(refused.status).toBe(503)
  expect(refused.body).toMatchObject({ code: 'UNAVAILABLE' })
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await stage.ask('GET', '/api/waypoints?limit=250')).status).toBe(200)
  expect((await stage.ask('GET', '/api/waypoints?bbox=13,55,14,56&verified=true')).status).toBe(200)
  expect((await stage.ask('GET', '/api/waypoints?bbox=-180,-90,180,90&verified=true')).status).toBe(503)
  expect((await stage.ask('GET', '/api/waypoints?bbox=179,0,-179,1&verified=true')).status).toBe(200)
  expect((await stage.ask('GET', '/api/waypoints/1')).status).toBe(200)
  expect((await stage.ask('HEAD', '/api/waypoints')).status).toBe(200)
  await first.body?.cancel()
  const whole = await stage.ask('GET', '/api/waypoints', { headers: { 'accept-encoding': 'br' } })
  expect(whole.status).toBe(200)
  expect((whole.body['waypoints'] as unknown[]).length).toBe(2501)
  expect(whole.body).toMatchObject({ license: 'ODbL-1.0', author: 'City of Lund' })
})

test('a reader that reads nothing is cut off, and the next gets its turn', async () => {
  const stage = await serving({ heavyWork: { atOnce: 1, waiting: 1 }, stallMilliseconds: 20 })
  await fill(stage.registry)
  const stalled = await stage.raw('GET', '/api/waypoints')
  const reader = stalled.body?.getReader()
  await reader?.read()
  const next = await stage.ask('GET', '/api/waypoints')
  expect(next.status).toBe(200)
  await expect(reader?.read()).rejects.toThrow('stalled')
})

const filled = async (options: AppOptions = {}) => {
  const stage = await serving(options, await sharedDatabase())
  await fill(stage.registry)
  return stage
}

// PostgreSQL is asked without a thread.
test.runIf(!isOnPostgres())('a list whose thread ends early breaks off, and the next is whole', async () => {
  using posted = vi.spyOn(Worker.prototype, 'postMessage')
  const onFailure = vi.fn<NonNullable<AppOptions['onFailure']>>()
  const stage = await filled({ onFailure })
  const { body } = await stage.raw('GET', '/api/waypoints')
  const pieces = body?.[Symbol.asyncIterator]()
  await pieces?.next()
  await (posted.mock.contexts.at(-1) as Worker).terminate()
  await expect(Array.fromAsync(pieces ?? [])).rejects.toThrow('aborted')
  expect(onFailure).toHaveBeenCalledOnce()
  expect((await stage.ask('GET', '/api/waypoints')).body['waypoints']).toHaveLength(count + 1)
})

test('long lists are made beside other work, and are the same', async () => {
  const stage = await filled()
  const list = async (path: string) => (await stage.ask('GET', path)).body['waypoints']
  const terms = { license: 'CC0-1.0', attribution: 'City of Lund' }
  const expected = async (filter: WaypointFilterInput) =>
    (await stage.registry.waypoints.list({ ...filter, limit: 100_000 })).map((waypoint) =>
      waypoint.id === 1 ? waypoint : { ...waypoint, ...terms },
    )
  expect(await list('/api/waypoints')).toEqual(await expected({}))
  expect(await list('/api/waypoints?verified=true')).toEqual(await expected({ verified: true }))
  expect(await list('/api/waypoints?limit=300&after=2400')).toHaveLength(101)
  expect(await list('/api/waypoints?limit=1001')).toHaveLength(1001)
  const head = await stage.ask('GET', '/api/waypoints', { headers: { 'api-version': '6' } })
  expect(Object.keys(head.body)).toEqual(['success', 'license', 'author', 'waypoints'])
  const features = await stage.ask('GET', '/api/waypoints', { headers: { accept: 'application/geo+json' } })
  expect(features.body['features']).toHaveLength(2501)
  const { changes } = stage.registry
  expect((await stage.get('/api/changes?after=10&limit=1000')).body).toMatchObject({
    changes: await changes.entries(10, 1000),
    head: await changes.head(),
  })
  const packed = { 'accept-encoding': 'br', 'if-none-match': '"of before"' }
  const whole = await stage.raw('GET', '/api/waypoints', { headers: packed })
  expect([whole.status, whole.headers.get('content-encoding')]).toEqual([200, 'br'])
  await whole.body?.cancel()
  const held = { 'if-none-match': whole.headers.get('etag') ?? '' }
  expect((await stage.raw('GET', '/api/waypoints', { headers: held })).status).toBe(304)
  expect(await (await stage.raw('HEAD', '/api/waypoints')).text()).toBe('')
})

test('long lists say which rows are under another licence, and name each licence, as short answers do', async () => {
  const stage = await filled()
  await stage.registry.sources.ensure({ name: 'Listless', license: 'CC-BY-4.0' })
  const at = (license: string) => `<https://spdx.org/licenses/${license}.html>; rel="license"`
  const both = `${at('ODbL-1.0')}, ${at('CC0-1.0')}`
  const answer = async (path: string, accept = 'application/json') => {
    const { body, headers } = await stage.ask('GET', path, { headers: { accept } })
    return { body, link: headers.get('link') }
  }
  const row = { id: 2, license: 'CC0-1.0', attribution: 'City of Lund' }
  const long = await answer('/api/waypoints')
  expect(long).toMatchObject({ link: both, body: { license: 'ODbL-1.0' } })
  for (const path of ['/api/waypoints?limit=1&after=1', '/api/waypoints/search?q=K%C3%A4lla%200&limit=1']) {
    const { body, link } = await answer(path)
    expect({ path, link, body }).toMatchObject({
      path,
      link: expect.stringContaining(both),
      body: { waypoints: [row] },
    })
  }
  const one = await answer('/api/waypoints/2')
  expect(one).toMatchObject({ link: both, body: { license: 'ODbL-1.0', waypoint: row } })
  const features = await answer('/api/waypoints?limit=2', 'application/geo+json')
  expect(features.link).toBe(both)
  expect(features.body).toMatchObject({
    license: 'ODbL-1.0',
    features: [{ properties: { license: 'ODbL-1.0' } }, { properties: { license: 'CC0-1.0' } }],
  })
  for (const [path, next = ''] of [
    ['/api/waypoints?limit=1', ', <?limit=1&after=1>; rel="next"'],
    ['/api/waypoints/1'],
  ] as const) {
    const { body, link } = await answer(path)
    expect({ path, link }).toEqual({ path, link: `${at('ODbL-1.0')}${next}` })
    expect(JSON.stringify(body)).not.toContain('attribution')
  }
})

test('long lists of reviews are the same too, short or long', async () => {
  const stage = await filled()
  const author = { kind: 'user', userId: 'author' } as const
  await Promise.all(
    Array.from({ length: 1200 }, (_, made) =>
      stage.registry.reviews.create(
        { bubblerId: (made % 40) + 1, rating: 3, comment: `Nr "${made}" 🌊` },
        author,
      ),
    ),
  )
  for (const [query, filter] of [
    ['', {}],
    ['?userId=author&bubblerId=1', { userId: 'author', bubblerId: 1 }],
    ['?userId=author&limit=1001&after=3', { userId: 'author', limit: 1001, after: 3 }],
  ] as const) {
    const { body } = await stage.ask('GET', `/api/reviews${query}`)
    expect(body['reviews']).toEqual(await stage.registry.reviews.list({ limit: 100_000, ...filter }))
  }
})

test('long lists several at a time are kept apart, and one that is abandoned disturbs no other', async () => {
  const stage = await filled({ heavyWork: { atOnce: 3 } })
  const given = await stage.raw('GET', '/api/waypoints')
  const reader = given.body?.getReader()
  await reader?.read()
  const lists = ['/api/waypoints', '/api/waypoints?verified=false', '/api/waypoints?limit=999'].map((path) =>
    stage.ask('GET', path),
  )
  await reader?.cancel()
  const counts = (await Promise.all(lists)).map(({ body }) => (body['waypoints'] as unknown[]).length)
  expect(counts).toEqual([2501, 1251, 999])
  const untouched = await stage.raw('GET', '/api/waypoints')
  await untouched.body?.cancel()
  expect((await stage.ask('GET', '/api/waypoints')).status).toBe(200)
  expect(stage.failures).toEqual([])
})
