import type { Waypoint } from '../data/records.ts'
import { licenseAddress } from './catalogue.ts'
import { safeLink, type View } from './view.ts'

/** One or two sentences for search results and shared links. */
export function describeWaypoint(view: View, waypoint: Waypoint): string {
  const offers = waypoint.amenities.map((key) => view.amenity(key)).join(', ')
  const state = waypoint.state && view.m.waypoint[waypoint.state]
  const parts = [
    waypoint.drinkable === 'no' && view.m.fact['drinkable.no'],
    state,
    view.f.isolate(waypoint.description ?? ''),
    view.f.isolate(waypoint.region ?? ''),
    offers,
    verificationText(view, waypoint),
  ].filter((part) => part)
  const text = parts.join(' · ').replaceAll(/\s+/gu, ' ')
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

/** A reference that an import made of the place of a row without one: a keyed hash, which tells people nothing. */
const placeRef = /^place:[0-9a-f]{16}$/u

/** The ids that its sources have for a waypoint, as people may look them up there; empty when there are none. */
export function lookupRefs({ source_ref: refs }: Pick<Waypoint, 'source_ref'>): string {
  return (refs ?? '')
    .split('; ')
    .filter((ref) => !placeRef.test(ref))
    .join('; ')
}

/** Whether a waypoint is verified, else the source that lists it, else that it is not verified yet. */
function verificationText({ m, f }: View, { verified, source, last_listed: listed }: Waypoint): string {
  if (verified) return m.waypoint.verified
  if (!source) return m.waypoint.notVerified
  const name = f.isolate(source)
  return listed ? `${name}, ${m.waypoint.listed} ${f.date(listed)}` : name
}

/** The waypoint as schema.org's DrinkingWater place. */
export function waypointJsonLd(view: View, waypoint: Waypoint, description: string): unknown {
  const { folder } = view.site.data
  const photo = safeLink(waypoint.image)
  return {
    '@context': 'https://schema.org',
    '@type': 'Place',
    // A drinking fountain.
    ...(waypoint.drinkable !== 'no' && { additionalType: 'https://www.wikidata.org/wiki/Q1630622' }),
    name: waypoint.name,
    description,
    url: view.absolute(view.waypoint(waypoint.id)),
    identifier: String(waypoint.id),
    geo: { '@type': 'GeoCoordinates', latitude: waypoint.latitude, longitude: waypoint.longitude },
    publicAccess: true,
    ...(photo && { photo: photo.href }),
    ...(waypoint.region && { containedInPlace: { '@type': 'Place', name: waypoint.region } }),
    ...(waypoint.amenities.length > 0 && {
      amenityFeature: waypoint.amenities.map((key) => ({
        '@type': 'LocationFeatureSpecification',
        name: view.amenity(key),
        value: true,
      })),
    }),
    ...(typeof waypoint.rating === 'number' &&
      waypoint.review_count > 0 && {
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: waypoint.rating,
          reviewCount: waypoint.review_count,
          bestRating: 5,
          worstRating: 1,
        },
      }),
    subjectOf: {
      '@type': 'Dataset',
      name: folder.registry.name,
      description: view.m.site.tagline,
      license: licenseAddress(waypoint.license ?? folder.registry.license),
      creditText: waypoint.attribution ?? folder.registry.author,
    },
  }
}
