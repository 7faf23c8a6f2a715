import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { emptyRegistry, feature, geojson, importContent, temporaryFolder } from './fixture.ts'

interface Fountain {
  id: string
  name: string
  y?: number
  operator?: string
}

const file = (...fountains: Fountain[]) =>
  geojson(
    ...fountains.map(({ id, name, y = 47, operator }, index) =>
      feature(8 + index / 100, y, { name, operator }, id),
    ),
  )

const three = [
  { id: 'a', name: 'Marktplatz' },
  { id: 'b', name: 'Bahnhof' },
  { id: 'c', name: 'Hafen' },
]

async function log(registry: Registry): Promise<number> {
  return (await registry.changes.list({})).total
}

describe('importing again', () => {
  test('the same file changes nothing and writes no log entry', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    const entries = await log(registry)
    const before = await registry.waypoints.list()
    const { counts } = await importContent(registry, file(...three))
    expect(counts).toMatchObject({ rows: 3, unchanged: 3, created: 0, updated: 0, missing: 0 })
    expect(await log(registry)).toBe(entries)
    expect(await registry.waypoints.list()).toEqual(before)
  })

  test('the same rows in another format and order change nothing either', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    const entries = await log(registry)
    const csv = 'ref;name;lat;lon\nc;Hafen;47;8,02\na;Marktplatz;47,0000001;8\nb;Bahnhof;47;8,01\n'
    const { counts } = await importContent(registry, csv)
    expect(counts).toMatchObject({ unchanged: 3, created: 0, updated: 0 })
    expect(await log(registry)).toBe(entries)
  })

  test('a file without references changes nothing the second time', async () => {
    const registry = await emptyRegistry()
    const content = 'name,lat,lon\nA,47,8\n,47,8\nB,47.1,8\n'
    await importContent(registry, content)
    const entries = await log(registry)
    expect((await importContent(registry, content)).counts).toMatchObject({ unchanged: 3, created: 0 })
    expect(await log(registry)).toBe(entries)
  })

  test('updates only what changed at the source', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    const newer = file(
      { id: 'a', name: 'Marktplatz Nord' },
      { id: 'b', name: 'Bahnhof', y: 47.5 },
      { id: 'c', name: 'Hafen', operator: 'Port' },
    )
    const { counts } = await importContent(registry, newer)
    expect(counts).toMatchObject({ updated: 3, created: 0, conflicts: 0 })
    const entries = await registry.changes.list({ action: 'edited' })
    expect(entries.logs.map(({ changes }) => changes).toReversed()).toEqual([
      { name: 'Marktplatz Nord' },
      { latitude: 47.5 },
      { maintainer: 'Port' },
    ])
  })

  test('leaves what people edited here, and lists what changed on both sides', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    await registry.waypoints.update(1, { name: 'Market square', description: 'By the lion' }, token())
    const same = await importContent(registry, file(...three))
    expect(same.counts).toMatchObject({ unchanged: 3, updated: 0, conflicts: 0 })
    const { counts, conflicts } = await importContent(
      registry,
      file({ id: 'a', name: 'Marktplatz Nord' }, ...three.slice(1)),
    )
    expect(counts).toMatchObject({ conflicts: 1, unchanged: 2 })
    expect(conflicts).toEqual([
      {
        row: 1,
        waypointId: 1,
        conflicts: [{ field: 'name', here: 'Market square', there: 'Marktplatz Nord' }],
      },
    ])
    expect(await registry.waypoints.get(1)).toMatchObject({
      name: 'Market square',
      description: 'By the lion',
    })
  })

  test('does not bring back what was deleted here', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    await registry.waypoints.delete(2, token())
    const { counts } = await importContent(
      registry,
      file(
        three[0] ?? { id: '', name: '' },
        { id: 'b', name: 'Bahnhof Ost' },
        three[2] ?? { id: '', name: '' },
      ),
    )
    expect(counts).toMatchObject({ deleted: 1, unchanged: 2, created: 0 })
  })

  test('does not replace a name by a generated one, nor a position by a rounded one', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, geojson(feature(8.123_456_7, 47.123_456_7, { name: 'Löwe' }, 'a')))
    const { counts } = await importContent(registry, geojson(feature(8.123_456, 47.123_457, {}, 'a')))
    expect(counts).toMatchObject({ unchanged: 1, updated: 0 })
  })
})

