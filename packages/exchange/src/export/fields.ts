import {
  fieldNames,
  placeFields,
  waypointFields as own,
  type Field as OwnField,
  type WaypointField,
} from '@openfountain/core/fields'
import { waypointStates } from '@openfountain/core/status'
import { vocabulary } from '@openfountain/core/vocabulary'

/** How a column's values are written: lists and objects become text in formats that have none. */
export type FieldType = OwnType | 'date' | 'any'
type OwnType = (typeof typeOf)[OwnField['type']]

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly unit?: string
  /** The meaning of a value, for the data package and the documentation. */
  readonly meaning: string
  /** True when every row has a value. */
  readonly required: boolean
  /** The only values that it can have. */
  readonly values?: readonly string[]
  /** The known ones among them; there may be others. */
  readonly vocabulary?: readonly { readonly value: string; readonly label: string }[]
}

/** How the value of a field is written. */
const typeOf = {
  id: 'integer',
  text: 'string',
  address: 'string',
  choice: 'string',
  season: 'string',
  degrees: 'number',
  words: 'list',
  flag: 'boolean',
  whole: 'integer',
  user: 'string',
  time: 'datetime',
  rings: 'list',
  object: 'object',
  properties: 'object',
} as const satisfies Readonly<Record<OwnField['type'], string>>

/** The column of a field that @openfountain/core describes. */
export function columnOf<const Column extends string>(
  field: OwnField & { readonly column: Column },
): Field & { readonly name: Column } {
  const { column, type, optional, unit, meaning, values } = field
  return { name: column, type: typeOf[type], unit, required: optional !== true, meaning, values }
}

type OwnColumn = (typeof own)[WaypointField]['column']

const ownColumns = fieldNames.map((field) => ({
  ...columnOf<OwnColumn>(own[field]),
  ...(field === 'amenities' && {
    vocabulary: Object.entries(vocabulary).map(([value, { label }]) => ({ value, label })),
  }),
}))

/** Data about a waypoint besides its own fields, by the names of the columns. */
const surroundings = {
  name_is_generated: {
    type: 'boolean',
    required: true,
    meaning:
      'Whether it has no name: `name` is then a label by its kind and its place, in the language of the registry',
  },
  state: {
    type: 'string',
    required: true,
    meaning:
      'Whether it gives water on the day of the export, by what people saw, sources say, and the season; ' +
      '`unconfirmed` when nobody has said anything of late',
    values: waypointStates,
  },
  state_since: {
    type: 'date',
    required: false,
    meaning: 'First day of the state, UTC, as far as it is known',
  },
  last_confirmed: {
    type: 'date',
    required: false,
    meaning:
      'Last day on which somebody saw that it works, here or as a source says it, UTC; that a source lists it is no confirmation',
  },
  last_listed: {
    type: 'date',
    required: false,
    meaning:
      'Last day as of which a source listed it, by the day of its publication, UTC; empty where that is not known; says ' +
      'nothing of whether it works, which is `last_confirmed`',
  },
  source_updated: {
    type: 'date',
    required: false,
    meaning: 'Last day on which a source changed what it says of it, as the source says, UTC',
  },
  country: columnOf(placeFields.country),
  subdivision: columnOf(placeFields.subdivision),
  place: columnOf(placeFields.placeName),
  rating: {
    type: 'number',
    unit: 'stars, 1 to 5',
    required: false,
    meaning: 'Mean of the reviews, two decimals',
  },
  review_count: { type: 'integer', required: true, meaning: 'Number of reviews' },
  osm_type: {
    type: 'string',
    required: false,
    meaning: 'The type of the object at OpenStreetMap that it is, where a source names it',
    values: ['node', 'way', 'relation'],
  },
  osm_id: { type: 'integer', required: false, meaning: 'The number of that object' },
  osm_tags: { type: 'object', required: false, meaning: 'The tags of that object, as they were imported' },
  derived_tags: {
    type: 'object',
    required: true,
    meaning:
      'What amenities, fields and `last_confirmed` say in the tags of OpenStreetMap, where the fountain has `osm_tags` only ' +
      'what people changed here and these do not say; a tag is never derived from an absence',
  },
  sources: {
    type: 'list',
    required: true,
    meaning: 'Names of the sources it came from; empty when contributed to this registry',
  },
  source_refs: {
    type: 'list',
    required: true,
    meaning: 'Its reference at each of those sources, in the same order; an empty text where one has none',
  },
  license: {
    type: 'string',
    required: true,
    meaning: 'Licence of this record, an SPDX id; where several are joined by AND, all apply',
  },
  attribution: { type: 'string', required: true, meaning: 'Whom to name when using this record' },
} as const satisfies Readonly<Record<string, Omit<Field, 'name'>>>

type WaypointFieldName = OwnColumn | keyof typeof surroundings

/** The columns of a waypoint in every format, in this order. Unknown is absent or empty, never "no". */
export const waypointFields: readonly (Field & { readonly name: WaypointFieldName })[] = [
  ...ownColumns,
  ...(Object.keys(surroundings) as (keyof typeof surroundings)[]).map((name) => ({
    ...surroundings[name],
    name,
  })),
]
