/** @module-tag long */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { exportRegistry, formats, type RegistryExportOptions } from '../../src/index.ts'
import { newSharedDatabase, type TestDatabase } from '@openfountain/testing/database'
import { jsonIn, temporaryFolder, textIn } from './written-edition.ts'

const daily = formats.filter(({ isDaily }) => isDaily).map(({ file }) => file)
const secret = 'Call 0171 1234'

let folder: string
let own: TestDatabase
let registry: Registry
let minutes: number

beforeEach(async () => {
  minutes = 0
  own = await newSharedDatabase()
  folder = temporaryFolder()
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
  registry = await openRegistry({ database: own.database, clock, name: 'Lund' })
  await registry.users.create({ id: 'ada', name: 'Ada Lovelace', xp: 200 })
  await registry.waypoints.create(
    { name: 'Mill', latitude: 55.7, longitude: 13.2, description: secret },
    user('ada'),
  )
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  await run.apply([{ row: 1, ref: 'A', input: { name: 'Spring', latitude: 55.8, longitude: 13.3 } }])
  await run.finish({ counts: {}, missing: 'keep' })
})

afterEach(async () => {
  await registry.close()
  await own.remove()
})

const exported = (out: string, more: Partial<RegistryExportOptions> = {}) =>
  exportRegistry(registry, { out: join(folder, out), downloads: 'daily', ...more })
const after = (out: string, earlier: string, more: Partial<RegistryExportOptions> = {}) =>
  exported(out, { earlier: join(folder, earlier), ...more })
const keptIn = ({ files }: Awaited<ReturnType<typeof exported>>) =>
  files.flatMap(({ file, isEarlier }) => (isEarlier ? [file] : []))
const bytesOf = (out: string, file: string) => readFileSync(join(folder, out, file))
const add = (name = 'New') => registry.waypoints.create({ name, latitude: 55, longitude: 13 }, token())
const resourceIn = (out: string, file: string) =>
  jsonIn(join(folder, out), 'datapackage.json').resources.find(({ path }: { path: string }) => path === file)

interface Resource {
  readonly path: string
  readonly schema?: object
}

/** A table of CSV does not refer to a CSV of an earlier moment, which may not have what it names. */
function withoutKeys(resource: Resource): Resource {
  if (!resource.path.endsWith('.csv') || resource.schema === undefined) return resource
  const { foreignKeys: _foreignKeys, ...schema } = resource.schema as { foreignKeys?: unknown }
  return { ...resource, schema }
}

test('downloads that take long are those of the first export of a day, all else is of now, and it is said of what moment each is', async () => {
  expect(daily).toEqual([
    'waypoints.geojson',
    'waypoints.csv',
    'waypoints.gpx',
    'waypoints.kml',
    'waypoints.kmz',
    'waypoints.parquet',
    'waypoints.gpkg',
    'registry.sqlite',
  ])
  const first = await exported('first')
  expect(keptIn(first)).toEqual([])
  await add()
  await registry.users.create({ name: 'Bela', xp: 20 })
  expect(keptIn(await after('second', 'first'))).toEqual(daily)
  await add('Newer')
  const third = await after('third', 'second')
  expect(keptIn(third)).toEqual(daily)
  await exported('now', { downloads: 'always' })
  const described = new Set(['datapackage.json', 'dataset.jsonld', 'SHA256SUMS'])
  for (const file of readdirSync(join(folder, 'now'))) {
    if (described.has(file)) continue
    const same = bytesOf('third', file).equals(bytesOf(daily.includes(file) ? 'first' : 'now', file))
    expect({ file, same }).toEqual({ file, same: true })
  }
  const [ofFirst, ofThird, ofNow] = ['first', 'third', 'now'].map((out) =>
    jsonIn(join(folder, out), 'datapackage.json'),
  )
  const { revision, data_time, as_of, log, basis } = ofFirst.openfountain
  expect(log.id).toBe(first.head.id)
  const ofFiles = ofNow.resources.map((resource: Resource) => {
    const kept = ofFirst.resources.find(
      ({ path }: Resource) => path === resource.path && daily.includes(path),
    )
    return kept ? { ...kept, openfountain: { revision, data_time, as_of, log } } : withoutKeys(resource)
  })
  expect(ofThird).toEqual({
    ...ofNow,
    resources: ofFiles,
    openfountain: { ...ofNow.openfountain, basis },
  })
  expect(resourceIn('now', 'reviews.csv').schema.foreignKeys).toHaveLength(1)
  expect(resourceIn('third', 'reviews.csv').schema).not.toHaveProperty('foreignKeys')
  expect(resourceIn('third', 'reviews.json').schema.foreignKeys).toHaveLength(1)
  const { distribution } = jsonIn(join(folder, 'third'), 'dataset.jsonld')
  expect(distribution.flatMap((one: { dateModified?: string }) => one.dateModified ?? [])).toEqual(
    daily.map(() => data_time),
  )
  for (const line of textIn(join(folder, 'third'), 'SHA256SUMS').trimEnd().split('\n')) {
    const [sum, file = ''] = line.split('  ')
    expect(createHash('sha256').update(bytesOf('third', file)).digest('hex'), file).toBe(sum)
  }
  expect(keptIn(await exported('anew'))).toEqual([])
})

