import path from 'node:path'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { Registry, Waypoint, WaypointSource } from '@openfountain/core'
import { readMapFile, readyMapFor, readyMaps } from '@openfountain/exchange'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry, tickingClock } from '@openfountain/testing/registry'
import { importFile, type ImportFileOptions } from '../../src/index.ts'
import { isReference } from '../../src/import/matching.ts'
import { countryOf } from '../../src/places/index.ts'
import { excerptFolder, fileWith, source } from './fixture.ts'
import { excerpts, realFiles, type Pin } from './pins.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const dataFolder = path.resolve(root, '../shared/data')
const hasData = existsSync(path.join(dataFolder, 'README.md'))

const committed: Readonly<Record<string, string>> = {
  'zurich_brunnen_2021.geojson': 'zurich',
  'paris_fontaines_2022.geojson': 'paris',
  'vienna_trinkbrunnen_2024.geojson': 'vienna',
}

function pathOf(file: string): string {
  const city = committed[file]
  if (city !== undefined) return path.join(root, `packages/testing/data/${city}.geojson.gz`)
  return path.resolve(existsSync(path.join(excerptFolder, file)) ? excerptFolder : dataFolder, file)
}

async function lastListedIn(registry: Registry): Promise<Set<string | undefined>> {
  const snapshot = await registry.snapshot()
  try {
    return new Set(Array.from(snapshot.records(), ({ lastListed }) => lastListed))
  } finally {
    snapshot.close()
  }
}

const pathOfMap = (name: string) => path.resolve(import.meta.dirname, `../../maps/${name}.json`)

async function importReal(
  registry: Registry,
  file: string,
  map = '-',
  options: Partial<ImportFileOptions> = {},
) {
  const folder = newFolder()
  return importFile(registry, {
    file: pathOf(file),
    source,
    ...(map !== '-' && { map: pathOfMap(map) }),
    rejectedFile: path.join(folder, 'rejected.ndjson'),
    reviewFile: path.join(folder, 'review.csv'),
    ...options,
  })
}

interface Listed {
  readonly waypoint: Waypoint
  readonly sources: readonly WaypointSource[]
}

async function listedIn(registry: Registry): Promise<Listed[]> {
  const found: Listed[] = []
  for await (const waypoint of registry.waypoints.each())
    found.push({ waypoint, sources: await registry.waypoints.sources(waypoint.id) })
  return found
}

/** A reference made from a place differs between registries, so that the place is used. */
const linesOf = (listed: readonly Listed[]): string[] =>
  listed.flatMap(({ waypoint: { latitude, longitude, name, amenities }, sources }) => {
    const [north, east] = [latitude.toFixed(5), longitude.toFixed(5)]
    return sources.flatMap(({ ref }) =>
      ref === undefined
        ? []
        : `${isReference(ref) ? ref : `geo:${north},${east}`} ${north} ${east} ${name} [${amenities.join(' ')}]`,
    )
  })

/** The day of publication, and counts of states, days, hours and seasons, such as `as of 2022-06-01, 82 broken, 5 off`. */
function saysOf(published: string | undefined, listed: readonly Listed[]): string {
  const words = listed.flatMap(({ waypoint, sources: [said] }) => {
    const { state, checked, updated, since, until } = said ?? {}
    const { openingHours, season } = waypoint
    const given = Object.entries({ checked, updated, since, until, openingHours, season })
    return [state ?? [], ...given.flatMap(([name, value]) => (value === undefined ? [] : name))].flat()
  })
  const counts = byCount(words).map(([word, count]) => `${count} ${word}`)
  return [published === undefined ? [] : `as of ${published}`, counts].flat().join(', ')
}

