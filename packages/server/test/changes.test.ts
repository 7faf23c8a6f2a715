import { createHash } from 'node:crypto'
import { join } from 'node:path'
import {
  openRegistry,
  restoreDatabase,
  token,
  type Head,
  type LoggedEntry,
  type Registry,
} from '@openfountain/core'
import { canonicalJson, isConsistent, isIncluded } from '@openfountain/core/internal'
import { temporaryFolder } from '@openfountain/testing/registry'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '../src/index.ts'
import { openStage, ring, spring, start, type Stage } from '@openfountain/testing/server/stage'

/** The log of all kinds over HTTP, checked from what is published alone. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const hex = (text: string): string => sha256(text).toString('hex')

/** The leaf hash of a published entry, by the rules of docs/log.md. */
function leafOf({ id, at, by, subject, subjectId, action, fields, seed, ...rest }: LoggedEntry): Buffer {
  const commitments: Record<string, string> = { ...rest.commitments }
  for (const [field, value] of Object.entries(fields)) {
    const salt = seed === undefined ? rest.salts?.[field] : hex(canonicalJson([seed, field])).slice(0, 32)
    commitments[field] = hex(canonicalJson([salt, field, value]))
  }
  const digest = hex(canonicalJson(commitments))
  const { awards, links } = rest
  const data = ['openfountain/1', id, at, by, subject, subjectId, action, digest, awards, links]
  return sha256('\0', canonicalJson(data))
}

/** The root of the tree over leaves (RFC 9162, section 2.1.1). */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves
  if (only === undefined) return sha256('')
  if (leaves.length === 1) return only
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256('\u0001', rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

const rootHex = (leaves: readonly Uint8Array[]): string => Buffer.from(rootOf(leaves)).toString('hex')

interface Page {
  readonly changes: readonly LoggedEntry[]
  readonly head: Head
  readonly origin: string
}

const pageOf = async (query = ''): Promise<Page> =>
  (await stage.get(`/api/changes${query}`)).body as unknown as Page

/** All entries, read in pages. */
async function everything(limit: number): Promise<LoggedEntry[]> {
  const entries: LoggedEntry[] = []
  for (;;) {
    const { changes } = await pageOf(`?after=${entries.length}&limit=${limit}`)
    if (changes.length === 0) return entries
    entries.push(...changes)
  }
}

describe('GET /api/changes', () => {
  test('has entries of all kinds, from which anyone can compute the head', async () => {
    await stage.registry.areas.create({ name: 'Lund', coordinates: [ring] }, token())
    const entries = await everything(3)
    expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => index + 1))
    expect(new Set(entries.map(({ subject }) => subject))).toEqual(
      new Set(['user', 'waypoint', 'review', 'area']),
    )
    const { head, origin } = await pageOf()
    expect(head.hash).toBe(rootHex(entries.map(leafOf)))
    expect((await stage.get('/api/logs/head')).body['head']).toEqual(head)
    expect(origin).toBe(await stage.registry.changes.origin())
  })

  test('keeps to the limit, returns 100 by default, and nothing after the end', async () => {
    for (let number = 0; number < 100; number++) await stage.made({})
    expect((await pageOf()).changes).toHaveLength(100)
    expect((await pageOf('?limit=2&after=5')).changes.map(({ id }) => id)).toEqual([6, 7])
    expect(await pageOf('?after=9999')).toMatchObject({ changes: [], head: { id: 110 } })
    expect((await pageOf('?limit=1000')).changes).toHaveLength(110)
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=-1', 'after=1&after=2'])
      expect(await stage.refusal(`/api/changes?${query}`)).toEqual([400, 'INVALID_INPUT'])
  })

  test('a redacted entry proves what is left of it, and still has its place in the tree', async () => {
    const { id } = await stage.made({ description: 'Call 0123', region: 'Lund' })
    const before = await pageOf('?limit=1000')
    const made = before.changes.find(({ subject, subjectId }) => subject === 'waypoint' && subjectId === id)
    const reason = 'A private telephone number'
    await stage.registry.changes.redact(made?.id ?? 0, { reason, fields: ['description'] })
    const { text } = await stage.get('/api/changes?limit=1000')
    expect(text).not.toContain('Call 0123')
    const entries = await everything(1000)
    const redacted = entries[(made?.id ?? 0) - 1]
    expect(redacted?.seed).toBeUndefined()
    expect(redacted?.fields).toMatchObject({ region: 'Lund' })
    expect(Object.keys(redacted?.commitments ?? {})).toEqual(['description'])
    expect(entries.at(-1)).toMatchObject({ subject: 'entry', action: 'redacted', fields: { reason } })
    const leaves = entries.map(leafOf)
    expect((await pageOf()).head.hash).toBe(rootHex(leaves))
    expect(before.head.hash).toBe(rootHex(leaves.slice(0, before.head.id)))
  })
})

