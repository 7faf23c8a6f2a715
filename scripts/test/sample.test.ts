import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, type Registry, type Waypoint } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { geoContains } from 'd3-geo'
import type { FeatureCollection, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { root } from '../packages/folders.ts'
import { makeSample, sampleSettings } from '../sample.ts'

let folder: string
let registry: Registry
let waypoints: Waypoint[]
beforeAll(async () => {
  folder = newFolder()
  await makeSample(path.join(folder, 'one.db'))
  registry = await openRegistry({ ...sampleSettings, database: path.join(folder, 'one.db') })
  waypoints = await registry.waypoints.list({ limit: 100_000 })
})
afterAll(() => registry.close())

describe('the sample registry', () => {
  test('gives the same bytes in every export each time it is made', { tags: ['long'] }, async () => {
    await makeSample(path.join(folder, 'two.db'))
    await using again = await openRegistry({ ...sampleSettings, database: path.join(folder, 'two.db') })
    const exported = (from: Registry, name: string) =>
      exportRegistry(from, { out: path.join(folder, name), fictional: true })
    expect((await exported(again, 'two')).files).toEqual((await exported(registry, 'one')).files)
  })

  test('has about 300 fountains, 25 people and two years of history, and verifies', async () => {
    const { changes } = registry
    const statistics = await registry.statistics()
    expect(statistics).toMatchObject({ totalWaypoints: 301, totalUsers: 25 })
    expect(statistics.totalReviews).toBeGreaterThan(500)
    expect(statistics.totalVerifiedWaypoints).toBeGreaterThan(100)
    expect(await changes.verify()).toMatchObject({ ok: true, waypoints: 302 })
    const [newest, oldest] = await Promise.all(
      (['desc', 'asc'] as const).map(async (order) => (await changes.list({ order, limit: 1 })).logs[0]),
    )
    const days = (Date.parse(newest?.timestamp ?? '') - Date.parse(oldest?.timestamp ?? '')) / 86_400_000
    expect(days).toBeGreaterThan(700)
  })

  test('is of the day on which it is started: people saw what works, what does not and what is closed', async () => {
    const today = new Date('2031-05-20T12:00:00Z')
    const database = path.join(folder, 'seen.db')
    await makeSample(database, { today })
    await using seen = await openRegistry({ ...sampleSettings, database, clock: () => today })
    expect(await seen.changes.verify()).toMatchObject({ ok: true })
    const count = async (status: 'works' | 'unconfirmed' | 'reported' | 'broken' | 'off' | 'gone') =>
      (await seen.waypoints.list({ status, limit: 1000 })).length
    expect(await count('works')).toBeGreaterThan(80)
    for (const status of ['unconfirmed', 'reported', 'broken', 'off', 'gone'] as const)
      expect([status, await count(status)]).not.toEqual([status, 0])
  })

  test('says everywhere that it is fictional', async () => {
    expect(sampleSettings.name).toContain('fictional')
    expect((await registry.sources.list()).map(({ name }) => name)).toEqual(['Sample (fictional)'])
    for (const { region, description = 'Fictional.', maintainer = '(fictional)' } of waypoints) {
      expect(region).toMatch(/\(fictional\)$/u)
      expect(description).toMatch(/Fictional\.$/u)
      expect(maintainer).toMatch(/\(fictional\)$/u)
    }
  })

  test('lies on land', async () => {
    const file = path.join(root, 'node_modules/world-atlas/land-10m.json')
    const atlas = JSON.parse(await readFile(file, 'utf8')) as Topology<{ land: GeometryCollection }>
    const land = feature(atlas, atlas.objects.land) as FeatureCollection
    const isNear = ([east = 0, north = 0]: number[]) =>
      east > 8.1 && east < 9.9 && north > 38.8 && north < 41.3
    const island = land.features
      .flatMap(({ geometry }) => (geometry.type === 'MultiPolygon' ? geometry.coordinates : []))
      .map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
      .find(({ coordinates: [ring = []] }) => ring.length > 400 && ring.every(isNear))
    if (!island) throw new Error('the island is not in the atlas')
    const wet = waypoints.filter(({ latitude, longitude }) => !geoContains(island, [longitude, latitude]))
    expect(wet.map(({ id, name }) => `${id} ${name}`)).toEqual([])
  })
})
