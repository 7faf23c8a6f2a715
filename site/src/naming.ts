import { kindOf } from '@openfountain/core/vocabulary'

/** A place with its local name, and the names of other languages by their tags. */
export interface PlaceName {
  readonly name: string
  readonly names?: Readonly<Record<string, string>> | undefined
}

export interface Town extends PlaceName {
  readonly id: number
}

export const nameIn = ({ name, names }: PlaceName, tag: string): string => names?.[tag] ?? name

export const namesOf = ({ name, names = {} }: PlaceName): string[] => [name, ...Object.values(names)]

/** Whether a region names the town that it is a part of, such as “Paris 15e” and “Kitsilano, Vancouver”. */
export const isPartOf = (region: string, town: string): boolean =>
  `${region} `.startsWith(`${town} `) || region.endsWith(`, ${town}`)

export interface Nameable {
  /** Empty, or the registry's label, when it has none. */
  readonly name: string
  readonly nameIsMade?: boolean | undefined
  readonly amenities: readonly string[]
  readonly street?: string | null | undefined
  readonly region?: string | null | undefined
  readonly place?: string | null | undefined
  readonly town?: Town | null | undefined
}

/** The title of a fountain without a name. */
export interface Unnamed {
  readonly kind: string
  /** The street, the district or the town; absent when all are unknown. */
  readonly where?: PlaceName | undefined
}

export interface KindWords {
  readonly tag: string
  /** The label of an amenity, and of a fountain of `unknown` kind. */
  amenity(key: string): string
}

/** The places around a fountain, the smallest first. A region that is its town has the names of the town. */
function placesAround({ street, region, place, town }: Nameable): PlaceName[] {
  const district = region || place
  return [
    ...(street ? [{ name: street }] : []),
    ...(district && !(town && namesOf(town).includes(district)) ? [{ name: district }] : []),
    ...(town && !namesOf(town).some((name) => district?.endsWith(`, ${name}`)) ? [town] : []),
  ]
}

export function unnamedOf(fountain: Nameable): Unnamed | undefined {
  if (fountain.nameIsMade !== true && fountain.name !== '') return undefined
  const [where] = placesAround(fountain)
  return { kind: kindOf(fountain.amenities) ?? 'unknown', where }
}

/** The facts that a title lacks: that of an unnamed fountain already has its kind and place. */
export function besideName(fountain: Nameable): {
  readonly amenities: readonly string[]
  readonly place?: PlaceName | undefined
} {
  const unnamed = unnamedOf(fountain)
  const around = placesAround({ ...fountain, ...(!unnamed && { street: undefined }) })
  return {
    amenities: fountain.amenities.filter((one) => one !== unnamed?.kind),
    place: around[unnamed ? 1 : 0],
  }
}

/** The district and the town of a fountain, without those that a title names. */
export const whereabouts = (fountain: Nameable, tag: string, title = ''): string[] =>
  placesAround({ ...fountain, street: undefined })
    .filter((place) => !namesOf(place).some((name) => title.includes(name)))
    .map((place) => nameIn(place, tag))

/** The title of a fountain in one language: its own name, else its kind and place, such as “Drinking fountain, Trastevere”. */
export function shownName(fountain: Nameable, words: KindWords): string {
  const unnamed = unnamedOf(fountain)
  if (!unnamed) return fountain.name
  const { kind, where } = unnamed
  return [words.amenity(kind), ...(where ? [nameIn(where, words.tag)] : [])].join(', ')
}
