import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { token, user, type LoggedEntry, type Registry } from '@openfountain/core'
import { isConsistent, isIncluded, logSigner, newSigningKey } from '@openfountain/tlog'
import { emptyRegistry, newestOn, placed, refusal, ring, square } from '@openfountain/testing/registry'
import { imported, row, source } from '@openfountain/testing/imported'

/** RFC 8785 for values without fractions: sorted members and no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
}

const digestOf = (value: unknown): string => hash('sha256', canonical(value), 'hex')
const sha256 = (...parts: (string | Uint8Array)[]): string =>
  hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part as string))), 'hex')

/** The leaf hash of an entry, computed from its published form. */
function leafOf(entry: LoggedEntry): string {
  const { id, at, by, subject, subjectId, action, fields, seed, salts, commitments, awards, links } = entry
  const saltOf = (field: string) =>
    seed === undefined ? salts?.[field] : digestOf([seed, field]).slice(0, 32)
  const own = Object.entries(fields).map(([field, value]) => [field, digestOf([saltOf(field), field, value])])
  const digest = digestOf({ ...Object.fromEntries(own), ...commitments })
  const data = ['openfountain/1', id, at, by, subject, subjectId, action, digest, awards, links]
  return sha256('\0', canonical(data))
}

/** The root of the Merkle tree over leaf hashes in hexadecimal, as RFC 9162, section 2.1.1, defines it. */
function rootOf(leaves: readonly string[]): string {
  const [only] = leaves
  if (only === undefined) return sha256('')
  if (leaves.length === 1) return only
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  const halves = [leaves.slice(0, split), leaves.slice(split)].map((half) => Buffer.from(rootOf(half), 'hex'))
  return sha256('\x01', ...halves)
}

const logOf = (registry: Registry): Promise<LoggedEntry[]> => Array.fromAsync(registry.changes.since(0))

