import { invalidBecause } from '@openfountain/core/internal'
import { RegistryError, type Head } from '@openfountain/core'
import type { ExportSnapshot } from './snapshot.ts'

/** The changes of waypoints and reviews after one entry of the log. */
export interface Difference {
  /** The head after which the difference begins; id 0 is the beginning. */
  readonly since: Pick<Head, 'id' | 'hash'>
  /** Waypoints of which any column may have changed: its own, its rating, its state or its sources; by ascending id. */
  readonly ids: readonly number[]
  /** Whether a waypoint was not there before: it is new, or was restored. */
  adds(waypointId: number): boolean
  addsReview(reviewId: number): boolean
  /** Waypoints that were removed, by ascending id. */
  readonly tombstones: readonly Tombstone[]
}

interface Tombstone {
  readonly id: number
  readonly removed_at: string
  readonly removed_by: string
}

/** Where a difference begins. */
interface Start extends Pick<Head, 'id' | 'hash'> {
  /** The time that was asked for: a previous export may know entries of exactly that time, or not. */
  readonly time?: string
}

/**
 * @param since the number of entries that the log had, its root hash then, both joined by a colon, or a date or time in
 * ISO 8601 (UTC); everything later is in the difference
 * @throws {RegistryError} INVALID_INPUT when it is none of these, CHAIN_BROKEN when the log was never so
 */
export async function differenceSince(snapshot: ExportSnapshot, since: string): Promise<Difference> {
  const { id, hash, time } = await startOf(snapshot, since)
  const touched = new Set<number>()
  /** Whether waypoints were there before. */
  const [knownWaypoints, knownReviews] = [new Map<number, boolean>(), new Map<number, boolean>()]
  const gone = new Map<number, Tombstone>()
  for (const { subject, subjectId, action, at, by } of snapshot.entries(id)) {
    if (subject !== 'waypoint' && subject !== 'review') continue
    const key = Number(subjectId)
    const known = subject === 'waypoint' ? knownWaypoints : knownReviews
    if (!known.has(key)) known.set(key, action !== 'created' || at === time)
    if (subject === 'review') continue
    touched.add(key)
    if (action === 'created') gone.delete(key)
    if (action === 'deleted') gone.set(key, { id: key, removed_at: at, removed_by: by })
  }
  for (const waypoint of snapshot.surroundingsChangedAfter(id)) touched.add(waypoint)
  return {
    since: { id, hash },
    ids: [...touched].toSorted((one, other) => one - other),
    adds: (waypoint) => knownWaypoints.get(waypoint) === false,
    addsReview: (review) => knownReviews.get(review) === false,
    tombstones: [...gone.values()]
      .filter((tombstone) => knownWaypoints.get(tombstone.id) === true)
      .toSorted((one, other) => one.id - other.id),
  }
}

async function startOf(snapshot: ExportSnapshot, given: string): Promise<Start> {
  const since = given.trim().toLowerCase()
  const [, size, hash] = /^(\d{1,15})(?::([0-9a-f]{64}))?$/u.exec(since) ?? []
  if (size !== undefined) {
    const head = await snapshot.headAt(Number(size))
    return head !== undefined && (hash === undefined || hash === head.hash)
      ? head
      : unknownHead(snapshot, since)
  }
  if (/^[0-9a-f]{64}$/u.test(since)) return (await snapshot.headWith(since)) ?? unknownHead(snapshot, since)
  const time = /^\d{4}-\d\d-\d\d/u.test(since) ? Date.parse(given.trim()) : Number.NaN
  if (Number.isNaN(time))
    throw invalidBecause(
      'since',
      `${JSON.stringify(given.trim())} is neither the id nor the hash of a head of the log, nor both joined by a ` +
        'colon, nor a date such as 2026-01-31',
    )
  // Changes at exactly that time are in the difference.
  const at = new Date(time).toISOString()
  return { ...((await snapshot.headBefore(at)) ?? unknownHead(snapshot, since)), time: at }
}

function unknownHead(snapshot: ExportSnapshot, since: string): never {
  throw new RegistryError(
    'CHAIN_BROKEN',
    `since: the log has no head ${since}; it ends at ${snapshot.head.id}. Either it is the log of another ` +
      'registry, or history was rewritten: compare with a copy that you kept.',
    { since, head: snapshot.head },
  )
}
