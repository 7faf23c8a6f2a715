import { existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { token, user, type Registry } from '@openfountain/core'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sharedDatabase } from '@openfountain/testing/database'
import { jsonIn, linesIn, newFolder, textIn } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { sampleProperties, sampleValues } from '@openfountain/testing/sample-values'
import { exportRegistry, type RegistryExportOptions } from '../../src/index.ts'
import { hostileNames } from './sample-snapshot.ts'

let folder: string
let out: string
let registry: Registry
const secret = 'planted'

beforeEach(() => fill({}))

async function fillForWorker(): Promise<void> {
  const database = await sharedDatabase()
  await fill({ database })
}

async function fill(where: { database?: string }): Promise<void> {
  let minutes = 0
  folder = newFolder()
  out = path.join(folder, 'out')
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
  registry = await emptyRegistry({ ...where, clock, name: 'Lund', properties: sampleProperties })
  await registry.users.create({ id: 'ada', name: 'Ada', email: `${secret}@example.org`, xp: 100 })
  const ada = user('ada')
  for (const [index, name] of hostileNames.entries()) {
    const trimmed = name.trim()
    const more = { region: trimmed, image: 'https://example.org/a?b=1&c=2', maintainer: name }
    await registry.waypoints.create(
      {
        name: trimmed,
        latitude: index / 7,
        longitude: -index / 3,
        description: name,
        amenities: ['tap', trimmed],
        ...(index % 2 === 0 && more),
        ...(index % 3 === 0 && sampleValues(trimmed, index)),
      },
      ada,
    )
  }
  await registry.reviews.create({ bubblerId: 2, rating: 4 }, ada)
  await registry.waypoints.delete(3, token())
  const run = await registry.imports.start({ source: { name: 'City "of" Lund', license: 'CC0-1.0' } })
  const imported = { name: 'Imported', latitude: 0.1 + 0.2, longitude: 1e-7 }
  const linked = { name: 'Linked', latitude: 5, longitude: 6 }
  await run.apply([
    { row: 1, ref: '=A-1', input: imported, state: 'broken', until: '2026-06-10' },
    { row: 2, ref: 'A-2', input: linked, mergeInto: 1, checked: '2026-05-20' },
  ])
  await run.finish({ counts: {}, missing: 'keep' })
  await registry.observations.create({ bubblerId: 2, kind: 'works' }, ada)
  await registry.observations.create({ bubblerId: 5, kind: 'gone' }, ada)
}

const exported = (options: Partial<RegistryExportOptions> = {}) =>
  exportRegistry(registry, { out, formats: ['csv', 'geojson', 'ndjson'], ...options })

const idsIn = (of = out): number[] =>
  jsonIn(of, 'waypoints.geojson').features.map(({ id }: { id: number }) => id)

test('a worker writes the same bytes twice as of a time, nothing but the files of the report, and no secret', async () => {
  await fillForWorker()
  const session = await registry.sessions.create('ada')
  const bearer = await registry.tokens.create({ name: `${secret} token` })
  const [one, two] = [path.join(folder, 'one'), path.join(folder, 'two')]
  const all = { formats: undefined }
  const report = await exported({ ...all, out: one, asOf: '2026-06-02T01:30:00+01:00' })
  await exported({ ...all, out: two, asOf: '2026-06-02T00:30:00.000Z' })
  expect(readdirSync(one).toSorted()).toEqual(report.files.map(({ file }) => file).toSorted())
  const secrets = [secret, 'secretHash', JSON.stringify(session), JSON.stringify(bearer)]
    .concat(Object.values({ ...session, ...bearer }).filter((value) => typeof value === 'string'))
    .filter((value) => value.length >= 7 && !/^\d{4}-/u.test(value))
  expect(secrets.length).toBeGreaterThan(4)
  expect(readdirSync(one).length).toBeGreaterThan(15)
  for (const file of readdirSync(one)) {
    const bytes = readFileSync(path.join(one, file))
    expect([file, bytes.equals(readFileSync(path.join(two, file)))]).toEqual([file, true])
    const plain = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
    expect(secrets.filter((value) => plain.includes(value))).toEqual([])
  }
  const head = await registry.changes.head()
  expect(report.head).toEqual(head)
  expect(jsonIn(one, 'datapackage.json')).toMatchObject({
    created: '2026-06-02T00:30:00.000Z',
    openfountain: {
      revision: await registry.revision(),
      as_of: '2026-06-02T00:30:00.000Z',
      data_time: await registry.dataTime(),
      log: { hash: head.hash },
    },
  })
  await registry.close()
  expect(existsSync(`${registry.database}-wal`)).toBe(false)
})

