import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { editionOf, textsOfEach } from '../../src/export/edition.ts'
import { exportRegistry, formats, type TextFormat } from '../../src/index.ts'
import { newSharedDatabase, type TestDatabase } from '@openfountain/testing/database'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { hostileNames } from './sample-snapshot.ts'
import { pagesOf } from '../../src/export/text/texts.ts'
import { jsonIn, temporaryFolder, textIn } from './written-edition.ts'

let folder: string
let own: TestDatabase
let registry: Registry
let minutes = 0
const secret = 'planted'

beforeEach(async () => {
  minutes = 0
  own = await newSharedDatabase()
  folder = temporaryFolder()
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
  registry = await openRegistry({ database: own.database, clock, name: 'Lund', properties: sampleProperties })
  const ada = await registry.users.create({ id: 'ada', name: 'Ada', email: `${secret}@example.org`, xp: 100 })
  for (const [index, name] of hostileNames.entries()) {
    const trimmed = name.trim()
    await registry.waypoints.create(
      {
        name: trimmed,
        latitude: index / 7,
        longitude: -index / 3,
        description: name,
        amenities: ['tap', trimmed],
        ...(index % 2 === 0 && { region: trimmed, image: 'https://example.org/a?b=1&c=2', maintainer: name }),
        ...(index % 3 === 0 && sampleValues(trimmed, index)),
      },
      user(ada.id),
    )
  }
  await registry.reviews.create({ bubblerId: 2, rating: 4 }, user(ada.id))
  await registry.reviews.create({ bubblerId: 2, rating: 5 }, user(ada.id))
  await registry.waypoints.delete(3, token())
  const run = await registry.imports.start({ source: { name: 'City "of" Lund', license: 'CC0-1.0' } })
  await run.apply([
    {
      row: 1,
      ref: '=A-1',
      input: { name: 'Imported', latitude: 0.1 + 0.2, longitude: 1e-7 },
      state: 'broken',
      until: '2026-06-10',
    },
    {
      row: 2,
      ref: 'A-2',
      input: { name: 'Linked', latitude: 5, longitude: 6 },
      mergeInto: 1,
      checked: '2026-05-20',
    },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  await registry.observations.create({ bubblerId: 2, kind: 'works' }, user(ada.id))
  await registry.observations.create({ bubblerId: 5, kind: 'gone' }, user(ada.id))
})

afterEach(async () => {
  await registry.close()
  await own.remove()
})

test('a worker writes the same bytes twice as of a time, and nothing but the files of the report', async () => {
  const [one, two] = [join(folder, 'one'), join(folder, 'two')]
  const report = await exportRegistry(registry, { out: one, asOf: '2026-06-02T01:30:00+01:00' })
  await exportRegistry(registry, { out: two, asOf: '2026-06-02T00:30:00.000Z' })
  expect(readdirSync(one).toSorted()).toEqual(report.files.map(({ file }) => file).toSorted())
  for (const file of readdirSync(one)) {
    const same = readFileSync(join(one, file)).equals(readFileSync(join(two, file)))
    expect({ file, same }).toEqual({ file, same: true })
  }
  expect(report.head).toEqual(await registry.changes.head())
  expect(jsonIn(one, 'datapackage.json')).toMatchObject({ created: '2026-06-02T00:30:00.000Z' })
  expect(jsonIn(one, 'datapackage.json').openfountain).toMatchObject({
    revision: await registry.revision(),
    as_of: '2026-06-02T00:30:00.000Z',
    data_time: await registry.dataTime(),
    log: { hash: (await registry.changes.head()).hash },
  })
})

test('texts that the database makes are those that are made of its records', async () => {
  // One waypoint of two sources, and one of a source that calls it nothing.
  const run = await registry.imports.start({ source: { name: 'Ålands; öar', license: 'PDDL-1.0' } })
  await run.apply([
    { row: 1, ref: 'Ö;1', input: { name: 'Linked', latitude: 5, longitude: 6 }, mergeInto: 1 },
    { row: 2, input: { name: 'Nameless there', latitude: -0.000_05, longitude: 12.345_678_901_234_567 } },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  // And one whose texts are not absent, although they say so.
  const absent = { description: 'null', region: 'null', maintainer: 'null', openingHours: 'null' }
  await registry.waypoints.create({ name: 'null', latitude: 1, longitude: 2, ...absent }, token())
  const snapshot = await registry.snapshot()
  const { name, author, license } = registry
  const edition = editionOf({ snapshot, publisher: { name, author, license } })
  const isText = (format: object): format is TextFormat => 'text' in format
  for (const format of formats.filter(isText)) {
    const slow = {
      ...edition,
      texts: (template: Parameters<typeof edition.texts>[0]) => textsOfEach(edition.waypoints(), template),
      pages: (template: Parameters<typeof edition.pages>[0]) => pagesOf(edition.waypoints(), template),
    }
    const text = [...format.text(edition, { rows: 0 })].join('')
    if (format.name === 'csv')
      expect(text).toContain(String.raw`,"City ""of"" Lund;Ålands\; öar",A-2;Ö\;1,CC0-1.0 AND PDDL-1.0,`)
    expect([...format.text(slow, { rows: 0 })].join('')).toBe(text)
  }
  snapshot.close()
})

test('states are those of the day, in every file the same, and status.json has those that are known', async () => {
  const imported = hostileNames.length + 1
  const statesAsOf = async (asOf: string) => {
    const out = join(folder, asOf)
    await exportRegistry(registry, { out, asOf, formats: ['csv', 'geojson', 'ndjson', 'gpkg', 'status'] })
    const inGeojson = jsonIn(out, 'waypoints.geojson').features.map(
      ({
        properties: { id, state, state_since: since, last_confirmed: confirmed },
      }: ReturnType<typeof jsonIn>) => [id, state, since ?? null, confirmed ?? null].join(' '),
    )
    const database = new Database(join(out, 'waypoints.gpkg'), { readonly: true })
    const rows = database.prepare('select id, state, state_since, last_confirmed from waypoints').raw().all()
    database.close()
    expect(rows.map((row) => (row as unknown[]).join(' '))).toEqual(
      inGeojson.map((text: string) => text.replaceAll('null', '')),
    )
    const { asOf: time, ttl, states } = jsonIn(out, 'status.json')
    expect({ time, ttl }).toEqual({ time: `${asOf}T00:00:00.000Z`, ttl: 86_400 })
    expect(Object.keys(states)).toEqual(
      inGeojson
        .filter((text: string) => !text.includes('unconfirmed'))
        .map((text: string) => text.split(' ')[0]),
    )
    return states
  }
  const states = await statesAsOf('2026-06-03')
  expect(states).toMatchObject({
    1: { state: 'works', since: '2026-05-20' },
    2: { state: 'works', since: '2026-06-01' },
    5: { state: 'reported', since: '2026-06-01' },
    [imported]: { state: 'broken' },
  })
  const later = await statesAsOf('2026-12-30')
  expect([later[2], later[imported]]).toEqual([undefined, undefined])
  // The seasons of others are over by now.
  expect(Object.values(later)).toContainEqual(expect.objectContaining({ state: 'off' }))
})

test('a part of the registry is chosen by country, subdivision and state as of the export', async () => {
  await registry.waypoints.assignPlaces(({ latitude }) =>
    latitude < 1 ? { country: 'SE', subdivision: 'SE-M', name: 'Lund' } : { country: 'DK' },
  )
  const idsOf = async (choice: object) => {
    const out = join(folder, JSON.stringify(choice).replaceAll(/[^a-z0-9]+/giu, '-'))
    await exportRegistry(registry, {
      out,
      asOf: '2026-06-03',
      formats: ['csv', 'geojson', 'ndjson'],
      ...choice,
    })
    expect(jsonIn(out, 'datapackage.json').openfountain).toMatchObject(
      'country' in choice ? { country: 'SE' } : choice,
    )
    const { features } = jsonIn(out, 'waypoints.geojson')
    const ids: number[] = features.map(({ id }: { id: number }) => id)
    const lines = gunzipSync(readFileSync(join(out, 'waypoints.ndjson.gz')))
      .toString()
      .trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)
    return ids
  }
  const inLund = await idsOf({ country: 'se' })
  expect(inLund.slice(0, 3)).toEqual([1, 2, 4])
  expect(await idsOf({ subdivision: 'SE-M' })).toEqual(inLund)
  expect((await idsOf({ state: 'reported' })).includes(5)).toBe(true)
  expect((await idsOf({ state: 'reported', country: 'SE' })).every((id) => inLund.includes(id))).toBe(true)
  const refusals = [
    { country: 'Italy' },
    { subdivision: 'Lazio' },
    { asOf: 'yesterday' },
    { asOf: '2026-02-30' },
  ]
  for (const choice of refusals)
    await expect(exportRegistry(registry, { out: join(folder, 'refused'), ...choice })).rejects.toMatchObject(
      {
        code: 'INVALID_INPUT',
        message: expect.stringContaining(Object.keys(choice)[0] ?? ''),
      },
    )
})

test('positions keep every digit', async () => {
  const out = join(folder, 'out')
  await exportRegistry(registry, { out, formats: ['geojson', 'csv'] })
  const { features } = jsonIn(out, 'waypoints.geojson')
  expect(features.at(-1).geometry.coordinates).toEqual([1e-7, 0.1 + 0.2])
  expect(textIn(out, 'waypoints.csv')).toContain(',0.30000000000000004,1e-7,')
})

test('no e-mail address, token, session or secret is in any file', async () => {
  const session = await registry.sessions.create('ada')
  const bearer = await registry.tokens.create({ name: `${secret} token` })
  const out = join(folder, 'out')
  await exportRegistry(registry, { out })
  const secrets = [secret, 'secretHash', JSON.stringify(session), JSON.stringify(bearer)]
    .concat(Object.values({ ...session, ...bearer }).filter((value) => typeof value === 'string'))
    .filter((value) => value.length >= 7 && !/^\d{4}-/u.test(value))
  expect(secrets.length).toBeGreaterThan(4)
  expect(readdirSync(out).length).toBeGreaterThan(15)
  for (const file of readdirSync(out)) {
    const bytes = file.endsWith('.gz') ? Buffer.from(textIn(out, file)) : readFileSync(join(out, file))
    expect(secrets.filter((value) => bytes.includes(value))).toEqual([])
  }
})

test('a failed export leaves the previous one untouched and no traces', async () => {
  const out = join(folder, 'out')
  await exportRegistry(registry, { out })
  const before = readdirSync(out)
  const sums = textIn(out, 'SHA256SUMS')
  await registry.waypoints.create({ name: 'New', latitude: 1, longitude: 1 }, token())
  await expect(exportRegistry(registry, { out, license: 'CC0-1.0' })).rejects.toMatchObject({
    name: 'LicenceConflict',
  })
  await expect(exportRegistry(registry, { out, formats: ['shapefile'] })).rejects.toThrow(
    /not found; the formats are/u,
  )
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(exportRegistry(registry, { out, signal: stopped })).rejects.toThrow('stopped')
  expect(readdirSync(out)).toEqual(before)
  expect(textIn(out, 'SHA256SUMS')).toBe(sums)
})

test('an export that is stopped in the middle leaves no traces', async () => {
  const out = join(folder, 'out')
  const controller = new AbortController()
  const attempt = exportRegistry(registry, {
    out,
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  })
  await expect(attempt).rejects.toThrow('stopped')
  expect(existsSync(out)).toBe(false)
})

test('one that is stopped between two reports ends with the reason, where the file is written in this thread, too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const inMemory = await openRegistry({ database: ':memory:', name: 'Lund' })
  onTestFinished(() => inMemory.close())
  for (let place = 0; place < 50; place += 1)
    await inMemory.waypoints.create({ name: `Tap ${place}`, latitude: place, longitude: 1 }, token())
  const out = join(folder, 'out')
  const controller = new AbortController()
  const attempt = exportRegistry(inMemory, {
    out,
    signal: controller.signal,
    onProgress: ({ rows }) => {
      if (rows > 0 || controller.signal.aborted) return
      setImmediate(() => {
        controller.abort(new Error('stopped'))
        vi.advanceTimersByTime(1000)
      })
    },
  })
  await expect(attempt).rejects.toThrow('stopped')
  expect(existsSync(out)).toBe(false)
})

test('a part of the registry leaves out what describes the whole, and refuses it by name', async () => {
  const out = join(folder, 'out')
  const report = await exportRegistry(registry, { out, bbox: [-2, 0, 0, 1] })
  const ids = jsonIn(out, 'waypoints.geojson').features.map(({ id }: { id: number }) => id)
  expect(ids).toEqual([1, 2, 4, 5, 6, 7])
  expect(report.leftOut).toContainEqual({
    file: 'changes.ndjson.gz',
    code: 'CHAIN_INCOMPLETE',
    reason: 'the log can be verified only when it is whole',
  })
  expect(report.leftOut).toContainEqual(
    expect.objectContaining({ file: 'reviews.csv', code: 'DESCRIBES_REGISTRY' }),
  )
  expect(readdirSync(out)).not.toContain('contributors.json')
  const attempt = exportRegistry(registry, { out, bbox: [-2, 0, 0, 1], formats: ['changes'] })
  await expect(attempt).rejects.toThrow(/formats: changes: the log can be verified/u)
  await expect(exportRegistry(registry, { out, bbox: [0, 5, 1, 2] })).rejects.toThrow(/bbox/u)
})

test('the difference since a point of the log has what was added, changed and removed', async () => {
  const head = await registry.changes.head()
  const time = await registry.dataTime()
  await registry.waypoints.create({ name: 'New', latitude: 1, longitude: 1 }, token())
  await registry.waypoints.update(4, { description: 'changed' }, token())
  await registry.waypoints.delete(5, token())
  const brief = await registry.waypoints.create({ name: 'Brief', latitude: 1, longitude: 1 }, token())
  await registry.waypoints.delete(brief.id, token())
  const later = new Date(Date.parse(time) + 1).toISOString()
  for (const since of [String(head.id), head.hash, later]) {
    const out = temporaryFolder()
    await exportRegistry(registry, { out, since })
    const lines = textIn(out, 'difference.ndjson.gz').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { change: 'changed', id: 4, waypoint: { description: 'changed' } },
      { change: 'added', waypoint: { name: 'New' } },
      { change: 'removed', id: 5, removed_by: 'api' },
    ])
    expect(jsonIn(out, 'waypoints.geojson').features).toHaveLength(2)
    expect(textIn(out, 'changes.ndjson.gz').trim().split('\n')).toHaveLength(5)
    expect(jsonIn(out, 'datapackage.json').openfountain.since).toEqual({ id: head.id, hash: head.hash })
  }
})

