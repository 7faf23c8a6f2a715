import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { openExportFolder } from '../src/data/folder.ts'
import { loadRegistry } from '../src/data/registry.ts'
import { dataTime, fixtureLog, writeFixture } from '@openfountain/testing/site/made-folder'
import { freshFolder } from '@openfountain/testing/site/sample'

let folder: string

beforeEach(async () => {
  folder = join(await freshFolder(), 'export')
})

async function describeAnew(
  change: (description: Record<string, Record<string, unknown>>) => void,
): Promise<void> {
  const file = join(folder, 'datapackage.json')
  const description = JSON.parse(await readFile(file, 'utf8'))
  change(description)
  await writeFile(file, JSON.stringify(description))
}

/** Puts other lines into a gzipped file and removes what the description says of it. */
async function replaceLines(name: string, lines: readonly unknown[]): Promise<void> {
  const rows = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(join(folder, name), gzipSync(`${rows.join('\n')}\n`))
  await describeAnew((description) => {
    description['resources'] = [] as unknown as Record<string, unknown>
  })
}

describe('an export folder', () => {
  it('has its registry, its time and its files with their checksums', async () => {
    await writeFixture(folder)
    const opened = await openExportFolder(folder)
    expect(opened.registry).toEqual({
      name: 'Lindenau Fountains',
      author: 'Lindenau Water Friends',
      license: 'ODbL-1.0',
    })
    expect(opened.dataTime).toBe(dataTime)
    expect(opened.fictional).toBe(true)
    const file = opened.files.find(({ name }) => name === 'waypoints.geojson')
    expect(file?.bytes).toBe((await readFile(join(folder, 'waypoints.geojson'))).length)
    expect(file?.sha256).toMatch(/^[0-9a-f]{64}$/u)
  })

  it('that is missing is refused with the option that names one', async () => {
    const refused = openExportFolder(folder)
    await expect(refused).rejects.toThrow(/cannot be read \(.*Give the folder of an export as data/su)
    await expect(refused).rejects.toMatchObject({ code: 'UNREADABLE_FOLDER', details: { folder } })
  })

  it('that is empty is refused', async () => {
    await mkdir(folder)
    const refused = openExportFolder(folder)
    await expect(refused).rejects.toThrow(/is empty\. Write an export into it/u)
    await expect(refused).rejects.toMatchObject({ code: 'EMPTY', details: { folder } })
  })

  it('that holds something else is refused', async () => {
    await mkdir(folder)
    await writeFile(join(folder, 'holiday.jpg'), 'x')
    await expect(openExportFolder(folder)).rejects.toThrow(/is not an export: it has no datapackage\.json/u)
  })

  it('that is incomplete is refused with the names of the missing files', async () => {
    await writeFixture(folder)
    await rm(join(folder, 'reviews.json'))
    await rm(join(folder, 'changes.ndjson.gz'))
    const refused = openExportFolder(folder)
    await expect(refused).rejects.toThrow(/incomplete: changes\.ndjson\.gz, reviews\.json are missing/u)
    await expect(refused).rejects.toMatchObject({
      code: 'INCOMPLETE',
      details: { folder, missing: ['changes.ndjson.gz', 'reviews.json'] },
    })
  })

  it('with a file that was cut off is refused with both sizes', async () => {
    await writeFixture(folder)
    await truncate(join(folder, 'waypoints.ndjson.gz'), 100)
    await expect(openExportFolder(folder)).rejects.toThrow(
      /waypoints\.ndjson\.gz has 100 bytes where datapackage\.json says \d+/u,
    )
  })

  it('of a newer layout is refused with the advice to update', async () => {
    await writeFixture(folder)
    await describeAnew((description) => {
      description['openfountain'] = { format: 3, somethingNew: true }
    })
    await expect(openExportFolder(folder)).rejects.toThrow(/format 3; this site reads up to 2.*update/su)
  })

  it('that holds only a difference is refused', async () => {
    await writeFixture(folder)
    await describeAnew((description) => {
      Object.assign(description['openfountain'] ?? {}, { since: { id: 4 } })
    })
    await expect(openExportFolder(folder)).rejects.toThrow(
      /holds only what changed\. A site needs everything: export without since\./u,
    )
  })

  it('with a broken description is refused with the field', async () => {
    await writeFixture(folder)
    await describeAnew((description) => {
      Object.assign(description['openfountain'] ?? {}, { revision: 'seven' })
    })
    await expect(openExportFolder(folder)).rejects.toThrow(/openfountain\.revision/u)
    await writeFile(join(folder, 'datapackage.json'), '{"name": ')
    await expect(openExportFolder(folder)).rejects.toThrow(/datapackage\.json is not JSON/u)
  })
})

describe('reading an export', () => {
  const load = async (limit = 50_000) => loadRegistry(await openExportFolder(folder), { limit })

  it('gathers regions, amenities, months and totals', async () => {
    await writeFixture(folder)
    const { survey, activity, totals, contributors, sources, areas } = await load()
    expect(survey.waypoints).toBe(60)
    expect(survey.regions.reduce((sum, region) => sum + region.waypoints, 0)).toBe(60)
    expect(survey.regions.map(({ slug }) => slug).toSorted()).toEqual([
      'akerby',
      'elsewhere',
      'linden-quarter',
      'mill-hill',
      'old-harbour',
    ])
    expect(Object.values(survey.ages).reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(activity.months.at(-1)?.waypoints).toBe(60)
    expect(activity.months.reduce((sum, { reviewed }) => sum + reviewed, 0)).toBe(totals.total_reviews)
    expect(contributors.size).toBe(12)
    expect(sources).toHaveLength(1)
    expect(areas[0]?.properties.name).toBe('Harbour works')
  })

  it('keeps the most recently changed waypoints when there are more than the limit', async () => {
    await writeFixture(folder, { waypoints: 3000 })
    const all = await load()
    const some = await load(100)
    expect(some.waypoints).toEqual(all.waypoints.slice(0, 100))
    const times = all.waypoints.map(({ updated_at }) => updated_at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(some.survey.waypoints).toBe(3000)
    expect(some.hasPage(some.waypoints[0]?.id ?? 0)).toBe(true)
    expect(some.hasPage(all.waypoints[2999]?.id ?? 0)).toBe(false)
  })

  it('names deleted waypoints in the recent changes by their last name in the log', async () => {
    await writeFixture(folder)
    const { entries, log } = fixtureLog()
    const about = { subject: 'waypoint', subjectId: 900, at: dataTime, by: 'user-1' } as const
    log({ ...about, action: 'created', fields: { name: 'Old' } })
    log({ ...about, action: 'edited', fields: { name: 'Gone' } })
    log({ ...about, action: 'deleted', fields: {} })
    await replaceLines('changes.ndjson.gz', entries)
    const { named, activity } = await load()
    expect(named(900)?.name).toBe('Gone')
    expect(activity.recent.map(({ id }) => id)).toEqual([3, 2, 1])
  })

  it('leads merged waypoints to what is left of them, the newest merges first', async () => {
    await writeFixture(folder)
    const { entries, log } = fixtureLog()
    const about = { subject: 'waypoint', at: dataTime, by: 'user-1' } as const
    const merge = (id: number, mergedInto: number) =>
      log({ ...about, subjectId: id, action: 'deleted', fields: { reason: 'Same' }, links: { mergedInto } })
    const restore = (id: number) =>
      log({ ...about, subjectId: id, action: 'created', fields: {}, links: { restores: 1 } })
    const drop = (id: number) => log({ ...about, subjectId: id, action: 'deleted', fields: {} })
    merge(101, 102)
    merge(102, 1)
    merge(103, 104)
    drop(104)
    merge(105, 2)
    restore(105)
    merge(106, 107)
    drop(107)
    restore(107)
    // A log that another program wrote may go in circles.
    merge(108, 109)
    merge(109, 108)
    await replaceLines('changes.ndjson.gz', entries)
    expect([...(await load()).merged]).toEqual([
      [106, 107],
      [102, 1],
      [101, 1],
    ])
    expect([...(await load(1)).merged]).toEqual([[106, 107]])
  })

  it('says that an entry is redacted because of the redaction, not because its fields are withheld', async () => {
    await writeFixture(folder)
    const { entries, log } = fixtureLog()
    const at = dataTime
    const about = { subject: 'waypoint', subjectId: 1, at, by: 'user-1', action: 'edited' } as const
    const hash = '0'.repeat(64)
    log({ ...about, fields: { region: 'Lund' } })
    log({ ...about, fields: {} })
    log({ ...about, fields: {} })
    const [kept, redacted, withheld] = entries
    const fields = { names: ['name', 'reason'], reason: 'Private' }
    log({ subject: 'entry', subjectId: 2, at, by: 'api', action: 'redacted', fields })
    const withoutSeed = ({ seed: _seed, ...entry }: object & { seed?: unknown } = {}) => entry
    await replaceLines('changes.ndjson.gz', [
      kept,
      { ...withoutSeed(redacted), salts: {}, commitments: { name: hash, reason: hash } },
      { ...withoutSeed(withheld), commitments: { name: hash }, withheld: 'of another licence' },
      entries[3],
    ])
    const { activity } = await load()
    expect(activity.recent.map(({ id, fields: names, removed }) => ({ id, names, removed }))).toEqual([
      { id: 3, names: [], removed: [] },
      { id: 2, names: ['name'], removed: ['text'] },
      { id: 1, names: ['region'], removed: [] },
    ])
  })

  it('refuses an entry of the log that has something which no entry can have', async () => {
    await writeFixture(folder)
    const { entries, log } = fixtureLog()
    const about = { subject: 'waypoint', subjectId: 1, at: dataTime, by: 'user-1' } as const
    log({ ...about, action: 'created', fields: {} })
    await replaceLines('changes.ndjson.gz', [...entries, { ...entries[0], previousHash: '' }])
    await expect(load()).rejects.toThrow(/changes\.ndjson\.gz, line 2: .*previousHash/u)
    log({ ...about, action: 'redacted', fields: {} })
    await replaceLines('changes.ndjson.gz', entries)
    await expect(load()).rejects.toThrow(/changes\.ndjson\.gz, line 2: action/u)
  })

  it('refuses a line that is not JSON with its number', async () => {
    await writeFixture(folder)
    await replaceLines('waypoints.ndjson.gz', ['{"id": 1', ''])
    await expect(load()).rejects.toThrow(/waypoints\.ndjson\.gz, line 1: not JSON/u)
  })

  it('refuses an invalid record with its line and field', async () => {
    await writeFixture(folder)
    const record = { id: 1, name: 'A', latitude: 91, longitude: 0, approved: true, verified: true }
    await replaceLines('waypoints.ndjson.gz', ['', record])
    const refused = load()
    await expect(refused).rejects.toThrow(/waypoints\.ndjson\.gz, line 2: latitude/u)
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_RECORD', details: { line: 2 } })
  })

  it('leaves out what cannot be shown, and tells its id, when other records can be', async () => {
    await writeFixture(folder)
    const lines = gunzipSync(await readFile(join(folder, 'waypoints.ndjson.gz')))
      .toString()
      .trimEnd()
      .split('\n')
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    const odd = [
      { ...first, latitude: 91 },
      { ...second, updated_at: 'soon' },
    ]
    await replaceLines('waypoints.ndjson.gz', [...odd, ...lines.slice(2)])
    const areas = JSON.parse(await readFile(join(folder, 'areas.geojson'), 'utf8'))
    areas.features.push({ type: 'Feature', id: 77, geometry: null, properties: {} })
    await writeFile(join(folder, 'areas.geojson'), JSON.stringify(areas))
    const skipped: unknown[] = []
    const data = await loadRegistry(await openExportFolder(folder), {
      limit: 50_000,
      onInvalid: ({ file, id, reason }) => skipped.push([basename(file), id, reason.split(':')[0]]),
    })
    expect(data.survey.waypoints).toBe(lines.length - 2)
    expect(skipped).toEqual([
      ['waypoints.ndjson.gz', first?.['id'], 'latitude'],
      ['waypoints.ndjson.gz', second?.['id'], 'updated_at'],
      ['areas.geojson', 77, 'geometry'],
    ])
  })

  it('shows the newest fifty years when a clock was once wrong', async () => {
    await writeFixture(folder)
    const { entries, log } = fixtureLog()
    const created = (subjectId: number, at: string) =>
      log({ subject: 'waypoint', subjectId, at, by: 'user-1', action: 'created', fields: { name: 'A' } })
    created(1, '0000-01-01T00:00:00.000Z')
    created(2, '1999-05-01T00:00:00.000Z')
    created(3, '2026-06-01T00:00:00.000Z')
    await replaceLines('changes.ndjson.gz', entries)
    const { months } = (await load()).activity
    expect(months).toHaveLength(600)
    expect(months[0]).toMatchObject({ month: '1976-07', waypoints: 1 })
    expect(months.at(-1)).toMatchObject({ month: '2026-06', waypoints: 3 })
  })

  it('shows the last month that a time can have', async () => {
    await writeFixture(folder)
    const { entries, log } = fixtureLog()
    const at = '9999-12-31T23:59:59.999Z'
    log({ subject: 'waypoint', subjectId: 1, at, by: 'user-1', action: 'created', fields: { name: 'A' } })
    await replaceLines('changes.ndjson.gz', entries)
    expect((await load()).activity.months.at(-1)).toMatchObject({ month: '9999-12', waypoints: 1 })
  })

  it('refuses a compressed file that ends too early', async () => {
    await writeFixture(folder)
    const whole = await readFile(join(folder, 'changes.ndjson.gz'))
    await writeFile(join(folder, 'changes.ndjson.gz'), whole.subarray(0, whole.length - 200))
    await describeAnew((description) => {
      description['resources'] = [] as unknown as Record<string, unknown>
    })
    await expect(load()).rejects.toThrow(
      /changes\.ndjson\.gz cannot be read after line \d+ \(unexpected end of file\)/u,
    )
  })

  it('refuses an invalid review with its place in the list', async () => {
    await writeFixture(folder)
    await writeFile(
      join(folder, 'reviews.json'),
      JSON.stringify({ reviews: [{ id: 1, waypoint_id: 'two' }] }),
    )
    await describeAnew((description) => {
      description['resources'] = [] as unknown as Record<string, unknown>
    })
    await expect(load()).rejects.toThrow(/reviews\[0\]: waypoint_id/u)
  })
})
