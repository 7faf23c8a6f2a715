/** @module-tag process */
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Registry, token } from '@openfountain/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../src/index.ts'
import { openStage, type Stage } from '@openfountain/testing/server/stage'

const count = 3000

let folder: string
let stage: Stage
/** What the registry of the thread that serves was asked to read. */
const readHere: string[] = []

/** Lets a registry tell what is read from it; it reads as before. */
function watched(registry: Registry): void {
  const { waypoints, changes, users, sources } = registry
  const texts = waypoints.texts.bind(waypoints)
  waypoints.texts = (filter) => (readHere.push('waypoints'), texts(filter))
  const list = changes.list.bind(changes)
  changes.list = (query) => (readHere.push('logs'), list(query))
  const entries = changes.entries.bind(changes)
  changes.entries = (after, limit) => (readHere.push('changes'), entries(after, limit))
  const people = users.list.bind(users)
  users.list = (page) => (readHere.push('users'), people(page))
  const origins = sources.list.bind(sources)
  sources.list = () => (readHere.push('sources'), origins())
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-threads-'))
  stage = await openStage({}, join(folder, 'fountains.db'))
  const { registry } = stage
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'ODbL-1.0' } })
  const rows = Array.from({ length: count }, (_, index) => ({
    row: index + 1,
    ref: String(index),
    input: {
      name: `Källa ${index}`,
      latitude: ((index * 37) % 170) - 85,
      longitude: ((index * 91) % 360) - 180,
      region: 'Elsewhere',
      amenities: index % 2 === 0 ? ['tap'] : [],
      verified: index % 3 === 0,
    },
  }))
  await run.apply(rows)
  await run.finish({ counts: {}, missing: 'keep' })
  await registry.waypoints.delete(7, token())
  watched(registry)
})

afterAll(async () => {
  await stage.close()
  await rm(folder, { recursive: true, force: true })
})

const world = 'bbox=-180,-90,180,90'

test.each([
  ['/api/waypoints?near=47,8&limit=5&after=1', []],
  ['/api/waypoints?near=47,8&radius=9000000&limit=5&verified=true', []],
  [`/api/waypoints?${world}&limit=5&amenity=none`, []],
  [`/api/waypoints?${world}&limit=250&verified=true`, []],
  ['/api/waypoints?updatedSince=2020-01-01&limit=5', []],
  ['/api/waypoints?limit=5', ['waypoints']],
  ['/api/waypoints?region=Lund&approved=true', ['waypoints']],
  ['/api/logs?action=created&limit=3&offset=2000', []],
  ['/api/logs?action=created&after=100', []],
  ['/api/logs', ['logs']],
  ['/api/logs?action=created', ['logs']],
  ['/api/changes?after=10&limit=1000', []],
  ['/api/changes', ['changes']],
  ['/api/changes?after=6000&limit=1000', ['changes']],
  ['/api/sources', []],
  ['/api/users', ['users']],
])('of what is asked by %s the thread that serves reads %j', async (path, read) => {
  readHere.length = 0
  expect((await stage.get(path)).status).toBe(200)
  expect(readHere).toEqual(read)
})

test('what another thread reads is what there is', async () => {
  const { waypoints, changes, sources } = stage.registry
  const bbox: [number, number, number, number] = [-180, -90, 180, 90]
  const filter = { bbox, limit: 250, verified: true }
  expect((await stage.get(`/api/waypoints?${world}&limit=250&verified=true`)).body).toMatchObject({
    waypoints: await waypoints.list(filter),
  })
  const logs = await changes.list({ action: 'created', limit: 3, offset: 2000 })
  expect((await stage.get('/api/logs?action=created&limit=3&offset=2000')).body).toMatchObject(logs)
  expect((await stage.get('/api/changes?after=10&limit=1000')).body).toMatchObject({
    changes: await changes.entries(10, 1000),
    head: await changes.head(),
    origin: await changes.origin(),
  })
  expect((await stage.get('/api/sources')).body['sources']).toEqual(await sources.list())
})

test('what another thread reads has the headers and the envelope of every response', async () => {
  const path = '/api/waypoints?verified=true&limit=5'
  const { headers, body } = await stage.ask('GET', path, { headers: { 'api-version': '6' } })
  expect(Object.keys(body)).toEqual(['success', 'license', 'author', 'waypoints'])
  const etag = headers.get('etag') ?? ''
  expect(etag).not.toBe('')
  const again = await stage.raw('GET', path, { headers: { 'api-version': '6', 'if-none-match': etag } })
  expect(again.status).toBe(304)
  const packed = await stage.raw('GET', '/api/waypoints?verified=true&limit=200', {
    headers: { 'accept-encoding': 'br' },
  })
  expect(packed.headers.get('content-encoding')).toBe('br')
  await packed.body?.cancel()
  const head = await stage.raw('HEAD', path)
  expect([head.status, await head.text()]).toEqual([200, ''])
})

describe('whole lists', () => {
  test.skipIf(process.platform !== 'linux')(
    'give way to light requests where threads share a core',
    async () => {
      const own = getPriority()
      const before = new Set(readdirSync('/proc/self/task'))
      const app = createApp(stage.registry)
      const response = await app.fetch(new Request('http://fountains.test/api/waypoints'))
      expect(await response.json()).toHaveProperty('waypoints')
      const started = readdirSync('/proc/self/task').filter((thread) => !before.has(thread))
      expect(started.map((thread) => getPriority(Number(thread)))).toContain(Math.min(own + 15, 19))
      expect(getPriority()).toBe(own)
    },
  )

  test('that cannot be made are reported as a failure before anything is sent', async () => {
    const elsewhere = new Proxy(stage.registry, {
      get(registry, name) {
        if (name === 'database') return '/nowhere/fountains.db'
        const member: unknown = Reflect.get(registry, name, registry)
        return typeof member === 'function' ? (member.bind(registry) as unknown) : member
      },
    })
    const app = createApp(elsewhere, { onFailure: () => undefined })
    const response = await app.fetch(new Request('http://fountains.test/api/waypoints'))
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('nowhere')
    expect((await app.fetch(new Request('http://fountains.test/api/waypoints/1'))).status).toBe(200)
  })
})
