import { rmSync, readdirSync } from 'node:fs'
import { LoggedEntry } from '@openfountain/core'
import { commitmentsOf, digestOf } from '@openfountain/core/internal'
import { expect, test } from 'vitest'
import { exportSnapshot } from '../../src/export/export.ts'
import type { ExportSnapshot } from '../../src/export/snapshot.ts'
import {
  commonLicences,
  compatibilityTable,
  judge,
  LicenceConflict,
  licenceOf,
  licences,
  obstacles,
} from '../../src/index.ts'
import { lund, publisher, sampleEntry, snapshotOf, waypoint } from './sample-snapshot.ts'
import { jsonIn, temporaryFolder, textIn } from './written-edition.ts'

const paris = { ...lund, id: 2, name: 'Ville de Paris', license: 'CC-BY-4.0' }
const club = { ...lund, id: 3, name: 'Hiking club', license: 'CC-BY-SA-4.0' }
const from = (...sources: { id: number }[]) => ({ sources: sources.map(({ id }) => ({ sourceId: id })) })

const mixed = () =>
  snapshotOf({
    sources: [lund, paris, club],
    waypoints: [
      waypoint(1),
      waypoint(2, from(lund)),
      waypoint(3, from(paris)),
      waypoint(4, from(club)),
      waypoint(5, from(paris, club)),
    ],
  })

/** What the log commits to. */
const sealed = { fields: sampleEntry.fields, seed: sampleEntry.seed }

const own = (license: string) => ({ ...publisher, license })

test('every judgement of the table has a reason and a source', () => {
  const table = [...compatibilityTable()]
  expect(table).toHaveLength(licences.length ** 2)
  for (const { reason, source } of table) {
    expect(reason).not.toBe('')
    expect(source).toMatch(/^https:\/\//u)
  }
})

test.each([
  ['CC0-1.0', 'ODbL-1.0', 'yes'],
  ['CC-BY-4.0', 'CC-BY-SA-4.0', 'yes'],
  ['CC-BY-4.0', 'ODbL-1.0', 'permission'],
  ['CC-BY-SA-4.0', 'ODbL-1.0', 'no'],
  ['ODbL-1.0', 'CC-BY-SA-4.0', 'no'],
  ['ODbL-1.0', 'ODbL-1.0', 'yes'],
  ['CC-BY-NC-4.0', 'CC-BY-4.0', 'no'],
  ['etalab-2.0', 'ODbL-1.0', 'yes'],
  ['DL-DE-BY-2.0', 'ODbL-1.0', 'permission'],
  ['DL-DE-ZERO-2.0', 'CC0-1.0', 'yes'],
  ['CC-BY-4.0', 'CC0-1.0', 'no'],
  ['Our own licence', 'ODbL-1.0', 'permission'],
  ['Our own licence', 'Our own licence', 'yes'],
])('%s under %s: %s', (incoming, outgoing, verdict) => {
  expect(judge(incoming, outgoing).verdict).toBe(verdict)
})

test('a licence is known by its usual spellings', () => {
  for (const text of ['odbl', 'ODbL-1.0', 'https://opendatacommons.org/licenses/odbl/1-0/', ' Odbl 1.0 ']) {
    expect(licenceOf(text)?.id).toBe('ODbL-1.0')
  }
  expect(licenceOf('mine')).toBeUndefined()
})

test('an export whose sources may not be published together is refused with all of them, and writes nothing', async () => {
  const out = temporaryFolder()
  const attempt = exportSnapshot(mixed(), own('ODbL-1.0'), { out })
  await expect(attempt).rejects.toMatchObject({
    name: 'LicenceConflict',
    obstacles: [
      { name: 'Ville de Paris', license: 'CC-BY-4.0', waypoints: 2, verdict: 'permission' },
      { name: 'Hiking club', license: 'CC-BY-SA-4.0', waypoints: 2, verdict: 'no' },
    ],
  })
  expect(readdirSync(out)).toEqual([])
})

test('a source that gave its consent is no longer an obstacle, one that is incompatible still is', async () => {
  const out = temporaryFolder()
  const attempt = exportSnapshot(mixed(), own('ODbL-1.0'), {
    out,
    permitted: ['Ville de Paris', 'Hiking club'],
  })
  await expect(attempt).rejects.toMatchObject({ obstacles: [{ name: 'Hiking club' }] })
})

test('a licence under which everything may be published is accepted', async () => {
  const out = temporaryFolder()
  const report = await exportSnapshot(mixed(), own('CC0-1.0'), { out, license: 'CC-BY-SA-4.0' })
  expect(report.licenses).toEqual(['CC-BY-SA-4.0'])
  expect(jsonIn(out, 'datapackage.json').licenses).toMatchObject([{ name: 'CC-BY-SA-4.0' }])
  expect(textIn(out, 'LICENSE.txt')).toContain('SPDX-License-Identifier: CC-BY-SA-4.0')
  expect(textIn(out, 'ATTRIBUTION.md')).toContain('Ville de Paris')
})

test('each set of an export split by licence links to its own folder, and its reviews promise no key', async () => {
  const out = temporaryFolder()
  const address = { url: 'https://lund.example/data', homepage: 'https://lund.example' }
  await exportSnapshot(mixed(), own('ODbL-1.0'), { out, splitByLicense: true, ...address })
  const { '@id': id, url } = jsonIn(out, 'CC-BY-4.0/dataset.jsonld')
  expect({ id, url }).toEqual({
    id: 'https://lund.example/data/CC-BY-4.0/dataset.jsonld',
    url: 'https://lund.example/',
  })
  expect(textIn(out, 'ODbL-1.0/datapackage.json')).not.toContain('foreignKeys')
})

test('an address that is none on the web is refused by name', async () => {
  for (const option of ['url', 'homepage'])
    for (const bad of ['data/', 'file:///data/', 'https://ada:secret@lund.example/']) {
      const attempt = exportSnapshot(mixed(), own('ODbL-1.0'), { out: temporaryFolder(), [option]: bad })
      await expect(attempt).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path: option, message: expect.stringContaining('https://') }] },
      })
    }
})

