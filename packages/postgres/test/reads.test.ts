/** @module-tag postgres */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymous, copyRegistry, openRegistry, token, user, type Registry } from '@openfountain/core'
import { createApp, type App } from '@openfountain/server'
import { waypointFormats } from '../../cli/src/waypoint-formats.ts'
import { Chance } from '@openfountain/testing/chance'
import { counted, seed } from '@openfountain/testing/effort'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'

async function addCompany(registry: Registry, chance: Chance): Promise<void> {
  const names = ['Market square', 'Old market', 'Market', 'Town hall']
  const { id: author } = await registry.users.create({ name: 'Author', xp: 9000 })
  const first = (await registry.changes.head()).id
  for (let each = 0; each < 25; each++) {
    const [latitude, longitude] = [55 + chance.below(60) / 100_000, 13 + chance.below(60) / 100_000]
    const by = chance.pick([token(), user(author)])
    await registry.waypoints.create({ name: chance.pick(names), latitude, longitude }, by)
  }
  const last = (await registry.waypoints.list({ limit: 100_000 })).at(-1)?.id ?? 0
  for (let each = 0; each < 6; each++)
    await registry.moderation.distinguish(last - each, last - each - 1 - chance.below(3), token())
  await registry.waypoints.delete(last - 9, token())
  await registry.changes.revert(first + 1, { reason: 'Not there' }, token())
  const review = await registry.reviews.create({ bubblerId: last, rating: 4, comment: 'Cold' }, user(author))
  const about = [{ bubblerId: last }, { bubblerId: last - 2 }, { reviewId: review.id }, { userId: author }]
  for (let each = 0; each < 14; each++) {
    const given = {
      ...chance.pick(about),
      reason: 'wrong' as const,
      ...(chance.isIn(50) && { comment: `No ${each}` }),
    }
    const by = chance.isIn(50) ? user(author) : anonymous
    await registry.reports.create(given, by, { network: `192.0.${each}.0/24` })
  }
  for (const id of [2, 5]) await registry.reports.decide(id, { state: 'done', note: 'Seen' }, token())
  await registry.sessions.create(author, { device: 'Firefox' })
}

function aboutLists(chance: Chance, waypoints: Awaited<ReturnType<Registry['waypoints']['list']>>): string[] {
  const some = () => chance.pick(waypoints)
  const filters = ['', 'approved=true', 'approved=false', 'verified=true', 'verified=false&amenity=bench']
  for (let each = 0; each < 12; each++) {
    const { latitude, longitude, region = 'nowhere', amenities } = some()
    const [south, north] = [Math.max(-90, latitude - 30), Math.min(90, latitude + chance.below(40))]
    filters.push(
      `bbox=${Math.max(-180, longitude - 40)},${south},${Math.min(180, longitude + chance.below(60))},${north}`,
      `bbox=${Math.max(longitude, some().longitude)},-90,${Math.min(longitude, some().longitude)},90`,
      `bbox=${longitude},${latitude},${longitude},${latitude}&approved=${chance.isIn(50)}`,
      `region=${encodeURIComponent(region)}&amenity=${encodeURIComponent(amenities[0] ?? 'tap')}`,
      `updatedSince=2026-01-01T00:${10 + chance.below(50)}:00Z&verified=${chance.isIn(50)}`,
      `drinkable=${chance.pick(['yes', 'no', 'unsigned'])}`,
      `license=CC0-1.0&after=${chance.below(10)}`,
      `status=${chance.pick(['works', 'reported', 'broken', 'unconfirmed'])}`,
    )
  }
  const lists = filters.flatMap((filter) => {
    const { latitude, longitude } = some()
    const near = `near=${latitude},${longitude}${chance.isIn(50) ? `&radius=${1 + chance.below(9_000_000)}` : ''}`
    return ['', 'limit=5', `limit=1001&after=${chance.below(20)}`, near, `${near}&limit=10`].map((more) =>
      [filter, more].filter((each) => each !== '').join('&'),
    )
  })
  return lists.map((query) => `waypoints?${query}`)
}

const words = ['ün', 'quoted', '飲', '飲み水', 'strasse', '!?', 'a', 'q q']

const always = 'stats sources boundingboxes status.json logs logs/recent logs/head users?limit=5&offset=1'
  .concat(' user/leaderboard?limit=5&offset=1 moderation/acts?limit=5')
  .split(' ')

