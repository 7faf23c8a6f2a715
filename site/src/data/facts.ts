import { optionalFields, type OptionalField } from '@openfountain/core/fields'

/** Optional fields that have a place of their own on the page of a fountain. */
const placed = ['description', 'image', 'region'] as const satisfies readonly OptionalField[]

/** An optional field that is listed among the facts. */
export type Fact = Exclude<OptionalField, (typeof placed)[number]>

/** In the order of the fields. */
export const facts = optionalFields.filter(
  (name): name is Fact => !(placed as readonly OptionalField[]).includes(name),
)
