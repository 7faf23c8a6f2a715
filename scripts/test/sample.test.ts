import path from 'node:path'
import { openRegistry, token, type Registry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { afterAll, describe, expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { makeSample, sampleSettings } from '../sample.ts'

const folder = newFolder()
await makeSample(path.join(folder, 'one.db'))
const registry = await openRegistry({ ...sampleSettings, database: path.join(folder, 'one.db') })
const waypoints = await registry.waypoints.list({ limit: 100_000 })
afterAll(() => registry.close())

describe('the sample registry', () => {
  test('gives the same bytes in every export each time it is made', { tags: ['long'] }, async () => {
    await makeSample(path.join(folder, 'two.db'))
    await using again = await openRegistry({ ...sampleSettings, database: path.join(folder, 'two.db') })
    const exported = (from: Registry, name: string) =>
      exportRegistry(from, { out: path.join(folder, name), fictional: true })
    expect((await exported(again, 'two')).files).toEqual((await exported(registry, 'one')).files)
  })

  test('has about 150 fountains, 25 people and two years of history, and verifies', async () => {
    const { changes } = registry
    const statistics = await registry.statistics()
    expect(statistics).toMatchObject({ totalWaypoints: 150, totalUsers: 25 })
    expect(statistics.totalReviews).toBeGreaterThan(300)
    expect(statistics.totalVerifiedWaypoints).toBeGreaterThan(50)
    expect(await changes.verify()).toMatchObject({ ok: true, waypoints: 151 })
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
    expect(await count('works')).toBeGreaterThan(40)
    for (const status of ['unconfirmed', 'reported', 'broken', 'off', 'gone'] as const)
      expect([status, await count(status)]).not.toEqual([status, 0])
  })

  test('has photos that are drawings and say so, of which one waits for a moderator', async () => {
    const photos = await registry.photos.list({}, token())
    expect(photos.map(({ state }) => state)).toEqual(['waiting', 'shown', 'shown', 'shown', 'shown', 'shown'])
    for (const { alt } of photos) expect(alt).toMatch(/^A drawing of .* Fictional\.$/u)
  })

  test('says everywhere that it is fictional', async () => {
    expect(sampleSettings.name).toContain('fictional')
    expect((await registry.sources.list()).map(({ name }) => name)).toEqual(['Sample (fictional)'])
    for (const { description = '', maintainer = '(fictional)' } of waypoints) {
      expect(description).toMatch(/Fictional\.$/u)
      expect(maintainer).toMatch(/\(fictional\)$/u)
    }
  })

  test('stands on the street corners of Monaco, under the licence of the streets', async () => {
    const { license, author } = sampleSettings
    expect([license, author]).toEqual(['ODbL-1.0', expect.stringContaining('© OpenStreetMap')])
    for (const waypoint of waypoints)
      expect([waypoint.id, sampleSettings.places(waypoint)?.country]).toEqual([waypoint.id, 'MC'])
  })

  test('shows what a registry can say: places without a name, every access, all states', () => {
    expect(waypoints.filter(({ nameIsMade }) => nameIsMade).length).toBeGreaterThan(30)
    expect(new Set(waypoints.map(({ access }) => access))).toEqual(
      new Set(['yes', 'customers', 'private', undefined]),
    )
    expect(new Set(waypoints.map(({ region }) => region)).size).toBe(8)
  })
})
