import { apiUserId } from '../actor.ts'
import type { WaypointState } from '../schemas/waypoint.ts'
import { tileWidth } from './tree.ts'
import type { Entry } from './entry.ts'
import { isLive, type ReviewState } from './nouns.ts'
import type { Changes, Replacement } from './working-set.ts'

/** Counters that every write updates, so that reading them is cheap. */
export interface Totals {
  /** Live waypoints, and how many of them are approved and verified. */
  readonly waypoints: number
  readonly approvedWaypoints: number
  readonly verifiedWaypoints: number
  /** People, without the built-in user. */
  readonly users: number
  /** Live reviews, and all reviews ever posted. */
  readonly reviews: number
  readonly reviewsPosted: number
  /** Entries about waypoints, and how many of them have each action. */
  readonly actions: number
  readonly actionCounts: Readonly<Record<string, number>>
}

type Counted = { -readonly [Name in Exclude<keyof Totals, 'actionCounts'>]: number }

/** By how many more are counted after a change. */
const more = <State>(
  { before, after }: Replacement<State>,
  isCounted: (state: State | undefined) => boolean,
): number => Number(isCounted(after)) - Number(isCounted(before))

function countWaypoint(change: Replacement<WaypointState>, totals: Counted): void {
  totals.waypoints += more(change, isLive)
  totals.approvedWaypoints += more(change, (state) => isLive(state) && state.approved)
  totals.verifiedWaypoints += more(change, (state) => isLive(state) && state.verified)
}

function countReview(change: Replacement<ReviewState>, totals: Counted): void {
  totals.reviews += more(change, isLive)
  totals.reviewsPosted += Number(change.before === undefined)
}

/**
 * The totals after a write.
 *
 * @param onTile called with the number of a tile of 256 entries that is complete, from 0, and the actions up to its end
 */
export function totalsAfter(
  before: Totals,
  { entries, nouns }: { readonly entries: readonly { readonly entry: Entry }[]; readonly nouns: Changes },
  onTile: (place: number, actions: number) => void,
): Totals {
  const { actionCounts: counts, ...totals } = before
  const counted: Counted = { ...totals }
  const actionCounts: Record<string, number> = { ...counts }
  for (const each of nouns.waypoint ?? []) countWaypoint(each, counted)
  for (const each of nouns.review ?? []) countReview(each, counted)
  for (const each of nouns.user ?? [])
    if (each.before === undefined && each.after.id !== apiUserId) counted.users++
  for (const { before, after } of nouns.profile ?? [])
    if (before?.leftAt === undefined && after.leftAt !== undefined) counted.users--
  for (const { entry } of entries) {
    if (entry.subject === 'waypoint') {
      counted.actions++
      actionCounts[entry.action] = (actionCounts[entry.action] ?? 0) + 1
    }
    if (entry.id % tileWidth === 0) onTile(entry.id / tileWidth - 1, counted.actions)
  }
  return { ...counted, actionCounts }
}
