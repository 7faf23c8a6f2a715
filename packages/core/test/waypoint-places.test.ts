import { token, type PlaceLookup, type Registry, type WaypointFilterInput } from '@openfountain/core'
import { imported } from '@openfountain/testing/imported'
import { emptyRegistry, temporaryFolder } from '@openfountain/testing/registry'
import path from 'node:path'
import { expect, test } from 'vitest'
import { served } from '../src/served.ts'

const places: PlaceLookup = ({ latitude, longitude }) => {
  if (latitude < 55) return undefined
  return longitude < 13.5 ? { country: 'SE', subdivision: 'SE-M', name: 'Lund "by"' } : { country: 'SE' }
}
const lund = { country: 'SE', subdivision: 'SE-M', name: 'Lund "by"' }
const inLund = { name: 'Square', latitude: 55.7, longitude: 13.19 }
const inSweden = { latitude: 55.7, longitude: 14 }
const atSea = { latitude: 30, longitude: -40 }

async function dossierOf(registry: Registry, id: number): Promise<unknown> {
  return JSON.parse(`{"waypoint":${(await served(registry).dossier(id)).waypoint}}`)
}

test('a waypoint has the place of its position beside the region that was given, in no entry of the log', async () => {
  const registry = await emptyRegistry({ places })
  const { id } = await registry.waypoints.create({ ...inLund, region: 'Old town' }, token())
  await registry.waypoints.create({ name: 'Buoy', ...atSea }, token())
  expect(await registry.waypoints.place(id)).toEqual(lund)
  expect(await registry.waypoints.place(2)).toBeUndefined()
  expect(await registry.waypoints.place(3)).toBeUndefined()
  expect(await dossierOf(registry, id)).toMatchObject({ waypoint: { region: 'Old town' }, place: lund })
  expect(await dossierOf(registry, 2)).not.toHaveProperty('place')
  expect(JSON.stringify(await registry.changes.list({}))).not.toMatch(/SE-M/u)
})

test('a move finds the place anew, and a place that is partly known has what is known', async () => {
  const registry = await emptyRegistry({ places })
  const { id } = await registry.waypoints.create(inLund, token())
  await registry.waypoints.update(id, inSweden, token())
  expect(await dossierOf(registry, id)).toMatchObject({ place: { country: 'SE' } })
  expect(await registry.waypoints.place(id)).toEqual({ country: 'SE' })
  await registry.waypoints.update(id, atSea, token())
  expect(await registry.waypoints.place(id)).toBeUndefined()
})

test('without a way to find places, edits keep a place and a move takes it away', async () => {
  const file = path.join(await temporaryFolder(), 'fountains.db')
  const first = await emptyRegistry({ database: file, places })
  const { id } = await first.waypoints.create(inLund, token())
  const registry = await emptyRegistry({ database: file })
  await registry.waypoints.update(id, { description: 'Beside the hall' }, token())
  expect(await registry.waypoints.place(id)).toEqual(lund)
  await registry.waypoints.update(id, { latitude: 55.8 }, token())
  expect(await registry.waypoints.place(id)).toBeUndefined()
})

test('assigning finds the places of all waypoints, and is no edit by anybody', async () => {
  const registry = await emptyRegistry()
  for (const position of [inLund, inSweden, atSea])
    await registry.waypoints.create({ name: 'Tap', ...position }, token())
  const { waypoints, changes } = registry
  const before = [await changes.head(), (await waypoints.version(1)).version]
  const revision = await registry.revision()
  const counts = { waypoints: 3, placed: 2, changed: 2 }
  expect(await waypoints.assignPlaces(places, { dryRun: true })).toEqual(counts)
  expect(await registry.revision()).toBe(revision)
  expect(await waypoints.assignPlaces(places)).toEqual(counts)
  expect(await waypoints.place(1)).toEqual(lund)
  expect([await changes.head(), (await waypoints.version(1)).version]).toEqual(before)
  expect(await changes.verify()).toMatchObject({ ok: true })
  expect(await waypoints.assignPlaces(places)).toEqual({ ...counts, changed: 0 })
  expect(await registry.revision()).toBe(revision + 1)
  expect(await waypoints.assignPlaces(() => undefined)).toEqual({ ...counts, placed: 0 })
  expect(await waypoints.place(1)).toBeUndefined()
})