/** The countries and the regions, with the names and numbers of the largest: `FR 1201; 28 regions, Paris 127`. */
async function whereOf(registry: Registry): Promise<string> {
  const snapshot = await registry.snapshot()
  const records = [...snapshot.records()]
  snapshot.close()
  const countries = byCount(records.map(({ place }) => place?.country ?? 'none'))
  const regions = byCount(records.flatMap(({ region }) => region ?? []))
  const named = regions.slice(0, 1).map(([region, count]) => `, ${region} ${count}`)
  return `${countries.map((country) => country.join(' ')).join(', ')}; ${regions.length} regions${named.join('')}`
}

function byCount(words: readonly string[]): (readonly [word: string, count: number])[] {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const)
  return counts.toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1))
}

async function importsAsPinned({ file, map, fountain, ...pinned }: Pin): Promise<void> {
  // Later than each of the files.
  const registry = await emptyRegistry({ places: countryOf, clock: tickingClock('2026-12-01T00:00:00Z') })
  const { counts, published, notes } = await importReal(registry, file, map)
  expect(notes.some(({ code }) => code === 'PUBLISHED_UNKNOWN')).toBe(published === undefined)
  const { rows, created, leftOut, duplicates, refused, doubtful, matched } = counts
  expect(rows).toBe(created + leftOut + duplicates + refused)
  expect([doubtful, matched]).toEqual([0, 0])
  const listed = await listedIn(registry)
  const lines = linesOf(listed)
  expect(lines.find((line) => line === fountain) ?? lines.slice(0, 5)).toBe(fountain)
  expect({
    counts: [rows, created, leftOut, duplicates, refused].join(' '),
    says: saysOf(published, listed),
    where: await whereOf(registry),
  }).toEqual(pinned)
  expect((await registry.changes.verify()).ok).toBe(true)
}

const endsOf = (counts: string) => [/^\d+/u, /\d+$/u].map((number) => Number(number.exec(counts)?.[0]))

test('maps that come with the package: each is a map, and one that is chosen by headings names its source and licence', async () => {
  const ready = await readyMaps()
  expect(new Set(ready.map(({ name }) => name))).toEqual(new Set(realFiles.map(({ map }) => map)))
  for (const { name, path: file } of ready) {
    const { recognise, source } = await readMapFile(file)
    if (recognise !== undefined) expect(source, name).toMatchObject({ name: /./u, license: /./u })
  }
})

test('a file with other headings has no ready map', async () => {
  const file = fileWith('nummer,latitude,longitude\n1,47.3,8.5\n', 'own.csv')
  expect(await readyMapFor(file)).toBeUndefined()
})

test('a file is recognised by its headings, whatever its format', async () => {
  for (const file of [
    'brunnen-2018.geojson',
    'brunnen-2021.geojson',
    'brunnen-2018.gpkg',
    'brunnen-2018.parquet',
  ])
    expect((await readyMapFor(pathOf(file)))?.name, file).toBe('zurich')
  expect((await readyMapFor(pathOf('paris_fontaines_2022.geojson')))?.name).toBe('paris')
  expect(await readyMapFor(pathOf('vienna_trinkbrunnen_2024.geojson'))).toBeUndefined()
})

