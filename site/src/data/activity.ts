import type { GivenEntry } from '@openfountain/core/internal'
import { entryOf, type Entry } from './entry.ts'
import { Merges } from './merges.ts'
import { Redactions } from './redactions.ts'
import type { Review } from './records.ts'

/** One calendar month in UTC, `2026-03`. */
export interface Month {
  readonly month: string
  readonly created: number
  readonly edited: number
  readonly flagged: number
  readonly deleted: number
  readonly reviewed: number
  /** Waypoints in the registry at the end of the month. */
  readonly waypoints: number
}

/** Activity over time, collected in one pass over the log and one over the reviews. */
export interface Activity {
  /** Every month from the first entry to the last, including empty ones; the newest fifty years. */
  readonly months: readonly Month[]
  /** Newest first. */
  readonly recent: readonly Entry[]
  /** Newest first; only for requested waypoints. */
  history(waypointId: number): readonly Entry[]
  /** True when the waypoint has more entries than its history lists. */
  hasMore(waypointId: number): boolean
  /** Newest first; only for requested waypoints. */
  reviews(waypointId: number): readonly Review[]
  /** A contributor's newest entries, newest first. */
  of(userId: string): readonly Entry[]
  /** Merged waypoints whose targets still exist, with the targets; the newest merges first. */
  merged(most: number): ReadonlyMap<number, number>
}

const listLengths = { recent: 200, history: 20, reviews: 50, contributor: 12 } as const

type Counts = { created: number; edited: number; flagged: number; deleted: number; reviewed: number }

/**
 * Collects the activity: pass each log entry of any kind in order to `entry` and each review to `review`, then call
 * `result`.
 */
export function activityCollector(waypointIds: ReadonlySet<number>): {
  entry(entry: GivenEntry): void
  review(review: Review): void
  result(): Activity
} {
  const months = new Map<string, Counts>()
  const recent: Entry[] = []
  const histories = new Map<number, Entry[]>()
  const cut = new Set<number>()
  const reviews = new Map<number, Review[]>()
  const people = new Map<string, Entry[]>()
  const redactions = new Redactions()
  const merges = new Merges()

  const month = (timestamp: string): Counts => {
    const key = timestamp.slice(0, 7)
    const counts = months.get(key) ?? { created: 0, edited: 0, flagged: 0, deleted: 0, reviewed: 0 }
    months.set(key, counts)
    return counts
  }

  return {
    entry(logged) {
      redactions.add(logged)
      merges.add(logged)
      const entry = entryOf(logged)
      if (entry === undefined) return
      const { waypointId, userId, timestamp } = entry
      month(timestamp)[tally(logged.action)] += 1
      keepNewest(recent, entry, listLengths.recent)
      keepNewest(listOf(people, userId), entry, listLengths.contributor)
      if (waypointIds.has(waypointId)) {
        const dropped = keepNewest(listOf(histories, waypointId), entry, listLengths.history)
        if (dropped) cut.add(waypointId)
      }
    },
    review(review) {
      month(review.created_at).reviewed += 1
      if (waypointIds.has(review.waypoint_id))
        keepNewest(listOf(reviews, review.waypoint_id), review, listLengths.reviews)
    },
    result: () => {
      // Only at the end, because redactions follow the entries that they redact.
      const newestFirst = (list: readonly Entry[] = []) =>
        list.toReversed().map((entry) => redactions.over(entry))
      return {
        months: everyMonth(months),
        recent: newestFirst(recent),
        history: (waypointId) => newestFirst(histories.get(waypointId)),
        hasMore: (waypointId) => cut.has(waypointId),
        reviews: (waypointId) => reviews.get(waypointId)?.toReversed() ?? [],
        of: (userId) => newestFirst(people.get(userId)),
        merged: (most) => merges.newest(most),
      }
    },
  }
}

function tally(action: string): keyof Counts {
  return action === 'created' || action === 'edited' || action === 'deleted' ? action : 'flagged'
}

function listOf<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

function keepNewest<Item>(list: Item[], item: Item, most: number): boolean {
  list.push(item)
  if (list.length <= most) return false
  list.shift()
  return true
}

/** A wrong clock, here or of a mirrored registry, would give months of thousands of years. */
const mostMonths = 600

function everyMonth(months: ReadonlyMap<string, Counts>): Month[] {
  const keys = [...months.keys()].toSorted()
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return []
  const earliest = later(last, 1 - mostMonths)
  const result: Month[] = []
  let waypoints = 0
  for (const key of keys.filter((month) => month < earliest)) waypoints += grownBy(months.get(key))
  for (let month = first < earliest ? earliest : first; ; month = later(month, 1)) {
    const counts = months.get(month) ?? { created: 0, edited: 0, flagged: 0, deleted: 0, reviewed: 0 }
    waypoints += grownBy(counts)
    result.push({ month, ...counts, waypoints })
    // Compared by equality, not by order: the month after the year 9999 begins with a plus sign.
    if (month === last) return result
  }
}

const grownBy = (counts: Counts | undefined): number => (counts?.created ?? 0) - (counts?.deleted ?? 0)

/** The month at an offset. Before the year 0 it begins with a hyphen, and so sorts before all others. */
function later(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
