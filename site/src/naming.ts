import { madeName } from '@openfountain/core/names'

/** What of a fountain says how it is called. */
export interface Nameable {
  readonly name: string
  readonly amenities: readonly string[]
  readonly region?: string | null | undefined
  /** The name of the place around it. */
  readonly place?: string | null | undefined
}

/** What a fountain is called that nobody gave a name. */
export interface Unnamed {
  /** The key of its kind; absent when it is not known. */
  readonly kind?: string | undefined
  /** The street or the place; absent when neither is known. */
  readonly where?: string | undefined
}

/** The words of one language for what a fountain is. */
export interface KindWords {
  /** Of a fountain whose kind is not known. */
  readonly unnamed: string
  amenity(key: string): string
}

/**
 * What to call a fountain whose name was made, in whatever language that was.
 *
 * @param kinds amenities that say what a fountain is, in their order
 * @returns undefined for a fountain with a name of its own
 */
export function unnamedOf(fountain: Nameable, kinds: readonly string[]): Unnamed | undefined {
  const made = madeName(fountain.name)
  if (made === undefined) return undefined
  const where = made.where ?? [fountain.place, fountain.region].find((one) => one)
  return { kind: kinds.find((one) => fountain.amenities.includes(one)), where: where ?? undefined }
}

/** What there is to say of a fountain beside what it is called: one without a name is called by its kind and by where it is. */
export function besideName(
  fountain: Nameable,
  kinds: readonly string[],
): { readonly amenities: readonly string[]; readonly place?: string | undefined } {
  const { amenities, region, place } = fountain
  const { kind, where } = unnamedOf(fountain, kinds) ?? {}
  const around = region ?? place ?? undefined
  return {
    amenities: amenities.filter((one) => one !== kind),
    ...(around !== undefined && around !== where && { place: around }),
  }
}

/** What a fountain is called in the words of one language: its own name, else what it is and where. */
export function shownName(fountain: Nameable, kinds: readonly string[], words: KindWords): string {
  const unnamed = unnamedOf(fountain, kinds)
  return unnamed === undefined ? fountain.name : textOf(unnamed, words)
}

/** What a fountain without a name is called in the words of one language, such as “Drinking fountain, Trastevere”. */
export function textOf({ kind, where }: Unnamed, words: KindWords): string {
  const what = kind === undefined ? words.unnamed : words.amenity(kind)
  return where === undefined ? what : `${what}, ${where}`
}
