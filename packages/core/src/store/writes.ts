import { randomBytes } from 'node:crypto'
import { canonicalJson, digestOf, hashOf, type Entry, type SealedEntry } from '../change.ts'
import type { Award, Effects, Replacement, ReviewState } from '../decide/effects.ts'
import type { UserStats } from '../person.ts'
import { fold } from '../text.ts'
import type { WaypointState } from '../waypoint.ts'
import type { Schema } from './schema.ts'
import { searchIndex } from './searchIndex.ts'
import { build, param, type Statements, type Values } from './statement.ts'
import { waypointIndexes } from './waypointIndexes.ts'

/** The counters of the registry as a transaction finds and leaves them. */
export type Counters = Omit<Schema['state'], 'id'>

const counterNames = [
  'revision',
  'lastWaypointId',
  'lastReviewId',
  'waypoints',
  'verifiedWaypoints',
  'users',
  'reviews',
  'reviewsPosted',
  'headId',
  'headHash',
  'headTimestamp',
  'changedAt',
] as const satisfies readonly (keyof Counters)[]

const waypointFields = [
  'name',
  'latitude',
  'longitude',
  'description',
  'amenities',
  'image',
  'maintainer',
  'region',
  'approved',
  'verified',
  'verifiedOnce',
  'addedByUserId',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'foldedName',
] as const

const reviewFields = [
  'bubblerId',
  'userId',
  'rating',
  'comment',
  'createdAt',
  'updatedAt',
  'deletedAt',
] as const

function params<const Name extends string>(names: readonly Name[]): Record<Name, never> {
  return Object.fromEntries(names.map((name) => [name, param(name)])) as Record<Name, never>
}

function waypointValues(state: WaypointState, foldedName: string): Values {
  return {
    id: state.id,
    name: state.name,
    latitude: state.latitude,
    longitude: state.longitude,
    description: state.description ?? null,
    amenities: JSON.stringify(state.amenities),
    image: state.image ?? null,
    maintainer: state.maintainer ?? null,
    region: state.region ?? null,
    approved: state.approved ? 1 : 0,
    verified: state.verified ? 1 : 0,
    verifiedOnce: state.verifiedOnce ? 1 : 0,
    addedByUserId: state.addedByUserId,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    deletedAt: state.deletedAt ?? null,
    foldedName,
  }
}

/** A source of random bytes; `node:crypto` unless a test gives a seeded one. */
export type Random = (bytes: number) => Uint8Array

const saltBytes = 16

/** Random salts, drawn from the system a few hundred at a time. */
function salts(random: Random | undefined): () => Buffer {
  let pool = Buffer.alloc(0)
  return () => {
    if (pool.length < saltBytes) pool = random ? Buffer.from(random(saltBytes)) : randomBytes(saltBytes * 256)
    const salt = pool.subarray(0, saltBytes)
    pool = pool.subarray(saltBytes)
    return salt
  }
}

