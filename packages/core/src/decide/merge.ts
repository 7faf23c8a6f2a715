import { invalid } from '../errors.ts'
import { draftOf, type Draft } from '../log/entry.ts'
import { type ObservationState, published } from '../log/nouns.ts'
import type { Waypoint } from '../schemas/waypoint.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import type { Deciding, Decision, Facts, Unlogged } from './deciding.ts'
import type { PseudonymOf } from './observation.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'
import { deletion, liveWaypoint } from './waypoint.ts'

/**
 * Merges a waypoint into another of the same fountain: it becomes a tombstone that names the other, which gets its
 * reviews, its observations and its records of sources. Returns the remaining one.
 *
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT without a reason or when both are the same
 */
export function* mergeWaypoints(
  occasion: Occasion,
  id: number,
  { into, reason }: { readonly into: number; readonly reason: string },
  pseudonymOf: PseudonymOf,
): Deciding<Decision<Waypoint>> {
  const { who, facts } = yield* contribution(occasion, [
    { noun: 'waypoint', key: id },
    { noun: 'waypoint', key: into },
    { noun: 'review', where: { bubblerId: id } },
    { noun: 'observation', where: { bubblerId: id } },
    { noun: 'observer', where: { bubblerId: id } },
    { noun: 'record', where: { waypointId: id } },
  ])
  mustModerate(who, 'Only moderators may merge waypoints')
  const given = mustHaveReason(reason)
  if (id === into) throw invalid('into', 'must be another waypoint')
  liveWaypoint(facts, id)
  const kept = liveWaypoint(facts, into)
  yield* takeBacksLeft(occasion, who)
  const links = { act: facts.nextEntry }
  const moved = (subject: 'review' | 'record') => (each: { readonly id: number }) => ({
    ...draftOf(subject, each.id, 'moved', { waypoint: into }),
    links,
  })
  const entries: Draft[] = [
    { ...deletion(id), fields: { reason: given }, links: { ...links, mergedInto: into } },
    ...facts.find('review', { bubblerId: id }).map(moved('review')),
    ...facts.find('record', { waypointId: id }).map(moved('record')),
  ]
  const observed = movedObservations(facts, { id, into, links, pseudonymOf })
  return {
    entries: [...entries, ...observed.entries],
    unlogged: observed.unlogged,
    by: who.userId,
    answer: published(kept),
  }
}

/** Observations of the same fountain: one person is one there, so that they get the pseudonym which they have there. */
function movedObservations(
  facts: Facts,
  {
    id,
    into,
    links,
    pseudonymOf,
  }: {
    readonly id: number
    readonly into: number
    readonly links: NonNullable<Draft['links']>
    readonly pseudonymOf: PseudonymOf
  },
): { readonly entries: Draft[]; readonly unlogged: Unlogged[] } {
  const observers = facts.find('observer', { bubblerId: id })
  const userOf = new Map(observers.map((each) => [each.id, each.userId]))
  const moved = (each: ObservationState): Draft => {
    const userId = userOf.get(each.id)
    const observer = userId === undefined ? each.observer : pseudonymOf(userId, into)
    return { ...draftOf('observation', each.id, 'moved', { waypoint: into, observer }), links }
  }
  return {
    entries: facts.find('observation', { bubblerId: id }).map(moved),
    unlogged: observers.map((each) => ({ noun: 'observer', after: { ...each, bubblerId: into } })),
  }
}
