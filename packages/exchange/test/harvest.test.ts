import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listening } from '@openfountain/testing/listening'
import { emptyRegistry, refusal } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { harvestSource, type HarvestOptions, type HarvestRun } from '../src/index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL) => unknown

const start = Date.parse('2026-03-01T00:00:00.000Z')

const fountain = (id: number) => ({ id, name: `Brunnen ${id}`, lat: 55 + id / 100, lon: 13 })
const fountains = (ids: number) => Array.from({ length: ids }, (_each, index) => fountain(index + 1))

/** A hundred megabytes of blanks, made before any clock runs. */
const bomb = gzipSync(Buffer.alloc(100_000_000, 32))

async function source(first: Answer, options: HarvestOptions = {}, at = '/fountains.json') {
  let [answer, now] = [first, start]
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    const value = answer(request, response, new URL(request.url ?? '', 'http://127.0.0.1'))
    if (value !== undefined) response.end(JSON.stringify(value))
  })
  const origin = `http://127.0.0.1:${await listening(server)}`
  const registry = await emptyRegistry({ clock: () => new Date(now) })
  const { id } = await registry.sources.ensure({ name: 'Lund', license: 'CC0-1.0' })
  const url = `${origin}${at}`
  await registry.harvests.schedule(id, { url, every: 'day', options: { allowPrivate: true, ...options } })
  const run: HarvestRun = { pause: async () => {}, idleSeconds: 1 }
  return {
    registry,
    id,
    origin,
    asked,
    harvest: (more: HarvestRun = {}) => harvestSource(registry, id, { ...run, ...more }),
    answers: (next: Answer) => void (answer = next),
    wait: (days: number) => void (now += days * 24 * 3600 * 1000),
    count: async () => (await registry.statistics()).totalWaypoints,
  }
}

const tagged: (tag: string, value: unknown) => Answer = (tag, value) => (request, response) => {
  if (request.headers['if-none-match'] === tag) return response.writeHead(304).end() && undefined
  response.setHeader('etag', tag)
  return value
}

