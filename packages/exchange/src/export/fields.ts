import type { SourceState, Waypoint } from '@openfountain/core'
import {
  fieldNames,
  placeColumns,
  placeFields,
  waypointFields as own,
  type Field as OwnField,
  type WaypointField,
} from '@openfountain/core/fields'
import type { Edition } from './edition.ts'
import { sourceRefOf, waypointTags } from '@openfountain/core/internal'
import type { WaypointRecord } from './snapshot.ts'

/** How a column's values are written: lists and objects become text in formats that have none. */
export type FieldType = 'integer' | 'number' | 'string' | 'boolean' | 'datetime' | 'list' | 'object'

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly unit?: string
  /** What a value means, for the data package and the documentation. */
  readonly meaning: string
  /** True when every row has a value. */
  readonly required: boolean
}

/** How the value of a field is written. */
const typeOf: Readonly<Record<OwnField['type'], FieldType>> = {
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
}

/** The column of a field that @openfountain/core describes. */
export function columnOf<const Column extends string>(
  field: OwnField & { readonly column: Column },
): Field & { readonly name: Column } {
  const { column, type, optional, unit, meaning } = field
  const required = optional !== true
  return { name: column, type: typeOf[type], ...(unit !== undefined && { unit }), required, meaning }
}

type OwnColumns = { readonly [Name in WaypointField]: (typeof own)[Name]['column'] }
type OwnColumn = OwnColumns[WaypointField]

/** The fields of the waypoint itself, as @openfountain/core describes them. */
const ownColumns = fieldNames.map((field) => columnOf<OwnColumn>(own[field]))

/** Where its position lies. */
const { country, subdivision, placeName } = placeFields
const place = [columnOf(country), columnOf(subdivision), columnOf(placeName)] as const

/** What is known of a waypoint besides its own fields. */
const surroundings = [
  {
    name: 'last_confirmed',
    type: 'datetime',
    required: true,
    meaning: 'When a contributor, a review or an import last said that it is there, UTC',
  },
  {
    name: 'last_listed',
    type: 'datetime',
    required: false,
    meaning: 'When an import last found it at a source, UTC',
  },
  {
    name: 'state',
    type: 'string',
    required: false,
    meaning:
      'That a source listed it as giving no water: `broken` is out of order, `off` closed for the season',
  },
  ...place,
  {
    name: 'rating',
    type: 'number',
    unit: 'stars, 1 to 5',
    required: false,
    meaning: 'Mean of the reviews, two decimals',
  },
  { name: 'review_count', type: 'integer', required: true, meaning: 'Number of reviews' },
  {
    name: 'osm_tags',
    type: 'object',
    required: true,
    meaning:
      'What amenities and fields say in the tags of OpenStreetMap; a tag is never derived from an absence',
  },
  {
    name: 'source',
    type: 'string',
    required: false,
    meaning: 'Names of the sources it came from, joined by `; `; empty when contributed to this registry',
  },
  {
    name: 'source_ref',
    type: 'string',
    required: false,
    meaning: 'Its references at those sources, joined by `; `',
  },
  {
    name: 'license',
    type: 'string',
    required: true,
    meaning: 'Licence of this record, an SPDX id; where several are joined by AND, all apply',
  },
  { name: 'attribution', type: 'string', required: true, meaning: 'Whom to name when using this record' },
] as const satisfies readonly Field[]

export type WaypointFieldName = OwnColumn | (typeof surroundings)[number]['name']

/** The columns of a waypoint in every format, in this order. Unknown is absent or empty, never "no". */
export const waypointFields: readonly (Field & { readonly name: WaypointFieldName })[] = [
  ...ownColumns,
  ...surroundings,
]

type OwnRow = {
  [Name in WaypointField as undefined extends Waypoint[Name] ? never : OwnColumns[Name]]: Waypoint[Name]
} & {
  [Name in WaypointField as undefined extends Waypoint[Name] ? OwnColumns[Name] : never]?: NonNullable<
    Waypoint[Name]
  >
}

/** One waypoint with the documented columns; absent members are unknown. */
export interface WaypointRow extends OwnRow {
  last_confirmed: string
  last_listed?: string
  state?: SourceState
  country?: string
  subdivision?: string
  place?: string
  rating?: number
  review_count: number
  osm_tags: Readonly<Record<string, string>>
  source?: string
  source_ref?: string
  license: string
  attribution: string
}

/** The columns of the waypoint's own fields. */
function ownRowOf(record: Waypoint): OwnRow {
  const row: Record<string, unknown> = {}
  for (const name of fieldNames) if (record[name] !== undefined) row[own[name].column] = record[name]
  return row as OwnRow
}

/** The columns of the place. */
function placeRowOf({
  place: found = {},
}: WaypointRecord): Pick<WaypointRow, 'country' | 'subdivision' | 'place'> {
  const columns = placeColumns.flatMap(([name, member]) =>
    found[member] === undefined ? [] : [[placeFields[name].column, found[member]]],
  )
  return Object.fromEntries(columns)
}

/** The documented columns of one waypoint, members in their documented order. */
export function rowOf(record: WaypointRecord, edition: Pick<Edition, 'terms'>): WaypointRow {
  const terms = edition.terms(record)
  const sourceRef = sourceRefOf(record)
  return {
    ...ownRowOf(record),
    last_confirmed: record.lastConfirmed,
    ...(record.lastListed !== undefined && { last_listed: record.lastListed }),
    ...(record.state !== undefined && { state: record.state }),
    ...placeRowOf(record),
    ...(record.rating !== undefined && { rating: record.rating }),
    review_count: record.reviewCount,
    osm_tags: waypointTags(record),
    ...(terms.source !== undefined && { source: terms.source }),
    ...(sourceRef !== undefined && { source_ref: sourceRef }),
    license: terms.license,
    attribution: terms.attribution,
  }
}

/** The rows of an edition by ascending id. */
export function* rowsOf(edition: Edition): Iterable<WaypointRow> {
  for (const record of edition.waypoints()) yield rowOf(record, edition)
}
