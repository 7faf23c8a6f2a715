import type { Entry } from '../log/entry.ts'
import type { Review } from '../schemas/review.ts'
import type { UserStats } from '../schemas/user.ts'
import type { WaypointState } from '../schemas/waypoint.ts'

/** What can earn XP. A `grant` is given by an administrator. */
export type AwardEvent = 'createWaypoint' | 'editWaypoint' | 'postReview' | 'waypointVerified' | 'grant'

/** XP for one event, stored as a row of the ledger. */
export interface Award {
  readonly userId: string
  readonly event: AwardEvent
  readonly amount: number
  readonly waypointId?: number | undefined
  readonly reviewId?: number | undefined
  readonly note?: string | undefined
  readonly at: string
}

/** A review as it is stored; a deleted one is a tombstone. */
export interface ReviewState extends Review {
  readonly deletedAt?: string | undefined
}

/** A row before and after a write; `before` is absent for a new one. */
export interface Replacement<State> {
  readonly before: State | undefined
  readonly after: State
}

/**
 * Everything that a write changes, decided before anything is written. The store applies it in the same transaction
 * in which the facts of the decision were read.
 */
export interface Effects {
  readonly waypoint?: Replacement<WaypointState> | undefined
  readonly review?: Replacement<ReviewState> | undefined
  readonly entries: readonly Entry[]
  readonly awards: readonly Award[]
  readonly counts: readonly { readonly userId: string; readonly what: keyof UserStats }[]
}

/** A write that changes nothing. */
export const noEffects: Effects = { entries: [], awards: [], counts: [] }