test('what did not change is asked for by its tag, and what changed is imported', async () => {
  const { harvest, answers, asked, wait, count, registry } = await source(tagged('"1"', fountains(3)))
  expect(await harvest()).toMatchObject({ outcome: 'imported', status: 200, read: 3, added: 3 })
  wait(1)
  expect(await harvest()).toMatchObject({ outcome: 'unchanged', status: 304, read: 0 })
  expect(asked[1]?.headers['if-none-match']).toBe('"1"')
  wait(1)
  answers(tagged('"2"', fountains(4)))
  expect(await harvest()).toMatchObject({ outcome: 'imported', read: 4, added: 1 })
  expect(await count()).toBe(4)
  expect(await registry.sources.list()).toMatchObject([{ waypoints: 4, harvesting: { every: 'day' } }])
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('the same bytes are not imported again, so that the log does not grow; unless that is asked for', async () => {
  const { harvest, registry } = await source(() => fountains(3))
  await harvest()
  const { id } = await registry.head()
  expect(await harvest()).toMatchObject({ outcome: 'unchanged', status: 200 })
  expect((await registry.head()).id).toBe(id)
  expect(await harvest({ anew: true })).toMatchObject({ outcome: 'imported', read: 3, changed: 0 })
})

test('a host that says 304 though it changed is believed for a week', async () => {
  const { harvest, answers, wait } = await source(tagged('"1"', fountains(3)))
  await harvest()
  answers(tagged('"1"', fountains(5)))
  wait(6)
  expect(await harvest()).toMatchObject({ outcome: 'unchanged' })
  wait(1)
  expect(await harvest()).toMatchObject({ outcome: 'imported', added: 2 })
})

test('a host that says 304 though nothing was known has an answer that is an error', async () => {
  const { harvest, asked } = await source((_request, response) => response.writeHead(304).end() && undefined)
  expect(await harvest()).toMatchObject({ outcome: 'failed', reason: 'answer', status: 304 })
  expect(asked[0]?.headers['if-none-match']).toBeUndefined()
})

test.each<[string, Answer, object]>([
  [
    'cuts the connection',
    (_request, response) => {
      response.writeHead(200, { 'content-length': 9999 }).write('[{"id":1')
      setTimeout(() => response.destroy(), 20)
    },
    { reason: 'unreachable' },
  ],
  ['stalls', (_request, response) => void response.writeHead(200).write('['), { reason: 'unreachable' }],
  [
    'is away',
    (_request, response) => response.writeHead(404).end() && undefined,
    { reason: 'answer', status: 404 },
  ],
  [
    'has a web page',
    (_request, response) => response.end('<!doctype html><title>Moved</title>') && undefined,
    { reason: 'file' },
  ],
  ['has a bomb', (_request, response) => response.end(bomb) && undefined, { reason: 'file' }],
  [
    'claims to be compressed',
    (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb) && undefined,
    { reason: 'file' },
  ],
  ['has too much', () => 'x'.repeat(1_100_000), { reason: 'size' }],
  [
    'has pages without an end',
    (_request, _response, url) => ({
      total_count: 1e9,
      results: [{ ...fountain(1), id: url.searchParams.get('offset'), text: 'x'.repeat(400_000) }],
    }),
    { reason: 'size' },
  ],
  [
    'leads on to another host by its pages',
    () => ({ value: fountains(2), '@odata.nextLink': 'https://10.0.0.1/' }),
    { reason: 'address' },
  ],
  [
    'has one page for ever',
    () => ({ exceededTransferLimit: true, features: fountains(2) }),
    { reason: 'pages', message: expect.stringContaining('whose rows were on pages before it') as unknown },
  ],
  [
    'has the same rows on ever shorter pages',
    (_request, _response, url) => ({
      total_count: 9,
      results: fountains(url.search === '' ? 4 : Math.max(1, 4 - Number(url.searchParams.get('offset')) / 4)),
    }),
    { reason: 'pages', message: expect.stringContaining('whose rows were on pages before it') as unknown },
  ],
  [
    'has a page that is none',
    (_request, _response, url) =>
      url.search === '' ? { total_count: 4, results: fountains(2) } : { error: 'quota' },
    { reason: 'pages' },
  ],
])('a host that %s changes nothing, and is tried again', async (_, answer, failure) => {
  const lying = await source(() => fountains(3), { megabytes: 1 })
  await lying.harvest()
  lying.answers(answer)
  lying.wait(1)
  expect(await lying.harvest()).toMatchObject({ outcome: 'failed', read: 0, ...failure })
  expect(await lying.count()).toBe(3)
  const [schedule] = await lying.registry.harvests.schedules()
  expect(schedule).toMatchObject({ failures: 1, staleSince: '2026-03-02T00:00:00.000Z' })
  expect(schedule?.lease).toBeUndefined()
  lying.answers(() => fountains(4))
  expect(await lying.harvest()).toMatchObject({ outcome: 'imported', added: 1 })
  expect((await lying.registry.harvests.schedules())[0]?.staleSince).toBeUndefined()
})

test('a source that would lose more than it may stops, says what would be, and goes on when that is accepted', async () => {
  const { harvest, answers, count, registry } = await source(() => fountains(10))
  await harvest()
  answers(() => fountains(2))
  const stopped = await harvest()
  expect(stopped).toMatchObject({ outcome: 'stopped', reason: 'shrink', read: 2, missing: 8 })
  expect(stopped.message).toContain('"gone":8')
  expect((await registry.sources.list())[0]?.harvesting?.staleSince).toBeDefined()
  expect(await harvest({ accept: ['shrink'] })).toMatchObject({ outcome: 'imported', missing: 8 })
  expect(await count()).toBe(10)
  const [{ staleSince } = {}] = await registry.harvests.schedules()
  expect(staleSince).toBeUndefined()
})

test('a map whose column the source no longer has is told with the harvest', async () => {
  const { harvest, registry } = await source(() => fountains(3), { map: { fields: { season: 'open' } } })
  const message = 'the map names "open", which the file lacks'
  expect(await harvest()).toMatchObject({ outcome: 'imported', added: 3, message })
  expect(await registry.harvests.list()).toMatchObject([{ message }])
})

test('a secret is sent to the host of the address alone, and is in no table', async () => {
  const elsewhere: IncomingMessage[] = []
  const other = await listening(
    createServer((request, response) => {
      elsewhere.push(request)
      response.end(JSON.stringify(fountains(2)))
    }),
  )
  const headers = { 'X-App-Token': 'OPENFOUNTAIN_SECRET_LUND' }
  const { harvest, asked, registry } = await source(
    (_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${other}/f.json?sig=s1gned` }).end() && undefined,
    { headers },
  )
  expect(await harvest()).toMatchObject({ outcome: 'failed', reason: 'secret' })
  expect(asked).toEqual([])
  const seen: string[] = []
  const env = { OPENFOUNTAIN_SECRET_LUND: 's3cret' }
  expect(await harvest({ env, onRedirect: (url) => seen.push(url) })).toMatchObject({
    outcome: 'imported',
    location: `http://127.0.0.1:${other}/f.json`,
  })
  expect([asked[0]?.headers['x-app-token'], elsewhere[0]?.headers['x-app-token']]).toEqual([
    's3cret',
    undefined,
  ])
  const kept = JSON.stringify([
    await registry.harvests.schedules(),
    await registry.harvests.list(),
    await registry.sources.list(),
    seen,
  ])
  expect(kept).not.toMatch(/s3cret|s1gned/u)
})

test('two at once: one harvests, the other is told', async () => {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const { harvest, asked } = await source((_request, response) => {
    void promise.then(() => response.end(JSON.stringify(fountains(3))))
  })
  const first = harvest()
  await expect.poll(() => asked.length).toBe(1)
  expect(await refusal(harvest())).toMatchObject({ code: 'CONFLICT', details: { state: 'harvesting' } })
  resolve(undefined)
  expect(await first).toMatchObject({ outcome: 'imported', added: 3 })
})

test('one that is stopped gives its lease back, and is due again soon', async () => {
  const { harvest, registry, asked, answers } = await source(() => {})
  const stop = new AbortController()
  const stopped = harvest({ signal: stop.signal })
  await expect.poll(() => asked.length).toBe(1)
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  expect(await registry.harvests.list()).toMatchObject([{ outcome: 'failed', reason: 'interrupted' }])
  answers(() => fountains(3))
  expect(await harvest()).toMatchObject({ outcome: 'imported' })
})

test('an import that was killed in the middle is continued where it was', async () => {
  const { harvest, registry, id } = await source(() => fountains(3))
  const text = JSON.stringify(fountains(3))
  const sha256 = createHash('sha256').update(text).digest('hex')
  const file = { name: 'fountains.json', sha256, bytes: text.length }
  const run = await registry.imports.start({ source: { name: 'Lund', license: 'CC0-1.0' }, file })
  const { lat: latitude, lon: longitude, name } = fountain(1)
  await registry.harvests.begin(id).then((begun) => begun.end({ outcome: 'failed', reason: 'interrupted' }))
  await run.apply([{ row: 1, ref: '1', input: { name, latitude, longitude } }], { row: 1 })
  const { report } = await harvest()
  expect(report).toMatchObject({ resumed: true, counts: { rows: 3, created: 2 } })
  expect(await registry.imports.list()).toHaveLength(1)
  expect((await registry.statistics()).totalWaypoints).toBe(3)
})
