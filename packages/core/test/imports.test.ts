import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { token, type ImportRow, type Registry } from '@openfountain/core'
import { emptyRegistry, placed, refusal, temporaryFolder } from './fixture.ts'

const source = { name: 'City of Lund', license: 'CC0-1.0', url: 'https://example.org/fountains' }
const row = (ref: string, name: string, rest: Record<string, unknown> = {}): ImportRow => ({
  row: Number.parseInt(ref, 10),
  ref,
  input: { name, latitude: Number.parseInt(ref, 10), longitude: 1, ...rest },
})

function imported(
  registry: Registry,
  rows: ImportRow[],
  sha256?: string,
  missing: 'mark' | 'remove' | 'keep' = 'mark',
) {
  const file = sha256 === undefined ? undefined : { name: 'f.geojson', sha256, bytes: 1 }
  const run = registry.imports.start({ source, file })
  const decided = run.decide(rows).map(({ kind }) => kind)
  const outcomes = run.apply(rows)
  const end = run.finish({ counts: { rows: rows.length }, missing })
  expect(outcomes.map(({ kind }) => kind)).toEqual(decided)
  return { outcomes, ...end }
}

describe('imports', () => {
  test('a row is a waypoint with a log entry like any other, and knows its source', async () => {
    const registry = await emptyRegistry()
    imported(registry, [row('1', 'One', { amenities: ['tap'] })])
    expect(await registry.waypoints.get(1)).toMatchObject({
      name: 'One',
      addedByUserId: 'api',
      amenities: ['tap'],
    })
    expect((await registry.changes.get(1)).action).toBe('created')
    expect(await registry.waypoints.sources(1)).toMatchObject([{ ...source, ref: '1' }])
    expect(await registry.sources.list()).toMatchObject([{ ...source, waypoints: 1 }])
    expect(await registry.imports.list()).toMatchObject([{ sourceId: 1, counts: { rows: 1, marked: 0 } }])
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('the same rows again change nothing and write no log entry', async () => {
    const registry = await emptyRegistry()
    const rows = [row('1', 'One'), row('2', 'Two', { description: 'x' })]
    imported(registry, rows, 'abc')
    const before = await registry.waypoints.list()
    const { outcomes } = imported(registry, rows, 'abc')
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged'])
    expect(await registry.waypoints.list()).toEqual(before)
    expect(registry.changes.head().id).toBe(2)
  })

  test('a newer file updates what changed at the source and nobody edited here, and lists the conflicts', async () => {
    const registry = await emptyRegistry()
    imported(registry, [row('1', 'One', { description: 'old', amenities: ['tap', 'bench'] })])
    await registry.waypoints.update(1, { name: 'Our name', amenities: ['tap', 'bench', 'lit'] }, token())
    const { outcomes } = imported(registry, [
      row('1', 'Their name', { description: 'new', amenities: ['tap', 'wheelchair'] }),
    ])
    expect(outcomes).toMatchObject([
      {
        kind: 'updated',
        fields: ['description', 'amenities'],
        conflicts: [{ field: 'name', here: 'Our name', there: 'Their name' }],
      },
    ])
    expect(await registry.waypoints.get(1)).toMatchObject({
      name: 'Our name',
      description: 'new',
      amenities: ['tap', 'lit', 'wheelchair'],
    })
    expect(
      imported(registry, [row('1', 'Their name', { description: 'new', amenities: ['tap', 'wheelchair'] })])
        .outcomes,
    ).toMatchObject([{ kind: 'unchanged', conflicts: [] }])
  })

  test('a field that the source drops is cleared, unless it was edited here', async () => {
    const registry = await emptyRegistry()
    imported(registry, [row('1', 'One', { description: 'a', region: 'b' })])
    await registry.waypoints.update(1, { region: 'ours' }, token())
    imported(registry, [row('1', 'One')])
    const after = await registry.waypoints.get(1)
    expect(after).not.toHaveProperty('description')
    expect(after.region).toBe('ours')
  })

  test('a row that merges fills in what is absent here and keeps the rest', async () => {
    const registry = await emptyRegistry()
    await placed(registry, { name: 'Ours', amenities: ['tap'] })
    const { outcomes } = imported(registry, [
      { ...row('7', 'Theirs', { description: 'd', amenities: ['bench'] }), mergeInto: 1 },
    ])
    expect(outcomes).toMatchObject([{ kind: 'linked', waypointId: 1, fields: ['description', 'amenities'] }])
    expect(await registry.waypoints.get(1)).toMatchObject({
      name: 'Ours',
      description: 'd',
      amenities: ['tap', 'bench'],
    })
    expect(
      imported(registry, [row('7', 'Theirs', { description: 'd', amenities: ['bench'] })]).outcomes,
    ).toMatchObject([{ kind: 'unchanged' }])
  })

  test('rows that are gone are marked, and come back when they are listed again', async () => {
    const registry = await emptyRegistry()
    imported(registry, [row('1', 'One'), row('2', 'Two')])
    expect(imported(registry, [row('1', 'One')])).toMatchObject({ marked: 1, removed: 0 })
    expect((await registry.waypoints.sources(2))[0]?.missingSince).toBeDefined()
    imported(registry, [row('1', 'One'), row('2', 'Two')])
    expect((await registry.waypoints.sources(2))[0]).not.toHaveProperty('missingSince')
  })

  test('removing what is gone spares what anybody touched', async () => {
    const registry = await emptyRegistry()
    const ada = await registry.users.create({ name: 'Ada', xp: 50 })
    imported(
      registry,
      ['1', '2', '3', '4', '5'].map((ref) => row(ref, `n${ref}`)),
    )
    await registry.waypoints.update(
      2,
      { description: 'edited by a person' },
      { kind: 'user', userId: ada.id },
    )
    await registry.reviews.create({ bubblerId: 3, rating: 5 }, { kind: 'user', userId: ada.id })
    await registry.waypoints.update(4, { description: 'edited by a token' }, token())
    expect(imported(registry, [row('1', 'n1')], undefined, 'remove')).toMatchObject({ marked: 3, removed: 1 })
    expect((await registry.waypoints.list()).map(({ id }) => id)).toEqual([1, 2, 3, 4])
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('what was deleted here stays deleted', async () => {
    const registry = await emptyRegistry()
    imported(registry, [row('1', 'One')])
    await registry.waypoints.delete(1, token())
    expect(imported(registry, [row('1', 'One again')]).outcomes).toMatchObject([{ kind: 'deleted' }])
    expect(await registry.waypoints.list()).toEqual([])
  })

  test('a row that is no waypoint is refused with its reason, the others are not', async () => {
    const registry = await emptyRegistry()
    const { outcomes } = imported(registry, [row('91', 'North of north'), row('1', 'One'), row('2', '')])
    expect(outcomes).toMatchObject([
      { kind: 'refused', reason: expect.stringContaining('latitude') },
      { kind: 'created' },
      { kind: 'refused', reason: expect.stringContaining('name') },
    ])
  })

  test('a row for a user who is not there is refused, the others are not', async () => {
    const registry = await emptyRegistry()
    const { id } = await registry.users.create({ name: 'Ada' })
    const { outcomes } = imported(registry, [
      row('1', 'One', { addedByUserId: 'nobody' }),
      row('2', 'Two', { addedByUserId: id }),
    ])
    expect(outcomes).toMatchObject([
      { kind: 'refused', reason: 'addedByUserId: there is no user with this id' },
      { kind: 'created', waypointId: 1 },
    ])
    expect(await registry.waypoints.list()).toMatchObject([{ name: 'Two', addedByUserId: id }])
  })

  test('references that were looked up ahead are known as they are after a batch, too', async () => {
    const registry = await emptyRegistry()
    imported(registry, [row('1', 'One')])
    const run = registry.imports.start({ source })
    run.foresee(['1', '2'])
    expect(run.known('1')).toMatchObject({ waypointId: 1, values: { name: 'One' } })
    expect(run.known('2')).toBeUndefined()
    run.apply([row('1', 'First'), row('2', 'Two')])
    expect(run.known('1')).toMatchObject({ waypointId: 1, values: { name: 'First' } })
    expect(run.known('2')).toMatchObject({ waypointId: 2, values: { name: 'Two' } })
  })

  test('a run that was cut off goes on at its checkpoint', async () => {
    const registry = await emptyRegistry()
    const file = { name: 'f', sha256: 'abc', bytes: 3 }
    registry.imports.start({ source, file }).apply([row('1', 'One')], { rowsRead: 1 })
    const fresh = registry.imports.start({ source, file })
    expect(fresh.resumed).toBe(false)
    const resumed = registry.imports.start({ source, file, resume: true })
    expect(resumed.checkpoint).toEqual({ rowsRead: 1 })
    resumed.apply([row('2', 'Two')])
    expect(resumed.finish({ counts: {}, missing: 'remove' })).toEqual({ marked: 0, removed: 0 })
    expect(await registry.imports.list()).toHaveLength(1)
  })

  test('a batch that fails leaves nothing behind', async () => {
    const registry = await emptyRegistry()
    const run = registry.imports.start({ source })
    const twice = { ...row('1', 'One'), mergeInto: undefined }
    const broken = {
      row: 2,
      get input(): unknown {
        throw new Error('the reader broke')
      },
    }
    expect(() => run.apply([twice, broken])).toThrow('the reader broke')
    expect(await registry.waypoints.list()).toEqual([])
    expect(registry.changes.head().id).toBe(0)
    expect(registry.revision()).toBe(0)
    run.apply([twice])
    run.finish({ counts: {}, missing: 'mark' })
    expect(await registry.imports.list()).toMatchObject([{ id: 1, counts: { marked: 0, removed: 0 } }])
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('beginnings of words are found that a batch brings again after it failed, or after a purge', async () => {
    const database = path.join(await temporaryFolder(), 'words.db')
    const registry = await emptyRegistry({ database })
    const run = registry.imports.start({ source })
    // In descriptions, since every part of a name is found without the list of words.
    run.apply([row('1', 'One', { description: 'Marktbrunnen' })])
    const broken = Object.defineProperty({ ...row('3', 'Three') }, 'input', {
      get: () => {
        throw new Error('on fire')
      },
    })
    const nymph = (name: string) => row('2', name, { description: 'Nymphenquelle' })
    expect(() => run.apply([nymph('Two'), broken])).toThrow('on fire')
    const found = async (q: string) => (await registry.waypoints.search({ q })).map(({ name }) => name)
    expect(await found('nymphenq')).toEqual([])
    run.apply([nymph('Two again')])
    expect(await found('nymphenq')).toEqual(['Two again'])
    // Another process has no part in what this one remembers.
    const other = await emptyRegistry({ database })
    await other.changes.redact(2, { fields: ['description'], reason: 'a name' })
    expect(await found('nymphenq')).toEqual([])
    run.apply([row('4', 'Four', { description: 'Nymphenquelle' })])
    expect(await found('nymphenq')).toEqual(['Four'])
    expect(await found('marktbr')).toEqual(['One'])
  })

  test('merging leaves one piece of each index of search, which finds what it found', async () => {
    const database = path.join(await temporaryFolder(), 'merged.db')
    const registry = await emptyRegistry({ database, durability: 'relaxed' })
    const run = registry.imports.start({ source })
    for (let batch = 0; batch < 6; batch++) {
      const rows = Array.from({ length: 300 }, (_, index) => {
        const number = batch * 300 + index + 1
        return {
          row: number,
          ref: `n${number}`,
          input: { name: `Brunnen ${number}x`, latitude: batch, longitude: 1 },
        }
      })
      run.apply(rows)
    }
    const found = async () =>
      (await registry.waypoints.search({ q: 'runnen', limit: 100 })).map(({ id }) => id)
    const before = await found()
    const revision = registry.revision()
    const pieces = () => {
      const file = new Database(database, { readonly: true })
      const counts = ['waypointWords', 'waypointNames'].map((index) =>
        file.prepare(`select count(distinct segid) from ${index}_idx`).pluck().get(),
      )
      file.close()
      return counts
    }
    expect(Math.max(...(pieces() as number[]))).toBeGreaterThan(1)
    await registry.imports.merge(AbortSignal.abort())
    await registry.imports.merge()
    expect(pieces()).toEqual([1, 1])
    expect(await found()).toEqual(before)
    expect(before.length).toBeGreaterThan(10)
    expect(registry.revision()).toBe(revision)
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('a source without a licence is refused', async () => {
    const registry = await emptyRegistry()
    const start = async () => registry.imports.start({ source: { name: 'S', license: '' } })
    expect((await refusal(start())).code).toBe('INVALID_INPUT')
  })

  test('one large batch does what its rows do one by one', async () => {
    const kinds = ['tap', 'bottle', 'wheelchair', 'dog']
    const rows = Array.from({ length: 200 }, (_, index): ImportRow => {
      // Every seventh row says something else of an earlier one, and every eleventh is the same fountain by merging.
      const ref = index % 7 === 6 ? `${index - 3}` : `${index}`
      return {
        row: index + 1,
        ref,
        input: {
          name: `${['Bründl', 'Fontaine', '飲み水', 'Tap'][index % 4]} ${index % 31}`,
          latitude: (index % 50) + 0.25,
          longitude: -(index % 20),
          ...(index % 3 === 0 && { description: `Beside café no. ${index % 5}`, region: 'Genève' }),
          ...(index % 5 === 0 && { amenities: [kinds[index % 4]] }),
          ...(index % 13 === 0 && { verified: true }),
        },
        ...(index % 11 === 10 && { mergeInto: 1 + (index % 5) }),
      }
    })
    const clock = () => new Date('2026-01-01T00:00:00.000Z')
    const apart = await emptyRegistry({ clock })
    const together = await emptyRegistry({ clock })
    const one = apart.imports.start({ source })
    const outcomes = rows.flatMap((each) => one.apply([each]))
    expect(together.imports.start({ source }).apply(rows)).toEqual(outcomes)
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(
      new Set(['created', 'updated', 'linked', 'conflict']),
    )
    const seen = async (registry: Registry) => ({
      waypoints: await registry.waypoints.list(),
      sources: await Promise.all(
        (await registry.waypoints.list()).map(({ id }) => registry.waypoints.sources(id)),
      ),
      log: await Array.fromAsync(registry.changes.since(0), ({ id, bubblerId, action, changes }) => ({
        id,
        bubblerId,
        action,
        changes,
      })),
      api: await registry.users.get('api'),
      box: await registry.waypoints.list({ bbox: [-10, 0, 0, 30] }),
      found: await Promise.all(
        ['brundl', 'cafe 3', '飲', 'geneve', 'nothing'].map((q) =>
          registry.waypoints.search({ q, limit: 50 }),
        ),
      ),
    })
    expect(await seen(together)).toEqual(await seen(apart))
    expect((await seen(together)).found.map(({ length }) => length > 0)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect(await together.changes.verify()).toMatchObject({ ok: true })
  })

  test('a reference that a row of the batch replaced is new to the rows behind it', async () => {
    const outcomes = []
    for (const size of [1, 2]) {
      const registry = await emptyRegistry()
      imported(registry, [row('1', 'One')])
      const rows = [{ ...row('2', 'Two'), mergeInto: 1 }, row('1', 'Another one')]
      const run = registry.imports.start({ source })
      for (let start = 0; start < rows.length; start += size) run.apply(rows.slice(start, start + size))
      const found = await registry.waypoints.list()
      const sources = await Promise.all(found.map(({ id }) => registry.waypoints.sources(id)))
      outcomes.push({ names: found.map(({ name }) => name), refs: sources.flat().map(({ ref }) => ref) })
    }
    expect(outcomes[0]).toEqual({ names: ['Two', 'Another one'], refs: ['2', '1'] })
    expect(outcomes[1]).toEqual(outcomes[0])
  })
})
