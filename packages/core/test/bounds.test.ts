import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { openRegistry, token, type Registry, type WaypointFilterInput } from '@openfountain/core'
import { WaypointFilter } from '../src/schemas/filter.ts'
import { parse } from '../src/schemas/parse.ts'
import { LogQuery } from '../src/changes.ts'
import { changeReads } from '../src/store/sqlite/nouns/changes.ts'
import { differenceReads } from '../src/store/sqlite/nouns/difference.ts'
import { waypointBounds } from '../src/store/sqlite/search/bounds.ts'
import { nearestPlaces } from '../src/store/sqlite/search/nearest.ts'
import { Statements } from '../src/store/sqlite/connection/statement.ts'
import { userReads } from '../src/store/sqlite/nouns/users.ts'
import { waypointReads } from '../src/store/sqlite/nouns/waypoints.ts'
import { recordPages } from '../src/store/sqlite/records/pages.ts'
import type { RecordChoice } from '../src/store/sqlite/records/record.ts'
import { gatheredRows, recordReads } from '../src/store/sqlite/records/records.ts'
import { emptyRegistry, tickingClock } from '@openfountain/testing/registry'
import { source } from '@openfountain/testing/imported'

const count = 3000

/** Waypoints all over the globe, one in ten of them in a village, and one in a thousand in the region "Lund". */
function* rows() {
  for (let row = 1; row <= count; row++) {
    const hamlet = row % 10 === 0
    yield {
      row,
      ref: String(row),
      input: {
        name: `Spring ${row}`,
        latitude: hamlet ? 55.7 : ((row * 37) % 170) - 85,
        longitude: hamlet ? 13.2 : ((row * 91) % 360) - 180,
        region: row % 1000 === 0 ? 'Lund' : 'Elsewhere',
        amenities: row === 901 ? ['rare'] : row % 2 === 0 ? ['tap'] : [],
      },
    }
  }
}

async function filled(database: string): Promise<Registry> {
  const registry = await openRegistry({ database, durability: 'relaxed', clock: tickingClock() })
  const run = await registry.imports.start({ source })
  await run.apply([...rows()])
  await run.finish({ counts: {}, missing: 'keep' })
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 1000 })
  for (const id of [1, 2, 3]) {
    await registry.waypoints.update(id, { description: 'Cold' }, { kind: 'user', userId: 'ada' })
  }
  return registry
}

const here = { latitude: 55.7, longitude: 13.2 }
const globe: [number, number, number, number] = [-180, -90, 180, 90]
const hamlet: [number, number, number, number] = [13, 55.5, 13.5, 56]

