import { join } from 'node:path'
import { openRegistry, token, user, type ImportRow, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newDatabase, type TestDatabase } from '@openfountain/testing/database'
import { exportRegistry } from '../../src/index.ts'
import { jsonIn, temporaryFolder, textIn } from './written-edition.ts'

interface Line {
  readonly change: 'added' | 'changed' | 'removed'
  readonly id?: number
  readonly waypoint?: object
  readonly review_id?: number
  readonly review?: object
}

let own: TestDatabase
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

async function importRows(
  given: readonly ImportRow[],
  from: typeof source = source,
  missing: 'keep' | 'mark' = 'keep',
): Promise<void> {
  const run = await registry.imports.start({ source: from })
  if (given.length > 0) await run.apply(given)
  await run.finish({ counts: {}, missing })
}

beforeEach(async () => {
  minutes = 0
  own = await newDatabase()
  const clock = () => new Date(Date.UTC(2026, 5, 1) + ++minutes * 60_000)
  registry = await openRegistry({ database: own.database, clock, license: 'CC0-1.0' })
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  await importRows(rows)
  for (const name of ['North', 'South', 'East'])
    await registry.waypoints.create({ name, latitude: 1, longitude: 1 }, ada)
  await registry.reviews.create({ bubblerId: 1, rating: 4, comment: 'Cold' }, ada)
  await registry.reviews.create({ bubblerId: 6, rating: 2 }, ada)
  await registry.reviews.create({ bubblerId: 7, rating: 5 }, ada)
  await registry.waypoints.update(8, { region: 'Lund' }, ada)
})

afterEach(async () => {
  await registry.close()
  await own.remove()
})

const waypointsIn = (out: string): Line[] =>
  textIn(out, 'waypoints.ndjson.gz')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line)))

async function exported(since?: string): Promise<string> {
  const out = join(temporaryFolder(), 'out')
  const formats = since === undefined ? ['ndjson', 'reviews.json'] : ['difference']
  await exportRegistry(registry, { out, since, formats })
  return out
}

const linesIn = (out: string): Line[] =>
  textIn(out, 'difference.ndjson.gz')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : JSON.parse(line)))

/** Waypoints and reviews by id. */
interface Held {
  readonly waypoints: Map<number | undefined, object>
  readonly reviews: Map<number | undefined, object>
}

function heldIn(out: string): Held {
  const reviews: { id: number }[] = jsonIn(out, 'reviews.json').reviews
  return {
    waypoints: new Map(waypointsIn(out).map((waypoint) => [waypoint.id, waypoint])),
    reviews: new Map(reviews.map((review) => [review.id, review])),
  }
}

/** What a reader does to bring a previous export up to date. */
function apply({ waypoints, reviews }: Held, lines: readonly Line[]): void {
  for (const { change, id, waypoint, review_id: reviewId, review } of lines) {
    const [rows, key, row] = reviewId === undefined ? [waypoints, id, waypoint] : [reviews, reviewId, review]
    if (change === 'removed') rows.delete(key)
    else rows.set(key, row ?? {})
  }
}

const sorted = ({ waypoints, reviews }: Held): object =>
  [waypoints, reviews].map((rows) => [...rows].toSorted(([one], [other]) => Number(one) - Number(other)))

const headNow = async (): Promise<string> => {
  const { id, hash } = await registry.changes.head()
  return `${id}:${hash}`
}

/** Does something the day after an export, and exports again; the first and the difference must make the second. */
async function isKept(happening: () => void | Promise<void>): Promise<Line[]> {
  const old = await exported()
  const { data_time: dataTime, log } = jsonIn(old, 'datapackage.json').openfountain
  const head = await headNow()
  minutes += 24 * 60
  await happening()
  const now = heldIn(await exported())
  expect(sorted(now)).not.toEqual(sorted(heldIn(old)))
  let lines: Line[] = []
  for (const since of [dataTime, String(log.id), log.hash, `${head}\n`]) {
    const held = heldIn(old)
    lines = linesIn(await exported(since))
    apply(held, lines)
    expect(sorted(held), since).toEqual(sorted(now))
  }
  return lines
}

