import { kindOf } from '@openfountain/core/vocabulary'
import type { Region } from '../data/region.ts'
import type { Waypoint } from '../data/records.ts'
import { licenseAddress } from '../license-address.ts'
import { dated, isKnown, statusText } from '../status/words.ts'
import { shortened } from '../messages.ts'
import { safeLink } from '../safe-link.ts'
import { whereabouts } from '../naming.ts'
import { photoAddress, type ShownPhoto } from '../photo.ts'
import { placeOf } from '../views/origin.ts'
import type { View } from './view.ts'

/** One or two sentences for search results and shared links. */
export function describeWaypoint(view: View, waypoint: Waypoint): string {
  const offers = waypoint.amenities.map((key) => view.amenity(key)).join(', ')
  const [stage] = view.site.data.stagesOf(waypoint)
  const sentence = isKnown(stage) && statusText(view.strings, view.m.count, view.f, stage)
  const parts = [
    waypoint.drinkable === 'no' && view.m.fact['drinkable.no'],
    sentence && dated(view.strings, view.f, sentence),
    view.f.isolate(waypoint.description ?? ''),
    view.f.isolate(whereabouts(waypoint, view.tag).join(', ')),
    offers,
    verificationText(view, waypoint),
  ].filter((part) => part)
  return shortened(parts.join(' · ').replaceAll(/\s+/gu, ' '), 200)
}

function verificationText({ m, f }: View, { verified, source, last_listed: listed }: Waypoint): string {
  if (verified) return m.waypoint.verified
  if (!source) return m.waypoint.notVerified
  const name = f.isolate(source)
  return `${name}, ${listed ? `${m.waypoint.listed} ${f.date(listed)}` : m.status.undated}`
}

/** Who may use it, as schema.org has it; customers are neither the public nor nobody. */
const publicAccess: Readonly<Record<string, { readonly publicAccess: boolean }>> = {
  yes: { publicAccess: true },
  private: { publicAccess: false },
}

const isDrinkingFountain = ({ amenities, drinkable }: Waypoint): boolean =>
  drinkable !== 'no' && ['bubbler', 'bottle-filler', 'wallace'].includes(kindOf(amenities) ?? '')

export function waypointJsonLd(view: View, waypoint: Waypoint): unknown {
  const { folder } = view.site.data
  const [photo] = view.site.data.photosOf(waypoint.id)
  const around = whereabouts(waypoint, view.tag).join(', ')
  return {
    '@context': 'https://schema.org',
    '@type': 'Place',
    ...(isDrinkingFountain(waypoint) && { additionalType: 'https://www.wikidata.org/wiki/Q1630622' }),
    name: view.title(waypoint),
    url: view.absolute(view.waypoint(waypoint.id)),
    identifier: String(waypoint.id),
    geo: { '@type': 'GeoCoordinates', ...placeOf(waypoint) },
    ...publicAccess[waypoint.access ?? ''],
    photo: photo ? photoJsonLd(view, photo) : safeLink(waypoint.image)?.href,
    ...(around !== '' && { containedInPlace: { '@type': 'Place', name: around } }),
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
      '@type': 'CreativeWork',
      isPartOf: view.absolute(view.page('data/')),
      license: licenseAddress(waypoint.license ?? folder.registry.license),
      creditText: waypoint.attribution ?? folder.registry.author,
    },
  }
}

const photoJsonLd = (view: View, { id, width, height, license, author, alt }: ShownPhoto): unknown => ({
  '@type': 'ImageObject',
  contentUrl: view.absolute(view.file(photoAddress(id, 'large'))),
  thumbnailUrl: view.absolute(view.file(photoAddress(id, 'small'))),
  width,
  height,
  license: licenseAddress(license),
  creditText: author ?? view.m.contributors.former,
  ...(alt !== undefined && { caption: alt }),
})

/** The path to a page as schema.org's BreadcrumbList: the regions around it, then the page itself. */
export function breadcrumbs(view: View, within: readonly Region[], title: string): unknown {
  const trail = [
    ...within.map((region) => ({ name: view.regionName(region), item: view.absolute(view.region(region)) })),
    { name: title },
  ]
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: trail.map((one, index) => ({ '@type': 'ListItem', position: index + 1, ...one })),
  }
}
