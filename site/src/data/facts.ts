import {
  optionalFields,
  waypointFields,
  type Field,
  type OptionalField,
  type OptionalValue,
} from '@openfountain/core/fields'

const placed = ['description', 'image', 'region', 'properties'] as const satisfies readonly OptionalField[]

export type Fact = Exclude<OptionalField, (typeof placed)[number]>

const typeOf = ({ type }: Field): Field['type'] => type

/** In the order of the fields, each with the type of its value. */
export const facts = optionalFields
  .filter((name): name is Fact => !(placed as readonly OptionalField[]).includes(name))
  .map((name) => ({ name, column: waypointFields[name].column, type: typeOf(waypointFields[name]) }))

export type Choice = {
  [Name in Fact]: string extends OptionalValue<Name> ? never : `${Name}.${OptionalValue<Name>}`
}[Fact]
