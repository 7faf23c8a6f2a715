import { canonicalJson } from '../log/entry.ts'
import type { Changeset, LogState } from '../log/script.ts'
import type { Totals } from '../log/states.ts'
import type { Statistics } from '../schemas/statistics.ts'
import { tables, type Tables } from './tables.ts'

/** The counters of a running transaction; changed in place, and stored when it ends. */
export type Counters = Omit<Tables['state'], 'id' | 'origin' | 'placeKey' | 'peaks'> & {
  /** The roots of the tree's perfect subtrees in hexadecimal, which no other log has. */
  peaks: string
}

const { id: _id, origin: _origin, placeKey: _key, peaks: _peaks, ...changing } = tables.state.columns

/** The columns of the state that writes change, without the roots of the tree. */
export const counterNames = Object.keys(changing) as readonly (keyof typeof changing)[]

/** The state of the log at the start of a script. */
export function logStateOf(row: Counters): LogState {
  const { waypoints, approvedWaypoints, verifiedWaypoints, users, reviews, reviewsPosted, actions } = row
  const actionCounts = JSON.parse(row.actionCounts) as Totals['actionCounts']
  const counts = { users, reviews, reviewsPosted, actions, actionCounts }
  return {
    size: row.size,
    peaks: row.peaks,
    last: {
      waypoint: row.lastWaypointId,
      review: row.lastReviewId,
      area: row.lastAreaId,
      source: row.lastSourceId,
      import: row.lastImportId,
    },
    totals: { waypoints, approvedWaypoints, verifiedWaypoints, ...counts },
    headAt: row.headAt ?? undefined,
  }
}

/** Updates the counters by a changeset, except that of the last waypoint, which its rows raise. */
export function count(counters: Counters, { state }: Changeset): void {
  const { last, totals } = state
  const { actionCounts, ...counts } = totals
  Object.assign(counters, counts)
  counters.actionCounts = canonicalJson(actionCounts)
  counters.lastReviewId = last.review
  counters.lastAreaId = last.area
  counters.lastSourceId = last.source
  counters.lastImportId = last.import
  counters.size = state.size
  counters.peaks = state.peaks
  counters.headAt = state.headAt ?? null
}

/** Nouns visible only to their owner or moderators, or derived from the rest. */
const privateNouns: ReadonlySet<string> = new Set(['secret', 'report', 'distinction', 'observer', 'status'])

/** Whether a write is visible to readers of the registry, and so changes its revision. */
export function isOfRegistry({ entries, nouns }: Changeset): boolean {
  return entries.length > 0 || Object.keys(nouns).some((noun) => !privateNouns.has(noun))
}

/** The time of the last write, whether it made entries or not; entries of a mirror may be ahead of its clock. */
export function lastWriteOf({ changedAt, headAt }: Pick<Tables['state'], 'changedAt' | 'headAt'>): string {
  return headAt !== null && headAt > changedAt ? headAt : changedAt
}

/** The figures that are published. */
export function statisticsOf(row: Omit<Counters, 'peaks'>): Statistics {
  return {
    totalWaypoints: row.waypoints,
    totalVerifiedWaypoints: row.verifiedWaypoints,
    totalUsers: row.users,
    totalReviews: row.reviews,
    totalContributions: row.actions + row.reviewsPosted,
  }
}