test('in an export that is split by licence each set keeps its own, with their compressed forms', async () => {
  const more = { splitByLicense: true, precompress: true }
  const first = await exported('first', more)
  await add()
  const second = await after('second', 'first', more)
  const sets = ['CC0-1.0', 'ODbL-1.0']
  expect(keptIn(second).toSorted()).toEqual(
    sets
      .flatMap((set) => daily.map((file) => `${set}/${file}`))
      .filter((file) => first.files.some((one) => one.file === file))
      .toSorted(),
  )
  expect(second.compressed).toEqual(first.compressed)
  expect(second.compressed).toContain('ODbL-1.0/waypoints.gpkg.br')
  const timeOf = (file: string) => Math.round(statSync(join(folder, 'second/ODbL-1.0', file)).mtimeMs)
  expect(timeOf('waypoints.gpkg.br')).toBe(timeOf('waypoints.gpkg'))
  for (const file of second.compressed.filter((form) => /\.(?:kml|gpkg)\./u.test(form)))
    expect(bytesOf('second', file).equals(bytesOf('first', file)), file).toBe(true)
  expect(resourceIn('second', 'CC0-1.0/waypoints.gpx')).toMatchObject({
    name: 'cc0-1-0-waypoints-gpx',
    openfountain: { log: { id: first.head.id } },
  })
})

interface Renewal {
  readonly what: string
  readonly change: () => Promise<unknown>
  readonly more?: Partial<RegistryExportOptions>
}

const nothing = () => Promise.resolve()

async function redactDescription(): Promise<void> {
  const { logs } = await registry.changes.list({ bubblerId: 1 })
  await registry.changes.redact(logs[0]?.id ?? 0, { fields: ['description'], reason: 'A number' })
}

const renewals: readonly Renewal[] = [
  { what: 'a text was redacted', change: redactDescription },
  { what: 'somebody left', change: () => registry.accounts.leave('ada', { texts: 'keep' }) },
  { what: 'somebody was renamed', change: () => registry.users.update('ada', { name: 'Ada L.' }) },
  { what: 'another backup was restored', change: () => registry.erasures.repeat('', { origin: 'renew' }) },
  {
    what: 'a source has other terms',
    change: () =>
      registry.sources.ensure({ name: 'City of Lund', license: 'CC0-1.0', attribution: 'Lunds kommun' }),
  },
  { what: 'a source has no fountain any more', change: () => registry.waypoints.delete(2, token()) },
  { what: 'it is another day', change: nothing, more: { asOf: '2026-06-02' } },
  { what: 'there is another option', change: nothing, more: { fictional: true } },
  { what: 'they are to be of now', change: nothing, more: { downloads: 'always' } },
]

test.each(renewals)('all downloads are made anew when $what', async ({ change, more }) => {
  await exported('first', { asOf: '2026-06-01' })
  await change()
  expect(keptIn(await after('second', 'first', { asOf: '2026-06-01', ...more }))).toEqual([])
  expect(keptIn(await after('third', 'second', { asOf: '2026-06-01', ...more }))).toEqual(
    more?.downloads === 'always' ? [] : daily,
  )
})

test('what was erased is in no file, and who left is in none', async () => {
  await exported('first')
  const holds = (out: string, text: string) =>
    readdirSync(join(folder, out)).filter((file) => textIn(join(folder, out), file).includes(text))
  expect(holds('first', secret)).toContain('waypoints.gpkg')
  expect(holds('first', 'Ada Lovelace')).toContain('registry.sqlite')
  await redactDescription()
  await after('second', 'first')
  expect(holds('second', secret)).toEqual([])
  expect(holds('second', 'Ada Lovelace')).toContain('registry.sqlite')
  await registry.accounts.leave('ada', { texts: 'keep' })
  await after('third', 'second')
  expect(holds('third', 'Ada Lovelace')).toEqual([])
})

test('a download that is missing or cut off is made anew, and an earlier export that is none is none', async () => {
  await exported('first')
  rmSync(join(folder, 'first/waypoints.gpx'))
  truncateSync(join(folder, 'first/waypoints.kmz'), 10)
  expect(keptIn(await after('second', 'first'))).toEqual(
    daily.filter((file) => file !== 'waypoints.gpx' && file !== 'waypoints.kmz'),
  )
  expect(keptIn(await after('third', 'nowhere'))).toEqual([])
  truncateSync(join(folder, 'first/datapackage.json'), 10)
  expect(keptIn(await after('fourth', 'first'))).toEqual([])
})
