import type { Award } from '../log/entry.ts'
import { secretUnder } from '../secrets.ts'
import type { Contributor, Occasion } from './contributor.ts'
import { nounOf, type Deciding, type Unlogged } from './deciding.ts'
import { kept, removed, secretOf } from './secret.ts'

/** XP of new waypoints, held back until somebody else approves or confirms them. */

/** Whether the XP of the next waypoint of a person is held back. */
export function* isHeld({ rules }: Occasion, { kind, userId }: Contributor): Deciding<boolean> {
  // Rules that a program was compiled with may be older than this one.
  const { earnOnApproval = false, newcomers = false }: Partial<Occasion['rules']> = rules
  if (!earnOnApproval || kind === 'token') return false
  const person = yield* nounOf('user', userId)
  return (person?.stats.waypointsCreated ?? 0) >= (newcomers === false ? 0 : newcomers.creates)
}

/** Holds back the XP of a waypoint. */
export function holding(waypointId: number, [userId, , xp]: Award, at: string): Unlogged {
  return kept(secretUnder('held', String(waypointId), { xp }, { userId, createdAt: at }))
}

/** The XP that the creator of a waypoint earns once somebody else approves or confirms it. */
export function* heldFor(
  waypointId: number,
  by: string,
): Deciding<{ readonly awards: readonly Award[]; readonly unlogged: readonly Unlogged[] }> {
  const held = yield* secretOf('held', String(waypointId))
  if (held?.userId === undefined || held.userId === by) return { awards: [], unlogged: [] }
  return { awards: [[held.userId, 'createWaypoint', held.value.xp]], unlogged: [removed(held)] }
}