describe('proofs', () => {
  const treeOf = ({ id, hash }: Head) => ({ size: id, root: hash })
  const headAt = async (size: number): Promise<Head> =>
    (await stage.get(`/api/logs/head?size=${size}`)).body['head'] as Head

  test('the head of every size is the root of so many leaves', async () => {
    const entries = await everything(1000)
    const leaves = entries.map(leafOf)
    for (let size = 0; size <= leaves.length; size++) {
      const head = await headAt(size)
      expect(head).toMatchObject({ id: size, hash: rootHex(leaves.slice(0, size)) })
      expect(head.timestamp).toBe(entries[size - 1]?.at)
    }
    const refused = await stage.get(`/api/logs/head?size=${leaves.length + 1}`)
    expect([refused.status, refused.body['code']]).toEqual([400, 'INVALID_INPUT'])
    expect(refused.body['error']).toMatch(/^size /)
  })

  test('consistency holds between any two sizes, and not with another older head', async () => {
    const { id } = await stage.registry.changes.head()
    for (let to = 0; to <= id; to++) {
      for (let from = 0; from <= to; from++) {
        const { body } = await stage.get(`/api/changes/consistency?from=${from}&to=${to}`)
        const { head, proof } = body as unknown as { head: Head; proof: string[] }
        expect(head).toEqual(await headAt(to))
        expect(isConsistent(treeOf(await headAt(from)), treeOf(head), proof)).toBe(true)
        const other = { size: from, root: hex('another history') }
        expect(from > 0 && isConsistent(other, treeOf(head), proof)).toBe(false)
      }
    }
  })

  test('the newer tree is that of now by default, and bad sizes are named', async () => {
    const { id } = await stage.registry.changes.head()
    expect((await stage.get('/api/changes/consistency?from=3')).body['head']).toMatchObject({ id })
    for (const [query, name] of [
      ['', 'from'],
      [`?from=1&to=${id + 1}`, 'to'],
      ['?from=4&to=3', 'from'],
      [`?from=${id + 1}`, 'from'],
      ['?from=1.5', 'from'],
    ] as const) {
      const refused = await stage.get(`/api/changes/consistency${query}`)
      expect([refused.status, refused.body['code']]).toEqual([400, 'INVALID_INPUT'])
      expect(refused.body['details']).toMatchObject({ issues: [{ path: name }] })
    }
  })

  test('inclusion proves every entry in every tree that has it', async () => {
    const entries = await everything(1000)
    for (const entry of entries) {
      for (let size = entry.id; size <= entries.length; size++) {
        const { body } = await stage.get(`/api/changes/${entry.id}/inclusion?size=${size}`)
        const { leaf, head, proof } = body as unknown as { leaf: string; head: Head; proof: string[] }
        expect(leaf).toBe(leafOf(entry).toString('hex'))
        expect(head.id).toBe(size)
        const place = { index: entry.id - 1, hash: leaf }
        expect(isIncluded(place, treeOf(head), proof)).toBe(true)
      }
    }
    const { length } = entries
    expect((await stage.get('/api/changes/1/inclusion')).body['head']).toMatchObject({ id: length })
    expect(await stage.refusal(`/api/changes/1/inclusion?size=${length + 1}`)).toEqual([400, 'INVALID_INPUT'])
    expect(await stage.refusal('/api/changes/3/inclusion?size=2')).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal(`/api/changes/${length + 1}/inclusion`)).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal('/api/changes/0/inclusion')).toEqual([404, 'NOT_FOUND'])
    expect(await stage.refusal('/api/changes/x/inclusion')).toEqual([400, 'INVALID_INPUT'])
  })
})

test('writes are refused while the clock is more than a day behind the log, reads are not', async () => {
  stage.pass(2 * 24 * 60 * 60 * 1000)
  await stage.made({})
  stage.pass(-2 * 24 * 60 * 60 * 1000)
  const refused = await stage.ask('POST', '/api/waypoints', { as: 'token', body: spring })
  expect([refused.status, refused.body['code']]).toEqual([503, 'CLOCK_BEHIND'])
  expect(refused.body['error']).toContain('set the clock')
  expect(refused.body['details']).toEqual({
    now: '2026-05-01T12:00:00.000Z',
    newest: '2026-05-03T12:00:00.000Z',
  })
  expect(stage.failures).toHaveLength(1)
  expect((await stage.get('/api/waypoints')).status).toBe(200)
})

test('after an older backup was restored no response passes for the one that a client holds', async () => {
  const folder = await temporaryFolder()
  const database = join(folder, 'fountains.db')
  const yesterday = join(folder, 'yesterday.db')
  const paths = ['/api/waypoints', '/api/waypoints/1', '/api/changes', '/api/logs/head', '/api/stats']
  /** Asks for each path after a change. */
  const served = async (work: (registry: Registry) => Promise<unknown>, held: (string | null)[] = []) => {
    const registry = await openRegistry({ database, clock: () => new Date(start) })
    await work(registry)
    const app = createApp(registry)
    const responses = await Promise.all(
      paths.map(async (path, index) => {
        const headers = { 'if-none-match': held[index] ?? '' }
        return app.fetch(new Request(`http://fountains.test${path}`, { headers }))
      }),
    )
    await registry.close()
    return responses
  }
  const held = await served(async (registry) => {
    await registry.waypoints.create(spring, token())
    await registry.backup(yesterday)
    await registry.waypoints.update(1, { name: 'Lost' }, token())
  })
  await restoreDatabase({ database, from: yesterday, replace: true })
  const tags = held.map(({ headers }) => headers.get('etag'))
  const responses = await served(
    (registry) => registry.waypoints.update(1, { name: 'Another' }, token()),
    tags,
  )
  expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200))
})
