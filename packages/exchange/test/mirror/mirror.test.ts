import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mirrorRegistry } from '../../src/index.ts'

/** The responses of a registry's own server on the paths that a copy is made from. */
function instanceOf(registry: Registry): typeof fetch {
  return async (input) => {
    const { pathname, searchParams } = new URL(String(input))
    const body = async (): Promise<unknown> => {
      if (pathname === '/api/logs/head') return { head: registry.changes.head() }
      if (pathname === '/api/sources') return { sources: await registry.sources.list() }
      if (pathname === '/api/logs') {
        const logs = await registry.changes.sealed(
          Number(searchParams.get('after')),
          Number(searchParams.get('limit')),
        )
        return { logs }
      }
      const [, kind, id = ''] = /^\/api\/(users|waypoints)\/(.+)$/u.exec(pathname) ?? []
      if (kind === 'users') return { user: await registry.users.get(decodeURIComponent(id)) }
      if (kind === 'waypoints') return { sources: await registry.waypoints.sources(Number(id)) }
      throw new Error(`unexpected ${pathname}`)
    }
    return body().then(
      (found) => Response.json(found),
      () => Response.json({}, { status: 404 }),
    )
  }
}

const url = 'http://fountains.example'
let minutes = 0
const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
let original: Registry
let copy: Registry

beforeEach(async () => {
  minutes = 0
  original = await openRegistry({ database: ':memory:', clock })
  copy = await openRegistry({ database: ':memory:', clock })
  const ada = await original.users.create({ id: 'ada', name: 'Ada <b>', email: 'ada@example.org', xp: 100 })
  const first = await original.waypoints.create(
    { name: '=Fountain 💧', latitude: 55.7, longitude: 13.2, amenities: ['tap'] },
    user(ada.id),
  )
  await original.waypoints.update(first.id, { description: 'In the park' }, user(ada.id))
  const second = await original.waypoints.create({ name: 'Gone', latitude: 1, longitude: 2 }, token())
  await original.waypoints.delete(second.id, token())
  const run = original.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  run.apply([{ row: 1, ref: 'A-1', input: { name: 'Imported', latitude: 3, longitude: 4 }, state: 'broken' }])
  run.finish({ counts: {}, missing: 'keep' })
})

afterEach(async () => {
  await original.close()
  await copy.close()
})

const records = (registry: Registry) => {
  const snapshot = registry.snapshot()
  try {
    return Array.from(snapshot.records(), ({ lastConfirmed: _seen, ...record }) => record)
  } finally {
    snapshot.close()
  }
}

test('a copy has the same log, waypoints and sources, and verifies', async () => {
  const report = await mirrorRegistry(url, copy, { fetch: instanceOf(original) })
  expect(report).toMatchObject({ from: { id: 0 }, entries: 5 })
  expect(copy.changes.head()).toEqual(original.changes.head())
  expect(records(copy)).toEqual(records(original))
  expect(await copy.changes.sealed(0)).toEqual(await original.changes.sealed(0))
  expect(await copy.changes.verify()).toMatchObject({ ok: true, problems: [] })
  expect((await copy.users.get('ada')).name).toBe('Ada <b>')
})

test('a copy continues from where it was, and an interrupted one too', async () => {
  await mirrorRegistry(url, copy, { fetch: instanceOf(original) })
  await original.waypoints.create({ name: 'Later', latitude: 5, longitude: 6 }, token())
  let requests = 0
  const failing: typeof fetch = async (...given) => {
    if (++requests > 3) throw new TypeError('connection lost')
    return instanceOf(original)(...given)
  }
  await expect(mirrorRegistry(url, copy, { fetch: failing })).rejects.toMatchObject({
    name: 'InstanceError',
    failure: { code: 'UNREACHABLE', url: expect.stringContaining(url), message: 'connection lost' },
  })
  const report = await mirrorRegistry(url, copy, { fetch: instanceOf(original) })
  expect(report).toMatchObject({ from: { id: 5 }, entries: 1 })
  expect(copy.changes.head()).toEqual(original.changes.head())
})