async function questions(registry: Registry, chance: Chance, isHostile: boolean): Promise<string[]> {
  const waypoints = await registry.waypoints.list({ limit: 100_000 })
  const { id: size } = await registry.changes.head()
  const { users } = await registry.users.list({ limit: 100 })
  const ids = Array.from({ length: Math.min(30, waypoints.length) }, () => chance.pick(waypoints).id)
  const people = ['api', 'nobody', ...users.map(({ id }) => encodeURIComponent(id))]
  const pieces = ids.map((id) => [...(waypoints.find((each) => each.id === id)?.name ?? '')])
  const queries = [...words, ...pieces.map((name) => name.slice(0, 1 + chance.below(12)).join(''))]
  return [
    ...aboutLists(chance, waypoints),
    ...[...ids, 0, size + 1].flatMap((id) => [
      `waypoints/${id}?include=rating`,
      `reviews?bubblerId=${id}`,
      `reviews?bubblerId=${id}&after=1&limit=2`,
      `observations?bubblerId=${id}`,
      `logs?bubblerId=${id}&order=asc`,
      `logs/${id}`,
      `changes/${1 + chance.below(size)}/inclusion`,
      `logs/head?size=${chance.below(size)}`,
    ]),
    ...people.flatMap((id) => [
      `users/${id}`,
      `reviews?userId=${id}`,
      `logs?userId=${id}&limit=${1 + chance.below(30)}&offset=${chance.below(4)}`,
      `logs?userId=${id}&action=${chance.pick(['created', 'edited', 'deleted', 'approved'])}`,
      `logs?userId=${id}&bubblerId=${chance.pick(ids)}&action=created&order=asc`,
    ]),
    ...(isHostile ? [] : queries)
      .filter((q) => q.trim() !== '')
      .flatMap((q) =>
        ['', '&limit=3&offset=2'].map((page) => `waypoints/search?q=${encodeURIComponent(q)}${page}`),
      ),
    ...['unapproved', 'unverified', 'reported', 'duplicates', 'bursts'].flatMap((kind) =>
      ['', '&limit=3', '&limit=3&after=2'].map((page) => `moderation/queue?kind=${kind}${page}`),
    ),
    ...[0, 5, 900].map((offset) => `logs?action=verified&offset=${offset}&order=asc`),
    ...[0, 5, size - 3].flatMap((after) => [
      `logs?order=asc&after=${after}`,
      `changes?after=${after}&limit=1000`,
    ]),
    `logs/consistency?from=${chance.below(size)}`,
    ...always,
  ]
}

async function expectSame(file: string, chance: Chance, isHostile = false): Promise<void> {
  const url = await emptyDatabase()
  const [here, there] = await Promise.all([
    openRegistry({ database: file }),
    copyRegistry({ from: file, to: url }).then(() => openRegistry({ database: url })),
  ])
  const { token: secret } = await here.tokens.create({ name: 'Survey' })
  const { token: other } = await there.tokens.create({ name: 'Survey' })
  const apps = [createApp(here, { formats: waypointFormats }), createApp(there, { formats: waypointFormats })]
  const answer = async (app: App | undefined, bearer: string, address: string, accept: string) => {
    const headers = { authorization: `Bearer ${bearer}`, accept }
    const response = await app?.fetch(new Request(`http://localhost/api/${address}`, { headers }))
    return { address, accept, status: response?.status, text: await response?.text() }
  }
  const same = async (address: string, accept = 'application/json') =>
    expect(await answer(apps[1], other, address, accept)).toEqual(
      await answer(apps[0], secret, address, accept),
    )
  for (const address of await questions(here, chance, isHostile)) await same(address)
  for (const { mediaType } of waypointFormats)
    for (const query of ['', '?bbox=0,0,20,60', '?near=55.7,13.2&limit=3'])
      await same(`waypoints${query}`, mediaType)
  for (const registry of [here, there]) await registry.close()
}

describe('what a registry on a server answers', () => {
  const seeds = Array.from({ length: counted({ quick: 2, all: 2, full: 6 }) }, (_each, index) => seed + index)

  test.each(seeds)('is what one in a file answers after a random history (seed %i)', async (ofHistory) => {
    const file = path.join(await temporaryFolder(), 'registry.db')
    const isHostile = ofHistory % 2 === 0
    const history = new RandomHistory(ofHistory, { hostile: isHostile })
    const chance = new Chance(ofHistory)
    const registry = await openRegistry({ database: file, durability: 'relaxed', clock: tickingClock() })
    for (let step = 0; step < 400; step++) await history.step(registry)
    await addCompany(registry, chance)
    await registry.close()
    await expectSame(file, chance, isHostile)
  })
})
