import type { Waypoint } from './records.ts'

/** A waypoint that may get a page. */
export interface Candidate extends Pick<Waypoint, 'id' | 'latitude' | 'longitude' | 'updated_at'> {
  /** Reads the whole waypoint. */
  readonly whole: () => Waypoint
}

/** Selects the most recently changed waypoints; holds at most twice the limit. */
export function mostRecentlyChanged(limit: number): {
  /** @param make called only for a candidate */
  add(waypoint: Pick<Candidate, 'id' | 'updated_at'>, make: () => Candidate): void
  result(): Candidate[]
} {
  let held: Candidate[] = []
  /** The oldest of the selected ones, once the limit is reached. */
  let last: Candidate | undefined
  const cut = (): Candidate[] => held.toSorted(newestFirst).slice(0, limit)
  return {
    add(waypoint, make) {
      if (last !== undefined && newestFirst(last, waypoint) < 0) return
      held.push(make())
      if (held.length <= limit * 2 + 1000) return
      held = cut()
      last = held.at(-1)
    },
    result: cut,
  }
}

function newestFirst(
  a: Pick<Candidate, 'id' | 'updated_at'>,
  b: Pick<Candidate, 'id' | 'updated_at'>,
): number {
  if (a.updated_at === b.updated_at) return b.id - a.id
  return a.updated_at < b.updated_at ? 1 : -1
}