describe('rows that the source no longer lists', () => {
  test('are marked, and listed again when they come back', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    const gone = await importContent(registry, file(...three.slice(0, 2)))
    expect(gone.counts).toMatchObject({ missing: 1, removed: 0 })
    expect(await registry.waypoints.list()).toHaveLength(3)
    expect(await registry.waypoints.sources(3)).toMatchObject([{ missingSince: expect.any(String) }])
    const back = await importContent(registry, file(...three))
    expect(back.counts).toMatchObject({ unchanged: 3, missing: 0 })
    expect((await registry.waypoints.sources(3))[0]).not.toHaveProperty('missingSince')
  })

  test('are removed on request, except those that somebody edited', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    const reader = await registry.users.create({ name: 'Ada', xp: 100 })
    await registry.waypoints.update(2, { description: 'Checked' }, { kind: 'user', userId: reader.id })
    const dry = await importContent(registry, file(three[0] ?? { id: '', name: '' }), {
      missing: 'remove',
      dryRun: true,
    })
    const { counts } = await importContent(registry, file(three[0] ?? { id: '', name: '' }), {
      missing: 'remove',
    })
    expect(counts).toMatchObject({ missing: 1, removed: 1 })
    expect(dry.counts).toEqual(counts)
    expect((await registry.waypoints.list()).map(({ id }) => id)).toEqual([1, 2])
    expect((await registry.waypoints.history(3)).map(({ action }) => action)).toEqual(['created', 'deleted'])
  })

  test('can be removed by the same file again, once they were marked', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    const newer = file(...three.slice(0, 2))
    expect((await importContent(registry, newer)).counts).toMatchObject({ missing: 1, removed: 0 })
    const dry = await importContent(registry, newer, { missing: 'remove', dryRun: true })
    const again = await importContent(registry, newer, { missing: 'remove' })
    expect(again.counts).toMatchObject({ unchanged: 2, missing: 0, removed: 1 })
    expect(dry.counts).toEqual(again.counts)
    expect((await importContent(registry, newer, { missing: 'remove' })).counts).toMatchObject({
      removed: 0,
      missing: 0,
    })
  })

  test('are kept when a file is only a part', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    expect((await importContent(registry, file(...three.slice(1)), { missing: 'keep' })).counts.missing).toBe(
      0,
    )
  })
})

describe('a dry run', () => {
  test('reports exactly what the real run then does, and writes nothing', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, file(...three))
    await registry.waypoints.update(1, { name: 'Market square' }, token())
    const newer = file(
      { id: 'a', name: 'Neu' },
      { id: 'c', name: 'Hafen', operator: 'Port' },
      { id: 'd', name: 'Park' },
      { id: 'd', name: 'Park' },
    )
    const revision = await registry.revision()
    const dry = await importContent(registry, newer, { dryRun: true })
    expect(await registry.revision()).toBe(revision)
    expect(await registry.imports.list()).toHaveLength(1)
    const real = await importContent(registry, newer)
    expect(dry.counts).toEqual(real.counts)
    expect(dry.conflicts).toEqual(real.conflicts)
    expect(dry.duplicates).toEqual(real.duplicates)
    expect(real.counts).toMatchObject({
      rows: 4,
      created: 1,
      updated: 1,
      conflicts: 1,
      duplicates: 1,
      missing: 1,
    })
  })
})

describe('a file without references', () => {
  test('whose fountain was moved a little keeps it, and the dry run says so', async () => {
    const registry = await emptyRegistry()
    await importContent(registry, 'name,lat,lon\nLöwenbrunnen,47,8\nBärenbrunnen,47.1,8\n')
    const newer = 'name,lat,lon\nLöwenbrunnen,47.0001,8\n'
    const dry = await importContent(registry, newer, { dryRun: true })
    const { counts } = await importContent(registry, newer)
    expect(counts).toMatchObject({ updated: 1, created: 0, missing: 1 })
    expect(dry.counts).toEqual(counts)
  })
})

describe('the record of an import', () => {
  test('has source, licence, file, hash and counts', async () => {
    const registry = await emptyRegistry()
    const full = {
      name: 'City of Lund',
      url: 'https://lund.example/data',
      license: 'CC-BY-4.0',
      attribution: 'City of Lund',
    }
    const report = await importContent(registry, file(...three), { source: full })
    expect(await registry.sources.list()).toMatchObject([
      { ...full, waypoints: 3, lastImport: expect.any(String) },
    ])
    expect(await registry.imports.list()).toMatchObject([
      {
        file: { name: 'fountains', sha256: report.file.sha256, bytes: report.file.bytes },
        counts: { rows: 3, created: 3, missing: 0 },
      },
    ])
    expect(report.file.sha256).toMatch(/^[0-9a-f]{64}$/u)
  })

  test('takes the source from the map where the command does not say it', async () => {
    const registry = await emptyRegistry()
    const map = { source: { name: 'From the map', license: 'CC0-1.0', attribution: 'Them' } }
    await importContent(registry, file(...three), { source: { license: 'ODbL-1.0' }, map })
    expect(await registry.sources.list()).toMatchObject([
      { name: 'From the map', license: 'ODbL-1.0', attribution: 'Them' },
    ])
  })

  test('every row is counted once', async () => {
    const registry = await emptyRegistry()
    const folder = await temporaryFolder()
    const { counts } = await importContent(
      registry,
      'id,name,typ,lat,lon\n1,A,Trinkbrunnen,47,8\n2,B,Zierbrunnen,47.1,8\n3,C,Trinkbrunnen,0,0\n1,A,Trinkbrunnen,47,8\n4,D,Trinkbrunnen,47.3,8\n5,E,Trinkbrunnen,47.4,8\n6,F,Trinkbrunnen,47.5,8\n7,G,Trinkbrunnen,47.6,8\n8,H,Trinkbrunnen,47.7,8\n9,I,Trinkbrunnen,47.8,8\n',
      { rejectedFile: `${folder}/no`, reviewFile: `${folder}/maybe` },
    )
    const { rows, created, leftOut, duplicates, refused } = counts
    expect([rows, created, leftOut, duplicates, refused]).toEqual([10, 7, 1, 1, 1])
    expect(readdirSync(folder)).toEqual(['no'])
  })
})
