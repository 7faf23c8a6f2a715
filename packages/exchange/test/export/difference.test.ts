import path from 'node:path'
import { token, user, type Registry } from '@openfountain/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { jsonIn, linesIn, newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { exportRegistry } from '../../src/index.ts'

interface Line {
  readonly change: 'added' | 'changed' | 'removed'
  readonly id?: number
  readonly waypoint?: object
  readonly review_id?: number
  readonly review?: object
}

let registry: Registry
let minutes = 0
const source = { name: 'City of Lund', license: 'CC0-1.0', attribution: 'Lunds kommun' }
const ada = user('ada')
const names = ['Stortorget', 'Clemenstorget', 'Stadsparken', 'Lundagård', 'Botaniska']
const rows = names.map((name, index) => ({
  row: index + 1,
  ref: `L-${index + 1}`,
  input: { name, latitude: 55.7 + index / 100, longitude: 13.19 },
}))

let published = 0
const nextDay = () => new Date(Date.UTC(2026, 0, ++published)).toISOString().slice(0, 10)

async function importRows(): Promise<void> {
  const run = await registry.imports.start({ source, published: nextDay() })
  await run.apply(rows)
  await run.finish({ counts: {}, missing: 'keep' })
}

beforeEach(async () => {
  minutes = 0
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
  registry = await emptyRegistry({ clock, license: 'CC0-1.0' })
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  await importRows()
  for (const name of ['North', 'South', 'East'])
    await registry.waypoints.create({ name, latitude: 1, longitude: 1 }, ada)
  await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'Cold' }, ada)
  await registry.reviews.create({ bubblerId: 6, rating: 2 }, ada)
  await registry.reviews.create({ bubblerId: 7, rating: 5 }, ada)
  await registry.waypoints.update(8, { region: 'Lund' }, ada)
})

async function exported(since?: string, options: object = {}): Promise<string> {
  const out = path.join(newFolder(), 'out')
  const formats = since === undefined ? ['ndjson', 'reviews.json'] : ['difference']
  await exportRegistry(registry, { out, since, formats, ...options })
  return out
}

const differenceIn = (out: string): Line[] => linesIn(out, 'difference.ndjson.gz')

function heldIn(out: string): Map<string, object> {
  const reviews: { id: number }[] = jsonIn(out, 'reviews.json').reviews
  return new Map<string, object>([
    ...linesIn(out, 'waypoints.ndjson.gz').map((row) => [`waypoint ${row.id}`, row] as const),
    ...reviews.map((row) => [`review ${row.id}`, row] as const),
  ])
}

function updated(held: ReadonlyMap<string, object>, lines: readonly Line[]): Map<string, object> {
  const now = new Map(held)
  for (const { change, id, waypoint, review_id: reviewId, review } of lines) {
    const key = reviewId === undefined ? `waypoint ${id}` : `review ${reviewId}`
    if (change === 'removed') now.delete(key)
    else now.set(key, waypoint ?? review ?? {})
  }
  return now
}

const headNow = async (): Promise<string> => {
  const { id, hash } = await registry.changes.head()
  return `${id}:${hash}`
}

/** The first export with the difference must equal the second, the day after. */
async function isKept(happening: () => Promise<unknown>, everySince = false): Promise<Line[]> {
  const old = await exported()
  const { data_time: dataTime, log } = jsonIn(old, 'datapackage.json').openfountain
  const head = await headNow()
  minutes += 24 * 60
  await happening()
  const [held, now] = [heldIn(old), heldIn(await exported())]
  expect(now).not.toEqual(held)
  let lines: Line[] = []
  for (const since of [...(everySince ? [dataTime, String(log.id), log.hash] : []), `${head}\n`]) {
    lines = differenceIn(await exported(since))
    expect(updated(held, lines), since).toEqual(now)
  }
  return lines
}

test('a previous export and the difference since then make the new one when an import that had begun before is completed', async () => {
  const run = await registry.imports.start({ source, published: nextDay() })
  await run.apply(rows.slice(0, 2))
  await registry.waypoints.update(8, { description: 'in between' }, token())
  await isKept(async () => {
    await run.apply(rows.slice(2))
    await run.finish({ counts: {}, missing: 'mark' })
  })
})