describe('the tree', () => {
  test('anybody can compute each root from what is published', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 20 })
    await registry.waypoints.create({ ...square, name: 'Ä "quoted"\u2028', region: 'Skåne' }, user(ada.id))
    await registry.waypoints.update(1, { latitude: 1.5, description: null, verified: true }, token())
    await registry.reviews.create({ bubblerId: 1, rating: 5, comment: 'Cold' }, user(ada.id))
    const { id } = await newestOn(registry, 1, 'created')
    await registry.changes.redact(id, { reason: 'A name', fields: ['region'] })
    const area = { name: 'Lund', coordinates: [ring] }
    await registry.areas.create(area, token())
    await registry.observations.create({ bubblerId: 1, kind: 'works' }, user(ada.id))
    await imported(registry, [{ ...row('1', 'One'), ref: 'é/1', state: 'off' }], 'ab')
    await imported(registry, [{ ...row('1', 'One'), ref: 'é/1' }], 'cd')
    await registry.waypoints.merge(2, { into: 1, reason: 'the same' }, token())
    await registry.waypoints.update(1, { region: 'Spam' }, user(ada.id))
    await registry.changes.revert((await registry.changes.head()).id, { reason: 'spam' }, token())
    const log = await logOf(registry)
    const subjects = 'user waypoint review entry area observation source import record'.split(' ')
    expect(new Set(log.map(({ subject }) => subject))).toEqual(new Set(subjects))
    expect(log.some(({ awards }) => awards.some(([, , amount]) => amount < 0))).toBe(true)
    expect(log.filter(({ commitments }) => commitments !== undefined)).toHaveLength(1)
    const leaves = log.map(leafOf)
    for (const [index] of log.entries()) {
      const { hash: root } = await registry.changes.head(index + 1)
      expect(root, JSON.stringify(log[index])).toBe(rootOf(leaves.slice(0, index + 1)))
    }
    expect(await registry.changes.head()).toEqual(await registry.changes.head(log.length))
    expect((await registry.changes.head()).timestamp).toBe(log.at(-1)?.at)
  })

  test('an empty log has the hash of nothing for a root, and verifies', async () => {
    const registry = await emptyRegistry()
    expect(await registry.changes.head()).toEqual({ id: 0, hash: hash('sha256', '', 'hex') })
    expect(await registry.changes.verify()).toMatchObject({ ok: true, entries: 0, waypoints: 0 })
  })

  test('the proof of a waypoint has what belongs to it: reviews that a merge moved there, observations, sources and redactions', async () => {
    const signer = await logSigner(await newSigningKey('log.example'))
    const registry = await emptyRegistry({ signer: async () => signer })
    const { changes, observations, reviews, users, waypoints } = registry
    const ada = user((await users.create({ name: 'Ada', xp: 200 })).id)
    await waypoints.create({ ...square, name: 'One' }, token())
    await imported(registry, [{ ...row('1', 'Two'), ref: 'a' }], 'ab')
    await waypoints.create({ ...square, name: 'Other' }, token())
    await reviews.create({ bubblerId: 2, rating: 4, comment: 'Grete was here' }, ada)
    await observations.create({ bubblerId: 1, kind: 'works' }, ada)
    const { id = 0 } = (await logOf(registry)).find(({ subject }) => subject === 'review') ?? {}
    await changes.redact(id, { reason: 'A private name' })
    await waypoints.merge(2, { into: 1, reason: 'The same' }, token())
    const { entries } = await changes.proveWaypoint(1)
    expect(entries.map(({ subject, action }) => `${subject} ${action}`)).toEqual([
      'waypoint created',
      'review created',
      'observation created',
      'review edited',
      'entry redacted',
      'review moved',
      'record moved',
    ])
    await expect(changes.proveWaypoint(99)).rejects.toThrow('There is no waypoint')
  })

  test('proofs of inclusion and consistency hold for logs of more than a tile, and for no other entry or log', async () => {
    const registry = await emptyRegistry({ durability: 'relaxed' })
    const run = await registry.imports.start({ source })
    const rows = Array.from({ length: 300 }, (_, index) => ({
      row: index + 1,
      input: { name: `Tap ${index}`, latitude: 1, longitude: 1 },
    }))
    await run.apply(rows)
    const leaves = (await logOf(registry)).map(leafOf)
    const treeOf = (size: number) => ({ size, root: rootOf(leaves.slice(0, size)) })
    for (const size of [3, 256, leaves.length])
      for (const id of [1, 2, size]) {
        const { leaf, proof } = await registry.changes.inclusion(id, size)
        expect(leaf).toBe(leaves[id - 1])
        expect(isIncluded({ index: id - 1, hash: leaf }, treeOf(size), proof), `${id} of ${size}`).toBe(true)
        const other = { index: id - 1, hash: sha256('another') }
        expect(isIncluded(other, treeOf(size), proof)).toBe(false)
        const { head, proof: since } = await registry.changes.consistency(id, size)
        expect(head).toMatchObject({ id: size, hash: treeOf(size).root })
        expect(isConsistent(treeOf(id), treeOf(size), since), `${id} of ${size}`).toBe(true)
        expect(isConsistent({ size: id, root: other.hash }, treeOf(size), since)).toBe(false)
      }
    const snapshot = await registry.snapshot()
    for (const size of [0, 1, 256, leaves.length]) {
      const head = await registry.changes.head(size)
      expect(await snapshot.headAt(size)).toEqual(head)
      expect(await snapshot.headWith(treeOf(size).root)).toEqual(head)
    }
    expect(await snapshot.headAt(leaves.length + 1)).toBeUndefined()
    expect(await snapshot.headWith(sha256('another'))).toBeUndefined()
    snapshot.close()
    for (const size of [-1, 1.5, leaves.length + 1])
      expect((await refusal(registry.changes.head(size))).code).toBe('INVALID_INPUT')
    expect((await refusal(registry.changes.consistency(5, 4))).code).toBe('INVALID_INPUT')
    expect((await refusal(registry.changes.inclusion(leaves.length + 1))).code).toBe('NOT_FOUND')
  })
})