test('states are those of the day, in every file the same, and status.json has those that are known', async () => {
  const statesAsOf = async (asOf: string) => {
    await exported({ asOf, formats: ['ndjson', 'gpkg', 'status'] })
    const inLines = linesIn(out, 'waypoints.ndjson.gz').map((row) => [
      row.id,
      row.state,
      row.state_since,
      row.last_confirmed,
    ])
    const database = new Database(path.join(out, 'waypoints.gpkg'), { readonly: true })
    const rows = database.prepare('select id, state, state_since, last_confirmed from waypoints').raw().all()
    database.close()
    expect(rows).toEqual(inLines)
    const { asOf: time, ttl, states } = jsonIn(out, 'status.json')
    expect({ time, ttl }).toEqual({ time: `${asOf}T00:00:00.000Z`, ttl: 86_400 })
    expect(Object.keys(states)).toEqual(
      inLines.flatMap(([id, state]) => (state === 'unconfirmed' ? [] : String(id))),
    )
    return states
  }
  const imported = hostileNames.length + 1
  expect(await statesAsOf('2026-06-03')).toMatchObject({
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
  const idsOf = async (where: NonNullable<RegistryExportOptions['where']>) => {
    await exported({ asOf: '2026-06-03', where })
    expect(jsonIn(out, 'datapackage.json').openfountain).toMatchObject(
      'country' in where ? { country: 'SE' } : where,
    )
    expect(linesIn(out, 'waypoints.ndjson.gz').map(({ id }) => id)).toEqual(idsIn())
    return idsIn()
  }
  const inLund = await idsOf({ country: 'se' })
  expect(inLund.slice(0, 3)).toEqual([1, 2, 4])
  expect(await idsOf({ subdivision: 'SE-M' })).toEqual(inLund)
  expect(await idsOf({ status: ['reported'] })).toContain(5)
  expect(inLund).toEqual(expect.arrayContaining(await idsOf({ status: ['reported'], country: 'SE' })))
  const refused = [
    [{ where: { country: 'Italy' } }, 'country'],
    [{ where: { subdivision: 'Lazio' } }, 'subdivision'],
    [{ where: { limit: 3 } as never }, 'where.limit'],
    [{ asOf: 'yesterday' }, 'asOf'],
    [{ asOf: '2026-02-30' }, 'asOf'],
  ] as const
  for (const [choice, named] of refused)
    await expect(exported(choice)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(named),
    })
})

test('a failed export leaves the previous one untouched and no traces', async () => {
  await fillForWorker()
  await exported()
  const [before, sums] = [readdirSync(out), textIn(out, 'SHA256SUMS')]
  await placed(registry)
  await expect(exported({ license: 'CC0-1.0' })).rejects.toMatchObject({ name: 'LicenceConflict' })
  await expect(exported({ formats: ['shapefile'] })).rejects.toThrow(/not found; the formats are/u)
  const stopped = AbortSignal.abort(new Error('stopped'))
  await expect(exported({ signal: stopped })).rejects.toThrow('stopped')
  expect([readdirSync(out), textIn(out, 'SHA256SUMS')]).toEqual([before, sums])
})

test.each<[string, (file: string) => void]>([
  ['is there', () => undefined],
  ['is missing', (file) => rmSync(file)],
  ['was cut off', (file) => truncateSync(file, statSync(file).size - 9)],
  ['was changed', (file) => writeFileSync(file, readFileSync(file).fill(0x55, 20, 29))],
  ['is of an earlier program', (file) => writeFileSync(file, 'of another form')],
])('an export is the same to the byte as in a new folder where an earlier one %s', async (_, damage) => {
  const { files } = await exported({ formats: undefined })
  for (const { file, bytes } of files) if (file !== 'SHA256SUMS' && bytes > 0) damage(path.join(out, file))
  await placed(registry)
  const anew = path.join(folder, 'anew')
  await exported({ formats: undefined, out: anew })
  await exported({ formats: undefined })
  for (const file of readdirSync(anew))
    expect([file, readFileSync(path.join(anew, file)).equals(readFileSync(path.join(out, file)))]).toEqual([
      file,
      true,
    ])
  expect(readdirSync(out).toSorted()).toEqual(readdirSync(anew).toSorted())
})

test('an export that is stopped in the middle leaves no traces', async () => {
  await fillForWorker()
  const controller = new AbortController()
  const onProgress = () => controller.abort(new Error('stopped'))
  await expect(exported({ signal: controller.signal, onProgress })).rejects.toThrow('stopped')
  expect(existsSync(out)).toBe(false)
})

test('one that is stopped between two reports ends with the reason, where the file is written in this thread, too', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const inMemory = await emptyRegistry({ name: 'Lund' })
  for (let latitude = 0; latitude < 50; latitude += 1) await placed(inMemory, { latitude })
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
  const bbox: [number, number, number, number] = [-2, 0, 0, 1]
  const { leftOut } = await exported({ where: { bbox }, formats: undefined })
  expect(idsIn()).toEqual([1, 2, 4, 5, 6, 7])
  const reason = 'the log can be verified only when it is whole'
  expect(leftOut).toContainEqual({ file: 'changes.ndjson.gz', code: 'CHAIN_INCOMPLETE', reason })
  expect(leftOut).toContainEqual(expect.objectContaining({ file: 'reviews.csv', code: 'DESCRIBES_REGISTRY' }))
  expect(readdirSync(out)).not.toContain('contributors.json')
  await expect(exported({ where: { bbox }, formats: ['changes'] })).rejects.toThrow(
    /formats: changes: the log can be verified/u,
  )
  await expect(exported({ where: { bbox: [0, 5, 1, 2] } })).rejects.toThrow(/bbox/u)
})

