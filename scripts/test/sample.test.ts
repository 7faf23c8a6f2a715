import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRegistry, type Registry, type Waypoint } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { geoContains } from 'd3-geo'
import type { FeatureCollection, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../packages/folders.ts'
import { recipeText, sampleRecipe } from '../sample-recipe.ts'
import { makeSample, readRecipe, sampleSettings } from '../sample.ts'

let folder: string
let registry: Registry
let waypoints: Waypoint[]
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'openfountain-sample-'))
  await makeSample(path.join(folder, 'one.db'))
  registry = await openRegistry({ ...sampleSettings, database: path.join(folder, 'one.db') })
  waypoints = await registry.waypoints.list({ limit: 100_000 })
})
afterAll(async () => {
  await registry.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the sample registry', () => {
  test('comes from its seed, and the committed recipe is what the seed gives', async () => {
    expect(recipeText(sampleRecipe())).toBe(await readFile(path.join(root, 'data/sample.ndjson'), 'utf8'))
  })

  test('gives the same bytes in every export each time it is made', async () => {
    await makeSample(path.join(folder, 'two.db'))
    const again = await openRegistry({ ...sampleSettings, database: path.join(folder, 'two.db') })
    const [one, two] = [
      await exportRegistry(registry, { out: path.join(folder, 'one'), fictional: true }),
      await exportRegistry(again, { out: path.join(folder, 'two'), fictional: true }),
    ]
    await again.close()
    expect(two.files).toEqual(one.files)
  })

  test('has about 300 fountains, 25 people and two years of history, and verifies', async () => {
    const { totalWaypoints, totalUsers, totalReviews, totalVerifiedWaypoints } = await registry.statistics()
    expect(totalWaypoints).toBe(301)
    expect(totalUsers).toBe(25)
    expect(totalReviews).toBeGreaterThan(500)
    expect(totalVerifiedWaypoints).toBeGreaterThan(100)
    expect(await registry.changes.verify()).toMatchObject({ ok: true, waypoints: 302 })
    const {
      logs: [first],
    } = await registry.changes.list({ order: 'asc', limit: 1 })
    const {
      logs: [last],
    } = await registry.changes.list({ limit: 1 })
    const days = (Date.parse(last?.timestamp ?? '') - Date.parse(first?.timestamp ?? '')) / 86_400_000
    expect(days).toBeGreaterThan(700)
    const actions = new Set((await readRecipe()).map(({ act }) => String(act)))
    expect(actions).toEqual(
      new Set(['join', 'grant', 'import', 'create', 'edit', 'review', 'delete', 'area']),
    )
    for (const action of ['deleted', 'unverified', 'edited', 'approved'] as const)
      expect((await registry.changes.list({ action })).total).toBeGreaterThan(0)
    expect((await registry.areas.list()).length).toBe(2)
  })

  test('is of the day on which it is started: people saw what works, what does not and what is closed', async () => {
    const today = new Date('2031-05-20T12:00:00Z')
    const database = path.join(folder, 'seen.db')
    await makeSample(database, { today })
    const seen = await openRegistry({ ...sampleSettings, database, clock: () => today })
    const states = ['works', 'unconfirmed', 'reported', 'broken', 'off', 'gone'] as const
    const counts = Object.fromEntries(
      await Promise.all(
        states.map(
          async (status) => [status, (await seen.waypoints.list({ status, limit: 1000 })).length] as const,
        ),
      ),
    )
    expect(await seen.changes.verify()).toMatchObject({ ok: true })
    await seen.close()
    expect(counts['works']).toBeGreaterThan(80)
    for (const state of states) expect([state, counts[state]]).not.toEqual([state, 0])
  })

  test('says everywhere that it is fictional', async () => {
    expect(sampleSettings.name).toContain('fictional')
    expect((await registry.sources.list()).map(({ name }) => name)).toEqual(['Sample (fictional)'])
    for (const { region, description, maintainer } of waypoints) {
      expect(region).toMatch(/\(fictional\)$/u)
      if (description !== undefined) expect(description).toMatch(/Fictional\.$/u)
      if (maintainer !== undefined) expect(maintainer).toMatch(/\(fictional\)$/u)
    }
    for (const { description } of await registry.areas.list()) expect(description).toContain('Fictional')
  })

  test('has several regions, scripts and kinds', () => {
    expect(new Set(waypoints.map(({ region }) => region)).size).toBe(6)
    const names = waypoints.map(({ name }) => name).join(' ')
    for (const script of [/\p{Script=Greek}/u, /\p{Script=Han}/u, /[äöü]/u, /[éèÉ]/u])
      expect(names).toMatch(script)
    expect(new Set(waypoints.flatMap(({ amenities }) => amenities)).size).toBeGreaterThan(15)
  })

  test('lies on land', async () => {
    const file = path.join(root, 'node_modules/world-atlas/land-10m.json')
    const atlas = JSON.parse(await readFile(file, 'utf8')) as Topology<{ land: GeometryCollection }>
    const land = feature(atlas, atlas.objects.land) as FeatureCollection
    const island = land.features
      .flatMap(({ geometry }) => (geometry.type === 'MultiPolygon' ? geometry.coordinates : []))
      .map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
      .find(
        ({ coordinates: [ring = []] }) =>
          ring.length > 400 &&
          ring.every(([east = 0, north = 0]) => east > 8.1 && east < 9.9 && north > 38.8 && north < 41.3),
      )
    if (!island) throw new Error('the island is not in the atlas')
    const wet = waypoints.filter(({ latitude, longitude }) => !geoContains(island, [longitude, latitude]))
    expect(wet.map(({ id, name }) => `${id} ${name}`)).toEqual([])
  })
})