test('entries of all kinds are read in pages, and one after the other', async () => {
  const registry = await emptyRegistry()
  for (let index = 0; index < 5; index++) await placed(registry, { name: `n${index}` })
  const all = await logOf(registry)
  expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  expect(await registry.changes.entries(1, 2)).toEqual(all.slice(1, 3))
  expect(await Array.fromAsync(registry.changes.since(3))).toEqual(all.slice(3))
  const snapshot = await registry.snapshot()
  expect([...snapshot.entries()]).toEqual(all)
  expect([...snapshot.entries(4)]).toEqual(all.slice(4))
  snapshot.close()
  for (const [after, limit] of [
    [-1, 1],
    [0, 0],
    [0, 1001],
    [0.5, 1],
  ] as const)
    expect((await refusal(registry.changes.entries(after, limit))).code).toBe('INVALID_INPUT')
})

describe('specification 2.4 and 4.5: reading the log', () => {
  test('newest first; limit 50 by default; narrowing by waypoint, user and action', async () => {
    const registry = await emptyRegistry()
    await placed(registry)
    await placed(registry)
    await registry.waypoints.update(1, { name: 'New' }, token())
    const all = await registry.changes.list()
    expect(all).toMatchObject({ logs: [{ id: 3 }, { id: 2 }, { id: 1 }], total: 3, limit: 50, offset: 0 })
    const entry = { id: 3, bubblerId: 1, userId: 'api', action: 'edited', changes: { name: 'New' } }
    expect(all.logs[0]).toEqual({ ...entry, timestamp: '2026-01-01T00:00:02.000Z' })
    const { logs, total } = await registry.changes.list({ action: 'created', bubblerId: 2, userId: 'api' })
    expect([logs.map(({ id }) => id), total]).toEqual([[2], 1])
  })

  test('one entry comes with its user and waypoint, the recent feed with names only', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 120 })
    await registry.waypoints.create(square, user(ada.id))
    const { id } = await newestOn(registry, 1)
    expect(await registry.changes.get(id)).toMatchObject({
      user: { id: ada.id, name: 'Ada', level: 2 },
      waypoint: { id: 1, ...square },
    })
    const [recent] = await registry.changes.recent()
    expect(recent?.user).toEqual({ name: 'Ada' })
    expect(recent?.waypoint).toEqual({ name: 'Market square' })
    expect((await refusal(registry.changes.get(id + 1))).code).toBe('NOT_FOUND')
    // An entry of another kind is not in the API's log.
    expect((await refusal(registry.changes.get(1))).code).toBe('NOT_FOUND')
  })
})

test('a copy that follows the log has its entries and head, and a page with a forged entry leaves it as it was', async () => {
  const registry = await emptyRegistry()
  await placed(registry, { name: 'Jane Doe' })
  await registry.changes.redact(1, { reason: 'privacy' })
  const log = await logOf(registry)
  const copy = await emptyRegistry()
  await copy.mirror.follow(log.slice(0, 1))
  const before = await copy.changes.head()
  const forged = log.slice(1).map((entry) => ({ ...entry, fields: { ...entry.fields, latitude: 999 } }))
  expect(await refusal(copy.mirror.follow(forged))).toEqual({ code: 'CHAIN_BROKEN', details: { id: 2 } })
  const longer = [{ ...log[1], extra: 1 }]
  expect(await refusal(copy.mirror.follow(longer))).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await copy.changes.head()).toEqual(before)
  await copy.mirror.follow(log.slice(1))
  expect(await logOf(copy)).toEqual(log)
  expect(await copy.changes.head()).toEqual(await registry.changes.head())
  expect((await copy.changes.verify()).problems).toEqual([])
})