describe('an excerpt of a city’s files', () => {
  test('is in the table, whatever its format', () => {
    const files = readdirSync(excerptFolder).filter((name) => name !== 'README.md')
    expect(excerpts.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
  })

  test.each(excerpts)('$file imports as pinned with the map $map', (pin) => importsAsPinned(pin))

  test.each(excerpts)('$file needs no map', async ({ file, counts: pinned }) => {
    const registry = await emptyRegistry()
    const { rows, created, duplicates, refused } = (await importReal(registry, file)).counts
    expect([rows, refused]).toEqual(endsOf(pinned))
    expect(created + duplicates).toBe(rows)
    const places = (await registry.waypoints.list()).map(({ latitude, longitude }) => [latitude, longitude])
    expect(places).toContainEqual([expect.closeTo(47.36975, 4), expect.closeTo(8.59926, 4)])
  })

  test('has no day where nobody knows when it was published, and has it once somebody says it', async () => {
    const registry = await emptyRegistry()
    const undated = await importReal(registry, 'brunnen-2021.geojson', 'zurich')
    expect(undated.notes).toContainEqual({ code: 'PUBLISHED_UNKNOWN' })
    expect(await lastListedIn(registry)).toEqual(new Set([undefined]))
    expect((await registry.sources.list())[0]).not.toHaveProperty('published', expect.anything())
    expect(await registry.observations.status(1)).toEqual({ state: 'unconfirmed', supporters: 0 })
    expect((await registry.imports.list())[0]?.finishedAt).toMatch(/^2026-01-01/u)
    expect((await registry.waypoints.sources(1))[0]?.lastSeen).toMatch(/^2026-01-01/u)
    const dated = await importReal(registry, 'brunnen-2021.geojson', 'zurich', { published: '2021-05-01' })
    const lacking = { code: 'COLUMNS_LACKING', columns: ['bezeichnung', 'bezeichnun'] }
    expect([dated.notes, dated.counts.unchanged]).toEqual([[lacking], 14])
    expect(await lastListedIn(registry)).toEqual(new Set(['2021-05-01']))
    await importReal(registry, 'brunnen-2021.geojson', 'zurich')
    expect(await lastListedIn(registry)).toEqual(new Set(['2021-05-01']))
    expect((await registry.changes.verify()).problems).toEqual([])
  })

  test('of 2021 matches 2018 by number, whatever the coordinates’ last digits', async () => {
    const registry = await emptyRegistry()
    await importReal(registry, 'brunnen-2018.geojson', 'zurich')
    const { counts } = await importReal(registry, 'brunnen-2021.geojson', 'zurich')
    // Three are new in 2021 (700.1, 1305, 177), one of 2018 is gone (714).
    expect(counts).toMatchObject({ rows: 14, created: 3, missing: 1, conflicts: 0, doubtful: 0, refused: 0 })
    expect(counts.updated + counts.unchanged).toBe(11)
  })
})

const wholeFiles = realFiles.filter(({ file }) => hasData || file in committed)

describe('a whole file', { tags: ['long'] }, () => {
  test.each(wholeFiles)('$file imports as pinned with the map $map', (pin) => importsAsPinned(pin))
})

describe.skipIf(!hasData)('a file of ../shared/data', { tags: ['long'] }, () => {
  test('is recognised by its headings', async () => {
    const files = [
      'paris_fontaines_semicolon_2019.csv',
      'malawi_waterpoints_2022.csv',
      'vancouver_utm_bom.csv',
    ]
    const maps = files.map(async (file) => (await readyMapFor(pathOf(file)))?.name)
    expect(await Promise.all(maps)).toEqual(['paris-2019', 'malawi-2022', undefined])
  })

  test('says itself when it was taken from OpenStreetMap', async () => {
    const files = ['osm_paris_overpass-ide_2021.geojson', 'osm_catalunya_overpass-turbo_2025.geojson']
    const reports = files.map(async (file) =>
      importReal(await emptyRegistry(), file, 'openstreetmap', { dryRun: true }),
    )
    const days = (await Promise.all(reports)).map(({ published }) => published)
    expect(days).toEqual(['2021-01-29', '2025-07-09'])
  })

  test('leaves the names of mappers nowhere in the database file', async () => {
    const file = 'osm_arua-uganda_overpass-raw_2018.json'
    const database = path.join(newFolder(), 'arua.db')
    const registry = await emptyRegistry({ database })
    await importReal(registry, file, 'openstreetmap')
    await registry.close()
    const raw = JSON.parse(await readFile(pathOf(file), 'utf8')) as { elements: { user: string }[] }
    const stored = await readFile(database)
    const mappers = new Set(raw.elements.map(({ user }) => user))
    expect(mappers.size).toBeGreaterThan(5)
    for (const mapper of mappers) expect(stored.includes(mapper)).toBe(false)
  })
})
