import data from './vocabulary.json' with { type: 'json' }
import type words from './vocabulary.json'

/**
 * The amenities that the registry knows, with other spellings and tags by the OpenStreetMap wiki
 * (https://wiki.openstreetmap.org/wiki/Tag:amenity%3Ddrinking_water). An absent amenity means unknown: it never becomes
 * a tag with the value `no`.
 */

export interface Amenity {
  readonly label: string
  readonly role: 'kind' | 'feature'
  /** Other spellings that mean the same, lower case with hyphens. */
  readonly aliases: readonly string[]
  /** OpenStreetMap tags, in addition to amenity=drinking_water. */
  readonly osm: Readonly<Record<string, string>>
}

/** The OpenStreetMap tags of every waypoint but those whose water is not for drinking. */
export const osmBase: Readonly<Record<string, string>> = { amenity: 'drinking_water' }

/** In order: the first kind of a waypoint decides its symbol. */
export const vocabulary: Readonly<Record<KnownAmenity, Amenity>> = data as Record<KnownAmenity, Amenity>

/** An amenity of the vocabulary. Waypoints may also carry amenities that the vocabulary does not know. */
export type KnownAmenity = keyof typeof words

const entries: ReadonlyMap<string, Amenity> = new Map(Object.entries(vocabulary))

const keyOf: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabulary).flatMap(([key, amenity]) =>
    [key, ...amenity.aliases].map((spelling): [string, string] => [spelling, key]),
  ),
)

export function amenityOf(key: string): Amenity | undefined {
  return entries.get(key)
}

/**
 * The vocabulary's key for an amenity in any known spelling; an unknown amenity is returned unchanged.
 *
 * @example
 * normaliseAmenity('Bottle filling station') // 'bottle-filler'
 * normaliseAmenity('Singing') // 'Singing'
 */
export function normaliseAmenity(text: string): string {
  const key = keyOf.get(text)
  if (key !== undefined) return key
  const folded = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_/]+/gu, '-')
  return keyOf.get(folded) ?? text
}

/** The amenities that are kinds of waypoints, in the vocabulary's order. */
export const kinds: readonly KnownAmenity[] = Object.entries(vocabulary).flatMap(([key, { role }]) =>
  role === 'kind' ? [key as KnownAmenity] : [],
)

/** The first kind among a waypoint's amenities in the vocabulary's order, or undefined when it has none. */
export const kindOf = (amenities: readonly string[]): KnownAmenity | undefined =>
  kinds.find((kind) => amenities.includes(kind))

/** The tags of a waypoint with these amenities, the first in the vocabulary's order wins. Unknown ones have none. */
export function osmTagsOf(amenities: readonly string[]): Record<string, string> {
  const tags: Record<string, string> = { ...osmBase }
  const known = amenities.flatMap((amenity) => osmOfAmenities.get(amenity) ?? [])
  for (const { osm } of known.toSorted((one, other) => one.place - other.place))
    for (const [tag, value] of osm) tags[tag] ??= value
  return tags
}

const osmOfAmenities = new Map(
  Object.entries(vocabulary).map(([key, { osm }], place) => [
    key,
    { place, osm: Object.entries<string>(osm) },
  ]),
)
