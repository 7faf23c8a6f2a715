/**
 * The amenities that the registry knows, each with its label, other spellings and equivalent OpenStreetMap tags.
 *
 * Plain data without imports. Tags follow the OpenStreetMap wiki's pages for amenity=drinking_water,
 * fountain=*, bottle=*, dog=*, wheelchair=*, seasonal=*, fee=*, indoor=*, covered=* and pump=*
 * (https://wiki.openstreetmap.org/wiki/Tag:amenity%3Ddrinking_water). An absent amenity means unknown: it never
 * becomes a tag with the value `no`.
 */

export interface Amenity {
  /** The English label for people. */
  readonly label: string
  /** `kind` for the kind of fountain, `feature` for a further amenity. */
  readonly role: 'kind' | 'feature'
  /** Other spellings that mean the same, lower case with hyphens. */
  readonly aliases: readonly string[]
  /** OpenStreetMap tags, in addition to amenity=drinking_water. */
  readonly osm: Readonly<Record<string, string>>
}

/** The OpenStreetMap tags of every waypoint but those whose water is not for drinking. */
export const osmBase: Readonly<Record<string, string>> = { amenity: 'drinking_water' }

/** In order: the first kind of a waypoint decides its symbol. */
export const vocabulary = {
  bubbler: {
    label: 'Bubbler',
    role: 'kind',
    aliases: ['drinking-fountain', 'water-fountain', 'drinking-bubbler', 'fountain-bubbler', 'jet'],
    osm: { fountain: 'bubbler' },
  },
  'bottle-filler': {
    label: 'Bottle filler',
    role: 'kind',
    aliases: [
      'bottle',
      'bottle-filling',
      'bottle-filling-station',
      'bottle-refill',
      'refill',
      'refill-station',
      'water-bottle-filler',
      'bottle-fill',
      'bottle-fill-station',
      'bottlefiller',
      'filling-station',
    ],
    osm: { bottle: 'yes' },
  },
  tap: {
    label: 'Tap',
    role: 'kind',
    aliases: ['water-tap', 'faucet', 'spigot', 'standpipe', 'water-faucet'],
    osm: { man_made: 'water_tap' },
  },
  spring: {
    label: 'Spring',
    role: 'kind',
    aliases: ['natural-spring', 'source', 'water-spring'],
    osm: { natural: 'spring' },
  },
  well: {
    label: 'Well',
    role: 'kind',
    aliases: ['water-well', 'borehole', 'draw-well'],
    osm: { man_made: 'water_well' },
  },
  'hand-pump': {
    label: 'Hand pump',
    role: 'kind',
    aliases: ['pump', 'manual-pump', 'handpump', 'water-pump'],
    osm: { pump: 'manual' },
  },
  fountain: {
    label: 'Running fountain',
    role: 'kind',
    aliases: ['running-fountain', 'trough', 'stone-fountain', 'nasone', 'roman-wolf'],
    osm: { fountain: 'drinking' },
  },
  wallace: {
    label: 'Wallace fountain',
    role: 'kind',
    aliases: ['wallace-fountain', 'fontaine-wallace'],
    osm: { fountain: 'wallace' },
  },
  sparkling: {
    label: 'Sparkling water',
    role: 'feature',
    aliases: ['sparkling-water', 'carbonated', 'carbonated-water', 'petillante'],
    osm: { 'drinking_water:carbonated': 'yes' },
  },
  chilled: {
    label: 'Chilled water',
    role: 'feature',
    aliases: ['cold', 'cold-water', 'cooled', 'refrigerated', 'chilled-water'],
    osm: { 'drinking_water:cold': 'yes' },
  },
  filtered: {
    label: 'Filtered water',
    role: 'feature',
    aliases: ['filter', 'filtered-water'],
    osm: { 'drinking_water:filtered': 'yes' },
  },
  wheelchair: {
    label: 'Wheelchair accessible',
    role: 'feature',
    aliases: [
      'accessible',
      'wheelchair-accessible',
      'wheelchair-access',
      'ada',
      'ada-accessible',
      'disabled-access',
      'handicap-accessible',
      'step-free',
    ],
    osm: { wheelchair: 'yes' },
  },
  'dog-bowl': {
    label: 'Dog bowl',
    role: 'feature',
    aliases: [
      'dog',
      'dogs',
      'dog-friendly',
      'dog-fountain',
      'pet',
      'pets',
      'pet-friendly',
      'pet-bowl',
      'pet-fountain',
      'dog-drinking-bowl',
      'dog-water',
    ],
    osm: { dog: 'yes' },
  },
  'low-spout': {
    label: 'Low spout for children',
    role: 'feature',
    aliases: ['child-height', 'children', 'kids', 'child-friendly', 'low'],
    osm: { 'drinking_water:child': 'yes' },
  },
  seasonal: {
    label: 'Seasonal',
    role: 'feature',
    aliases: ['summer-only', 'seasonally', 'season'],
    osm: { seasonal: 'yes' },
  },
  'all-year': {
    label: 'Open all year',
    role: 'feature',
    aliases: ['year-round', 'winter', 'frost-free', 'all-year-round'],
    osm: { seasonal: 'no' },
  },
  'always-open': {
    label: 'Open day and night',
    role: 'feature',
    aliases: ['24-7', '24h', '24-hours', 'open-24-hours', '24-hour-access'],
    osm: { opening_hours: '24/7' },
  },
  indoor: {
    label: 'Indoors',
    role: 'feature',
    aliases: ['indoors', 'inside'],
    osm: { indoor: 'yes' },
  },
  covered: {
    label: 'Under a roof',
    role: 'feature',
    aliases: ['roofed', 'sheltered'],
    osm: { covered: 'yes' },
  },
  free: {
    label: 'Free of charge',
    role: 'feature',
    aliases: ['no-fee', 'free-of-charge'],
    osm: { fee: 'no' },
  },
  fee: {
    label: 'Costs a fee',
    role: 'feature',
    aliases: ['paid', 'pay', 'charge'],
    osm: { fee: 'yes' },
  },
  lit: {
    label: 'Lit at night',
    role: 'feature',
    aliases: ['lighting', 'illuminated'],
    osm: { lit: 'yes' },
  },
  bench: {
    label: 'Bench',
    role: 'feature',
    aliases: ['benches', 'seating', 'seats'],
    osm: { bench: 'yes' },
  },
  tested: {
    label: 'Water is tested',
    role: 'feature',
    aliases: ['water-tested', 'tested-water', 'quality-tested'],
    osm: { 'drinking_water:legal': 'yes' },
  },
} as const satisfies Record<string, Amenity>

