import type { GivenEntry } from '@openfountain/core/internal'
import { entryOf, redacted, type Entry } from './entry.ts'
import type { Review } from './records.ts'

/** One calendar month in UTC, `2026-03`. */
export interface Month extends Counts {
  readonly month: string
  readonly waypoints: number
}

interface Counts {
  readonly created: number
  readonly edited: number
  readonly flagged: number
  readonly deleted: number
  readonly reviewed: number
}

const listLengths = { recent: 200, history: 20, reviews: 50, contributor: 12 } as const

/** A wrong clock, here or of a mirrored registry, would give months of thousands of years. */
const mostMonths = 600

const nothing: Counts = { created: 0, edited: 0, flagged: 0, deleted: 0, reviewed: 0 }

/** The activity: pass each log entry to `entry` and each review to `review`, in order, then ask. Memory grows with deletions and redactions. */
export class Activity {
  readonly #ids: ReadonlySet<number>
  readonly #months = new Map<string, Counts>()
  readonly #recent: Entry[] = []
  readonly #histories = new Map<number, Entry[]>()
  readonly #cut = new Set<number>()
  readonly #reviews = new Map<number, Review[]>()
  readonly #people = new Map<string, Entry[]>()
  readonly #redacted = new Map<number, Set<string>>()
  readonly #deleted = new Set<number>()
  readonly #mergedInto = new Map<number, number>()
  readonly #moved = new Map<string, number>()

  /** @param waypointIds of histories and reviews */
  constructor(waypointIds: ReadonlySet<number>) {
    this.#ids = waypointIds
  }

  entry(logged: GivenEntry): void {
    const { subject, subjectId, fields } = logged
    const names: unknown = fields['names']
    if (subject === 'entry' && typeof subjectId === 'number' && Array.isArray(names))
      this.#redacted.set(subjectId, new Set([...this.redacted(subjectId), ...names.map(String)]))
    const { waypoint } = fields
    if (logged.action === 'moved' && typeof waypoint === 'number')
      this.#moved.set(`${subject} ${subjectId}`, waypoint)
    const entry = entryOf(logged)
    if (entry === undefined) return
    this.#count(entry.timestamp, logged.action)
    keepNewest(this.#recent, entry, listLengths.recent)
    keepNewest(listOf(this.#people, entry.userId), entry, listLengths.contributor)
    this.#follow(logged, entry.waypointId)
    if (!this.#ids.has(entry.waypointId)) return
    const isCut = keepNewest(listOf(this.#histories, entry.waypointId), entry, listLengths.history)
    if (isCut) this.#cut.add(entry.waypointId)
  }

  review(review: Review): void {
    this.#count(review.created_at, 'reviewed')
    if (this.#ids.has(review.waypoint_id))
      keepNewest(listOf(this.#reviews, review.waypoint_id), review, listLengths.reviews)
  }

  #count(timestamp: string, action: string): void {
    const month = timestamp.slice(0, 7)
    const counts = this.#months.get(month) ?? nothing
    const kind = (Object.hasOwn(nothing, action) ? action : 'flagged') as keyof Counts
    this.#months.set(month, { ...counts, [kind]: counts[kind] + 1 })
  }

  #follow({ action, links }: GivenEntry, id: number): void {
    if (action !== 'deleted' && links.restores === undefined) return
    this.#mergedInto.delete(id)
    if (action !== 'deleted') this.#deleted.delete(id)
    else {
      this.#deleted.add(id)
      if (links.mergedInto !== undefined) this.#mergedInto.set(id, links.mergedInto)
    }
  }

  /** Every month from the first entry to the last, including empty ones; the newest fifty years. */
  get months(): readonly Month[] {
    return everyMonth(this.#months)
  }

  /** Newest first. */
  get recent(): readonly Entry[] {
    return this.#shown(this.#recent)
  }

  /** Newest first; only for requested waypoints. */
  history(waypointId: number): readonly Entry[] {
    return this.#shown(this.#histories.get(waypointId))
  }

  hasMore(waypointId: number): boolean {
    return this.#cut.has(waypointId)
  }

  /** Newest first; only for requested waypoints. */
  reviews(waypointId: number): readonly Review[] {
    return this.#reviews.get(waypointId)?.toReversed() ?? []
  }

  of(userId: string): readonly Entry[] {
    return this.#shown(this.#people.get(userId))
  }

  /** Merged waypoints whose targets still exist, with the targets; the newest merges first. */
  merged(most: number): ReadonlyMap<number, number> {
    const found = [...this.#mergedInto.keys()].toReversed().flatMap((id) => {
      const left = this.#leftOf(id)
      return left === undefined ? [] : [[id, left] as const]
    })
    return new Map(found.slice(0, most))
  }

  /** The waypoint that a review, an observation, a photo or a record was moved to last, by its subject and id. */
  movedTo(part: string): number | undefined {
    return this.#moved.get(part)
  }

  redacted(entryId: number): ReadonlySet<string> {
    return this.#redacted.get(entryId) ?? new Set()
  }

  /** Newest first, without what later entries redacted. */
  #shown(entries: readonly Entry[] = []): readonly Entry[] {
    return entries.toReversed().map((entry) => redacted(entry, this.redacted(entry.id)))
  }

  /** The final target of a merged waypoint; undefined when that was deleted since, or the merges go in a circle. */
  #leftOf(id: number): number | undefined {
    const passed = new Set<number>()
    let left = id
    for (let into = this.#mergedInto.get(left); into !== undefined; into = this.#mergedInto.get(left)) {
      if (passed.has(into)) return undefined
      passed.add(into)
      left = into
    }
    return this.#deleted.has(left) ? undefined : left
  }
}

function listOf<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** Whether an older one was dropped. */
function keepNewest<Item>(list: Item[], item: Item, most: number): boolean {
  list.push(item)
  return list.length > most && list.shift() !== undefined
}

function everyMonth(counted: ReadonlyMap<string, Counts>): Month[] {
  const keys = [...counted.keys()].toSorted()
  const [first, last] = [keys[0], keys.at(-1)]
  if (first === undefined || last === undefined) return []
  const earliest = later(last, 1 - mostMonths)
  const result: Month[] = []
  let waypoints = 0
  const grow = ({ created, deleted }: Counts) => (waypoints += created - deleted)
  for (const key of keys.filter((month) => month < earliest)) grow(counted.get(key) ?? nothing)
  for (let month = first < earliest ? earliest : first; ; month = later(month, 1)) {
    const counts = counted.get(month) ?? nothing
    result.push({ month, ...counts, waypoints: grow(counts) })
    // Compared by equality, not by order: the month after the year 9999 begins with a plus sign.
    if (month === last) return result
  }
}

/** The month at an offset. Before the year 0 it begins with a hyphen, and so sorts before all others. */
function later(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}