test('an export split by licence has one set of files a licence, and every waypoint once', async () => {
  const out = temporaryFolder()
  const report = await exportSnapshot(mixed(), own('ODbL-1.0'), { out, splitByLicense: true })
  expect(report).toMatchObject({
    licenses: ['CC-BY-4.0', 'CC-BY-SA-4.0', 'CC0-1.0', 'ODbL-1.0'],
    withheld: [],
  })
  const idsIn = (folder: string) =>
    jsonIn(out, `${folder}/waypoints.geojson`).features.map(({ id }: { id: number }) => id)
  expect(report.licenses.map((license) => [license, idsIn(license)])).toEqual([
    ['CC-BY-4.0', [3]],
    ['CC-BY-SA-4.0', [4, 5]],
    ['CC0-1.0', [2]],
    ['ODbL-1.0', [1]],
  ])
  expect(textIn(out, 'CC-BY-4.0/ATTRIBUTION.md')).not.toContain('Hiking club')
  expect(readdirSync(`${out}/CC-BY-4.0`)).not.toContain('contributors.json')
  expect(readdirSync(`${out}/ODbL-1.0`)).toContain('contributors.json')
  const resources: { path: string; licenses: { name: string }[] }[] = jsonIn(
    out,
    'datapackage.json',
  ).resources
  expect(resources.length).toBeGreaterThan(4)
  for (const { path, licenses } of resources) expect(path.startsWith(`${licenses[0]?.name}/`)).toBe(true)
})

test('the log of a split export has the changes of its own waypoints alone', async () => {
  const out = temporaryFolder()
  const snapshot = snapshotOf({ sources: [lund], waypoints: [waypoint(1, from(lund)), waypoint(2)] })
  await exportSnapshot(snapshot, own('ODbL-1.0'), { out, splitByLicense: true })
  const [entry] = textIn(out, 'ODbL-1.0/changes.ndjson.gz')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entry).toEqual({
    ...sampleEntry,
    seed: undefined,
    fields: {},
    salts: {},
    commitments: commitmentsOf(sealed),
    withheld: 'the waypoint is not published under this licence',
  })
  expect(LoggedEntry.safeParse(entry).error).toBeUndefined()
  expect(digestOf({ fields: {}, seed: null, hole: entry })).toBe(digestOf(sealed))
})