test('an import and a restored waypoint have their places', async () => {
  const registry = await emptyRegistry({ places })
  await imported(registry, [{ row: 1, ref: 'a', input: inLund }])
  expect(await registry.waypoints.place(1)).toEqual(lund)
  await registry.waypoints.delete(1, token())
  await registry.waypoints.assignPlaces(() => undefined)
  await registry.waypoints.restore(1, { reason: 'It is there' }, token())
  expect(await registry.waypoints.place(1)).toEqual(lund)
})

test('a region is what was given, or the place around those without one, in lists and in records', async () => {
  const registry = await emptyRegistry()
  for (const [at, position] of [inLund, inSweden, atSea, inLund, inLund].entries())
    await registry.waypoints.create(
      { name: 'Tap', ...position, ...(at > 2 && { region: `Old ${at}` }) },
      token(),
    )
  const region = lund.name
  const filters: readonly WaypointFilterInput[] = [
    { region },
    { region, limit: 5, approved: false },
    { region, near: { latitude: inLund.latitude, longitude: inLund.longitude }, limit: 2 },
    { region, bbox: [-180, -90, 180, 90], limit: 9 },
  ]
  // The second round answers unindexed filters from the cache.
  const found = async () => {
    const lists: number[][] = []
    for (const filter of [...filters, ...filters])
      lists.push((await registry.waypoints.list(filter)).map(({ id }) => id))
    const snapshot = await registry.snapshot()
    lists.push(Array.from(snapshot.records({ region }), ({ id }) => id))
    snapshot.close()
    return new Set(lists.map((ids) => ids.join()))
  }
  expect(await found()).toEqual(new Set(['']))
  await registry.waypoints.assignPlaces(places)
  expect(await found()).toEqual(new Set(['1']))
  expect((await registry.waypoints.list({ region: 'Old 3' })).map(({ id }) => id)).toEqual([4])
  await registry.waypoints.update(4, { region }, token())
  expect(await found()).toEqual(new Set(['1,4']))
  await registry.waypoints.assignPlaces(() => undefined)
  expect(await found()).toEqual(new Set(['4']))
})

test('lists are narrowed to a country or a part of it, whatever else is asked', async () => {
  const registry = await emptyRegistry({ places })
  for (const position of [inLund, inSweden, atSea, inLund])
    await registry.waypoints.create({ name: 'Tap', ...position }, token())
  await registry.waypoints.update(4, { region: 'Old town' }, token())
  const idsOf = async (filter: WaypointFilterInput): Promise<number[]> =>
    (await Array.fromAsync(registry.waypoints.each(filter))).map(({ id }) => id)
  const near = { latitude: 55.7, longitude: 13.9 }
  expect(await idsOf({ country: 'SE' })).toEqual([1, 2, 4])
  expect(await idsOf({ country: 'se', limit: 1, after: 1 })).toEqual([2])
  expect(await idsOf({ subdivision: 'SE-M' })).toEqual([1, 4])
  expect(await idsOf({ country: 'IT' })).toEqual([])
  expect(await idsOf({ country: 'SE', subdivision: 'SE-M', region: 'Old town' })).toEqual([4])
  expect(await idsOf({ country: 'SE', bbox: [13.5, 50, 15, 60] })).toEqual([2])
  expect(await idsOf({ country: 'SE', near, limit: 2 })).toEqual([2, 1])
  expect(await idsOf({ subdivision: 'SE-M', near, limit: 5 })).toEqual([1, 4])
  expect(await idsOf({ country: 'SE', updatedSince: '2026-01-01T00:00:00Z', approved: false })).toEqual([
    1, 2, 4,
  ])
  await expect(idsOf({ country: 'Sweden' })).rejects.toThrow('two letters')
  await expect(idsOf({ subdivision: 'Skåne' })).rejects.toThrow('ISO 3166-2')
})
