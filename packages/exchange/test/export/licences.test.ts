import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LoggedEntry } from '@openfountain/core'
import { commitmentsOf, digestOf } from '@openfountain/core/internal'
import { expect, test } from 'vitest'
import { jsonIn, linesIn, newFolder, textIn } from '@openfountain/testing/folder'
import { exportSnapshot } from '../../src/export/export.ts'
import type { ExportSnapshot } from '../../src/export/snapshot.ts'
import { commonLicences, judge, LicenceConflict, licences, obstacles } from '../../src/index.ts'
import { lund, publisher, sampleEntry, snapshotOf, waypoint } from './sample-snapshot.ts'

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

const sealed = { fields: sampleEntry.fields, seed: sampleEntry.seed }

const own = (license: string) => ({ ...publisher, license })

type Options = Partial<Parameters<typeof exportSnapshot>[2]>

async function exported(snapshot: ExportSnapshot, options: Options = {}, license = 'ODbL-1.0') {
  const out = newFolder()
  const report = await exportSnapshot(snapshot, own(license), {
    out,
    formats: ['geojson', 'csv'],
    ...options,
  })
  return { out, ...report }
}

test('every judgement of the table has a reason and a source', () => {
  const ids = licences.map(({ id }) => id)
  const table = ids.flatMap((incoming) =>
    ids.map((outgoing) => ({ incoming, outgoing, ...judge(incoming, outgoing) })),
  )
  expect(table).toHaveLength(licences.length ** 2)
  for (const judgement of table)
    expect(judgement).toMatchObject({
      reason: expect.stringMatching(/./u),
      source: expect.stringMatching(/^https:/u),
    })
})

const page = readFileSync(fileURLToPath(new URL('../../../../docs/data.md', import.meta.url)), 'utf8')

function tableUnder(heading: string): string[][] {
  const lines = page.split('\n')
  const cells = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const start = lines.findIndex((line) => cells(line).join('|') === heading)
  expect(start).toBeGreaterThan(0)
  const rest = lines.slice(start + 2)
  return rest
    .slice(
      0,
      rest.findIndex((line) => !line.startsWith('|')),
    )
    .map(cells)
}

test('docs/data.md has the judgements of the licence table', () => {
  const outgoing = ['ODbL-1.0', 'CC-BY-4.0', 'CC-BY-SA-4.0', 'ODC-By-1.0', 'CC0-1.0', 'CC-BY-NC-4.0']
  expect(tableUnder(`source|${outgoing.join('|')}`)).toEqual(
    licences.map(({ id }) => [id, ...outgoing.map((license) => judge(id, license).verdict)]),
  )
})

test.each([
  ['CC-BY-4.0', 'CC-BY-SA-4.0', 'yes'],
  ['CC-BY-4.0', 'ODbL-1.0', 'permission'],
  ['CC-BY-SA-4.0', 'ODbL-1.0', 'no'],
  ['DL-DE-BY-2.0', 'ODbL-1.0', 'permission'],
  ['Our own licence', 'ODbL-1.0', 'permission'],
  ['Our own licence', 'Our own licence', 'yes'],
])('%s under %s: %s', (incoming, outgoing, verdict) => {
  expect(judge(incoming, outgoing).verdict).toBe(verdict)
})

test('an export whose sources may not be published together is refused with all of them, and writes nothing', async () => {
  const out = newFolder()
  const clubs = { name: 'Hiking club', license: 'CC-BY-SA-4.0', waypoints: 2, verdict: 'no' }
  await expect(exported(mixed(), { out })).rejects.toMatchObject({
    name: 'LicenceConflict',
    obstacles: [{ name: 'Ville de Paris', license: 'CC-BY-4.0', waypoints: 2, verdict: 'permission' }, clubs],
  })
  expect(readdirSync(out)).toEqual([])
  const permitted = ['Ville de Paris', 'Hiking club']
  await expect(exported(mixed(), { permitted })).rejects.toMatchObject({ obstacles: [clubs] })
})