test('a point that the log does not have is refused', async () => {
  const out = join(folder, 'out')
  await expect(exportRegistry(registry, { out, since: 'f'.repeat(64) })).rejects.toMatchObject({
    code: 'CHAIN_BROKEN',
  })
  await expect(exportRegistry(registry, { out, since: '999999' })).rejects.toMatchObject({
    code: 'CHAIN_BROKEN',
  })
  await expect(exportRegistry(registry, { out, since: 'yesterday' })).rejects.toThrow(
    /neither the id nor the hash/u,
  )
})

test('a registry in memory is exported too', async () => {
  const memory = await openRegistry({ database: ':memory:' })
  const out = join(folder, 'out')
  const { files } = await exportRegistry(memory, { out })
  expect(files.find(({ file }) => file === 'waypoints.geojson')).toMatchObject({ rows: 0 })
  expect(jsonIn(out, 'waypoints.geojson')).toMatchObject({ type: 'FeatureCollection', features: [] })
  await memory.close()
})

test('a source whose waypoints were all deleted is no obstacle, and its texts are in no file', async () => {
  const run = await registry.imports.start({ source: { name: 'Strict city', license: 'CC-BY-NC-4.0' } })
  await run.apply([{ row: 1, ref: 'S-1', input: { name: 'Strictly ours', latitude: 7, longitude: 8 } }])
  await run.finish({ counts: {}, missing: 'keep' })
  const out = join(folder, 'out')
  const attempt = exportRegistry(registry, { out })
  await expect(attempt).rejects.toMatchObject({
    obstacles: [{ name: 'Strict city', waypoints: 1 }],
    origins: [{ own: true }, { name: 'City "of" Lund' }, { name: 'Strict city' }],
  })
  for await (const { id, name } of registry.waypoints.each()) {
    if (name === 'Strictly ours') await registry.waypoints.delete(id, token())
  }
  await exportRegistry(registry, { out, permitted: ['Strict city'] })
  expect(textIn(out, 'waypoints.csv')).toContain('Imported')
  for (const file of readdirSync(out)) {
    const bytes = file.endsWith('.gz') ? Buffer.from(textIn(out, file)) : readFileSync(join(out, file))
    expect({ file, leaks: bytes.includes('Strictly ours') }).toEqual({ file, leaks: false })
  }
})

