import { expect, test } from 'vitest'
import { token, type Registry } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'
import { feature, geojson, importContent } from './fixture.ts'

interface Fountain {
  readonly id: string
  readonly name: string
  readonly y?: number
  readonly operator?: string
}

const file = (...fountains: readonly Fountain[]) =>
  geojson(
    ...fountains.map(({ id, name, y = 47, operator }, index) =>
      feature(8 + index / 100, y, { name, operator }, id),
    ),
  )

const [market, station, port] = [
  { id: 'a', name: 'Marktplatz' },
  { id: 'b', name: 'Bahnhof' },
  { id: 'c', name: 'Hafen' },
] as const
const three = file(market, station, port)

async function after(content = three): Promise<Registry> {
  const registry = await emptyRegistry()
  await importContent(registry, content)
  return registry
}

const withoutReferences = 'name,lat,lon\nA,47,8\n,47,8\nB,47.1,8\n'
test.each([
  ['the same file', three, three],
  [
    'the same rows in another format and order',
    three,
    'ref;name;lat;lon\nc;Hafen;47;8,02\na;Marktplatz;47,0000001;8\nb;Bahnhof;47;8,01\n',
  ],
  ['a file without references', withoutReferences, withoutReferences],
  [
    'a generated name and a rounded position',
    geojson(feature(8.123_456_7, 47.123_456_7, { name: 'Löwe' }, 'a')),
    geojson(feature(8.123_456, 47.123_457, {}, 'a')),
  ],
])('importing again: %s changes nothing and writes no log entry', async (_, first, second) => {
  const registry = await after(first)
  const [before, entries] = [await registry.waypoints.list(), await registry.changes.list({})]
  const { counts } = await importContent(registry, second)
  expect(counts).toMatchObject({ unchanged: before.length, created: 0, updated: 0, missing: 0 })
  expect(await registry.changes.list({})).toEqual(entries)
  expect(await registry.waypoints.list()).toEqual(before)
})

test('rows that the source no longer lists are marked, and listed again when they come back', async () => {
  const registry = await after()
  const gone = await importContent(registry, file(market, station), { accept: ['shrink'] })
  expect(gone.counts).toMatchObject({ missing: 1, removed: 0 })
  expect(await registry.waypoints.list()).toHaveLength(3)
  expect(await registry.waypoints.sources(3)).toMatchObject([{ missingSince: expect.any(String) }])
  const back = await importContent(registry, three, { accept: ['older'] })
  expect(back.counts).toMatchObject({ unchanged: 3, missing: 0 })
  expect((await registry.waypoints.sources(3))[0]).not.toHaveProperty('missingSince')
})

test('rows that the source no longer lists can be removed by the same file again, once they were marked', async () => {
  const registry = await after()
  const newer = file(market, station)
  const accept = ['shrink'] as const
  expect((await importContent(registry, newer, { accept })).counts).toMatchObject({
    missing: 1,
    removed: 0,
  })
  const dry = await importContent(registry, newer, { missing: 'remove', dryRun: true })
  const again = await importContent(registry, newer, { missing: 'remove', accept })
  expect(again.counts).toMatchObject({ unchanged: 2, missing: 0, removed: 1 })
  expect(dry.counts).toEqual(again.counts)
  const third = await importContent(registry, newer, { missing: 'remove' })
  expect(third.counts).toMatchObject({ removed: 0, missing: 0 })
})

test('a dry run reports exactly what the real run then does, and writes nothing', async () => {
  const registry = await after()
  await registry.waypoints.update(1, { name: 'Market square' }, token())
  const park = { id: 'd', name: 'Park' }
  const newer = file({ ...market, name: 'Neu' }, { ...port, operator: 'Port' }, park, park)
  const revision = await registry.revision()
  const dry = await importContent(registry, newer, { dryRun: true })
  expect(await registry.revision()).toBe(revision)
  expect(await registry.imports.list()).toHaveLength(1)
  const { counts, conflicts, duplicates } = await importContent(registry, newer, { accept: ['shrink'] })
  expect(dry).toMatchObject({ counts, conflicts, duplicates })
  expect(counts).toMatchObject({ rows: 4, created: 1, updated: 1, conflicts: 1, duplicates: 1, missing: 1 })
})

test('the record of an import has source, licence, file, hash and counts', async () => {
  const registry = await emptyRegistry()
  const source = {
    name: 'City of Lund',
    url: 'https://lund.example/data',
    license: 'CC-BY-4.0',
    attribution: 'City of Lund',
  }
  const { sha256, bytes } = (await importContent(registry, three, { source })).file
  expect(sha256).toMatch(/^[0-9a-f]{64}$/u)
  expect(await registry.sources.list()).toMatchObject([
    { ...source, waypoints: 3, lastImport: expect.any(String) },
  ])
  expect(await registry.imports.list()).toMatchObject([
    { file: { name: 'fountains', sha256, bytes }, counts: { rows: 3, created: 3, missing: 0 } },
  ])
})

test('the record of an import takes the source from the map where the command does not say it', async () => {
  const registry = await emptyRegistry()
  const map = { source: { name: 'From the map', license: 'CC0-1.0', attribution: 'Them' } }
  await importContent(registry, three, { source: { license: 'ODbL-1.0' }, map })
  expect(await registry.sources.list()).toMatchObject([
    { name: 'From the map', license: 'ODbL-1.0', attribution: 'Them' },
  ])
})
