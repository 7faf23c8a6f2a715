import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { linesIn, newFolder } from '@openfountain/testing/folder'
import { ring } from '@openfountain/testing/registry'
import { openExportFolder } from '../src/data/folder.ts'
import { loadRegistry } from '../src/data/registry.ts'
import { replaceIn, writeFixture } from '@openfountain/testing/site/made-folder'

let folder: string

beforeEach(async () => {
  folder = join(newFolder(), 'export')
  await writeFixture(folder)
})

const rest = { at: '2026-06-30T12:00:00.000Z', by: 'person-1', seed: '0'.repeat(32) }
const entry = (subjectId: number, action: string, more: object = {}) => {
  const what = { subject: 'waypoint', subjectId, action, fields: {}, awards: [], links: {} }
  return { ...what, ...rest, ...more }
}

function writeLog(...drafts: readonly object[]) {
  const entries = drafts.map((draft, index) => ({ id: index + 1, ...draft }))
  replaceIn(folder, { 'changes.ndjson.gz': entries })
  return entries
}

const described = (more: object) => () => replaceIn(folder, {}, more)
const write = (name: string, content: string) => writeFile(join(folder, name), content)
const gone = () => rm(folder, { recursive: true })
const emptied = () => gone().then(() => mkdir(folder))
const other = () => emptied().then(() => write('holiday.jpg', 'x'))
const cut = () => truncate(join(folder, 'waypoints.ndjson.gz'), 100)
const noJson = () => write('datapackage.json', '{"name": ')
const incomplete = () => Promise.all(['reviews.json', 'stats.json'].map((name) => rm(join(folder, name))))

