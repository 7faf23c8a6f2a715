import { token, user, type Waypoint } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { endSecret, keepNew } from '../../../core/src/decide/account.ts'
import type { Job } from '../../../core/src/decide/deciding.ts'
import { createReview, deleteReview } from '../../../core/src/decide/review.ts'
import { blockUser, createUser } from '../../../core/src/decide/user.ts'
import { createWaypoint, deleteWaypoint, updateWaypoint } from '../../../core/src/decide/waypoint.ts'
import { rootAt } from '@openfountain/tlog'
import { Frontier } from '@openfountain/tlog/frontier'
import { distanceMetres, isInside } from '../../../core/src/places/geodesy.ts'
import { defaultRules } from '../../../core/src/rules.ts'
import type { Near, WaypointFilter } from '../../../core/src/schemas/waypoint.ts'
import { fold } from '../../../core/src/search/letters.ts'
import { matches, termsOf } from '../../../core/src/search/rule.ts'
import { secretId, type SecretOf } from '../../../core/src/secrets.ts'
import type { Store } from '../../../core/src/store/port.ts'
import type { Pieces } from '../../../core/src/store/sql/query.ts'
import { Chance } from '../chance.ts'

const rules = defaultRules

async function all<Row>(pieces: Pieces<Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const piece of pieces) rows.push(...piece)
  return rows
}

const adding = (input: unknown): Job<Waypoint> => ({
  decide: (at) => createWaypoint({ rules, actor: token(), at }, input),
})

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id)

const words = ['Market', 'Møller', 'fountain', '噴水', 'Brunnen', 'square', 'हिन्दी', 'Old', 'new', 'well']
/** Texts that are hard for the search: letters that fold or join, punctuation, and words of one letter. */
const oddTexts = ['Straße', '飲み水', "don't", 'a', 'Ünï9', '-x-', '50%', 'e\u0301t', 'か゛']
const regions = ['Lund', 'Zürich', undefined]
const amenities = ['bench', 'bottle-filler', 'wheelchair']

/** A registry with waypoints, crowded in a town and spread over the globe, some edited, verified or deleted. */
async function filled(store: Store, seed: number): Promise<Waypoint[]> {
  const chance = new Chance(seed)
  const one = <Value>(of: readonly Value[]): Value | undefined => of[chance.below(of.length)]
  const random = (end: number): number => chance.below(end * 1e6) / 1e6
  const inputs = Array.from({ length: 400 }, (_each, index) => {
    const region = one(regions)
    const isCrowded = index % 2 === 0
    return {
      name: `${one(words)} ${one(words)} ${index % 17}`,
      latitude: isCrowded ? 55.7 + random(0.01) : random(178) - 89,
      longitude: isCrowded ? 13.19 + random(0.01) : random(360) - 180,
      region,
      ...(chance.isIn(50) && { amenities: [one(amenities), one(amenities)] }),
      ...(chance.isIn(40) && { approved: true }),
      ...(chance.isIn(30) && { verified: true }),
    }
  })
  await Promise.all(inputs.map((input) => store.write(adding(input))))
  const jobs = Array.from({ length: 120 }, (): Job<Waypoint> => {
    const id = 1 + chance.below(400)
    const [isDeleted, name] = [chance.isIn(30), `${one(words)} again`]
    return {
      decide: (at) =>
        isDeleted
          ? deleteWaypoint({ rules, actor: token(), at }, id)
          : updateWaypoint({ rules, actor: token(), at }, id, { name }),
    }
  })
  await store.writeBatch(jobs)
  return all(store.read.waypoints.chunks({}))
}

/** The rule of each filter, over all waypoints. */
function chosen(waypoints: readonly Waypoint[], filter: WaypointFilter): Waypoint[] {
  const { bbox, region, amenity = [], approved, verified, after = 0, limit } = filter
  return waypoints
    .filter((each) => bbox === undefined || isInside(bbox, each))
    .filter((each) => region === undefined || each.region === region)
    .filter((each) => amenity.every((name) => each.amenities.includes(name)))
    .filter((each) => approved === undefined || each.approved === approved)
    .filter((each) => verified === undefined || each.verified === verified)
    .filter(({ id }) => id > after)
    .slice(0, limit)
}

function nearestOf(
  waypoints: readonly Waypoint[],
  filter: WaypointFilter & { readonly near: Near },
): number[] {
  const { near, limit, ...rest } = filter
  return chosen(waypoints, rest)
    .map((each) => ({ id: each.id, metres: distanceMetres(near, each) }))
    .filter(({ metres }) => near.radius === undefined || metres <= near.radius)
    .toSorted((one, other) => one.metres - other.metres || one.id - other.id)
    .slice(0, limit)
    .map(({ id }) => id)
}