test('compressed forms lie beside their files, hold the same, and go with the next export that has none', async () => {
  const out = join(folder, 'out')
  const { files, compressed } = await exportRegistry(registry, { out, precompress: true })
  const names = files.map(({ file }) => file)
  expect(readdirSync(out).toSorted()).toEqual([...names, ...compressed].toSorted())
  expect(compressed).toContain('waypoints.csv.br')
  expect(compressed).toContain('waypoints.csv.gz')
  // Files that are compressed in themselves have none.
  expect(compressed.filter((name) => /parquet|pmtiles|ndjson/u.test(name))).toEqual([])
  const decoders = { br: brotliDecompressSync, gz: gunzipSync, zst: zstdDecompressSync }
  for (const name of compressed) {
    const ending = extname(name).slice(1) as keyof typeof decoders
    const plain = join(out, name.slice(0, -ending.length - 1))
    expect(decoders[ending](readFileSync(join(out, name))).equals(readFileSync(plain)), name).toBe(true)
    expect(statSync(join(out, name)).mtimeMs).toBeCloseTo(statSync(plain).mtimeMs, 0)
    expect(statSync(join(out, name)).size).toBeLessThan(statSync(plain).size)
  }
  expect(textIn(out, 'SHA256SUMS')).not.toContain('.br')
  await exportRegistry(registry, { out })
  expect(readdirSync(out).toSorted()).toEqual(names.toSorted())
})