describe('a previous export and the difference since then make the new one', () => {
  test('when a review was posted', async () => {
    await isKept(async () => {
      await registry.reviews.create({ bubblerId: 8, rating: 3, comment: 'Warm' }, ada)
    })
  })

  test('when the only review of a fountain was deleted', async () => {
    const lines = await isKept(async () => {
      await registry.reviews.delete(3, token())
    })
    expect(lines.filter(({ change }) => change === 'removed')).toMatchObject([
      { change: 'removed', review_id: 3, waypoint_id: 7 },
    ])
    expect(lines.find(({ id }) => id === 7)).toMatchObject({
      change: 'changed',
      waypoint: { review_count: 0 },
    })
  })

  test('when a fountain was deleted with its review, and when it was restored', async () => {
    const gone = await isKept(async () => {
      await registry.waypoints.delete(7, token())
    })
    expect(gone).toMatchObject([
      { change: 'removed', id: 7 },
      { change: 'removed', review_id: 3, waypoint_id: 7 },
    ])
    await isKept(async () => {
      await registry.waypoints.restore(7, { reason: 'It is there' }, token())
    })
  })

  test('when a review of a deleted fountain was deleted, and the fountain restored', async () => {
    await registry.waypoints.delete(7, token())
    await isKept(async () => {
      await registry.reviews.delete(3, token())
      await registry.waypoints.restore(7, { reason: 'It is there' }, token())
    })
  })

  test('when a complete import confirmed fountains and changed nothing', async () => {
    const lines = await isKept(() => importRows(rows, source, 'mark'))
    expect(lines.flatMap(({ id }) => id ?? [])).toEqual([1, 2, 3, 4, 5])
  })

  test('when a complete import lists fewer fountains, which are then missing', async () => {
    await isKept(() => importRows(rows.slice(0, 3), source, 'mark'))
    await isKept(() => importRows(rows, source, 'mark'))
  })

  test('when an import that had begun before is completed', async () => {
    const run = await registry.imports.start({ source })
    await run.apply(rows.slice(0, 2))
    await registry.waypoints.update(8, { description: 'in between' }, token())
    await isKept(async () => {
      await run.apply(rows.slice(2))
      await run.finish({ counts: {}, missing: 'mark' })
    })
  })

  test('when another source lists a fountain that lacks nothing', async () => {
    await isKept(async () => {
      const link = { row: 1, ref: 'X', input: { name: 'North', latitude: 1, longitude: 1 }, mergeInto: 6 }
      await importRows([link], { ...source, name: 'Region Skåne' })
    })
  })

  test('when a source says that a fountain is out of order', async () => {
    const lines = await isKept(() => importRows(rows.slice(0, 1).map((row) => ({ ...row, state: 'broken' }))))
    expect(lines).toMatchObject([{ change: 'changed', id: 1, waypoint: { state: 'broken' } }])
  })

  test('when a source wants another attribution', async () => {
    await isKept(() => importRows([], { ...source, attribution: 'VA Syd' }))
  })

  test('when two fountains were merged, and when they were separated again', async () => {
    const lines = await isKept(async () => {
      await registry.waypoints.merge(1, { into: 6, reason: 'The same' }, token())
    })
    expect(lines).toMatchObject([
      { change: 'changed', id: 6, waypoint: { review_count: 2 } },
      { change: 'removed', id: 1 },
      { change: 'changed', review_id: 1, review: { waypoint_id: 6 } },
    ])
    const back = await isKept(async () => {
      await registry.waypoints.restore(1, { reason: 'Two' }, token())
    })
    expect(back).toMatchObject([
      { change: 'added', id: 1, waypoint: { review_count: 1 } },
      { change: 'changed', id: 6, waypoint: { review_count: 1 } },
      { change: 'changed', review_id: 1 },
    ])
  })

  test('when a fountain was removed, restored and removed again', async () => {
    const lines = await isKept(async () => {
      await registry.waypoints.delete(8, token())
      await registry.waypoints.restore(8, { reason: 'It is there' }, token())
      await registry.waypoints.delete(8, token())
    })
    expect(lines).toMatchObject([{ change: 'removed', id: 8 }])
  })

  test('when text of an older entry was redacted, whose redaction is among the new entries', async () => {
    const { logs } = await registry.changes.list({ bubblerId: 8, action: 'edited' })
    const since = await headNow()
    const lines = await isKept(async () => {
      await registry.changes.redact(logs[0]?.id ?? 0, { reason: 'A private place' })
    })
    expect(lines).toMatchObject([{ change: 'changed', id: 8 }])
    const out = join(temporaryFolder(), 'out')
    await exportRegistry(registry, { out, since, formats: ['changes'] })
    const entries = textIn(out, 'changes.ndjson.gz').trim().split('\n')
    expect(entries.map((entry) => JSON.parse(entry))).toMatchObject([
      { subject: 'waypoint', subjectId: 8, action: 'edited', fields: { region: null } },
      { subject: 'entry', subjectId: logs[0]?.id, action: 'redacted', fields: { names: ['region'] } },
    ])
  })

  test('when waypoints were added, changed and removed, too', async () => {
    await isKept(async () => {
      await registry.waypoints.create({ name: 'West', latitude: 1, longitude: 1 }, ada)
      await registry.waypoints.update(2, { description: 'By the church' }, token())
      await registry.waypoints.delete(4, token())
      await registry.reviews.create({ bubblerId: 9, rating: 3 }, ada)
    })
  })
})

describe('a difference', () => {
  test('has nothing of an import whose last batch the log knows', async () => {
    const run = await registry.imports.start({ source })
    await run.apply([
      ...rows.slice(1),
      { row: 9, ref: 'L-9', input: { name: 'New', latitude: 2, longitude: 2 } },
    ])
    const since = await headNow()
    await run.finish({ counts: {}, missing: 'keep' })
    expect(linesIn(await exported(since))).toEqual([])
  })

  test('has a tombstone of a review that was posted and deleted, since the previous export may have it', async () => {
    const since = await headNow()
    const { id } = await registry.reviews.create({ bubblerId: 1, rating: 1 }, ada)
    await registry.reviews.delete(id, token())
    const lines = linesIn(await exported(since))
    expect(lines).toMatchObject([
      { change: 'changed', id: 1 },
      { change: 'removed', review_id: id, waypoint_id: 1 },
    ])
    expect(lines[1]).not.toHaveProperty('id')
  })

  test('of a part of the registry has no reviews', async () => {
    const since = await headNow()
    await registry.reviews.create({ bubblerId: 1, rating: 1 }, ada)
    const out = join(temporaryFolder(), 'part')
    await exportRegistry(registry, { out, since, bbox: [13, 55, 14, 56], formats: ['difference'] })
    expect(linesIn(out).map(({ id }) => id)).toEqual([1])
  })

  test('refuses a head whose hash is not that of the entry', async () => {
    const [, hash] = (await headNow()).split(':')
    const out = join(temporaryFolder(), 'out')
    const attempt = exportRegistry(registry, { out, since: `1:${hash}` })
    await expect(attempt).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
  })
})
