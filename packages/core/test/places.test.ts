import { token, user } from '@openfountain/core'
import { boxAround, distanceMetres } from '@openfountain/core/internal'
import { emptyRegistry, placed } from '@openfountain/testing/registry'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { served } from '../src/served.ts'

const place = fc.record({
  latitude: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 90, 0)),
  longitude: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 0)),
})

test('specification 4.1: the box around a place contains everything within the distance', () => {
  fc.assert(
    fc.property(place, place, (from, to) => {
      const [west, south, east, north] = boxAround(from, distanceMetres(from, to))
      const { latitude, longitude } = to
      expect(latitude >= south && latitude <= north).toBe(true)
      // At a pole all longitudes are the same place.
      if (Math.abs(latitude) === 90) return
      expect(
        west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east,
      ).toBe(true)
    }),
    { numRuns: 2000, seed: 2 },
  )
})

test('specification 4.1: texts have numbers as JavaScript writes them, in lists and by id', async () => {
  const registry = await emptyRegistry()
  const degrees = [0, -0, 1, -89, 1e-4, 0.000_012_3, -1e-5, 1e-6, 9.99e-7, -1e-7, 5e-324, -1.5e-20]
  const long = [1 / 3, 47.123_456_789_012_34, 0.1 + 0.2, 45.000_000_000_000_01, -8.012_345_678_901_234]
  for (const [index, latitude] of [...degrees, ...long].entries())
    await placed(registry, { name: `Tap ${index}`, latitude, longitude: -latitude * 2 })
  const texts = (await Array.fromAsync(served(registry).waypoints())).flat()
  expect(texts).toEqual(
    (await registry.waypoints.list({ limit: 100_000 })).map((each) => JSON.stringify(each)),
  )
  for (const [index, text] of texts.entries()) {
    expect((await served(registry).dossier(index + 1)).waypoint).toBe(text)
  }
})

test('the dossier of a waypoint consists of its parts, whatever their texts are', async () => {
  const registry = await emptyRegistry()
  const hostile = ['"quoted" \\ and \n a line', '</script> ]]> 🌊', 'e\u0301\u200f', '日本 \u2028']
  const { id: ada } = await registry.users.create({ name: 'Ada', id: 'ada"x"', xp: 1000 })
  const source = { license: 'CC0-1.0', url: 'https://example.org/?a=b&c', attribution: hostile[1] }
  const run = await registry.imports.start({ source: { ...source, name: hostile[0] ?? '' } })
  await run.apply([
    { row: 1, ref: 'A "7"', input: { name: 'Imported', latitude: -0.000001, longitude: 179.999999 } },
    { row: 2, input: { name: 'Without reference', latitude: 1e-7, longitude: -180 } },
  ])
  for (const text of hostile) {
    const input = { name: `x${text}`, latitude: 12.3456789, longitude: 0, description: text, region: text }
    const made = await registry.waypoints.create({ ...input, amenities: ['tap', text.trim()] }, user(ada))
    await registry.waypoints.update(made.id, { region: null, verified: true }, token())
    await registry.reviews.create({ bubblerId: made.id, rating: 5, comment: text }, user(ada))
  }
  for (const waypoint of await registry.waypoints.list()) {
    const { id } = waypoint
    const { waypoint: own, logs: newest, sources: its, logsTotal } = await served(registry).dossier(id)
    const text = `{"waypoint":${own},"logs":[${newest}],"sources":[${its}]}`
    // Programs in other languages do not take 1.0 as an integer.
    expect(text).toContain(`"bubblerId":${id},`)
    const logs = await registry.waypoints.history(id)
    const sources = await registry.waypoints.sources(id)
    expect(JSON.parse(text)).toEqual({ waypoint, logs, sources })
    expect(logsTotal).toBe(logs.length)
  }
  const reviews = await registry.reviews.list()
  expect(reviews).toHaveLength(hostile.length)
  for (const size of [1, 3, 1000]) {
    const chunks = await Array.fromAsync(served(registry).reviews({}, size))
    expect(chunks.flat().map((text) => JSON.parse(text) as unknown)).toEqual(reviews)
  }
  await expect(served(registry).dossier(999)).rejects.toThrow('no waypoint')
})
