import { invalid } from '../errors.ts'
import type { Draft } from '../log/entry.ts'
import { published, type Waypoint } from '../schemas/waypoint.ts'
import { contribution, mustModerate, type Occasion } from './contributor.ts'
import type { Deciding, Decision } from './deciding.ts'
import { mustHaveReason } from './user.ts'
import { liveWaypoint } from './waypoint.ts'

/**
 * Merges a waypoint into another that is the same fountain: it becomes a tombstone that names the other, which gains
 * its reviews and its records of sources. Answers the one that is kept.
 *
 * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT without a reason or when both are the same
 */
export function* mergeWaypoints(
  occasion: Occasion,
  id: number,
  { into, reason }: { readonly into: number; readonly reason: string },
): Deciding<Decision<Waypoint>> {
  const { who, facts } = yield* contribution(occasion, [
    { noun: 'waypoint', key: id },
    { noun: 'waypoint', key: into },
    { noun: 'review', where: { bubblerId: id } },
    { noun: 'record', where: { waypointId: id } },
  ])
  mustModerate(who, 'Only moderators may merge waypoints')
  const given = mustHaveReason(reason)
  if (id === into) throw invalid('into', 'must be another waypoint')
  liveWaypoint(facts, id)
  const kept = liveWaypoint(facts, into)
  const links = { act: facts.nextEntry }
  const moved = (subject: 'review' | 'record', subjectId: number): Draft => ({
    subject,
    subjectId,
    action: 'moved',
    fields: { waypoint: into },
    links,
  })
  const entries: Draft[] = [
    {
      subject: 'waypoint',
      subjectId: id,
      action: 'deleted',
      fields: { reason: given },
      links: { ...links, mergedInto: into },
    },
    ...facts.find('review', { bubblerId: id }).map((review) => moved('review', review.id)),
    ...facts.find('record', { waypointId: id }).map((record) => moved('record', record.id)),
  ]
  return { entries, by: who.userId, answer: published(kept) }
}
