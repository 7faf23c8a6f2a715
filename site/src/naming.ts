/** The inputs of a fountain's title. */
export interface Nameable {
  /** Empty, or the registry's label, when it has none. */
  readonly name: string
  readonly nameIsMade?: boolean | undefined
  readonly amenities: readonly string[]
  readonly region?: string | null | undefined
  /** The name of the place around it. */
  readonly place?: string | null | undefined
}

/** The title of a fountain without a name. */
export interface Unnamed {
  /** The key of its kind; absent when unknown. */
  readonly kind?: string | undefined
  /** The street or the place; absent when both are unknown. */
  readonly where?: string | undefined
}

/** The labels of kinds of fountains in one language. */
export interface KindWords {
  /** The label of a fountain of unknown kind. */
  readonly unnamed: string
  amenity(key: string): string
}

/**
 * The parts of the title of a fountain without a name.
 *
 * @param kinds amenities of the kinds of fountains, in their order
 * @returns undefined for a fountain with a name of its own
 */
export function unnamedOf(fountain: Nameable, kinds: readonly string[]): Unnamed | undefined {
  if (fountain.nameIsMade !== true && fountain.name !== '') return undefined
  const where = [fountain.region, fountain.place].find((one) => one)
  return { kind: kinds.find((one) => fountain.amenities.includes(one)), where: where ?? undefined }
}

/** The facts that a title lacks: that of an unnamed fountain already has its kind and place. */
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

/** The title of a fountain in one language: its own name, else its kind and place. */
export function shownName(fountain: Nameable, kinds: readonly string[], words: KindWords): string {
  const unnamed = unnamedOf(fountain, kinds)
  return unnamed === undefined ? fountain.name : textOf(unnamed, words)
}

/** The title of an unnamed fountain in one language, such as “Drinking fountain, Trastevere”. */
export function textOf({ kind, where }: Unnamed, words: KindWords): string {
  const what = kind === undefined ? words.unnamed : words.amenity(kind)
  return where === undefined ? what : `${what}, ${where}`
}
