import { vocabulary } from '@openfountain/core/vocabulary'

/** Amenities of the kinds of fountains, in the vocabulary's order. */
export const kinds: readonly string[] = Object.entries(vocabulary).flatMap(([key, { role }]) =>
  role === 'kind' ? [key] : [],
)

/** The first kind among amenities in the vocabulary's order, or undefined when there is none. */
export function kindOf(amenities: readonly string[]): string | undefined {
  return kinds.find((kind) => amenities.includes(kind))
}