test('compressed forms lie beside their files, hold the same, and go with the next export that has none', async () => {
  const chosen = { formats: ['csv', 'kml', 'ndjson', 'parquet'] }
  const { files, compressed } = await exported({ ...chosen, precompress: true })
  const names = files.map(({ file }) => file)
  expect(readdirSync(out).toSorted()).toEqual([...names, ...compressed].toSorted())
  expect(compressed).toEqual(expect.arrayContaining(['waypoints.csv.br', 'waypoints.csv.gz']))
  expect(compressed.filter((name) => /parquet|pmtiles|ndjson/u.test(name))).toEqual([])
  const decoders = { br: brotliDecompressSync, gz: gunzipSync, zst: zstdDecompressSync }
  for (const name of compressed) {
    const ending = path.extname(name).slice(1) as keyof typeof decoders
    const [form, plain] = [path.join(out, name), path.join(out, name.slice(0, -ending.length - 1))]
    expect(decoders[ending](readFileSync(form)).equals(readFileSync(plain)), name).toBe(true)
    expect(statSync(form).mtimeMs).toBeCloseTo(statSync(plain).mtimeMs, 0)
    expect(statSync(form).size).toBeLessThan(statSync(plain).size)
  }
  expect(textIn(out, 'SHA256SUMS')).not.toContain('.br')
  await exported(chosen)
  expect(readdirSync(out).toSorted()).toEqual(names.toSorted())
})
