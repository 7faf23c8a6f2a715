import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { token, user, type Registry } from '@openfountain/core'
import { beforeEach, expect, test } from 'vitest'
import { jsonIn, newFolder, textIn } from '@openfountain/testing/folder'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import { exportRegistry, formats, type RegistryExportOptions } from '../../src/index.ts'

const chosen = ['csv', 'gpkg', 'sqlite', 'ndjson', 'reviews.csv', 'reviews.json', 'status']
const daily = ['waypoints.csv', 'waypoints.gpkg', 'registry.sqlite']

let folder: string
let registry: Registry

beforeEach(async () => {
  folder = newFolder()
  let minutes = 0
  registry = await emptyRegistry({
    clock: () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000),
    name: 'Lund',
  })
  await registry.users.create({ id: 'ada', name: 'Ada Lovelace', xp: 200 })
  const mill = { name: 'Mill', latitude: 55.7, longitude: 13.2, description: 'Call 0171 1234' }
  await registry.waypoints.create(mill, user('ada'))
  const run = await registry.imports.start({ source: { name: 'City of Lund', license: 'CC0-1.0' } })
  await run.apply([{ row: 1, ref: 'A', input: { name: 'Spring', latitude: 55.8, longitude: 13.3 } }])
  await run.finish({ counts: {}, missing: 'keep' })
})

type Options = Partial<RegistryExportOptions>
const exported = (out: string, more: Options = {}) =>
  exportRegistry(registry, { out: path.join(folder, out), formats: chosen, downloads: 'daily', ...more })
const after = (out: string, earlier: string, more: Options = {}) =>
  exported(out, { earlier: path.join(folder, earlier), ...more })
const keptIn = ({ files }: Awaited<ReturnType<typeof exported>>) =>
  files.flatMap(({ file, isEarlier }) => (isEarlier ? [file] : []))
const bytesOf = (out: string, file: string) => readFileSync(path.join(folder, out, file))

interface Resource {
  readonly path: string
  readonly schema?: { readonly foreignKeys?: unknown }
}

const resourceIn = (out: string, file: string) =>
  jsonIn(path.join(folder, out), 'datapackage.json').resources.find((one: Resource) => one.path === file)