const filters: WaypointFilter[] = [
  {},
  { limit: 7, after: 30 },
  { bbox: [13.19, 55.7, 13.195, 55.705] },
  { bbox: [170, -60, -170, 60] },
  { region: 'Lund', limit: 20 },
  { region: 'Zürich', amenity: ['bench'] },
  { amenity: ['bench', 'wheelchair'] },
  { approved: true, verified: false },
  { verified: true, bbox: [-180, -90, 180, 90], limit: 50 },
]

const places: Near[] = [
  { latitude: 55.705, longitude: 13.195 },
  { latitude: 55.705, longitude: 13.195, radius: 400 },
  { latitude: 0, longitude: 179.9 },
  { latitude: -89, longitude: 0 },
]

/**
 * The contract of every engine behind the port.
 *
 * @param open opens an empty store; the suite closes it
 */
export function engineSuite(name: string, open: () => Promise<Store>): void {
  const using = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = await open()
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  describe(`${name} behind the port`, () => {
    test('answers writes in their order, and refuses one without touching the others', () =>
      using(async (store) => {
        const inputs = [1, 2, undefined, 3, 4].map((id) => ({
          name: `Well ${id}`,
          latitude: id,
          longitude: 2,
        }))
        const outcomes = await Promise.allSettled(inputs.map((input) => store.write(adding(input))))
        expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, true, false, true, true])
        const kept = await all(store.read.waypoints.chunks({}))
        expect(kept.map(({ id, name }) => [id, name])).toEqual([1, 2, 3, 4].map((id) => [id, `Well ${id}`]))
      }))

    test('writes a batch or none of it, and nothing in a dry run', () =>
      using(async (store) => {
        const failing: Job<Waypoint> = {
          decide: () => {
            throw new Error('unforeseen')
          },
        }
        const good = adding({ name: 'Well', latitude: 1, longitude: 2 })
        await expect(store.writeBatch([good, failing])).rejects.toThrow('unforeseen')
        expect(await store.read.entries.head()).toMatchObject({ id: 0 })
        const [dry] = await store.writeBatch([{ ...good, dryRun: true }])
        expect(dry).toMatchObject({ ok: true, answer: { id: 1 } })
        expect(await store.read.entries.head()).toMatchObject({ id: 0 })
        const outcomes = await store.writeBatch([good, adding({}), good])
        expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true])
        expect(await store.read.state.statistics()).toMatchObject({
          totalWaypoints: 2,
          totalContributions: 2,
        })
      }))

    test('lists what filters leave, and finds the nearest, as their rules say', () =>
      using(async (store) => {
        const waypoints = await filled(store, 1)
        expect(waypoints.length).toBeGreaterThan(300)
        for (const filter of filters) {
          const expected = chosen(waypoints, filter)
          expect(await all(store.read.waypoints.chunks(filter)), JSON.stringify(filter)).toEqual(expected)
          const texts = await all(store.read.waypoints.textChunks(filter))
          expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(expected)
          for (const near of places)
            for (const limit of [1, 10, undefined]) {
              const asked = { ...filter, near, limit }
              const found = idsOf(await store.read.waypoints.near(asked))
              expect([asked, found]).toEqual([asked, nearestOf(waypoints, asked)])
            }
        }
      }))

    test('finds by words what the rule of search says', () =>
      using(async (store) => {
        await filled(store, 2)
        for (const [index, name] of oddTexts.entries())
          await store.write(
            adding({ name, description: oddTexts.at(index - 1), latitude: index, longitude: 2 }),
          )
        const waypoints = await all(store.read.waypoints.chunks({}))
        const asked = 'market,moller,mø,水,fount old,हिन्दी,again,lund,ket squ,xyz,1,stra,ni9,0%,on,か'.split(
          ',',
        )
        for (const q of [...asked, ...oddTexts]) {
          const terms = termsOf(fold(q))
          const expected = waypoints
            .filter(({ name: text, description = null, region = null }) =>
              matches(terms, { foldedName: fold(text), description, region }),
            )
            .map(({ id }) => id)
          const found = idsOf(await store.read.waypoints.search({ q, limit: 400, offset: 0 }))
          expect([q, found.toSorted((a, b) => a - b)]).toEqual([q, expected])
        }
      }))

    test('pages the log by waypoint, user and action, with its totals', () =>
      using(async (store) => {
        await filled(store, 3)
        const entries = await store.read.entries.after(0, 1000)
        const actions = entries.filter(({ subject }) => subject === 'waypoint')
        const filter = { after: 0, limit: 13, offset: 5 }
        for (const narrow of [
          {},
          { userId: 'api' },
          { action: 'edited' as const },
          { userId: 'api', action: 'deleted' as const },
          { bubblerId: 3 },
        ])
          for (const order of ['asc', 'desc'] as const) {
            const of = actions.filter(
              ({ subjectId, by, action }) =>
                (!('bubblerId' in narrow) || subjectId === narrow.bubblerId) &&
                (!('userId' in narrow) || by === narrow.userId) &&
                (!('action' in narrow) || action === narrow.action),
            )
            const ordered = order === 'asc' ? of : of.toReversed()
            const asked = { ...filter, ...narrow, order }
            const page = idsOf(await store.read.changes.list(asked))
            expect([asked, page]).toEqual([asked, idsOf(ordered.slice(5, 18))])
            expect(await store.read.changes.count(asked)).toBe(of.length)
          }
      }))

    test('keeps the tree of every size of the log', () =>
      using(async (store) => {
        await filled(store, 4)
        const { read } = store
        const head = await read.entries.head()
        expect(head.id).toBeGreaterThan(400)
        expect(await rootAt(read.entries.tree, head.id)).toBe(head.hash)
        const leaves = await read.entries.tree.leaves(0, 300)
        expect(leaves).toHaveLength(300)
        const frontier = new Frontier()
        for (const leaf of leaves.slice(0, 256)) frontier.append(leaf)
        expect(await read.entries.tree.tiles(0, 0, 1)).toEqual([frontier.root()])
      }))

    test('counts people, reviews and blocks, and lists people by XP and by age', () =>
      using(async (store) => {
        let users = 0
        const id = () => `u${++users}`
        for (const xp of [30, 0, 500])
          await store.write({ decide: (at) => createUser(at, { name: `User ${xp}`, xp }, id) })
        await store.write(adding({ name: 'Well', latitude: 1, longitude: 2 }))
        const review = await store.write({
          decide: (at) => createReview({ rules, actor: user('u1'), at }, { bubblerId: 1, rating: 4 }),
        })
        await store.write({ decide: (at) => deleteReview({ rules, actor: user('u1'), at }, review.id) })
        await store.write({
          decide: (at) => blockUser({ rules, actor: token(), at }, 'u2', { reason: 'spam' }),
        })
        await expect(
          store.write({
            decide: (at) => createReview({ rules, actor: user('u2'), at }, { bubblerId: 1, rating: 1 }),
          }),
        ).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'spam' } })
        const page = { limit: 10, offset: 0 }
        expect((await store.read.users.byXp(page)).map((each) => each.id)).toEqual(['u3', 'u1', 'u2'])
        expect((await store.read.users.list(page)).map((each) => each.id)).toEqual(['u1', 'u2', 'u3'])
        expect(await store.read.users.total()).toBe(3)
        expect(await store.read.state.statistics()).toMatchObject({
          totalUsers: 3,
          totalReviews: 0,
          totalContributions: 2,
        })
      }))

    test('keeps a snapshot unmoved by later writes, and erases without leftovers', () =>
      using(async (store) => {
        await store.write(adding({ name: 'Well', latitude: 1, longitude: 2 }))
        const snapshot = await store.snapshot()
        try {
          await store.write(adding({ name: 'Later', latitude: 1, longitude: 2 }))
          expect(await store.read.state.version()).toMatchObject({ revision: 2 })
        } finally {
          snapshot.close()
        }
        // Rows that a server overwrites by itself are only reported.
        expect((await store.scrub()).filter(({ isPassing }) => isPassing !== true)).toEqual([])
        expect(await all(store.read.waypoints.chunks({}))).toHaveLength(2)
      }))

    test('keeps secrets beside the log until they end, and does not count them as changes', () =>
      using(async (store) => {
        const { secrets, state } = store.read
        const before = await state.version()
        const session = (key: string, expiresAt: string): SecretOf<'session'> => ({
          id: secretId('session', key),
          kind: 'session',
          userId: 'api',
          value: { device: 'Firefox' },
          createdAt: '2026-01-01T00:00:00.000Z',
          expiresAt,
        })
        const keeping = (secret: SecretOf<'session'>) => ({ decide: () => keepNew(secret) })
        await store.write(keeping(session('a', '2999-01-01T00:00:00.000Z')))
        const kept = await secrets.get('session', 'session:a')
        expect(kept).toMatchObject({ userId: 'api', value: { device: 'Firefox' } })
        expect(await secrets.get('token', 'session:a')).toBeUndefined()
        expect(await secrets.byNumber('session', kept?.number ?? 0)).toEqual(kept)
        expect(await secrets.list('session', 'api')).toEqual([kept])
        expect(await secrets.standing('session:a')).toMatchObject({ userId: 'api', number: kept?.number })
        // The next write removes expired secrets.
        await store.write(keeping(session('b', '2000-01-01T00:00:00.000Z')))
        expect(await secrets.list('session')).toEqual([kept])
        const ending = { decide: (at: string) => endSecret('session:a', { isListed: false, at }) }
        expect(await store.write(ending)).toBe(true)
        expect(await store.write(ending)).toBe(false)
        expect(await secrets.list('session')).toEqual([])
        expect(await state.version()).toEqual(before)
      }))
  })
}
