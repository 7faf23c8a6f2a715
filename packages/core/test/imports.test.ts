import { anonymous, token, user, type Registry } from '@openfountain/core'
import { imported, row, source } from '@openfountain/testing/imported'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { served } from '../src/served.ts'

test('the name of a file is kept without what no engine can store', async () => {
  const registry = await emptyRegistry()
  const file = { name: 'wells\0\ud800.csv', sha256: 'abc', bytes: 3 }
  await registry.imports.start({ source, file }).then((run) => run.finish({ counts: {}, missing: 'keep' }))
  expect(await registry.imports.list()).toMatchObject([{ file: { name: 'wells\ufffd\ufffd.csv' } }])
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('removing missing rows keeps waypoints that anybody changed, reviewed or saw', async () => {
  const registry = await emptyRegistry()
  const ada = user((await registry.users.create({ name: 'Ada', xp: 50 })).id)
  const refs = ['1', '2', '3', '4', '5', '6', '7']
  await imported(
    registry,
    refs.map((ref) => row(ref, `n${ref}`)),
  )
  const { waypoints, reviews, observations } = registry
  await waypoints.update(2, { description: 'edited by a person' }, ada)
  await reviews.create({ bubblerId: 3, rating: 5 }, ada)
  await waypoints.update(4, { description: 'edited by a token' }, token())
  await observations.create({ bubblerId: 5, kind: 'works' }, ada)
  await observations.create({ bubblerId: 6, kind: 'dry' }, anonymous, { network: '192.0.2.0/24' })
  await observations.create({ bubblerId: 7, kind: 'gone' }, ada)
  const result = await imported(registry, [row('1', 'n1')], undefined, 'remove')
  expect(result).toMatchObject({ marked: 5, removed: 1 })
  expect((await waypoints.list()).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6])
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('what somebody deleted since is gone already when its import is undone, and not kept', async () => {
  const registry = await emptyRegistry()
  const { id: mo } = await registry.users.create({ name: 'Mo', isModerator: true, xp: 50 })
  await imported(registry, [row('1', 'One'), row('2', 'Two'), row('3', 'Three')])
  await imported(registry, [row('1', 'One', { description: 'new' }), row('2', 'Two'), row('3', 'Three')], 'b')
  await registry.waypoints.update(2, { description: 'seen' }, user(mo))
  for (const id of [1, 2]) await registry.waypoints.delete(id, user(mo))
  const newest = { removed: 0, reverted: 0, restored: 0, delisted: 0, kept: [] }
  expect(await registry.imports.undo()).toMatchObject(newest)
  expect(await registry.imports.undo()).toMatchObject({ ...newest, removed: 1 })
  expect(await registry.waypoints.list()).toEqual([])
})

test('an import is undone but for what people changed, and a corrected file brings back what went', async () => {
  const registry = await emptyRegistry()
  const { id: ada } = await registry.users.create({ name: 'Ada', xp: 50 })
  await placed(registry, { name: 'Ours' })
  await imported(registry, [row('2', 'Two', { description: 'old' }), row('3', 'Three')], 'a')
  const swapped = [
    { ...row('1', 'Theirs', { description: 'filled in' }), mergeInto: 1 },
    row('2', 'Two', { description: 'wrong' }),
    ...['4', '5', '6', '7'].map((ref) => row(ref, `Wrong ${ref}`)),
  ]
  await imported(registry, swapped, 'b', 'remove')
  // Three is gone; waypoints 4 to 7 are new.
  await registry.waypoints.update(5, { description: 'seen' }, user(ada))
  await registry.reviews.create({ bubblerId: 6, rating: 5 }, user(ada))
  await registry.observations.create({ bubblerId: 6, kind: 'works' }, user(ada))
  const ids = async () => (await registry.waypoints.list()).map(({ id }) => id)
  expect(await ids()).toEqual([1, 2, 4, 5, 6, 7])
  const dry = await registry.imports.undo({ dryRun: true })
  expect(await ids()).toEqual([1, 2, 4, 5, 6, 7])
  const undone = await registry.imports.undo()
  const kept = [
    { waypointId: 5, changed: ['description'] },
    { waypointId: 6, changed: ['reviews', 'observations'] },
  ]
  const counts = { removed: 2, reverted: 2, restored: 1, delisted: 1 }
  expect(undone).toEqual({ run: 2, source: source.name, ...counts, kept })
  expect(dry).toEqual(undone)
  expect(await ids()).toEqual([1, 2, 3, 5, 6])
  expect(await registry.waypoints.get(1)).not.toHaveProperty('description')
  expect(await registry.waypoints.get(2)).toMatchObject({ description: 'old' })
  expect((await registry.waypoints.sources(1))[0]?.missingSince).toBeDefined()
  expect((await registry.moderation.acts()).acts).toEqual([])
  expect((await refusal(registry.imports.undo({ run: 2 }))).code).toBe('CONFLICT')
  const again = { removed: 1, reverted: 2, restored: 2, kept: [] }
  expect(await registry.imports.undo({ run: 3 })).toMatchObject(again)
  expect(await ids()).toEqual([1, 2, 4, 5, 6, 7])
  expect(await registry.waypoints.get(2)).toMatchObject({ description: 'wrong' })
  expect((await registry.waypoints.sources(1))[0]).not.toHaveProperty('missingSince')
  expect(await registry.imports.undo({ run: 2 })).toMatchObject({ ...undone, run: 2 })
  expect(await ids()).toEqual([1, 2, 3, 5, 6])
  expect((await refusal(registry.imports.undo({ run: 9 }))).code).toBe('NOT_FOUND')
  expect((await refusal(registry.imports.undo({ source: 'Nobody' }))).code).toBe('NOT_FOUND')
  const corrected = [
    row('2', 'Two', { description: 'right' }),
    row('3', 'Three'),
    row('4', 'Right 4'),
    row('5', 'Right 5'),
    row('7', 'Wrong 7'),
  ]
  const { outcomes } = await imported(registry, corrected, 'c')
  expect(outcomes).toMatchObject([
    { kind: 'updated', fields: ['description'], conflicts: [] },
    { kind: 'unchanged' },
    { kind: 'updated', waypointId: 4, fields: ['name'], conflicts: [] },
    { kind: 'updated', waypointId: 5, fields: ['name'], conflicts: [] },
    { kind: 'updated', waypointId: 7, fields: [] },
  ])
  expect(await ids()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect((await registry.changes.verify()).ok).toBe(true)
})

test('removing a source undoes all its imports, and keeps the sources and the edits of others', async () => {
  const registry = await emptyRegistry()
  const { id: ada } = await registry.users.create({ name: 'Ada', xp: 50 })
  const bring = (name: string, refs: readonly string[]) =>
    imported(
      registry,
      refs.map((ref) => row(ref, `${name}${ref}`)),
      name,
    )
  await bring('n', ['1', '2', '3'])
  await bring('m', ['1', '2', '3', '4'])
  const other = { name: 'Region', license: 'CC0-1.0' }
  const run = await registry.imports.start({ source: other })
  await run.apply([{ ...row('9', 'm3'), mergeInto: 3 }, row('8', 'Other')])
  await run.finish({ counts: {}, missing: 'mark' })
  await registry.waypoints.update(2, { description: 'seen' }, user(ada))
  const expected = {
    source: source.name,
    removed: 2,
    kept: [
      { waypointId: 2, changed: ['description'] },
      { waypointId: 3, changed: ['sources'] },
    ],
  }
  expect(await registry.sources.delete(source.name, { dryRun: true })).toMatchObject(expected)
  expect(await registry.sources.delete(source.name, { reason: 'Its licence' })).toMatchObject(expected)
  expect((await registry.waypoints.list()).map(({ id, name }) => [id, name])).toEqual([
    [2, 'n2'],
    [3, 'n3'],
    [5, 'Other'],
  ])
  expect(await registry.sources.delete(source.name)).toMatchObject({ removed: 0, reverted: 0 })
  expect((await refusal(registry.sources.delete('Nobody'))).code).toBe('NOT_FOUND')
  const undoes = (await registry.imports.list()).map(({ counts }) => counts['undoes'])
  expect(undoes).toEqual([undefined, undefined, undefined, 2, 1])
  expect((await registry.changes.verify()).ok).toBe(true)
})

const records = async (registry: Registry) => {
  const snapshot = await registry.snapshot()
  try {
    return Array.from(snapshot.records(), ({ state, lastListed }) => ({ state, lastListed }))
  } finally {
    snapshot.close()
  }
}

test('the state of a waypoint at its source is stored with the source until the source changes it, and is no action on the waypoint', async () => {
  const registry = await emptyRegistry()
  await imported(registry, [{ ...row('1', 'One'), state: 'off' }, row('2', 'Two')], 'a')
  const [one, two] = await records(registry)
  expect([one?.state, two?.state]).toEqual(['off', 'unconfirmed'])
  expect(await registry.waypoints.sources(1)).toMatchObject([{ state: 'off' }])
  expect(one?.lastListed).toBeUndefined()
  expect(JSON.parse((await served(registry).dossier(1)).sources)).toMatchObject({ state: 'off' })
  const { outcomes } = await imported(
    registry,
    [row('1', 'One'), { ...row('2', 'Two'), state: 'broken' }],
    'b',
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged'])
  expect((await records(registry)).map(({ state }) => state)).toEqual(['unconfirmed', 'broken'])
  expect((await registry.changes.list()).total).toBe(2)
})

test('the state of a waypoint at its source is listed as of its publication, also by a partial import, and when it is no longer listed', async () => {
  const registry = await emptyRegistry()
  const listed = async (
    rows: readonly ReturnType<typeof row>[],
    missing: 'keep' | 'mark',
    published?: string,
  ) => {
    const run = await registry.imports.start({ source, published, accept: ['shrink'] })
    await run.apply(rows)
    await run.finish({ counts: {}, missing })
    return (await records(registry)).map(({ lastListed }) => lastListed)
  }
  const [one, two, three] = [row('1', 'One'), row('2', 'Two'), row('3', 'Three')]
  expect(await listed([one, two], 'mark', '2024-05-01')).toEqual(['2024-05-01', '2024-05-01'])
  expect(await listed([three], 'keep', '2024-06-01')).toEqual(['2024-05-01', '2024-05-01', '2024-06-01'])
  expect(await listed([one], 'mark', '2024-07-01')).toEqual(['2024-07-01', '2024-05-01', '2024-06-01'])
  // Without a date of publication, that of the import does not stand for one.
  expect(await listed([one], 'mark')).toEqual([undefined, '2024-05-01', '2024-06-01'])
  expect((await registry.changes.verify()).problems).toEqual([])
})