test('a waypoint whose sources have no common licence is withheld and named', async () => {
  const odbl = { ...lund, id: 4, name: 'Mappers', license: 'ODbL-1.0' }
  const snapshot = snapshotOf({
    sources: [club, odbl],
    waypoints: [waypoint(1), waypoint(2, from(club, odbl))],
  })
  const report = await exportSnapshot(snapshot, own('ODbL-1.0'), {
    out: temporaryFolder(),
    splitByLicense: true,
  })
  expect(report.withheld).toEqual([{ id: 2, licenses: ['CC-BY-SA-4.0', 'ODbL-1.0'] }])
})

test('files of a previous split export are removed by one that is not split', async () => {
  const out = temporaryFolder()
  await exportSnapshot(mixed(), own('ODbL-1.0'), { out, splitByLicense: true })
  await exportSnapshot(snapshotOf({}), own('ODbL-1.0'), { out })
  expect(readdirSync(out)).not.toContain('CC-BY-4.0')
  rmSync(out, { recursive: true })
})

/** The same without reviews. */
const unreviewed = (snapshot: ExportSnapshot): ExportSnapshot => ({
  ...snapshot,
  reviews: () => [].values(),
  statistics: () => ({ ...snapshot.statistics(), totalReviews: 0 }),
})
const parisAlone = () => snapshotOf({ sources: [paris], waypoints: [waypoint(1, from(paris))] })

test('a registry to which nobody contributed does not clash with its own licence', async () => {
  const report = await exportSnapshot(unreviewed(parisAlone()), own('ODbL-1.0'), {
    out: temporaryFolder(),
    license: 'CC-BY-4.0',
    formats: ['csv', 'reviews.json', 'changes'],
  })
  expect(report.licenses).toEqual(['CC-BY-4.0'])
})

test('reviews are contributions too, in an export that holds them', async () => {
  const attempt = exportSnapshot(parisAlone(), own('ODbL-1.0'), {
    out: temporaryFolder(),
    license: 'CC-BY-4.0',
  })
  await expect(attempt).rejects.toMatchObject({
    obstacles: [{ name: 'contributions to Lund fountains', waypoints: 0, reviews: 1, own: true }],
    origins: [{ own: true }, { name: 'Ville de Paris' }],
  })
  await exportSnapshot(parisAlone(), own('ODbL-1.0'), {
    out: temporaryFolder(),
    license: 'CC-BY-4.0',
    formats: ['csv'],
  })
  const difference = { license: 'CC-BY-4.0', formats: ['difference'], since: '0' }
  const [review] = parisAlone().reviews()
  if (!review) throw new Error('The sample has no review')
  const since = (reviews: readonly (typeof review & { deletedAt?: string })[]): ExportSnapshot => ({
    ...parisAlone(),
    *reviewsAfter() {
      yield* reviews
    },
  })
  await expect(
    exportSnapshot(since([review]), own('ODbL-1.0'), { ...difference, out: temporaryFolder() }),
  ).rejects.toMatchObject({ obstacles: [{ waypoints: 0, reviews: 1 }] })
  const gone = since([{ ...review, deletedAt: review.createdAt }])
  await exportSnapshot(gone, own('ODbL-1.0'), { ...difference, out: temporaryFolder() })
})

test('a source without waypoints is no obstacle, and the log withholds the texts of its deleted ones', async () => {
  const withNone = unreviewed(snapshotOf({ sources: [lund, club], waypoints: [waypoint(2, from(lund))] }))
  const out = temporaryFolder()
  await exportSnapshot(withNone, own('ODbL-1.0'), { out, formats: ['csv', 'changes'] })
  const [entry] = textIn(out, 'changes.ndjson.gz')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entry).toMatchObject({ subjectId: 1, fields: {}, commitments: commitmentsOf(sealed) })
  expect(entry).not.toHaveProperty('seed')
  const free = temporaryFolder()
  const clear = unreviewed(snapshotOf({ sources: [lund], waypoints: [waypoint(2, from(lund))] }))
  await exportSnapshot(clear, own('ODbL-1.0'), { out: free, formats: ['csv', 'changes'] })
  expect(textIn(free, 'changes.ndjson.gz')).toContain('Stortorget')
})