test('a rewritten history is refused, and the first entry that differs is named', async () => {
  await mirrorRegistry(url, copy, { fetch: instanceOf(original) })
  const rewritten = await openRegistry({ database: ':memory:', clock })
  const kept = await original.changes.sealed(0, 2)
  rewritten.mirror.follow({ entries: kept, people: [await original.users.get('ada')] })
  for (const name of ['Other', 'History', 'Entirely', 'Made up']) {
    await rewritten.waypoints.create({ name, latitude: 1, longitude: 1 }, token())
  }
  const attempt = mirrorRegistry(url, copy, { fetch: instanceOf(rewritten) })
  await expect(attempt).rejects.toMatchObject({
    code: 'CHAIN_BROKEN',
    details: { id: 3, reason: 'ENTRY_DIFFERS' },
  })
  expect(copy.changes.head().id).toBe(5)
  await rewritten.close()
})

test('a log that became shorter is refused', async () => {
  await mirrorRegistry(url, copy, { fetch: instanceOf(original) })
  const shorter = await openRegistry({ database: ':memory:', clock })
  shorter.mirror.follow({
    entries: await original.changes.sealed(0, 3),
    people: [await original.users.get('ada')],
  })
  const attempt = mirrorRegistry(url, copy, { fetch: instanceOf(shorter) })
  await expect(attempt).rejects.toMatchObject({
    code: 'CHAIN_BROKEN',
    details: { id: 4, reason: 'LOG_SHORTER' },
  })
  await shorter.close()
})

test('an entry whose changes were altered on the way is refused and nothing of its page is kept', async () => {
  const altering: typeof fetch = async (...given) => {
    const response = await instanceOf(original)(...given)
    return new Response((await response.text()).replace('In the park', 'In the dark'), response)
  }
  const attempt = mirrorRegistry(url, copy, { fetch: altering })
  await expect(attempt).rejects.toMatchObject({ code: 'CHAIN_BROKEN', details: { id: 2 } })
  expect(copy.changes.head().id).toBe(0)
})

test('redacted texts are followed, in a new copy and in an old one', async () => {
  await mirrorRegistry(url, copy, { fetch: instanceOf(original) })
  await original.changes.redact(1, { reason: 'asked for by the author' })
  const fresh = await openRegistry({ database: ':memory:', clock })
  await mirrorRegistry(url, fresh, { fetch: instanceOf(original) })
  const report = await mirrorRegistry(url, copy, { fetch: instanceOf(original), redactions: true })
  expect(report.redacted).toBe(1)
  for (const registry of [fresh, copy]) {
    expect(JSON.stringify(await registry.changes.sealed(0))).not.toContain('💧')
    expect(records(registry)).toEqual(records(original))
    expect(await registry.changes.verify()).toMatchObject({ ok: true, redacted: 1 })
  }
  await fresh.close()
})

test('what is not an instance is refused, with what it returned instead', async () => {
  await expect(mirrorRegistry('ftp://example.org', copy)).rejects.toThrow(/url: must be the http/u)
  const page: typeof fetch = async () => new Response('<html>', { status: 200 })
  await expect(mirrorRegistry(url, copy, { fetch: page })).rejects.toMatchObject({
    code: 'BAD_RESPONSE',
    details: { url: `${url}/api/logs/head`, issues: [{ path: '', message: expect.any(String) }] },
    message: `${url}/api/logs/head: The response is not that of an instance.`,
  })
  const other: typeof fetch = async () => Response.json({ head: { id: 'first', hash: '0'.repeat(64) } })
  await expect(mirrorRegistry(url, copy, { fetch: other })).rejects.toMatchObject({
    failure: { code: 'BAD_RESPONSE', issues: [{ path: 'head.id' }] },
  })
  const teapot: typeof fetch = async () => new Response('', { status: 418 })
  await expect(mirrorRegistry(url, copy, { fetch: teapot })).rejects.toMatchObject({
    failure: { code: 'BAD_STATUS', url: `${url}/api/logs/head`, status: 418 },
  })
})
