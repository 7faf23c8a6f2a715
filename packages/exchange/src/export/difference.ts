import { RegistryError } from '@openfountain/core'
import type { ChangeRecord, ExportSnapshot } from './snapshot.ts'

/** What happened to waypoints and reviews after one entry of the log. */
export interface Difference {
  /** The entry after which the difference begins; id 0 is the beginning. */
  readonly since: { readonly id: number; readonly hash: string }
  /** The time after which changes count that are in no entry of the log. */
  readonly sinceTime: string
  /** Whether any column of a waypoint may have changed: its own, its rating, its confirmation or its sources. */
  touches(waypointId: number): boolean
  /** Whether a waypoint is new since then. */
  adds(waypointId: number): boolean
  /** Waypoints that were removed, by ascending id. */
  readonly tombstones: readonly Tombstone[]
}

export interface Tombstone {
  readonly id: number
  readonly removed_at: string
  /** Identifier of who removed it. */
  readonly removed_by: string
}

/** Where a difference begins. */
interface Start {
  readonly id: number
  readonly hash: string
  readonly time: string
}

/**
 * Reads the difference since a point of the log.
 *
 * @param since the id of an entry, its hash, both joined by a colon, or a date or time in ISO 8601 (UTC); everything
 * later is in the difference
 * @throws {RegistryError} INVALID_INPUT when it is none of these, CHAIN_BROKEN when the log has no such entry
 */
export function differenceSince(snapshot: ExportSnapshot, since: string): Difference {
  const start = entryBefore(snapshot, since)
  const created = new Set<number>()
  const touched = new Set<number>()
  const gone = new Map<number, Tombstone>()
  let sinceTime = start.time
  for (const { bubblerId: id, action, timestamp, userId } of snapshot.changes(start.id)) {
    touched.add(id)
    // A clock may have been set back in between.
    if (timestamp < sinceTime) sinceTime = timestamp
    if (action === 'created') created.add(id)
    if (action === 'deleted') gone.set(id, { id, removed_at: timestamp, removed_by: userId })
  }
  for (const id of snapshot.surroundingsChangedSince(sinceTime)) touched.add(id)
  return {
    since: { id: start.id, hash: start.hash },
    sinceTime,
    touches: (id) => touched.has(id),
    adds: (id) => created.has(id),
    tombstones: [...gone.values()]
      .filter(({ id }) => !created.has(id))
      .toSorted((one, other) => one.id - other.id),
  }
}

const beginning: Start = { id: 0, hash: '0'.repeat(64), time: '' }

function entryBefore(snapshot: ExportSnapshot, given: string): Start {
  const since = given.trim()
  const [, headId, headHash] = /^(\d{1,15}):([0-9a-f]{64})$/iu.exec(since) ?? []
  if (headId !== undefined && headHash !== undefined) {
    const entry = entryBefore(snapshot, headId)
    if (entry.hash === headHash.toLowerCase()) return entry
    unknownEntry(snapshot, since)
  }
  if (/^\d{1,15}$/u.test(since)) {
    const id = Number(since)
    if (id === 0) return beginning
    return firstEntry(snapshot, id - 1, (entry) => entry.id === id) ?? unknownEntry(snapshot, since)
  }
  if (/^[0-9a-f]{64}$/iu.test(since)) {
    if (since === beginning.hash) return beginning
    return (
      firstEntry(snapshot, 0, (entry) => entry.hash === since.toLowerCase()) ?? unknownEntry(snapshot, since)
    )
  }
  const time = /^\d{4}-\d\d-\d\d/u.test(since) ? Date.parse(since) : Number.NaN
  if (Number.isNaN(time)) {
    throw new RegistryError(
      'INVALID_INPUT',
      `since: ${JSON.stringify(since)} is neither the id nor the hash of a log entry, nor both joined by a ` +
        'colon, nor a date such as 2026-01-31',
      {
        issues: [
          { path: 'since', message: 'must be an entry id, a hash, both joined by a colon, or a date' },
        ],
      },
    )
  }
  let last: Pick<Start, 'id' | 'hash'> = beginning
  for (const { id, hash, timestamp } of snapshot.changes()) {
    if (Date.parse(timestamp) >= time) break
    last = { id, hash }
  }
  // What happened at exactly that time is in the difference.
  return { ...last, time: new Date(time - 1).toISOString() }
}

function firstEntry(
  snapshot: ExportSnapshot,
  after: number,
  matches: (entry: ChangeRecord) => boolean,
): Start | undefined {
  for (const entry of snapshot.changes(after)) {
    if (matches(entry)) return { id: entry.id, hash: entry.hash, time: entry.timestamp }
  }
  return undefined
}

function unknownEntry(snapshot: ExportSnapshot, since: string): never {
  throw new RegistryError(
    'CHAIN_BROKEN',
    `since: the log has no entry ${since}; it ends at ${snapshot.head.id}. Either it is the log of another ` +
      'registry, or history was rewritten: compare with a copy that you kept.',
    { since, head: snapshot.head },
  )
}