test('the refusal has facts, and the licences under which everything may be published', () => {
  const origins = [paris, lund].map(({ name, license }) => ({ name, license, waypoints: 1 }))
  const { message } = new LicenceConflict('ODbL-1.0', obstacles(origins, 'ODbL-1.0'), origins)
  expect(message).toBe(
    'These sources may not be published under ODbL-1.0: "Ville de Paris" (CC-BY-4.0: permission)',
  )
  expect(commonLicences(origins)).toEqual(['CC-BY-4.0', 'CC-BY-SA-4.0', 'CC-BY-NC-4.0', 'CC-BY-NC-SA-4.0'])
  expect(commonLicences([club, { license: 'ODbL-1.0' }])).toEqual([])
  expect(commonLicences([{ license: 'Our own licence' }])).toEqual(['Our own licence'])
})

test('consent is recognised in any Unicode form of the name, and an unknown name is refused with those that exist', async () => {
  const malmo = { ...paris, name: 'Malmö, gator & "park"' }
  const snapshot = unreviewed(
    snapshotOf({
      sources: [malmo, { ...paris, id: 9, name: 'Region, Skåne' }],
      waypoints: [waypoint(1, from(malmo)), waypoint(2, { sources: [{ sourceId: 9 }] })],
    }),
  )
  const permitted = [malmo.name.normalize('NFD'), 'Region, Skåne']
  await exportSnapshot(snapshot, own('ODbL-1.0'), {
    out: temporaryFolder(),
    permitted,
    formats: ['geojson'],
  })
  for (const splitByLicense of [false, true]) {
    const attempt = exportSnapshot(snapshot, own('ODbL-1.0'), {
      out: temporaryFolder(),
      permitted: ['Malmö'],
      splitByLicense,
    })
    await expect(attempt).rejects.toThrow(
      String.raw`permitted: source "Malmö" not found; the sources are "Malmö, gator & \"park\"", "Region, Skåne", "contributions to Lund fountains"`,
    )
  }
})

test('a licence for an export that is split is refused, since each set has that of its sources', async () => {
  const options = { out: temporaryFolder(), splitByLicense: true, license: 'CC0-1.0' }
  await expect(exportSnapshot(mixed(), own('ODbL-1.0'), options)).rejects.toThrow(
    'license: cannot be given with splitByLicense',
  )
})

test('a source that gave its consent is published with the others of its waypoints in an export that is split', async () => {
  const osm = { ...lund, id: 4, name: 'Mappers', license: 'ODbL-1.0' }
  const snapshot = snapshotOf({ sources: [paris, osm], waypoints: [waypoint(1, from(paris, osm))] })
  const split = (permitted: string[]) =>
    exportSnapshot(snapshot, own('ODbL-1.0'), {
      out: temporaryFolder(),
      splitByLicense: true,
      permitted,
      formats: ['geojson'],
    })
  expect((await split([])).withheld).toHaveLength(1)
  expect(await split([paris.name])).toMatchObject({ withheld: [], licenses: ['ODbL-1.0'] })
})

test('each licence has one folder, however its sources spell it and whatever it is called', async () => {
  const spelled = ['CC BY 4.0', 'cc-by-4.0', 'SHA256SUMS', '../Own', '«Own»', 'A AND B', 'odbl'].map(
    (license, index) => ({ ...lund, id: index + 1, name: license, license }),
  )
  const snapshot = snapshotOf({
    sources: spelled,
    waypoints: spelled.map((source) => waypoint(source.id, from(source))),
  })
  const out = temporaryFolder()
  const report = await exportSnapshot(snapshot, own('ODbL'), {
    out,
    splitByLicense: true,
    formats: ['geojson', 'contributors.json'],
  })
  expect(report.withheld).toEqual([])
  expect(jsonIn(out, 'datapackage.json').openfountain.parts).toEqual([
    { folder: 'Own', license: '../Own', registry: false },
    { folder: 'A-AND-B', license: 'A AND B', registry: false },
    { folder: 'CC-BY-4.0', license: 'CC-BY-4.0', registry: false },
    { folder: 'ODbL-1.0', license: 'ODbL-1.0', registry: true },
    { folder: 'SHA256SUMS-2', license: 'SHA256SUMS', registry: false },
    { folder: 'Own-2', license: '«Own»', registry: false },
  ])
  expect(jsonIn(out, 'CC-BY-4.0/waypoints.geojson').features).toHaveLength(2)
  expect(readdirSync(`${out}/ODbL-1.0`)).toContain('contributors.json')
})
