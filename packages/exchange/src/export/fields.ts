import type { SourceState } from '@openfountain/core'
import { osmTagsOf } from '@openfountain/core/vocabulary'
import type { Edition } from './edition.ts'
import { sourceRefOf } from '@openfountain/core/internal'
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

/** The columns of a waypoint in every format, in this order. Unknown is absent or empty, never "no". */
export const waypointFields = [
  { name: 'id', type: 'integer', required: true, meaning: 'Identifier in this registry; never reused' },
  { name: 'name', type: 'string', required: true, meaning: 'Name' },
  {
    name: 'latitude',
    type: 'number',
    unit: 'degree',
    required: true,
    meaning: 'Latitude, WGS 84, -90 to 90',
  },
  {
    name: 'longitude',
    type: 'number',
    unit: 'degree',
    required: true,
    meaning: 'Longitude, WGS 84, -180 to 180',
  },
  { name: 'description', type: 'string', required: false, meaning: 'Where it is and what is special' },
  {
    name: 'amenities',
    type: 'list',
    required: true,
    meaning: 'What it offers, in the vocabulary of the registry; an amenity that is absent is unknown',
  },
  { name: 'image', type: 'string', required: false, meaning: 'URL of a picture' },
  { name: 'maintainer', type: 'string', required: false, meaning: 'Who looks after it' },
  { name: 'region', type: 'string', required: false, meaning: 'Town, district or other region' },
  {
    name: 'approved',
    type: 'boolean',
    required: true,
    meaning: 'A moderator has looked at the record, or an operator imported it',
  },
  { name: 'verified', type: 'boolean', required: true, meaning: 'It was checked that the fountain is there' },
  {
    name: 'added_by',
    type: 'string',
    required: true,
    meaning: 'Identifier of the contributor who added it; `api` for programs and imports',
  },
  { name: 'created_at', type: 'datetime', required: true, meaning: 'When it was added, UTC' },
  { name: 'updated_at', type: 'datetime', required: true, meaning: 'When it was last changed, UTC' },
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
    meaning: 'What the amenities say in the tags of OpenStreetMap; a tag is never derived from an absence',
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

export type WaypointFieldName = (typeof waypointFields)[number]['name']

/** One waypoint with the documented columns; absent members are unknown. */
export interface WaypointRow {
  id: number
  name: string
  latitude: number
  longitude: number
  description?: string
  amenities: readonly string[]
  image?: string
  maintainer?: string
  region?: string
  approved: boolean
  verified: boolean
  added_by: string
  created_at: string
  updated_at: string
  last_confirmed: string
  last_listed?: string
  state?: SourceState
  rating?: number
  review_count: number
  osm_tags: Readonly<Record<string, string>>
  source?: string
  source_ref?: string
  license: string
  attribution: string
}

/** The documented columns of one waypoint, members in their documented order. */
export function rowOf(record: WaypointRecord, edition: Pick<Edition, 'terms'>): WaypointRow {
  const terms = edition.terms(record)
  const sourceRef = sourceRefOf(record)
  return {
    id: record.id,
    name: record.name,
    latitude: record.latitude,
    longitude: record.longitude,
    ...(record.description !== undefined && { description: record.description }),
    amenities: record.amenities,
    ...(record.image !== undefined && { image: record.image }),
    ...(record.maintainer !== undefined && { maintainer: record.maintainer }),
    ...(record.region !== undefined && { region: record.region }),
    approved: record.approved,
    verified: record.verified,
    added_by: record.addedByUserId,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    last_confirmed: record.lastConfirmed,
    ...(record.lastListed !== undefined && { last_listed: record.lastListed }),
    ...(record.state !== undefined && { state: record.state }),
    ...(record.rating !== undefined && { rating: record.rating }),
    review_count: record.reviewCount,
    osm_tags: osmTagsOf(record.amenities),
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