/** Executes effects on SQLite. Everything here runs inside the caller’s transaction. @internal */
export function writes(statements: Statements, random?: Random) {
  const search = searchIndex(statements)
  const indexes = waypointIndexes(statements, search)
  const nextSalt = salts(random)
  const readCounters = statements.prepare(() => build.selectFrom('state').select(counterNames))
  const writeCounters = statements.prepare(() =>
    build.updateTable('state').set(params(counterNames)).where('id', '=', 1),
  )
  const insertWaypoint = statements.prepare(() =>
    build.insertInto('waypoints').values(params(['id', ...waypointFields])),
  )
  const updateWaypoint = statements.prepare(() =>
    build.updateTable('waypoints').set(params(waypointFields)).where('id', '=', param<number>('id')),
  )
  const insertReview = statements.prepare(() =>
    build.insertInto('reviews').values(params(['id', ...reviewFields])),
  )
  const updateReview = statements.prepare(() =>
    build.updateTable('reviews').set(params(reviewFields)).where('id', '=', param<number>('id')),
  )
  const insertChange = statements.prepare(() =>
    build
      .insertInto('changes')
      .values(
        params(['id', 'bubblerId', 'userId', 'action', 'changes', 'timestamp', 'salt', 'digest', 'hash']),
      ),
  )
  const insertAward = statements.prepare(() =>
    build
      .insertInto('xpLedger')
      .values(params(['userId', 'event', 'amount', 'waypointId', 'reviewId', 'note', 'at'])),
  )
  const addXp = statements.prepare(() =>
    build
      .updateTable('users')
      .set(({ eb }) => ({ xp: eb('xp', '+', param<number>('amount')) }))
      .where('id', '=', param<string>('userId')),
  )
  const count = {
    waypointsCreated: counting('waypointsCreated'),
    waypointsEdited: counting('waypointsEdited'),
    reviewsPosted: counting('reviewsPosted'),
  }

  function counting(column: keyof UserStats) {
    return statements.prepare(() =>
      build
        .updateTable('users')
        .set(({ eb }) => ({ [column]: eb(column, '+', param<number>('by')) }))
        .where('id', '=', param<string>('userId')),
    )
  }

  function putWaypoint({ before, after }: Replacement<WaypointState>, counters: Counters): void {
    const foldedName = fold(after.name)
    const wasLive = before !== undefined && before.deletedAt === undefined
    const isLive = after.deletedAt === undefined
    if (before === undefined) {
      insertWaypoint.run(waypointValues(after, foldedName))
      counters.lastWaypointId = Math.max(counters.lastWaypointId, after.id)
    } else updateWaypoint.run(waypointValues(after, foldedName))
    indexes.follow({ before, after, foldedName })
    counters.waypoints += Number(isLive) - Number(wasLive)
    counters.verifiedWaypoints += Number(isLive && after.verified) - Number(wasLive && before.verified)
  }

  function putReview({ before, after }: Replacement<ReviewState>, counters: Counters): void {
    const values = {
      id: after.id,
      bubblerId: after.bubblerId,
      userId: after.userId,
      rating: after.rating,
      comment: after.comment ?? null,
      createdAt: after.createdAt,
      updatedAt: after.updatedAt,
      deletedAt: after.deletedAt ?? null,
    }
    if (before === undefined) {
      insertReview.run(values)
      counters.lastReviewId = after.id
      counters.reviewsPosted++
    } else updateReview.run(values)
    const wasLive = before !== undefined && before.deletedAt === undefined
    counters.reviews += Number(after.deletedAt === undefined) - Number(wasLive)
  }

  // The hash that was written last, in both of its forms.
  const head: { bytes: Uint8Array; hex: string } = { bytes: new Uint8Array(), hex: '' }

  /** Seals an entry into the chain. */
  function append(entry: Entry, counters: Counters): void {
    const id = counters.headId + 1
    const salt = nextSalt()
    const changes = canonicalJson(entry.changes)
    const digest = digestOf(salt.toString('hex'), changes)
    const previous =
      counters.headHash === head.bytes ? head.hex : Buffer.from(counters.headHash).toString('hex')
    const hash = hashOf(previous, id, entry, digest)
    putEntry(id, entry, { changes, salt, digest, hash }, counters)
  }

  /** Appends an entry with the seal that it has; that it continues the chain is the caller's to know. */
  function follow(entry: Omit<SealedEntry, 'previousHash'>, counters: Counters): void {
    const { id, digest, hash } = entry
    const salt = entry.salt === null ? null : Buffer.from(entry.salt, 'hex')
    putEntry(id, entry, { changes: canonicalJson(entry.changes), salt, digest, hash }, counters)
  }

  function putEntry(
    id: number,
    { bubblerId, userId, action, timestamp }: Omit<Entry, 'changes'>,
    seal: { changes: string; salt: Uint8Array | null; digest: string; hash: string },
    counters: Counters,
  ): void {
    const { changes, salt } = seal
    const digest = Buffer.from(seal.digest, 'hex')
    const hash = Buffer.from(seal.hash, 'hex')
    head.bytes = hash
    head.hex = seal.hash
    counters.headHash = hash
    counters.headId = id
    counters.headTimestamp = timestamp
    insertChange.run({ id, bubblerId, userId, action, changes, timestamp, salt, digest, hash })
  }

  function award({ userId, event, amount, waypointId, reviewId, note, at }: Award): void {
    insertAward.run({
      userId,
      event,
      amount,
      waypointId: waypointId ?? null,
      reviewId: reviewId ?? null,
      note: note ?? null,
      at,
    })
    addXp.run({ userId, amount })
  }

  return {
    search,
    inBulk: indexes.inBulk,
    follow,
    putWaypoint,
    award,
    counters(): Counters {
      const counters = readCounters.get()
      if (counters === undefined) throw new Error('the registry has lost its state')
      return counters
    },
    keep(counters: Counters, at: string): void {
      writeCounters.run({ ...counters, revision: counters.revision + 1, changedAt: at })
    },
    /** Adds to what a user did, such as a whole batch at once. */
    tally(userId: string, what: keyof UserStats, by: number): void {
      count[what].run({ userId, by })
    },
    apply(effects: Effects, counters: Counters): void {
      if (effects.waypoint) putWaypoint(effects.waypoint, counters)
      if (effects.review) putReview(effects.review, counters)
      for (const entry of effects.entries) append(entry, counters)
      for (const each of effects.awards) award(each)
      for (const { userId, what } of effects.counts) count[what].run({ userId, by: 1 })
    },
  }
}
/** @internal */
export type Writes = ReturnType<typeof writes>
