import { attributionLine } from '@openfountain/core'
import { type Edition, idsOf } from './edition.ts'
import type { Subject } from './format.ts'
import {
  consenting,
  attributionsOf,
  partyText,
  countOrigins,
  type OriginCounts,
  sourceTermsOf,
} from '@openfountain/core/internal'
import type { Publisher } from './snapshot.ts'
import { type Origin, consentingNames } from '../licences/licences.ts'

/**
 * The licence of a file of an edition and its credits, as members of JSON. Data about the registry itself, such as
 * reviews and people, is its publisher's; everything else is also of the sources.
 */
export function creditOfFile(
  { license, publisher, attributions }: Edition,
  subject: Subject,
): { readonly license: string; readonly attribution: string } {
  const isOwn = subject === 'registry'
  const own = partyText(consenting({ name: publisher.author }, publisher))
  return { license, attribution: isOwn ? own : attributionLine(attributions) }
}

export const creditText = (edition: Edition, subject: Subject): string =>
  `,${JSON.stringify(creditOfFile(edition, subject)).slice(1, -1)}`

export function surveyOf(edition: Edition): Promise<OriginCounts> {
  return countOrigins(edition.waypoints(), edition.sources)
}

/** The name of contributions to the registry itself, among the sources of an export. */
export const contributionsTo = (registry: string): string => `contributions to ${registry}`

/** The edition with its credits: the publisher is named where people added waypoints or, in an export that holds them, reviews. */
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
 * The published origins whose licences are checked: the sources of waypoints, and the registry itself where people added
 * waypoints or, in an export that holds them, reviews. Corrections have the licence of the corrected record.
 */
export function originsOf(
  { publisher }: Edition,
  { sources, contributed }: OriginCounts,
  reviews: number,
): Origin[] {
  const own = contributed > 0 || reviews > 0 ? [ownOrigin(publisher, contributed, reviews)] : []
  return [...own, ...sources.map(({ name, license, waypoints }) => ({ name, license, waypoints }))]
}

const ownOrigin = ({ name, license }: Publisher, waypoints: number, reviews: number): Origin => ({
  name: contributionsTo(name),
  license,
  waypoints,
  reviews,
  own: true,
})

/** The origins of the registry that no waypoint or review of the export came from, but perhaps a deleted one. */
export function formerOrigins({ publisher, sources }: Edition, present: readonly Origin[]): Origin[] {
  const names = new Set(present.map(({ name }) => name))
  const all = [
    ownOrigin(publisher, 0, 0),
    ...sources.map(({ name, license }) => ({ name, license, waypoints: 0 })),
  ]
  return all.filter(({ name }) => !names.has(name))
}

/**
 * The edition with a note of written consent in the credits of each source, and of contributions, published by it.
 *
 * @param permitted names of sources that gave their written consent to the licence of the edition
 */
export function withConsents(edition: Edition, permitted: readonly string[] = []): Edition {
  if (permitted.length === 0) return edition
  const { license } = edition
  const own = contributionsTo(edition.publisher.name)
  const origins: Pick<Origin, 'name' | 'license'>[] = [
    ...edition.sources,
    { name: own, license: edition.publisher.license },
  ]
  const names = consentingNames(origins, license, permitted)
  if (names.size === 0) return edition
  const sources = edition.sources.map((source) =>
    names.has(source.name) ? { ...source, consentsTo: license } : source,
  )
  const publisher = names.has(own) ? { ...edition.publisher, consentsTo: license } : edition.publisher
  const sourceTerms = sourceTermsOf(sources, publisher)
  return { ...edition, publisher, sources, terms: (record) => sourceTerms(idsOf(record)) }
}