test('a licence under which everything may be published is accepted', async () => {
  const { out, licenses } = await exported(mixed(), { license: 'CC-BY-SA-4.0' }, 'CC0-1.0')
  expect(licenses).toEqual(['CC-BY-SA-4.0'])
  expect(jsonIn(out, 'datapackage.json').licenses).toMatchObject([{ name: 'CC-BY-SA-4.0' }])
  expect(textIn(out, 'LICENSE.txt')).toContain('SPDX-License-Identifier: CC-BY-SA-4.0')
  expect(textIn(out, 'ATTRIBUTION.md')).toContain('Ville de Paris')
})

test('each set of an export split by licence links to its own folder, and its reviews promise no key', async () => {
  const address = { url: 'https://lund.example/data', homepage: 'https://lund.example' }
  const { out } = await exported(mixed(), { splitByLicense: true, formats: ['reviews.csv'], ...address })
  const { '@id': id, url } = jsonIn(out, 'CC-BY-4.0/dataset.jsonld')
  expect([id, url]).toEqual(['https://lund.example/data/CC-BY-4.0/dataset.jsonld', 'https://lund.example/'])
  expect(textIn(out, 'ODbL-1.0/datapackage.json')).not.toContain('foreignKeys')
})

test('an address that is none on the web is refused by name', async () => {
  for (const option of ['url', 'homepage'])
    for (const bad of ['data/', 'file:///data/', 'https://ada:secret@lund.example/']) {
      await expect(exported(mixed(), { [option]: bad })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path: option, message: expect.stringContaining('https://') }] },
      })
    }
})

test('an export split by licence has one set of files a licence, and every waypoint once', async () => {
  const chosen = ['geojson', 'contributors.json']
  const { out, licenses, withheld } = await exported(mixed(), { splitByLicense: true, formats: chosen })
  expect(withheld).toEqual([])
  const idsIn = (folder: string) =>
    jsonIn(out, `${folder}/waypoints.geojson`).features.map(({ id }: { id: number }) => id)
  expect(licenses.map((license) => [license, idsIn(license)])).toEqual([
    ['CC-BY-4.0', [3]],
    ['CC-BY-SA-4.0', [4, 5]],
    ['CC0-1.0', [2]],
    ['ODbL-1.0', [1]],
  ])
  expect(textIn(out, 'CC-BY-4.0/ATTRIBUTION.md')).not.toContain('Hiking club')
  expect(readdirSync(`${out}/CC-BY-4.0`)).not.toContain('contributors.json')
  expect(readdirSync(`${out}/ODbL-1.0`)).toContain('contributors.json')
  for (const resource of jsonIn(out, 'datapackage.json').resources)
    expect(resource.path).toMatch(new RegExp(`^${resource.licenses[0].name}/`, 'u'))
  await exported(snapshotOf({}), { out })
  expect(readdirSync(out)).not.toContain('CC-BY-4.0')
})

