/** @module-tag postgres */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { anonymous, openRegistry, token, user, type ImportRow, type Registry } from '@openfountain/core'
import {
  fold,
  matches,
  termsOf,
  type Pieces,
  type Reads,
  type Waypoint,
  type WaypointFilter,
} from '@openfountain/core/engine'
import { Chance } from '@openfountain/testing/chance'
import { temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { RandomHistory } from '@openfountain/testing/histories/random-history'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { readingTwins } from './twin.ts'

type Asking = (reads: Reads) => unknown

async function all<Row>(pieces: Pieces<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = []
  for await (const piece of pieces) rows.push(...piece)
  return rows
}

const parsed = (texts: readonly string[]): unknown[] => texts.map((text) => JSON.parse(text) as unknown)
const decoder = new TextDecoder()

async function page(pieces: Pieces<Uint8Array>): Promise<unknown> {
  let text = ''
  for await (const piece of pieces) text += decoder.decode(piece)
  return JSON.parse(text === '' ? '[]' : `${text}]`)
}

async function dossier(reads: Reads, id: number): Promise<unknown> {
  const found = await reads.waypoints.dossier(id)
  return found && { ...found, text: JSON.parse(found.text) as unknown }
}

/** Every question about a list of waypoints. */
function aboutList(filter: WaypointFilter): Record<string, Asking> {
  const name = JSON.stringify(filter)
  return {
    [`waypoints ${name}`]: ({ waypoints }) => all(waypoints.chunks(filter)),
    [`texts ${name}`]: async ({ waypoints }) => parsed(await all(waypoints.textChunks(filter))),
    [`pages ${name}`]: ({ waypoints }) => page(waypoints.pages(filter, '[')),
    [`bounded ${name}`]: ({ waypoints }) => waypoints.isBounded(filter),
  }
}

/** The state of a registry, from which questions are made. */
async function known(reads: Reads) {
  const waypoints = await all(reads.waypoints.chunks({}))
  const entries = await reads.entries.after(0, 100_000)
  const people = await reads.users.list({ limit: 1000, offset: 0 })
  return { waypoints, entries, people }
}

/** Queries of pieces of texts, some of which nothing has. */
function queries(waypoints: readonly Waypoint[], chance: Chance): string[] {
  const words = [
    'ün',
    'ünï',
    'zq',
    'quoted',
    '飲',
    '飲み水',
    'み',
    'strasse',
    'wheel',
    '!?',
    '"',
    'a',
    '1zq ünï',
    'q q',
  ]
  for (let each = 0; each < 60; each++) {
    const { name, region, description } = chance.pick(waypoints)
    const given = [...chance.pick([name, region ?? name, description ?? name])]
    const at = chance.below(given.length)
    words.push(given.slice(at, at + 1 + chance.below(12)).join(''), given.slice(0, 1 + at).join(''))
  }
  return words
}

const actions = ['created', 'edited', 'deleted', 'approved'] as const

const secretKinds = ['session', 'token', 'personal', 'code', 'link'] as const

const secretsOf = async (reads: Reads) =>
  (await Promise.all(secretKinds.map((kind) => reads.secrets.list(kind)))).flat()

async function questions(reads: Reads, chance: Chance, isHostile: boolean): Promise<Record<string, Asking>> {
  const { waypoints, entries, people } = await known(reads)
  const asked: Record<string, Asking> = {}
  const add = (more: Record<string, Asking>) => Object.assign(asked, more)
  const size = entries.length
  const times = Array.from({ length: 6 }, () => chance.pick(entries).at)

  for (let id = 0; id <= Math.max(...waypoints.map((each) => each.id)) + 1; id++)
    add({
      [`waypoint ${id}`]: (of) => of.waypoints.get(id),
      [`text ${id}`]: async (of) => JSON.parse((await of.waypoints.text(id)) ?? 'null') as unknown,
      [`dossier ${id}`]: (of) => dossier(of, id),
      [`merged ${id}`]: (of) => of.waypoints.mergedInto(id),
      [`sources of ${id}`]: (of) => of.waypoints.sources(id),
      [`history of ${id}`]: (of) => of.waypoints.history(id),
      [`text of history of ${id}`]: async (of) => JSON.parse(await of.waypoints.historyText(id)) as unknown,
      [`name ${id}`]: (of) => of.moderation.waypointName(id),
      [`changes of ${id}`]: (of) =>
        of.changes.list({ bubblerId: id, order: 'desc', after: 0, limit: 20, offset: 0 }),
      [`count of changes of ${id}`]: (of) => of.changes.count({ bubblerId: id, order: 'desc', after: 3 }),
      [`reviews of ${id}`]: (of) => of.reviews.list({ bubblerId: id, after: 1, limit: 2 }),
      [`texts of reviews of ${id}`]: async (of) =>
        parsed(await all(of.reviews.textChunks({ bubblerId: id, after: 0, limit: Infinity }, 2))),
      [`page of texts of reviews of ${id}`]: async (of) =>
        parsed(await all(of.reviews.textChunks({ bubblerId: id, after: 1, limit: 3 }, 2))),
      [`ratings of ${id}`]: (of) => of.reviews.ratings(id),
    })

  const some = () => chance.pick(waypoints)
  const filters: WaypointFilter[] = [
    {},
    { limit: 7, after: 3 },
    { approved: true },
    { verified: false, limit: 5 },
  ]
  for (let each = 0; each < 12; each++) {
    const { latitude, longitude, region, amenities } = some()
    const [west, south] = [Math.max(-180, longitude - 40), Math.max(-90, latitude - 30)]
    const other = some().longitude
    filters.push(
      {
        bbox: [
          west,
          south,
          Math.min(180, longitude + chance.below(60)),
          Math.min(90, latitude + chance.below(40)),
        ],
      },
      { bbox: [Math.max(longitude, other), -90, Math.min(longitude, other), 90], limit: 9 },
      { bbox: [longitude, latitude, longitude, latitude], approved: chance.isIn(50) },
      { updatedSince: chance.pick(times), limit: 1 + chance.below(20) },
      {
        ...(region !== undefined && { region }),
        ...(amenities.length > 0 && { amenity: [chance.pick(amenities)] }),
      },
      { amenity: ['wheelchair'], after: chance.below(10) },
      { amenity: [] },
      { drinkable: chance.pick(['yes', 'no', 'unsigned'] as const), limit: 5 },
      { license: 'CC0-1.0', isOwnLicense: chance.isIn(50), after: chance.below(10) },
    )
  }
  for (const filter of filters) add(aboutList(filter))
  for (const filter of filters)
    for (const limit of [1, 10, 300, undefined]) {
      const { latitude, longitude } = some()
      const radius = chance.isIn(50) ? 1 + chance.below(9_000_000) : undefined
      const near = { latitude, longitude, ...(radius !== undefined && { radius }) }
      const whole = { ...filter, near, limit }
      const name = JSON.stringify(whole)
      add({
        [`near ${name}`]: async (of) => (await of.waypoints.near(whole)).map(({ id }) => id),
        [`near ${name} is bounded`]: (of) => of.waypoints.isBounded(whole),
      })
    }

  const stated = (after: number, limit: number, since?: string): Asking => {
    return async ({ observations }) =>
      (await observations.stated(after, limit, since)).map(({ id, facts }) => [
        id,
        JSON.parse(facts) as unknown,
      ])
  }
  add({
    statuses: stated(0, 1000),
    'some statuses': stated(2, 3),
    'statuses that passers-by saw': stated(0, 1000, '2000-01-01'),
    'statuses that nobody saw yet': stated(0, 1000, '9999-01-01'),
  })

  const words = queries(waypoints, chance)
  for (const q of words)
    for (const [limit, offset] of [
      [50, 0],
      [3, 2],
    ] as const)
      if (!isHostile)
        add({
          [`search ${JSON.stringify(q)} ${limit} ${offset}`]: (of) =>
            of.waypoints.search({ q, limit, offset }),
        })

  for (let id = 0; id <= size + 1; id++)
    add({
      [`entry ${id}`]: (of) => of.entries.get(id),
      [`time of ${id}`]: (of) => of.entries.timeOf(id),
      [`change ${id}`]: (of) => of.changes.get(id),
    })
  const users = ['api', 'nobody', ...people.map(({ id }) => id)]
  for (const userId of users)
    add({
      [`user ${userId}`]: (of) => of.users.get(userId),
      [`entries by ${userId}`]: (of) => of.entries.by(userId, { subject: '', action: '', id: 0 }, 1000),
      [`some entries by ${userId}`]: (of) =>
        of.entries.by(userId, { subject: 'waypoint', action: 'created', id: 4 }, 3),
      [`entries about ${userId}`]: (of) => of.entries.aboutUser(userId, 2, 1000),
      [`reviews by ${userId}`]: (of) => of.reviews.list({ userId, after: 0, limit: 100 }),
      [`reports by ${userId}`]: (of) => of.reports.by(userId),
    })
  for (const order of ['asc', 'desc'] as const)
    for (const after of [0, 5, size - 3])
      for (const narrow of [
        {},
        { action: chance.pick(actions) },
        { userId: chance.pick(users) },
        { userId: 'api', action: chance.pick(actions) },
        { userId: 'api', bubblerId: some().id },
        { bubblerId: some().id, action: 'edited' as const },
        { userId: chance.pick(users), bubblerId: some().id, action: 'created' as const },
      ]) {
        const filter = { ...narrow, order, after, limit: 1 + chance.below(30), offset: chance.below(4) }
        const name = JSON.stringify(filter)
        add({
          [`changes ${name}`]: (of) => of.changes.list(filter),
          [`count of changes ${name}`]: (of) => of.changes.count(filter),
          [`changes ${name} are bounded`]: (of) => of.changes.isBounded(filter),
        })
      }
  add({
    'recent changes': (of) => of.changes.recent(30),
    entries: (of) => of.entries.after(3, 10_000),
    head: (of) => of.entries.head(),
    origin: (of) => of.entries.origin(),
    losses: (of) => of.entries.losses(),
    'open holes': (of) => of.entries.openHoles(),
    'state of the log': (of) => of.entries.state(),
    leaves: (of) => of.entries.tree.leaves(2, 1000),
    tiles: (of) => of.entries.tree.tiles(0, 0, 10),
    'users by XP': (of) => of.users.byXp({ limit: 5, offset: 1 }),
    'users by age': (of) => of.users.list({ limit: 5, offset: 1 }),
    'number of users': (of) => of.users.total(),
    reviews: (of) => of.reviews.list({ after: 0, limit: 100 }),
    areas: (of) => of.areas.active(),
    sources: (of) => of.sources.list(),
    'sources are bounded': (of) => of.sources.isBounded(),
    runs: (of) => of.imports.list(),
    version: (of) => of.state.version(),
    'key of places': (of) => of.state.placeKey(),
    'changed at': (of) => of.state.changedAt(),
    'last write': (of) => of.state.lastWrite(),
    statistics: (of) => of.state.statistics(),
    'open reports': (of) => of.reports.list('open', { after: 0, limit: 100 }),
    'reported subjects': (of) => of.reports.subjects({ after: 0, limit: 100 }),
    'number of reported subjects': (of) => of.reports.total(),
    'totals of moderation': (of) => of.moderation.totals(),
    unapproved: (of) => of.moderation.unapproved({ after: 1, limit: 5 }),
    unverified: (of) => of.moderation.unverified({ after: 1, limit: 5 }),
    duplicates: (of) => of.moderation.duplicates({ after: 0, limit: 50 }),
    acts: (of) => of.moderation.acts({ before: size + 1, limit: 1000 }),
    'some acts': (of) => of.moderation.acts({ before: Math.floor(size / 2), limit: 3 }),
  })
  for (const kind of secretKinds)
    add({
      [`secrets ${kind}`]: (of) => of.secrets.list(kind),
      [`secrets ${kind} of u2`]: (of) => of.secrets.list(kind, 'u2'),
    })
  for (const { id, number, kind } of await secretsOf(reads))
    add({
      [`secret ${id}`]: (of) => of.secrets.get(kind, id),
      [`secret ${id} of another kind`]: (of) => of.secrets.get('code', id),
      [`secret ${number}`]: (of) => of.secrets.byNumber(kind, number),
      [`standing of ${id}`]: (of) => of.secrets.standing(id),
    })
  for (const report of await reads.reports.list('open', { after: 0, limit: 100 }))
    add({
      [`report ${report.id}`]: (of) => of.reports.get(report.id),
      [`open about the subject of ${report.id}`]: (of) =>
        of.reports.openAbout(
          {
            bubblerId: report.bubblerId ?? null,
            reviewId: report.reviewId ?? null,
            userId: report.userId ?? null,
          },
          3,
        ),
    })
  for (const since of ['2000-01-01T00:00:00.000Z', ...times])
    add({ [`bursts since ${since}`]: (of) => of.moderation.bursts(since, { changes: 2, lookedAt: 500 }) })
  for (let id = 0; id < 12; id++)
    add({
      [`review ${id}`]: (of) => of.reviews.get(id),
      [`author of review ${id}`]: (of) => of.moderation.review(id),
      [`source ${id}`]: (of) => of.sources.byId(id),
      [`last run ${id}`]: (of) => of.imports.last(id, true),
      [`open run ${id}`]: (of) => of.imports.last(id, false),
      [`unseen ${id}`]: (of) => of.imports.unseen(id, 2, 0, 100),
      [`report ${id}`]: (of) => of.reports.get(id),
    })
  return asked
}

/**
 * Words of any characters: SQLite's index takes some for letters that are none, and so misses what the rule of search
 * finds. PostgreSQL finds no less, in the same order, and nothing that has not what is sought.
 */
async function expectNoLessFound(sqlite: Reads, postgres: Reads, chance: Chance): Promise<void> {
  const { waypoints } = await known(sqlite)
  const byId = new Map(waypoints.map((each) => [each.id, each]))
  for (const q of queries(waypoints, chance)) {
    const query = { q, limit: 1000, offset: 0 }
    const [there, here] = [await sqlite.waypoints.search(query), await postgres.waypoints.search(query)]
    const known = new Set(there.map(({ id }) => id))
    expect({ q, found: here.filter(({ id }) => known.has(id)) }).toEqual({ q, found: there })
    for (const { id } of here) {
      const { name = '', description = null, region = null } = byId.get(id) ?? {}
      const has = matches(termsOf(fold(q)), { foldedName: fold(name), description, region })
      expect({ q, id, has }).toEqual({ q, id, has: true })
    }
  }
}

/** Asks both, some questions at a time. */
async function expectSame(asked: Record<string, Asking>, sqlite: Reads, postgres: Reads): Promise<void> {
  const left = Object.entries(asked)
  while (left.length > 0)
    await Promise.all(
      left.splice(0, 50).map(async ([name, ask]) => {
        const [here, there] = await Promise.all([ask(postgres), ask(sqlite)])
        expect({ name, answer: here }).toEqual({ name, answer: there })
      }),
    )
}

async function expectTwins(
  sqlite: Reads,
  postgres: Reads,
  chance: Chance,
  isHostile: boolean,
): Promise<void> {
  const asked = await questions(sqlite, chance, isHostile)
  await expectSame(asked, sqlite, postgres)
}

/** Fountains that may be the same, some of which a moderator told apart, reports and secrets: what a history has not. */
async function addCompany(registry: Registry, chance: Chance): Promise<void> {
  const names = ['Market square', 'Old market', 'Market', 'Town hall']
  const { id: author } = await registry.users.create({ name: 'Author', xp: 9000 })
  const first = (await registry.changes.head()).id
  for (let each = 0; each < 25; each++) {
    const [latitude, longitude] = [55 + chance.below(60) / 100_000, 13 + chance.below(60) / 100_000]
    await registry.waypoints.create(
      { name: chance.pick(names), latitude, longitude },
      chance.pick([token(), user(author)]),
    )
  }
  const last = (await registry.waypoints.list({ limit: 100_000 })).at(-1)?.id ?? 0
  for (let each = 0; each < 6; each++)
    await registry.moderation.distinguish(last - each, last - each - 1 - chance.below(3), token())
  await registry.waypoints.delete(last - 9, token())
  await registry.changes.revert(first + 1, { reason: 'Not there' }, token())
  const review = await registry.reviews.create({ bubblerId: last, rating: 4, comment: 'Cold' }, user(author))
  const about = [{ bubblerId: last }, { bubblerId: last - 2 }, { reviewId: review.id }, { userId: author }]
  for (let each = 0; each < 14; each++) {
    const by = chance.isIn(50) ? user(chance.pick(['u1', 'u2', author])) : anonymous
    await registry.reports.create(
      { ...chance.pick(about), reason: 'wrong', ...(chance.isIn(50) && { comment: `Remark ${each}` }) },
      by,
      { network: `192.0.${each}.0/24` },
    )
  }
  for (const id of [2, 5]) await registry.reports.decide(id, { state: 'done', note: 'Seen' }, token())
  const importer = await registry.tokens.create({ name: 'Importer' })
  await registry.tokens.create({ name: 'Theirs', ownerId: author })
  await registry.tokens.revoke(importer.id)
  await registry.personalTokens.create(author, { name: 'Script' })
  await registry.sessions.create(author, { device: 'Firefox' })
}

async function written(history: RandomHistory, registry: Registry, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await history.step(registry)
}

/** A registry with more than any question may read: most of it in one town, the rest all over the globe. */
async function crowded(file: string): Promise<void> {
  const chance = new Chance(3)
  const registry = await openRegistry({ database: file, durability: 'relaxed', clock: tickingClock() })
  const degrees = (from: number, to: number) => from + (chance.below(1_000_000) / 1_000_000) * (to - from)
  const rows = Array.from({ length: 13_000 }, (_each, row): ImportRow => {
    const isInTown = row % 13 < 11
    return {
      row,
      ref: String(row),
      input: {
        name: `${chance.pick(['Well', 'Brunnen', 'Fontaine'])} ${row}`,
        latitude: isInTown ? degrees(47.3, 47.45) : degrees(-89, 89),
        longitude: isInTown ? degrees(8.45, 8.65) : degrees(-180, 180),
        amenities: row % 1000 === 0 ? ['rare'] : chance.pick([['tap'], ['tap', 'bench'], []]),
        ...(chance.isIn(50) && { region: chance.pick(['Zürich', 'Uster']) }),
      },
    }
  })
  const run = await registry.imports.start({ source: { name: 'City', license: 'CC0-1.0' }, approved: true })
  for (let start = 0; start < rows.length; start += 500) await run.apply(rows.slice(start, start + 500))
  await run.finish({ counts: {}, missing: 'keep' })
  const people = await Promise.all(
    ['Ada', 'Bo'].map((name) => registry.users.create({ name, xp: 5000, isModerator: true })),
  )
  for (let each = 0; each < 1500; each++) {
    const by = chance.isIn(50) ? token() : user(chance.pick(people).id)
    const id = 1 + chance.below(13_000)
    if (each % 50 === 0) await registry.waypoints.delete(id, by).catch(() => undefined)
    else
      await registry.waypoints
        .update(id, { verified: chance.isIn(90), approved: chance.isIn(80) }, by)
        .catch(() => undefined)
  }
  await registry.close()
}

const town = { latitude: 47.37, longitude: 8.54 }

const largeFilters: readonly WaypointFilter[] = [
  {},
  { approved: true },
  { approved: false },
  { verified: true },
  { verified: false, amenity: ['bench'] },
  { amenity: ['rare'] },
  { amenity: ['tap', 'bench'], region: 'Uster' },
  { region: 'Zürich' },
  { bbox: [8.4, 47.2, 8.7, 47.5] },
  { bbox: [8.5, 47.35, 8.52, 47.36], amenity: ['tap'] },
  { bbox: [-180, -90, 180, 90], approved: false },
  { bbox: [170, -90, -170, 90] },
  { updatedSince: '2026-01-01T00:10:00.000Z', verified: true },
  { updatedSince: '2026-01-01T00:00:00.000Z', verified: true },
]

function largeQuestions(chance: Chance): Record<string, Asking> {
  const asked: Record<string, Asking> = {}
  for (const narrow of largeFilters)
    for (const limit of [5, 1001, undefined]) {
      const filter = { ...narrow, limit, after: chance.isIn(30) ? 6000 : undefined }
      Object.assign(asked, aboutList(filter))
      if (limit === 1001) continue
      for (const place of [
        town,
        { latitude: -20, longitude: 179.9 },
        { latitude: 47.9, longitude: 8.5, radius: 90_000 },
      ]) {
        const near = { ...filter, near: place }
        const name = JSON.stringify(near)
        asked[`near ${name}`] = async (of) => (await of.waypoints.near(near)).map(({ id }) => id)
        asked[`near ${name} is bounded`] = (of) => of.waypoints.isBounded(near)
      }
    }
  // Each leaves fewer than a thousand waypoints: of more, the newest are looked at.
  for (const q of ['123', 'well 99', 'brunnen 7777', 'fontaine 12', 'ust 1277', 'brunnen 51', 'nothing'])
    asked[`search ${q}`] = (of) => of.waypoints.search({ q, limit: 100, offset: 3 })
  for (const order of ['asc', 'desc'] as const)
    for (const offset of [0, 900, 1001, 9000])
      for (const narrow of [
        {},
        { action: 'verified' as const },
        { userId: 'api' },
        { userId: 'api', action: 'created' as const },
      ]) {
        const filter = { ...narrow, order, after: chance.isIn(30) ? 12_000 : 0, limit: 60, offset }
        const name = JSON.stringify(filter)
        asked[`changes ${name}`] = (of) => of.changes.list(filter)
        asked[`count of changes ${name}`] = (of) => of.changes.count(filter)
        asked[`changes ${name} are bounded`] = (of) => of.changes.isBounded(filter)
      }
  return {
    ...asked,
    sources: (of) => of.sources.list(),
    'sources are bounded': (of) => of.sources.isBounded(),
    unverified: (of) => of.moderation.unverified({ after: 5000, limit: 20 }),
    unapproved: (of) => of.moderation.unapproved({ after: 5000, limit: 20 }),
    duplicates: (of) => of.moderation.duplicates({ after: 0, limit: 100 }),
    acts: (of) => of.moderation.acts({ before: 100_000, limit: 100 }),
    bursts: (of) => of.moderation.bursts('2026-01-01T00:05:00.000Z', { changes: 5, lookedAt: 600 }),
    leaves: (of) => of.entries.tree.leaves(250, 1000),
    tiles: (of) => of.entries.tree.tiles(0, 3, 100),
    unseen: (of) => of.imports.unseen(1, 2, 0, 10),
    'records by reference': async (of) =>
      (await of.imports.byRefs(1, ['5', '17', 'none'])).toSorted(
        (one, other) => one.record.id - other.record.id,
      ),
  }
}

/** Of more than a thousand waypoints that a search finds, the newest are looked at. */
async function expectNewest(reads: Reads): Promise<void> {
  const live = await all<Waypoint>(reads.waypoints.chunks({}))
  const questions: Readonly<Record<string, (of: Waypoint) => boolean>> = {
    zürich: ({ region }) => region === 'Zürich',
    'brunnen zürich': ({ name, region }) => name.startsWith('Brunnen') && region === 'Zürich',
  }
  for (const [q, isFound] of Object.entries(questions)) {
    const found = live.filter(isFound).map(({ id }) => id)
    expect(found.length).toBeGreaterThan(1000)
    const few = await reads.waypoints.search({ q, limit: 50, offset: 10 })
    expect(few.map(({ id }) => id)).toEqual(found.slice(-1000).slice(10, 60))
  }
}

describe('what PostgreSQL reads', () => {
  test.for([
    { seed: 1, hostile: false },
    { seed: 2, hostile: true },
  ])('is what SQLite reads of the same rows after a random history $seed', async ({ seed, hostile }) => {
    const file = path.join(await temporaryFolder(), 'registry.db')
    const history = new RandomHistory(seed, { hostile })
    let users = 0
    const registry = await openRegistry({
      database: file,
      durability: 'relaxed',
      clock: tickingClock(),
      ids: () => `u${++users}`,
    })
    await written(history, registry, 400)
    await addCompany(registry, new Chance(seed))
    await registry.close()
    await readingTwins(file, await emptyDatabase(), (sqlite, postgres) =>
      expectTwins(sqlite, postgres, new Chance(seed), hostile).then(() =>
        expectNoLessFound(sqlite, postgres, new Chance(seed)),
      ),
    )
  })

  test('is what SQLite reads where no index bounds a question', async () => {
    const file = path.join(await temporaryFolder(), 'registry.db')
    await crowded(file)
    await readingTwins(file, await emptyDatabase(), async (sqlite, postgres) => {
      const chance = new Chance(5)
      // The columns that SQLite keeps in memory are there from the second question on.
      for (const filter of largeFilters) await all(sqlite.waypoints.chunks(filter))
      await expectSame(largeQuestions(chance), sqlite, postgres)
      await expectNewest(postgres)
    })
  })
})
