import { describe, expect, test } from 'vitest'
import { distanceMetres } from '../src/places/geodesy.ts'
import { token, type Registry, type Waypoint, type WaypointFilterInput } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'
import { source } from '@openfountain/testing/imported'
import { Chance } from '@openfountain/testing/chance'
import { counted, repeated, seed } from '@openfountain/testing/effort'
import { RandomHistory } from '@openfountain/testing/histories/random-history'

const count = 1500
const rounds = counted({ quick: 1, all: 3, full: 5 })
const regions = ['Lund', 'Genève', 'Paris', 'Elsewhere']
const amenities = ['tap', 'wheelchair', 'dog-bowl', 'indoor', 'rare']

async function fill(registry: Registry, chance: Chance): Promise<void> {
  for (const [name, from] of [
    [source.name, 0],
    ['Ville de Genève', count - 400],
  ] as const) {
    const run = await registry.imports.start({ source: { ...source, name } })
    const rows = Array.from({ length: name === source.name ? count : 400 }, (_, index) => ({
      row: index + 1,
      ref: `${from + index}`,
      ...(name !== source.name && { mergeInto: from + index + 1 }),
      input: {
        name: `Spring ${from + index}`,
        latitude: chance.isIn(40)
          ? 55.7 + chance.below(100) / 1e4
          : chance.pick([-90, 90, chance.below(180) - 90]),
        longitude: chance.isIn(40)
          ? 13.2 + chance.below(100) / 1e4
          : chance.pick([-180, 180, chance.below(360) - 180]),
        ...(chance.isIn(80) && { region: chance.pick(regions) }),
        amenities: amenities.filter((_, at) => chance.isIn(at === 4 ? 1 : 40)),
        approved: chance.isIn(50),
        verified: chance.isIn(20),
      },
    }))
    await run.apply(rows)
    await run.finish({ counts: {}, missing: 'keep' })
  }
}

function randomFilter(chance: Chance, last: number): WaypointFilterInput {
  const longitudes = [chance.below(361) - 180, chance.below(361) - 180] as const
  const latitudes = [chance.below(181) - 90, chance.below(181) - 90].toSorted((a, b) => a - b)
  const near = {
    latitude: chance.pick([55.7, 0, -90, chance.below(181) - 90]),
    longitude: chance.pick([13.2, -180, 180, chance.below(361) - 180]),
    ...(chance.isIn(30) && { radius: 1 + chance.below(20_000_000) }),
  }
  return {
    ...(chance.isIn(40) && { near }),
    ...(chance.isIn(40) && {
      bbox: [longitudes[0], latitudes[0] ?? 0, longitudes[1], latitudes[1] ?? 0] as const,
    }),
    ...(chance.isIn(40) && {
      amenity: Array.from({ length: chance.below(4) }, () => chance.pick([...amenities, 'nobody has it'])),
    }),
    ...(chance.isIn(20) && { region: chance.pick([...regions, 'Nowhere']) }),
    ...(chance.isIn(30) && { approved: chance.isIn(50) }),
    ...(chance.isIn(30) && { verified: chance.isIn(50) }),
    ...(chance.isIn(20) && {
      updatedSince: new Date(Date.UTC(2026, 0, 1) + chance.below(1200) * 1000).toISOString(),
    }),
    ...(chance.isIn(40) && { after: chance.below(last / 4) }),
    limit: chance.pick([1, 7, 100, 256]),
  } as WaypointFilterInput
}

function expected(all: readonly Waypoint[], filter: WaypointFilterInput): Waypoint[] {
  const { near, bbox, amenity = [], region, approved, verified, updatedSince, after = 0, limit } = filter
  const distance = (place: Waypoint): number => (near === undefined ? 0 : distanceMetres(near, place))
  return all
    .filter(({ id }) => id > after)
    .filter((each) => amenity.every((one) => each.amenities.includes(one)))
    .filter((each) => region === undefined || each.region === region)
    .filter((each) => approved === undefined || each.approved === approved)
    .filter((each) => verified === undefined || each.verified === verified)
    .filter((each) => updatedSince === undefined || each.updatedAt >= updatedSince)
    .filter(({ latitude, longitude }) => {
      if (bbox === undefined) return true
      const [west, south, east, north] = bbox
      const isBetween =
        west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
      return isBetween && latitude >= south && latitude <= north
    })
    .filter((each) => distance(each) <= (near?.radius ?? Number.POSITIVE_INFINITY))
    .toSorted((a, b) => distance(a) - distance(b) || a.id - b.id)
    .slice(0, limit)
    .map((each) => (near === undefined ? each : { ...each, metres: Math.round(distance(each) * 10) / 10 }))
}

const seeds = Array.from({ length: counted({ quick: 1, all: 3, full: 30 }) }, (_each, index) => seed + index)

describe.each(seeds)('after random writes, seed %i', repeated, (seed) => {
  test('lists with any filter are those of a look at each waypoint', async () => {
    const chance = new Chance(seed)
    const registry = await emptyRegistry({ durability: 'relaxed' })
    await fill(registry, chance)
    const history = new RandomHistory(seed)
    for (let round = 0; round < rounds; round++) {
      for (let write = 0; write < 50; write++) await history.step(registry)
      const all = await registry.waypoints.list({ limit: 100_000 })
      for (let asked = 0; asked < 50; asked++) {
        const filter = randomFilter(chance, all.length)
        expect(await registry.waypoints.list(filter), JSON.stringify(filter)).toEqual(expected(all, filter))
      }
    }
  })

  test('sources have as many waypoints as are listed and live', async () => {
    const registry = await emptyRegistry({ durability: 'relaxed' })
    await fill(registry, new Chance(seed))
    const chance = new Chance(seed)
    const history = new RandomHistory(seed)
    const kinds = ['join', 'delete', 'restore', 'merge', 'revert', 'import', 'redact']
    const reason = 'The same fountain'
    expect((await registry.sources.list()).map(({ waypoints }) => waypoints)).toEqual([count, 400])
    for (let round = 0; round < rounds + 1; round++) {
      const [first = 0, second = 0, third = 0] = (await registry.waypoints.list({ limit: 100_000 }))
        .slice(-500)
        .filter(() => chance.isIn(5))
        .map(({ id }) => id)
      await registry.waypoints.merge(first, { into: second, reason }, token())
      await registry.waypoints.merge(second, { into: third, reason }, token())
      if (chance.isIn(60)) await registry.waypoints.restore(second, { reason }, token())
      for (let write = 0; write < 20; write++) await history.step(registry, kinds)
      expect((await registry.changes.verify()).problems).toEqual([])
    }
  })
})
