import { sql, type RawBuilder } from 'kysely'
import { canonicalJson, digestOf, hashOf, type Entry, type SealedEntry } from '../../../log/entry.ts'
import type { Award, Effects, Replacement, ReviewState } from '../../../decide/effects.ts'
import { fold } from '../../../search/letters.ts'
import type { WaypointState } from '../../../schemas/waypoint.ts'
import { cellOf } from '../../../places/z-order.ts'
import { Credits, payment } from './credits.ts'
import { salts, type Random } from './salts.ts'
import type { Schema } from '../schema.ts'
import { searchIndex } from '../search/index.ts'
import { searchUpkeep } from '../search/upkeep.ts'
import { build, param, params, type Statements } from '../connection/statement.ts'
import type { Values } from '../connection/value.ts'

/** The counters of the registry within a transaction; the head's hash is in hexadecimal. */
export type Counters = Omit<Schema['state'], 'id' | 'headHash'> & { headHash: string }

const counterNames = [
  'revision',
  'lastWaypointId',
  'indexedTo',
  'lastReviewId',
  'waypoints',
  'verifiedWaypoints',
  'users',
  'reviews',
  'reviewsPosted',
  'headId',
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
  'cell',
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
    cell: state.deletedAt === undefined ? cellOf(state) : null,
  }
}

const changeFields = [
  'id',
  'bubblerId',
  'userId',
  'action',
  'changes',
  'timestamp',
  'salt',
  'digest',
  'hash',
] as const satisfies readonly (keyof Schema['changes'])[]

/** Bytes that are bound in hexadecimal, which is faster than as buffers. */
const bytes = (hex: RawBuilder<unknown>) => sql<Uint8Array>`unhex(${hex})`

/** Executes effects on SQLite. Everything here runs inside the caller's transaction. @internal */
export function writes(statements: Statements, random?: Random) {
  const search = searchIndex(statements)
  const upkeep = searchUpkeep(search)
  const nextSalt = salts(random)
  const pay = payment(statements)
  const readCounters = statements.prepare(() =>
    build.selectFrom('state').select([...counterNames, sql<string>`lower(hex(headHash))`.as('headHash')]),
  )
  const writeCounters = statements.prepare(() =>
    build
      .updateTable('state')
      .set({ ...params(counterNames), headHash: bytes(param('headHash')) })
      .where('id', '=', 1),
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
  const entries = statements.inserts(changeFields, (rows) =>
    build.insertInto('changes').values(
      rows.map(({ salt, digest, hash, ...row }) => ({
        ...row,
        salt: bytes(salt),
        digest: bytes(digest),
        hash: bytes(hash),
      })),
    ),
  )
  const insertAward = statements.prepare(() =>
    build
      .insertInto('xpLedger')
      .values(params(['userId', 'event', 'amount', 'waypointId', 'reviewId', 'note', 'at'])),
  )

  function putWaypoint({ before, after }: Replacement<WaypointState>, counters: Counters): void {
    const foldedName = fold(after.name)
    const wasLive = before !== undefined && before.deletedAt === undefined
    const isLive = after.deletedAt === undefined
    if (before === undefined) {
      insertWaypoint.run(waypointValues(after, foldedName))
      counters.lastWaypointId = Math.max(counters.lastWaypointId, after.id)
    } else updateWaypoint.run(waypointValues(after, foldedName))
    upkeep.follow({ before, after, foldedName }, counters)
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

  /** What users earn in the running bulk. */
  let bulk: Credits | undefined

  /** Seals an entry into the chain and returns its changes as the log has them. */
  function append(entry: Entry, counters: Counters): string {
    const id = counters.headId + 1
    const salt = nextSalt()
    const changes = canonicalJson(entry.changes)
    const digest = digestOf(salt, changes)
    const hash = hashOf(counters.headHash, id, entry, digest)
    putEntry(id, entry, { changes, salt, digest, hash }, counters)
    return changes
  }

  /** Appends an entry that is sealed already; the caller has checked that it continues the chain. */
  function appendSealed(entry: Omit<SealedEntry, 'previousHash'>, counters: Counters): void {
    const { id, salt, digest, hash } = entry
    putEntry(id, entry, { changes: canonicalJson(entry.changes), salt, digest, hash }, counters)
  }

  function putEntry(
    id: number,
    { bubblerId, userId, action, timestamp }: Omit<Entry, 'changes'>,
    { changes, salt, digest, hash }: { changes: string; salt: string | null; digest: string; hash: string },
    counters: Counters,
  ): void {
    counters.headHash = hash
    counters.headId = id
    counters.headTimestamp = timestamp
    entries.add({ id, bubblerId, userId, action, changes, timestamp, salt, digest, hash })
    if (bulk === undefined) entries.flush()
  }

  function award({ userId, event, amount, waypointId, reviewId, note, at }: Award, credits: Credits): void {
    credits.of(userId).xp += amount
    insertAward.run({
      userId,
      event,
      amount,
      waypointId: waypointId ?? null,
      reviewId: reviewId ?? null,
      note: note ?? null,
      at,
    })
  }

  return {
    search,
    /**
     * Runs many writes and batches what is cheaper together: indexes, what users earned, and log entries, which the work
     * can only read after `flush`.
     */
    inBulk<Result>(counters: Counters, work: () => Result): Result {
      const credits = new Credits()
      bulk = credits
      try {
        const result = upkeep.inBulk(counters, work)
        entries.flush()
        pay(credits)
        return result
      } finally {
        bulk = undefined
        entries.discard()
      }
    },
    /** Writes the buffered log entries of a bulk. */
    flush: () => entries.flush(),
    appendSealed,
    putWaypoint,
    award(given: Award): void {
      const credits = new Credits()
      award(given, credits)
      pay(credits)
    },
    counters(): Counters {
      const counters = readCounters.get()
      if (counters === undefined) throw new Error('the row of the table state is missing')
      return counters
    },
    store(counters: Counters, at: string): void {
      writeCounters.run({ ...counters, revision: counters.revision + 1, changedAt: at })
    },
    /** @returns the changes of the last entry as the log has them; undefined without an entry */
    apply(effects: Effects, counters: Counters): string | undefined {
      if (effects.waypoint) putWaypoint(effects.waypoint, counters)
      if (effects.review) putReview(effects.review, counters)
      let logged: string | undefined
      for (const entry of effects.entries) logged = append(entry, counters)
      const credits = bulk ?? new Credits()
      for (const each of effects.awards) award(each, credits)
      for (const { userId, what } of effects.counts) credits.of(userId)[what] += 1
      if (bulk === undefined) pay(credits)
      return logged
    },
  }
}
/** @internal */
export type Writes = ReturnType<typeof writes>