describe('bounded lists and their query plans', () => {
  let registry: Registry
  let executed: string[]
  let database: Database.Database
  let statements: Statements

  beforeAll(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-bounds-'))
    const file = path.join(folder, 'fountains.db')
    registry = await filled(file)
    executed = []
    database = new Database(file, { readonly: true, verbose: (text) => executed.push(String(text)) })
    statements = new Statements(database)
    return async () => {
      database.close()
      await registry.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

  /** The query plan of each statement that is executed; none is prepared again for its limit. */
  async function plans(read: () => unknown): Promise<string[]> {
    executed.length = 0
    await read()
    const texts = executed.splice(0)
    // Bound numbers have a decimal point here.
    expect(texts.filter((text) => /\b(?:limit|offset) -?\d+\.0/.test(text))).toEqual([])
    return texts.flatMap((text) =>
      database
        .prepare<[], { detail: string }>(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => detail),
    )
  }

  /** Steps that scan all rows of a table, or all from an id on. */
  const throughAll = (details: readonly string[]): string[] =>
    details.filter((detail) =>
      /^SCAN (?:waypoints|placed|entries|users|records)|PRIMARY KEY \(rowid[<>]/.test(detail),
    )

  test('one waypoint is read with its log and its sources, and no plan scans', async () => {
    const details = await plans(() => waypointReads(statements).dossier(901))
    expect(throughAll(details)).toEqual([])
    expect(details).toContainEqual(expect.stringContaining('entriesOfWaypoint (subjectId=?)'))
    expect(details).toContainEqual(expect.stringContaining('recordsByWaypoint (waypointId=?)'))
  })

  test('a difference of few entries reads the new ones, and looks all else up', async () => {
    const { id } = await registry.changes.head()
    const span = { size: id - 3, from: '2026-01-01', day: '2026-01-02' }
    const reads = differenceReads(statements)
    const ids = reads.waypointIds(span)
    expect(ids.length).toBeLessThan(10)
    const details = await plans(() => [reads.waypointIds(span), [...reads.reviews(span.size)]])
    const choice = { ids: [1, 901, 2900], day: span.day }
    const template = {
      record: [
        { field: 'rating', form: 'as it is' },
        { field: 'sourceRefs', form: 'json' },
      ],
    } as const
    const pages = await plans(() => [...recordPages(statements, template, choice)])
    const records = await plans(() => [...gatheredRows(statements, [], choice, ({ id }) => id)])
    const tables = /^SCAN (?:waypoints|reviews|entries|e|m|statuses|k|records|r|imports|observations)\b/u
    const whole = [...details, ...pages, ...records].filter((detail) => tables.test(detail))
    expect([...whole, ...pages.filter((detail) => detail.startsWith('SCAN w'))]).toEqual([])
    expect(throughAll([...pages, ...records])).toEqual([])
    const found = new Set(throughAll(details))
    expect([...found]).toEqual(['SEARCH entries USING INTEGER PRIMARY KEY (rowid>?)'])
  })

  test('the box around all waypoints is read in the order of the table, and that around few by their index', async () => {
    const { extent, records } = recordReads(statements)
    const planOf = (choice: Partial<RecordChoice>) => plans(() => extent({ day: '2026-01-02', ...choice }))
    expect(await planOf({})).toEqual(['SCAN waypoints'])
    expect(await planOf({ region: 'Lund' })).toEqual([expect.stringContaining('waypointsByRegion')])
    for (const choice of [{ ids: [1, 901, 2900] }, { bbox: hamlet }])
      expect(throughAll(await planOf(choice))).toEqual([])
    for (const choice of [{}, { region: 'Lund' }, { ids: [1, 901, 2900] }, { bbox: hamlet }]) {
      const places = [...records({ day: '2026-01-02', ...choice })]
      const [x, y] = [places.map(({ longitude }) => longitude), places.map(({ latitude }) => latitude)]
      expect(extent({ day: '2026-01-02', ...choice })).toEqual(
        places.length === 0 ? undefined : [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)],
      )
    }
  })

  const boundedLists: readonly [string, WaypointFilterInput][] = [
    ['a small box', { bbox: hamlet, limit: 10 }],
    ['a small box with filters', { bbox: hamlet, amenity: ['none'], approved: false, limit: 10 }],
    ['a small box in a large region', { bbox: hamlet, region: 'Elsewhere', limit: 10 }],
    ['a region', { region: 'Elsewhere', after: 2, limit: 10 }],
    ['a small region with filters', { region: 'Lund', amenity: ['none'], verified: true, limit: 10 }],
    ['few changes', { updatedSince: '2026-01-01T00:00:05.000Z', amenity: ['none'], limit: 10 }],
    ['few changes of a large region', { updatedSince: '2026-01-01T00:00:05.000Z', region: 'Elsewhere' }],
  ]

  test.each(boundedLists)('%s is bounded, and no plan scans all waypoints', async (_what, filter) => {
    expect(await registry.waypoints.isBounded(filter)).toBe(true)
    const given = parse(WaypointFilter, filter)
    const details = await plans(() => Array.fromAsync(waypointReads(statements).textChunks(given)))
    expect(details.filter((detail) => detail.includes('waypoints'))).not.toEqual([])
    expect(throughAll(details)).toEqual([])
  })

  const boundedNearest: readonly [string, WaypointFilterInput][] = [
    ['the nearest', { near: here, limit: 10 }],
    ['the nearest in a small circle with filters', { near: { ...here, radius: 500 }, verified: true }],
    ['the nearest in a small box with filters', { near: here, bbox: hamlet, amenity: ['none'], limit: 10 }],
    ['the nearest in a small circle and a large box', { near: { ...here, radius: 500 }, bbox: globe }],
    ['the nearest of a small region', { near: here, region: 'Lund', after: 1, limit: 10 }],
  ]

  test.each(boundedNearest)('%s are bounded, and no plan scans all waypoints', async (_what, filter) => {
    expect(await registry.waypoints.isBounded(filter)).toBe(true)
    const { near = here, ...rest } = parse(WaypointFilter, filter)
    const reads = waypointReads(statements)
    const details = await plans(() => nearestPlaces(statements, reads).near({ ...rest, near }))
    expect(details).not.toEqual([])
    expect(throughAll(details)).toEqual([])
  })

  const unbounded: readonly [string, WaypointFilterInput][] = [
    ['near with after', { near: here, after: 1, limit: 1 }],
    ['near with a region', { near: here, region: 'Elsewhere', limit: 1 }],
    ['near with a large box', { near: here, bbox: globe, limit: 1 }],
    ['near with an amenity', { near: here, amenity: ['none'], limit: 1 }],
    ['near with a large circle and a filter', { near: { ...here, radius: 2e7 }, approved: true, limit: 1 }],
    ['near without a limit', { near: here }],
    ['a large box', { bbox: globe, limit: 1 }],
    ['a large box in a small region', { bbox: globe, region: 'Lund', limit: 1 }],
    ['a large box with a filter', { bbox: globe, amenity: ['none'], limit: 1 }],
    ['an amenity', { amenity: ['none'], limit: 1 }],
    ['approved ones', { approved: true, limit: 1 }],
    ['verified ones', { verified: true, limit: 1 }],
    ['a large region with a filter', { region: 'Elsewhere', verified: true, limit: 1 }],
    ['many changes', { updatedSince: '2026-01-01T00:00:00.000Z', limit: 1 }],
    ['everything', {}],
  ]

  test.each(unbounded)('%s is not bounded', async (_what, filter) => {
    expect(await registry.waypoints.isBounded(filter)).toBe(false)
  })

  const nearestWith: readonly WaypointFilterInput[] = [
    { after: 1500 },
    { region: 'Elsewhere', amenity: ['tap'] },
    { bbox: [100, -60, -60, 80], approved: false },
    { bbox: globe, updatedSince: '2026-01-01T00:00:00.000Z', after: 20 },
  ]

  test.each(nearestWith)('the nearest with %o are found piece by piece, and are exact', async (filter) => {
    for (const near of [
      here,
      { latitude: -80, longitude: 179 },
      { latitude: 0, longitude: 0, radius: 9e6 },
    ]) {
      const all = await registry.waypoints.list({ ...filter, near })
      const first = { ...filter, near, limit: 20 }
      expect(await registry.waypoints.isBounded(first)).toBe(false)
      expect(await registry.waypoints.list(first)).toEqual(all.slice(0, 20))
      const { near: _near, ...given } = parse(WaypointFilter, first)
      const details = await plans(() =>
        nearestPlaces(statements, waypointReads(statements)).near({ ...given, near }),
      )
      expect(throughAll(details)).toEqual([])
    }
  })

  test('the nearest in a large registry are bounded where there are enough around', () => {
    const large = new Database(database.name)
    try {
      large.exec('begin')
      large.prepare('update state set lastWaypointId = 1000000').run()
      const isBounded = waypointBounds(new Statements(large))
      const pole = { latitude: -90, longitude: 0 }
      expect(isBounded({ near: here, limit: 100 })).toBe(true)
      expect(isBounded({ near: { ...pole, radius: 60_000 }, limit: 100 })).toBe(true)
      expect(isBounded({ near: pole, limit: 1 })).toBe(false)
      expect(isBounded({ near: { ...pole, radius: 9_000_000 }, limit: 1 })).toBe(false)
    } finally {
      large.exec('rollback')
      large.close()
    }
  })

  test('the nearest with a very selective filter are found by scanning all waypoints once', async () => {
    const filter = { near: here, amenity: ['rare'], limit: 5 }
    expect((await registry.waypoints.list(filter)).map(({ id }) => id)).toEqual([901])
    const { near = here, ...given } = parse(WaypointFilter, filter)
    const details = await plans(() =>
      nearestPlaces(statements, waypointReads(statements)).near({ ...given, near }),
    )
    expect(throughAll(details)).toHaveLength(1)
  })

  test('a list of the last thousand waypoints is bounded', async () => {
    expect(await registry.waypoints.isBounded({ amenity: ['none'], after: count - 1000 })).toBe(true)
    expect(await registry.waypoints.isBounded({ amenity: ['none'], after: count - 1001 })).toBe(false)
  })

  const logs: readonly [boolean, LogQuery][] = [
    [true, {}],
    [true, { offset: 2000 }],
    [true, { order: 'asc', after: 7, offset: 2000 }],
    [true, { action: 'edited' }],
    [true, { action: 'deleted' }],
    [true, { userId: 'ada', action: 'created' }],
    [true, { bubblerId: 1, userId: 'api', action: 'created' }],
    [true, { action: 'created' }],
    [true, { userId: 'api' }],
    [true, { userId: 'api', action: 'created' }],
    [false, { action: 'created', offset: 2000 }],
    [false, { userId: 'api', offset: 2000 }],
    [false, { action: 'created', after: 7 }],
    [false, { userId: 'api', action: 'created', after: 7 }],
    [true, { userId: 'api', action: 'edited' }],
    [true, { action: 'created', after: count - 500 }],
  ]

  test.each(logs)('a page of the log is bounded: %s, %o', async (bounded, query) => {
    expect(await registry.changes.isBounded(query)).toBe(bounded)
    const given = parse(LogQuery, query)
    const reads = changeReads(statements)
    const details = await plans(() => [reads.list(given), reads.count(given)])
    expect(details.filter((detail) => detail.startsWith('SCAN entries'))).toEqual([])
    if (Object.keys(query).some((name) => name === 'action' || name === 'userId')) {
      expect(throughAll(details)).toEqual([])
    }
  })

  test('pages of the log with an offset are slices of the whole log', async () => {
    const snapshot = await registry.snapshot()
    const all = [...snapshot.changes()]
    snapshot.close()
    expect(all).toHaveLength(count + 3)
    const newest = all.toReversed()
    const [, , , , fifth] = all
    for (const offset of [0, 7, 60, 2000]) {
      const { logs, total } = await registry.changes.list({ limit: 10, offset })
      expect(logs).toEqual(newest.slice(offset, offset + 10))
      expect(total).toBe(count + 3)
      const ascending = await registry.changes.list({ limit: 10, offset, order: 'asc', after: fifth?.id })
      expect(ascending.logs).toEqual(all.slice(5 + offset, 15 + offset))
      const last = all.at(-4)?.id
      const between = await registry.changes.list({ limit: 10, offset, after: last })
      expect(between.logs).toEqual(newest.slice(0, 3).slice(offset))
    }
  })

  test('records for exports are read by ranges of ids, and each range reads nothing but its own', async () => {
    const day = '2026-01-02'
    const paged = await plans(() =>
      Array.from(recordPages(statements, { record: [{ field: 'lastListed', form: 'json' }] }, { day })),
    )
    const gathered = await plans(() =>
      Array.from(gatheredRows(statements, [], { day }, ({ id, lastListed }) => [id, lastListed])),
    )
    for (const details of [paged, gathered]) {
      expect(details).toContainEqual(expect.stringContaining('recordsByWaypoint (waypointId=?)'))
      const scans = details.filter((detail) =>
        /^SCAN (?:r|s|k|waypoints)\b|^MATERIALIZE (?:listings|s)$/.test(detail),
      )
      expect(scans).toEqual([])
    }
  })

  test('users are read in the order of an index, and only pages with a large offset are not bounded', async () => {
    const reads = userReads(statements)
    const page = { limit: 10, offset: 0 }
    const details = await plans(() => [reads.list(page), reads.byXp(page)])
    expect(details).toEqual(['SCAN users USING INDEX usersByAge', 'SCAN users USING INDEX usersByXp'])
    expect(await registry.users.isBounded({ offset: 5000 })).toBe(true)
    expect(await registry.sources.isBounded()).toBe(false)
  })
})

test('after many deletions only lists that skip the tombstones are not bounded', async () => {
  const registry = await emptyRegistry({ durability: 'relaxed' })
  const run = await registry.imports.start({ source })
  await run.apply([...rows()])
  await run.finish({ counts: {}, missing: 'keep' })
  for (let id = 11; id <= 1400; id++) await registry.waypoints.delete(id, token())
  expect(await registry.waypoints.isBounded({ limit: 10 })).toBe(true)
  expect(await registry.waypoints.isBounded({ limit: 11 })).toBe(false)
  expect(await registry.waypoints.isBounded({ limit: 10, after: 5 })).toBe(false)
  expect(await registry.waypoints.isBounded({ limit: 10, after: 600 })).toBe(true)
  expect(await registry.waypoints.isBounded({ limit: 1, after: count + 5 })).toBe(true)
})

test('every list of a registry with a thousand waypoints is bounded', async () => {
  const registry = await emptyRegistry({ durability: 'relaxed' })
  const run = await registry.imports.start({ source })
  await run.apply([...rows()].slice(0, 1000))
  await run.finish({ counts: {}, missing: 'keep' })
  for (const filter of [{ near: here, amenity: ['none'] }, { bbox: globe, verified: true }, {}]) {
    expect(await registry.waypoints.isBounded(filter)).toBe(true)
  }
})