test('the log of a split export has the changes of its own waypoints alone', async () => {
  const snapshot = snapshotOf({ sources: [lund], waypoints: [waypoint(1, from(lund)), waypoint(2)] })
  const { out } = await exported(snapshot, { splitByLicense: true, formats: ['changes'] })
  const [entry] = linesIn(out, 'ODbL-1.0/changes.ndjson.gz')
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

const unreviewed = (snapshot: ExportSnapshot): ExportSnapshot => ({
  ...snapshot,
  reviews: () => [].values(),
  statistics: () => ({ ...snapshot.statistics(), totalReviews: 0 }),
})
const parisAlone = () => snapshotOf({ sources: [paris], waypoints: [waypoint(1, from(paris))] })

test('a registry to which nobody contributed does not clash with its own licence', async () => {
  const options = { license: 'CC-BY-4.0', formats: ['csv', 'reviews.json', 'changes'] }
  expect((await exported(unreviewed(parisAlone()), options)).licenses).toEqual(['CC-BY-4.0'])
})

test('reviews are contributions too, in an export that holds them', async () => {
  const license = 'CC-BY-4.0'
  await expect(exported(parisAlone(), { license, formats: ['csv', 'reviews.csv'] })).rejects.toMatchObject({
    obstacles: [{ name: 'contributions to Lund fountains', waypoints: 0, reviews: 1, own: true }],
    origins: [{ own: true }, { name: 'Ville de Paris' }],
  })
  await exported(parisAlone(), { license, formats: ['csv'] })
  const difference = { license, formats: ['difference'], since: '0' }
  const [review] = parisAlone().reviews()
  if (!review) throw new Error('The sample has no review')
  const since = (reviews: readonly (typeof review & { deletedAt?: string })[]): ExportSnapshot => ({
    ...parisAlone(),
    *reviewsAfter() {
      yield* reviews
    },
  })
  await expect(exported(since([review]), difference)).rejects.toMatchObject({
    obstacles: [{ waypoints: 0, reviews: 1 }],
  })
  await exported(since([{ ...review, deletedAt: review.createdAt }]), difference)
})

test('a source without waypoints is no obstacle, and the log withholds the texts of its deleted ones', async () => {
  const entriesOf = async (...sources: (typeof lund)[]) => {
    const snapshot = unreviewed(snapshotOf({ sources, waypoints: [waypoint(2, from(lund))] }))
    return linesIn((await exported(snapshot, { formats: ['csv', 'changes'] })).out, 'changes.ndjson.gz')
  }
  const [withheld] = await entriesOf(lund, club)
  expect(withheld).toMatchObject({ subjectId: 1, fields: {}, commitments: commitmentsOf(sealed) })
  expect(withheld).not.toHaveProperty('seed')
  expect(await entriesOf(lund)).toMatchObject([{ fields: { name: 'Stortorget' } }])
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
  await exported(snapshot, { permitted: [malmo.name.normalize('NFD'), 'Region, Skåne'] })
  for (const splitByLicense of [false, true])
    await expect(exported(snapshot, { permitted: ['Malmö'], splitByLicense })).rejects.toThrow(
      String.raw`permitted: source "Malmö" not found; the sources are "Malmö, gator & \"park\"", "Region, Skåne", "contributions to Lund fountains"`,
    )
})

test('a licence for an export that is split is refused, since each set has that of its sources', async () => {
  await expect(exported(mixed(), { splitByLicense: true, license: 'CC0-1.0' })).rejects.toThrow(
    'license: cannot be given with splitByLicense',
  )
})

test('a waypoint whose sources have no common licence is withheld and named, until one gives its consent', async () => {
  const osm = { ...lund, id: 4, name: 'Mappers', license: 'ODbL-1.0' }
  const snapshot = snapshotOf({ sources: [paris, osm], waypoints: [waypoint(1, from(paris, osm))] })
  const split = (...permitted: string[]) => exported(snapshot, { splitByLicense: true, permitted })
  expect((await split()).withheld).toEqual([{ id: 1, licenses: ['CC-BY-4.0', 'ODbL-1.0'] }])
  expect(await split(paris.name)).toMatchObject({ withheld: [], licenses: ['ODbL-1.0'] })
})

test('each licence has one folder, however its sources spell it and whatever it is called', async () => {
  const url = 'https://opendatacommons.org/licenses/odbl/1-0/'
  const names = ['CC BY 4.0', 'cc-by-4.0', 'SHA256SUMS', '../Own', '«Own»', 'A AND B', url]
  const spelled = names.map((license, index) => ({ ...lund, id: index + 1, name: license, license }))
  const snapshot = snapshotOf({
    sources: spelled,
    waypoints: spelled.map((source) => waypoint(source.id, from(source))),
  })
  const options = { splitByLicense: true, formats: ['geojson', 'contributors.json'] }
  const { out, withheld } = await exported(snapshot, options, ' Odbl 1.0 ')
  expect(withheld).toEqual([])
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