/** An amenity of the vocabulary. Waypoints may also carry amenities that the vocabulary does not know. */
export type KnownAmenity = keyof typeof vocabulary

const entries: ReadonlyMap<string, Amenity> = new Map(Object.entries(vocabulary))

const keyOf: ReadonlyMap<string, string> = new Map(
  Object.entries(vocabulary).flatMap(([key, amenity]) =>
    [key, ...amenity.aliases].map((spelling): [string, string] => [spelling, key]),
  ),
)

/** The vocabulary's entry for an amenity, or undefined for an unknown one. */
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

/** The first kind among a waypoint's amenities in the vocabulary's order, or undefined when it has none. */
export function kindOf(amenities: readonly string[]): KnownAmenity | undefined {
  for (const [key, amenity] of Object.entries(vocabulary)) {
    if (amenity.role === 'kind' && amenities.includes(key)) return key as KnownAmenity
  }
  return undefined
}

/**
 * The OpenStreetMap tags of a waypoint with these amenities. Unknown amenities have no tags. When two amenities set the
 * same tag, the first in the vocabulary's order wins.
 */
export function osmTagsOf(amenities: readonly string[]): Record<string, string> {
  const tags: Record<string, string> = { ...osmBase }
  if (amenities.length === 0) return tags
  for (const [key, osm] of osmOfAmenities)
    if (amenities.includes(key)) for (const [tag, value] of osm) tags[tag] ??= value
  return tags
}

const osmOfAmenities = Object.entries(vocabulary).map(
  ([key, { osm }]) => [key, Object.entries<string>(osm)] as const,
)
