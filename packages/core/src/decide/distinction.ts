import { invalid } from '../errors.ts'
import type { Distinction } from '../log/nouns.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import type { Deciding, Decision } from './deciding.ts'
import { liveWaypoint } from './waypoint.ts'

/** Two waypoints by id, the smaller one first. */
export type Pair = readonly [smaller: number, greater: number]

/** The id of a distinction. */
export const pairId = ([smaller, greater]: Pair): string => `${smaller}-${greater}`

/**
 * Records that two waypoints are not the same fountain. For moderators and the operator.
 *
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT when both are the same
 */
export function* distinguish(occasion: Occasion, one: number, other: number): Deciding<Decision<Pair>> {
  const pair: Pair = [Math.min(one, other), Math.max(one, other)]
  const id = pairId(pair)
  const { who, facts } = yield* contribution(occasion, [
    { noun: 'waypoint', key: one },
    { noun: 'waypoint', key: other },
    { noun: 'distinction', key: id },
  ])
  mustModerate(who, 'Only moderators may say that two waypoints are not the same')
  if (one === other) throw invalid('from', 'must be another waypoint')
  liveWaypoint(facts, one)
  liveWaypoint(facts, other)
  const [smaller, greater] = pair
  const distinction: Distinction = { id, smaller, greater, by: who.userId, createdAt: occasion.at }
  const isNew = facts.get('distinction', id) === undefined
  return {
    entries: [],
    unlogged: isNew ? [{ noun: 'distinction', after: distinction }] : [],
    by: who.userId,
    answer: pair,
  }
}
