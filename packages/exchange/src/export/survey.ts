import { attributionsOf, countOrigins, type OriginCounts } from '@openfountain/core/internal'
import type { Edition } from './edition.ts'
import type { Publisher } from './publisher.ts'
import type { Origin } from '../licences/clearance.ts'

/** Counts the waypoints of an edition by source, in one pass. */
export function surveyOf(edition: Edition): Promise<OriginCounts> {
  return countOrigins(edition.waypoints(), edition.sources)
}

/** The name of contributions to the registry itself, among the sources of an export. */
export const contributionsTo = (registry: string): string => `contributions to ${registry}`

/**
 * The edition with its credits from a survey. The publisher is named where people added waypoints or, in an export that
 * holds them, reviews.
 *
 * @param reviews reviews in the export
 */
export function creditedBy(
  edition: Edition,
  { sources, contributed }: OriginCounts,
  reviews: number,
): Edition {
  const { publisher } = edition
  const attributions = attributionsOf({ publisher, contributed: contributed > 0 || reviews > 0, sources })
  return { ...edition, attributions }
}

/** The edition, which has no reviews, with the credits of its waypoints; reads them once. */
export async function credited(edition: Edition): Promise<Edition> {
  return creditedBy(edition, await surveyOf(edition), 0)
}

/**
 * The published origins whose licences are checked: the sources of waypoints, and the registry itself where people
 * added waypoints or, in an export that holds them, reviews. Corrections have the licence of the corrected record.
 *
 * @param reviews reviews in the export
 */
export function originsOf(
  { publisher }: Edition,
  { sources, contributed }: OriginCounts,
  reviews: number,
): Origin[] {
  const own = contributed > 0 || reviews > 0 ? [ownOrigin(publisher, contributed, reviews)] : []
  return [...own, ...sources.map(({ name, license, waypoints }) => ({ name, license, waypoints }))]
}

function ownOrigin({ name, license }: Publisher, waypoints: number, reviews: number): Origin {
  return { name: contributionsTo(name), license, waypoints, reviews, own: true }
}

/** The origins of the registry that no waypoint or review of the export came from, but perhaps a deleted one. */
export function formerOrigins({ publisher, sources }: Edition, present: readonly Origin[]): Origin[] {
  const names = new Set(present.map(({ name }) => name))
  const all = [
    ownOrigin(publisher, 0, 0),
    ...sources.map(({ name, license }) => ({ name, license, waypoints: 0 })),
  ]
  return all.filter(({ name }) => !names.has(name))
}