test('a previous export and the difference since then make the new one when text of an older entry was redacted, whose redaction is among the new entries', async () => {
  const { logs } = await registry.changes.list({ bubblerId: 8, action: 'edited' })
  const since = await headNow()
  const entry = logs[0]?.id ?? 0
  const lines = await isKept(() => registry.changes.redact(entry, { reason: 'A private place' }))
  expect(lines).toMatchObject([{ change: 'changed', id: 8 }])
  expect(linesIn(await exported(since, { formats: ['changes'] }), 'changes.ndjson.gz')).toMatchObject([
    { subject: 'waypoint', subjectId: 8, action: 'edited', fields: { region: null } },
    { subject: 'entry', subjectId: entry, action: 'redacted', fields: { names: ['region'] } },
  ])
})

test('a previous export and the difference since then make the new one when waypoints were added, changed and removed, too, since a time, an id, a hash or a head', async () => {
  const lines = await isKept(async () => {
    await registry.waypoints.create({ name: 'West', latitude: 1, longitude: 1 }, ada)
    await registry.waypoints.update(2, { description: 'By the church' }, token())
    await registry.waypoints.delete(4, token())
    await registry.reviews.create({ bubblerId: 9, rating: 3 }, ada)
  }, true)
  expect(lines).toContainEqual(expect.objectContaining({ change: 'removed', id: 4, removed_by: 'api' }))
})

describe('a difference', () => {
  test('has nothing of an import whose last batch the log knows', async () => {
    const run = await registry.imports.start({ source, published: nextDay() })
    const more = { row: 9, ref: 'L-9', input: { name: 'New', latitude: 2, longitude: 2 } }
    await run.apply([...rows.slice(1), more])
    const since = await headNow()
    await run.finish({ counts: {}, missing: 'keep' })
    expect(differenceIn(await exported(since))).toEqual([])
  })

  test('has a tombstone of a review that was posted and deleted, since the previous export may have it', async () => {
    const since = await headNow()
    const { id } = await registry.reviews.create({ bubblerId: 1, rating: 1 }, ada)
    await registry.reviews.delete(id, token())
    const lines = differenceIn(await exported(since))
    expect(lines).toMatchObject([
      { change: 'changed', id: 1 },
      { change: 'removed', review_id: id, waypoint_id: 1 },
    ])
    expect(lines[1]).not.toHaveProperty('id')
  })

  test('of a part of the registry has no reviews', async () => {
    const since = await headNow()
    await registry.reviews.create({ bubblerId: 1, rating: 1 }, ada)
    expect(
      differenceIn(await exported(since, { where: { bbox: [13, 55, 14, 56] } })).map(({ id }) => id),
    ).toEqual([1])
  })

  test('has the files of what changed alone, and the entries since then', async () => {
    const head = await registry.changes.head()
    await registry.waypoints.update(4, { description: 'changed' }, token())
    const brief = await registry.waypoints.create({ name: 'Brief', latitude: 1, longitude: 1 }, token())
    await registry.waypoints.delete(brief.id, token())
    const out = await exported(String(head.id), { formats: ['geojson', 'changes'] })
    expect(jsonIn(out, 'waypoints.geojson').features).toMatchObject([{ id: 4 }])
    expect(linesIn(out, 'changes.ndjson.gz')).toHaveLength(3)
    expect(jsonIn(out, 'datapackage.json').openfountain.since).toEqual({ id: head.id, hash: head.hash })
  })

  test.each([
    ['1:head', 'CHAIN_BROKEN'],
    ['f'.repeat(64), 'CHAIN_BROKEN'],
    ['999999', 'CHAIN_BROKEN'],
    ['yesterday', 'INVALID_INPUT'],
  ])('since %s, a point that the log does not have, is refused: %s', async (point, code) => {
    const since = point.replace('head', (await headNow()).split(':')[1] ?? '')
    await expect(exported(since)).rejects.toMatchObject({ code })
  })
})