it.each<[string, () => unknown, RegExp, string]>([
  ['is missing', gone, /cannot be read \(.*Give the folder of an export as/su, 'UNREADABLE_FOLDER'],
  ['is empty', emptied, /is empty\. Write an export into it/u, 'EMPTY'],
  ['holds something else', other, /is not an export: it has no datapackage\.json/u, 'NOT_AN_EXPORT'],
  ['is incomplete', incomplete, /incomplete: reviews\.json, stats\.json are missing/u, 'INCOMPLETE'],
  ['has a cut file', cut, /gz has 100 bytes where datapackage\.json says \d+/u, 'OTHER_SIZE'],
  ['is of a newer layout', described({ format: 3 }), /format 3; .* up to 2.*update/su, 'NEWER_FORMAT'],
  ['is a difference', described({ since: { id: 4 } }), /A site needs everything: export/u, 'DIFFERENCE'],
  ['has a wrong field', described({ revision: 'no' }), /openfountain\.revision/u, 'INVALID_DESCRIPTION'],
  ['has a cut description', noJson, /datapackage\.json is not JSON/u, 'NOT_JSON'],
])('an export folder that %s is refused with what helps', async (_what, make, message, code) => {
  await make()
  const refused = openExportFolder(folder)
  await expect(refused).rejects.toThrow(message)
  await expect(refused).rejects.toMatchObject({ code })
})

const load = async (limit = 50_000) => loadRegistry(await openExportFolder(folder), { limit })

it('reading an export keeps the most recently changed waypoints when there are more than the limit', async () => {
  const all = await load()
  const some = await load(10)
  expect(some.waypoints).toEqual(all.waypoints.slice(0, 10))
  const times = all.waypoints.map(({ updated_at }) => updated_at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(some.survey.waypoints).toBe(47)
  expect(some.hasPage(some.waypoints[0]?.id ?? 0)).toBe(true)
  expect(some.hasPage(all.waypoints[46]?.id ?? 0)).toBe(false)
})

it('reading an export names deleted waypoints in the recent changes by their last name in the log', async () => {
  const [old, gone] = [{ fields: { name: 'Old' } }, { fields: { name: 'Gone' } }]
  writeLog(entry(900, 'created', old), entry(900, 'edited', gone), entry(900, 'deleted'))
  const { named, activity } = await load()
  expect(named(900)?.name).toBe('Gone')
  expect(activity.recent.map(({ id }) => id)).toEqual([3, 2, 1])
})

it('reading an export leads merged waypoints to what is left of them, the newest merges first', async () => {
  const merge = (id: number, mergedInto: number) => entry(id, 'deleted', { links: { mergedInto } })
  const restore = (id: number) => entry(id, 'created', { links: { restores: 1 } })
  writeLog(
    merge(101, 102),
    merge(102, 1),
    merge(103, 104),
    entry(104, 'deleted'),
    merge(105, 2),
    restore(105),
    merge(106, 107),
    entry(107, 'deleted'),
    restore(107),
    merge(108, 109),
    merge(109, 108),
  )
  expect([...(await load()).merged].join(' ')).toBe('106,107 102,1 101,1')
  expect([...(await load(1)).merged]).toEqual([[106, 107]])
})

it('reading an export says that an entry is redacted because of the redaction, not because its fields are withheld', async () => {
  const [kept, redacted, withheld, redaction] = writeLog(
    entry(1, 'edited', { fields: { region: 'Lund' } }),
    entry(1, 'edited'),
    entry(1, 'edited'),
    entry(2, 'redacted', { subject: 'entry', fields: { names: ['name', 'reason'], reason: 'Private' } }),
  )
  const [seed, hash] = [undefined, '0'.repeat(64)]
  replaceIn(folder, {
    'changes.ndjson.gz': [
      kept,
      { ...redacted, seed, salts: {}, commitments: { name: hash, reason: hash } },
      { ...withheld, seed, commitments: { name: hash }, withheld: 'of another licence' },
      redaction,
    ],
  })
  const { recent } = (await load()).activity
  expect(recent.map(({ id, fields, removed }) => ({ id, fields, removed }))).toEqual([
    { id: 3, fields: [], removed: [] },
    { id: 2, fields: ['name'], removed: ['text'] },
    { id: 1, fields: ['region'], removed: [] },
  ])
})

it('reading an export shows the newest fifty years when a clock was once wrong, up to the last month that a time can have', async () => {
  const times = ['0000-01-01T00:00:00.000Z', '1999-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']
  const created = (at: string, index: number) => entry(index + 1, 'created', { at, fields: { name: 'A' } })
  writeLog(...times.map(created))
  const { months } = (await load()).activity
  expect(months).toHaveLength(600)
  expect(months[0]).toMatchObject({ month: '1976-07', waypoints: 1 })
  expect(months.at(-1)).toMatchObject({ month: '2026-06', waypoints: 3 })
  writeLog(created('9999-12-31T23:59:59.999Z', 0))
  expect((await load()).activity.months.at(-1)).toMatchObject({ month: '9999-12', waypoints: 1 })
})

const record = { id: 1, name: 'A', latitude: 91, longitude: 0, approved: true, verified: true }

const ofNoEntry = () => writeLog(entry(1, 'created'), { ...entry(1, 'created'), previousHash: '' })
const ofOthers = () => writeLog(entry(1, 'redacted'))
const cutLog = async () => {
  const whole = await readFile(join(folder, 'changes.ndjson.gz'))
  replaceIn(folder, { 'changes.ndjson.gz': whole.subarray(0, whole.length - 200) })
}
const waypoints = (line: unknown) => () => replaceIn(folder, { 'waypoints.ndjson.gz': ['', line] })
const review = () => replaceIn(folder, { 'reviews.json': '{"reviews": [{"id": 1, "waypoint_id": "two"}]}' })

it.each<[string, () => unknown, RegExp]>([
  ['what no entry can have', ofNoEntry, /changes\.ndjson\.gz, line 2: .*previousHash/u],
  ['an action of other subjects', ofOthers, /changes\.ndjson\.gz, line 1: action/u],
  ['a line that is not JSON', waypoints('{"id": 1'), /waypoints\.ndjson\.gz, line 2: not JSON/u],
  ['an invalid record', waypoints(record), /waypoints\.ndjson\.gz, line 2: latitude/u],
  ['a file that ends too early', cutLog, /cannot be read after line \d+ \(unexpected end of file\)/u],
  ['an invalid review', review, /reviews\[0\]: waypoint_id/u],
])('reading an export refuses %s with its place', async (_what, spoil, message) => {
  await spoil()
  await expect(load()).rejects.toThrow(message)
})

it('reading an export leaves out what cannot be shown, and tells its id, when other records can be', async () => {
  const [first, second, ...lines] = linesIn(folder, 'waypoints.ndjson.gz')
  const properties = { id: 1, name: 'Works', color: '#ff8c00', active: true }
  const area = { type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] }, properties }
  const areas = [area, { ...area, id: 77, geometry: null, properties: {} }]
  replaceIn(folder, {
    'waypoints.ndjson.gz': [{ ...first, latitude: 91 }, { ...second, updated_at: 'soon' }, ...lines],
    'areas.geojson': { type: 'FeatureCollection', features: areas },
  })
  const skipped: unknown[] = []
  const data = await loadRegistry(await openExportFolder(folder), {
    limit: 50_000,
    onInvalid: ({ file, id, reason }) => skipped.push(`${basename(file)} ${id} ${reason.split(':')[0]}`),
  })
  expect(data.survey.waypoints).toBe(lines.length)
  const places = [`${first.id} latitude`, `${second.id} updated_at`].map(
    (one) => `waypoints.ndjson.gz ${one}`,
  )
  expect(skipped).toEqual([...places, 'areas.geojson 77 geometry'])
})
