import { beforeAll, describe, expect, test } from 'vitest'
import {
  openRegistry,
  token,
  type LogQuery,
  type Registry,
  type WaypointFilterInput,
} from '@openfountain/core'
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

async function fill(registry: Registry, most = count): Promise<Registry> {
  const run = await registry.imports.start({ source })
  await run.apply([...rows()].slice(0, most))
  await run.finish({ counts: {}, missing: 'keep' })
  return registry
}

const here = { latitude: 55.7, longitude: 13.2 }
const globe: [number, number, number, number] = [-180, -90, 180, 90]
const hamlet: [number, number, number, number] = [13, 55.5, 13.5, 56]
const since = '2026-01-01T00:00:05.000Z'
const none = ['none']

describe('a question is bounded when an index leaves few rows for it', () => {
  let registry: Registry

  beforeAll(async () => {
    registry = await openRegistry({ database: ':memory:', clock: tickingClock() })
    await fill(registry)
    await registry.users.create({ id: 'ada', name: 'Ada', xp: 1000 })
    for (const id of [1, 2, 3])
      await registry.waypoints.update(id, { description: 'Cold' }, { kind: 'user', userId: 'ada' })
    return () => registry.close()
  })

  test.each<[boolean, WaypointFilterInput]>([
    [true, { bbox: hamlet, limit: 10 }],
    [true, { bbox: hamlet, amenity: none, approved: false, limit: 10 }],
    [true, { bbox: hamlet, region: 'Elsewhere', limit: 10 }],
    [true, { region: 'Elsewhere', after: 2, limit: 10 }],
    [true, { region: 'Lund', amenity: none, verified: true, limit: 10 }],
    [true, { updatedSince: since, amenity: none, limit: 10 }],
    [true, { updatedSince: since, region: 'Elsewhere' }],
    [true, { near: here, limit: 10 }],
    [true, { near: { ...here, radius: 500 }, verified: true }],
    [true, { near: here, bbox: hamlet, amenity: none, limit: 10 }],
    [true, { near: { ...here, radius: 500 }, bbox: globe }],
    [true, { near: here, region: 'Lund', after: 1, limit: 10 }],
    [true, { amenity: none, after: count - 1000 }],
    [false, { amenity: none, after: count - 1001 }],
    [false, { near: here, after: 1, limit: 1 }],
    [false, { near: here, region: 'Elsewhere', limit: 1 }],
    [false, { near: here, bbox: globe, limit: 1 }],
    [false, { near: here, amenity: none, limit: 1 }],
    [false, { near: { ...here, radius: 2e7 }, approved: true, limit: 1 }],
    [false, { near: here }],
    [false, { bbox: globe, limit: 1 }],
    [false, { bbox: globe, region: 'Lund', limit: 1 }],
    [false, { bbox: globe, amenity: none, limit: 1 }],
    [false, { amenity: none, limit: 1 }],
    [false, { approved: true, limit: 1 }],
    [false, { verified: true, limit: 1 }],
    [false, { region: 'Elsewhere', verified: true, limit: 1 }],
    [false, { updatedSince: '2026-01-01T00:00:00.000Z', limit: 1 }],
    [false, {}],
  ])('%s: a list with %o', async (expected, filter) => {
    expect(await registry.waypoints.isBounded(filter)).toBe(expected)
  })

  test.each<[boolean, LogQuery]>([
    [true, {}],
    [true, { offset: 2000 }],
    [true, { order: 'asc', after: 7, offset: 2000 }],
    [true, { action: 'edited' }],
    [true, { action: 'deleted' }],
    [true, { userId: 'ada', action: 'created' }],
    [true, { bubblerId: 1, userId: 'api', action: 'created' }],
    [true, { userId: 'api', action: 'created' }],
    [true, { userId: 'api', action: 'edited' }],
    [true, { action: 'created', after: count - 500 }],
    [false, { action: 'created', offset: 2000 }],
    [false, { userId: 'api', offset: 2000 }],
    [false, { action: 'created', after: 7 }],
    [false, { userId: 'api', action: 'created', after: 7 }],
  ])('%s: a page of the log with %o', async (expected, query) => {
    expect(await registry.changes.isBounded(query)).toBe(expected)
  })

  test('pages of users are, and lists of sources are not', async () => {
    expect(await registry.users.isBounded({ offset: 5000 })).toBe(true)
    expect(await registry.sources.isBounded()).toBe(false)
  })
})

test('after many deletions only lists that skip the tombstones are not bounded', async () => {
  const registry = await fill(await emptyRegistry({ durability: 'relaxed' }))
  for (let id = 11; id <= 1400; id++) await registry.waypoints.delete(id, token())
  expect(await registry.waypoints.isBounded({ limit: 10 })).toBe(true)
  expect(await registry.waypoints.isBounded({ limit: 11 })).toBe(false)
  expect(await registry.waypoints.isBounded({ limit: 10, after: 5 })).toBe(false)
  expect(await registry.waypoints.isBounded({ limit: 10, after: 600 })).toBe(true)
  expect(await registry.waypoints.isBounded({ limit: 1, after: count + 5 })).toBe(true)
})

test('every list of a registry with a thousand waypoints is bounded', async () => {
  const registry = await fill(await emptyRegistry({ durability: 'relaxed' }), 1000)
  for (const filter of [{ near: here, amenity: none }, { bbox: globe, verified: true }, {}])
    expect(await registry.waypoints.isBounded(filter)).toBe(true)
})
