import type { Action, ChangedFields } from './entry.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { withChanges } from '../decide/waypoint.ts'

/** The fields of a log entry that replaying needs. */
export interface ReplayedEntry {
  readonly bubblerId: number
  readonly userId: string
  readonly action: Action
  readonly changes: ChangedFields
  readonly timestamp: string
}

/**
 * A waypoint after one more entry of its log. Replaying the whole log from undefined gives the waypoint.
 *
 * @throws Error when the entry cannot come next, such as an edit of a waypoint that was not created
 */
export function replay(before: WaypointState | undefined, entry: ReplayedEntry): WaypointState {
  const { bubblerId, userId, action, changes, timestamp } = entry
  if (action === 'created') {
    if (before !== undefined) throw new Error(`waypoint ${bubblerId} is created twice`)
    const empty = {
      id: bubblerId,
      amenities: [],
      approved: false,
      verified: false,
      addedByUserId: userId,
      createdAt: timestamp,
      updatedAt: timestamp,
      verifiedOnce: false,
    } as unknown as WaypointState
    return withChanges(empty, changes, timestamp)
  }
  if (before === undefined) throw new Error(`waypoint ${bubblerId} is ${action} before it is created`)
  if (action === 'deleted') return { ...before, updatedAt: timestamp, deletedAt: timestamp }
  return withChanges(before, changes, timestamp)
}
