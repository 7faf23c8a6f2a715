import { fields } from './field.ts'

const derived = { type: 'text', optional: true, setBy: 'nobody' } as const

/** The place of a waypoint by its position: derived from boundaries, given by nobody. */
export const placeFields = fields({
  country: { ...derived, meaning: 'Country that its position lies in, ISO 3166-1 alpha-2' },
  subdivision: { ...derived, meaning: 'Part of the country that its position lies in, ISO 3166-2' },
  placeName: {
    ...derived,
    column: 'place',
    meaning: 'Name of the smallest known place around its position; `region` is what people gave',
  },
})

export type PlaceColumn = keyof typeof placeFields

/** The columns of a place with the members of an object that they are, in order. */
export const placeColumns = [
  ['country', 'country'],
  ['subdivision', 'subdivision'],
  ['placeName', 'name'],
] as const satisfies readonly (readonly [PlaceColumn, string])[]