test('downloads that take long are those of the first export of a day, all else is of now, and it is said of what moment each is', async () => {
  expect(formats.flatMap(({ isDaily, file }) => (isDaily ? [file] : []))).toEqual([
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
  await placed(registry)
  await registry.users.create({ name: 'Bela', xp: 20 })
  expect(keptIn(await after('second', 'first'))).toEqual(daily)
  await placed(registry, { latitude: 1 })
  expect(keptIn(await after('third', 'second'))).toEqual(daily)
  await exported('now', { downloads: 'always' })
  const described = new Set(['datapackage.json', 'dataset.jsonld', 'dataset.ttl', 'SHA256SUMS'])
  for (const file of readdirSync(path.join(folder, 'now')).filter((name) => !described.has(name))) {
    const same = bytesOf('third', file).equals(bytesOf(daily.includes(file) ? 'first' : 'now', file))
    expect([file, same]).toEqual([file, true])
  }
  const [ofFirst, ofThird, ofNow] = ['first', 'third', 'now'].map((out) =>
    jsonIn(path.join(folder, out), 'datapackage.json'),
  )
  const { revision, data_time, as_of, log, basis } = ofFirst.openfountain
  expect(log.id).toBe(first.head.id)
  const resources = ofNow.resources.map((resource: Resource) => {
    const kept = ofFirst.resources.find((one: Resource) => one.path === resource.path)
    if (daily.includes(resource.path)) return { ...kept, openfountain: { revision, data_time, as_of, log } }
    // A CSV table has no foreign keys to a CSV of an earlier time, which may lack the referenced rows.
    if (resource.path !== 'reviews.csv' || !resource.schema) return resource
    const { foreignKeys, ...schema } = resource.schema
    expect(foreignKeys).toHaveLength(1)
    return { ...resource, schema }
  })
  expect(ofThird).toEqual({ ...ofNow, resources, openfountain: { ...ofNow.openfountain, basis } })
  expect(resourceIn('third', 'reviews.json').schema.foreignKeys).toHaveLength(1)
  const { distribution } = jsonIn(path.join(folder, 'third'), 'dataset.jsonld')
  const times = distribution.flatMap((one: { dateModified?: string }) => one.dateModified ?? [])
  expect(times).toEqual(daily.map(() => data_time))
  for (const line of textIn(path.join(folder, 'third'), 'SHA256SUMS').trimEnd().split('\n')) {
    const [sum, file = ''] = line.split('  ')
    expect(createHash('sha256').update(bytesOf('third', file)).digest('hex'), file).toBe(sum)
  }
  expect(keptIn(await exported('anew'))).toEqual([])
})

test('in an export that is split by licence each set keeps its own, with their compressed forms', async () => {
  const more = { splitByLicense: true, precompress: true }
  const first = await exported('first', more)
  await placed(registry)
  const second = await after('second', 'first', more)
  const expected = ['CC0-1.0', 'ODbL-1.0'].flatMap((set) => daily.map((file) => `${set}/${file}`))
  expect(keptIn(second).toSorted()).toEqual(
    expected.filter((file) => first.files.some((one) => one.file === file)).toSorted(),
  )
  expect(second.compressed).toEqual(first.compressed)
  expect(second.compressed).toContain('ODbL-1.0/waypoints.gpkg.br')
  for (const file of second.compressed.filter((form) => form.includes('.gpkg.')))
    expect(bytesOf('second', file).equals(bytesOf('first', file)), file).toBe(true)
  const { log } = resourceIn('second', 'CC0-1.0/waypoints.csv').openfountain
  expect(log.id).toBe(first.head.id)
})

async function redactDescription(): Promise<void> {
  const { logs } = await registry.changes.list({ bubblerId: 1 })
  await registry.changes.redact(logs[0]?.id ?? 0, { fields: ['description'], reason: 'A number' })
}

const nothing = () => Promise.resolve()
const otherTerms = { name: 'City of Lund', license: 'CC0-1.0', attribution: 'Lunds kommun' }

test.each<[string, () => Promise<unknown>, Options?]>([
  ['a text was redacted', redactDescription],
  ['somebody left', () => registry.accounts.leave('ada', { texts: 'keep' })],
  ['somebody was renamed', () => registry.users.update('ada', { name: 'Ada L.' })],
  ['another backup was restored', () => registry.erasures.repeat('', { origin: 'renew' })],
  ['a source has other terms', () => registry.sources.ensure(otherTerms)],
  ['a source has no fountain any more', () => registry.waypoints.delete(2, token())],
  ['it is another day', nothing, { asOf: '2026-06-02' }],
  ['there is another option', nothing, { fictional: true }],
  ['they are to be of now', nothing, { downloads: 'always' }],
])('all downloads are made anew when %s', async (_, change, more) => {
  const options = { asOf: '2026-06-01', formats: ['csv', 'status'] }
  await exported('first', options)
  await change()
  expect(keptIn(await after('second', 'first', { ...options, ...more }))).toEqual([])
  const third = keptIn(await after('third', 'second', { ...options, ...more }))
  expect(third).toEqual(more?.downloads === 'always' ? [] : ['waypoints.csv'])
})

test('an earlier export that is none, or cannot be read, is none', async () => {
  await exported('first')
  expect(keptIn(await after('second', 'nowhere'))).toEqual([])
  truncateSync(path.join(folder, 'first/datapackage.json'), 10)
  expect(keptIn(await after('third', 'first'))).toEqual([])
})

const spoiled = (file: string) => writeFileSync(file, readFileSync(file).fill(0x55))
const halved = (file: string) => truncateSync(file, statSync(file).size >> 1)

const damages: readonly (readonly [string, (file: string) => void, Options])[] = [
  ['is missing', (file) => rmSync(file), {}],
  ['was cut off', halved, {}],
  ['was overwritten', spoiled, { downloads: 'always' }],
]

test.each(damages)('an export is whole where every file of the earlier one %s', async (_, damage, more) => {
  const options = { ...more, asOf: '2026-06-01', formats: undefined }
  await exported('fresh', options)
  await exported('first', options)
  const files = readdirSync(path.join(folder, 'first'))
  const described = files.filter((file) => file !== 'datapackage.json')
  for (const file of described) damage(path.join(folder, 'first', file))
  await after('second', 'first', options)
  await after('first', 'first', options)
  for (const out of ['first', 'second'])
    for (const file of files)
      expect([out, file, bytesOf(out, file).equals(bytesOf('fresh', file))]).toEqual([out, file, true])
})
