import { expect, test } from 'vitest'
import { token, user, type LoggedEntry, type Registry } from '@openfountain/core'
import { emptyRoot, isConsistent, isIncluded, logSigner, newSigningKey, sha256 } from '@openfountain/tlog'
import { Frontier } from '@openfountain/tlog/frontier'
import { emptyRegistry, newestOn, placed, refusal, ring, square } from '@openfountain/testing/registry'
import { imported, row, source } from '@openfountain/testing/imported'
import { leafOf } from '../src/log/leaf.ts'

function rootsOf(leaves: readonly string[]): string[] {
  const frontier = new Frontier()
  return [frontier.root(), ...leaves.map((leaf) => (frontier.append(leaf), frontier.root()))]
}

const logOf = (registry: Registry): Promise<LoggedEntry[]> => Array.fromAsync(registry.changes.since(0))

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
  const roots = rootsOf(log.map(leafOf))
  for (const [size, root] of roots.entries())
    expect((await registry.changes.head(size)).hash, JSON.stringify(log[size - 1])).toBe(root)
  expect(await registry.changes.head()).toEqual(await registry.changes.head(log.length))
  expect((await registry.changes.head()).timestamp).toBe(log.at(-1)?.at)
})

test('an empty log has the hash of nothing for a root, and verifies', async () => {
  const registry = await emptyRegistry()
  expect(await registry.changes.head()).toEqual({ id: 0, hash: emptyRoot })
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

test('proofs of inclusion and consistency hold for logs of more than a tile', async () => {
  const registry = await emptyRegistry({ durability: 'relaxed' })
  const run = await registry.imports.start({ source })
  const rows = Array.from({ length: 300 }, (_, index) => ({
    row: index + 1,
    input: { name: `Tap ${index}`, latitude: 1, longitude: 1 },
  }))
  await run.apply(rows)
  const leaves = (await logOf(registry)).map(leafOf)
  const roots = rootsOf(leaves)
  const treeOf = (size: number) => ({ size, root: roots[size] ?? '' })
  for (const size of [3, 256, leaves.length])
    for (const id of [1, 2, size]) {
      const { leaf, proof } = await registry.changes.inclusion(id, size)
      expect(leaf).toBe(leaves[id - 1])
      expect(isIncluded({ index: id - 1, hash: leaf }, treeOf(size), proof), `${id} of ${size}`).toBe(true)
      const { head, proof: since } = await registry.changes.consistency(id, size)
      expect(head).toMatchObject({ id: size, hash: treeOf(size).root })
      expect(isConsistent(treeOf(id), treeOf(size), since), `${id} of ${size}`).toBe(true)
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

test('specification 2.4 and 4.5: reading the log newest first; limit 50 by default; narrowing by waypoint, user and action', async () => {
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

test('specification 2.4 and 4.5: reading the log: one entry comes with its user and waypoint, the recent feed with names only', async () => {
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
  expect((await refusal(registry.changes.get(1))).code).toBe('NOT_FOUND')
})
