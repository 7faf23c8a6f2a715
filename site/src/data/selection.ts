import type { Waypoint } from './records.ts'

/** The most recently changed waypoints, never holding more than twice as many as are wanted. */
export function mostRecentlyChanged(limit: number): { add(waypoint: Waypoint): void; result(): Waypoint[] } {
  let held: Waypoint[] = []
  const cut = (): Waypoint[] => held.toSorted(newestFirst).slice(0, limit)
  return {
    add(waypoint) {
      held.push(waypoint)
      if (held.length > limit * 2 + 1000) held = cut()
    },
    result: cut,
  }
}

function newestFirst(a: Waypoint, b: Waypoint): number {
  if (a.updated_at === b.updated_at) return b.id - a.id
  return a.updated_at < b.updated_at ? 1 : -1
}
