import { rmSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exportSnapshot } from '../../src/export/export.ts'
import { compatibilityTable, judge, licenceOf, licences } from '../../src/index.ts'
import { lund, publisher, snapshotOf, waypoint } from './sample-snapshot.ts'
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

test('an export whose sources may not go together is refused with all of them, and writes nothing', async () => {
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

test('a source that gave its consent is in the way no more, one that is incompatible still is', async () => {
  const out = temporaryFolder()
  const attempt = exportSnapshot(mixed(), own('ODbL-1.0'), {
    out,
    permitted: ['Ville de Paris', 'Hiking club'],
  })
  await expect(attempt).rejects.toMatchObject({ obstacles: [{ name: 'Hiking club' }] })
})

test('a licence under which everything may go out is taken', async () => {
  const out = temporaryFolder()
  const report = await exportSnapshot(mixed(), own('CC0-1.0'), { out, license: 'CC-BY-SA-4.0' })
  expect(report.licenses).toEqual(['CC-BY-SA-4.0'])
  expect(jsonIn(out, 'datapackage.json').licenses).toMatchObject([{ name: 'CC-BY-SA-4.0' }])
  expect(textIn(out, 'LICENSE.txt')).toContain('SPDX-License-Identifier: CC-BY-SA-4.0')
  expect(textIn(out, 'ATTRIBUTION.md')).toContain('Ville de Paris')
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
  for (const { path, licenses } of resources) expect(path.startsWith(`${licenses[0]?.name}/`)).toBe(true)
})

test('the log of a split export tells the changes of its own waypoints alone', async () => {
  const out = temporaryFolder()
  const snapshot = snapshotOf({ sources: [lund], waypoints: [waypoint(1, from(lund)), waypoint(2)] })
  await exportSnapshot(snapshot, own('ODbL-1.0'), { out, splitByLicense: true })
  const [entry] = textIn(out, 'ODbL-1.0/changes.ndjson.gz')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entry).toMatchObject({ bubblerId: 1, changes: {}, salt: null, digest: 'd'.repeat(64) })
  expect(entry.withheld).toMatch(/not published under this licence/u)
})

test('a waypoint whose sources no licence brings together is withheld and named', async () => {
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

test('files of a former split export are gone after one that is not split', async () => {
  const out = temporaryFolder()
  await exportSnapshot(mixed(), own('ODbL-1.0'), { out, splitByLicense: true })
  await exportSnapshot(snapshotOf({}), own('ODbL-1.0'), { out })
  expect(readdirSync(out)).not.toContain('CC-BY-4.0')
  rmSync(out, { recursive: true })
})
