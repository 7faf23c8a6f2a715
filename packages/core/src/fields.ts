import { limits } from './rules.ts'

/**
 * Every field of a waypoint, described once. Input schemas, rows, the JSON that SQLite builds, merging, redaction, the
 * columns of every export with their descriptions, the API's document and the site's facts follow from it.
 *
 * Plain data. A new optional text is a line here, a column in the migration, and its words in each language of the site.
 */

export interface Field {
  /**
   * `address` is an absolute http: or https: URL, `choice` one of `values`, `words` a list of amenities, `user` the id
   * of one, `time` ISO 8601 in UTC with milliseconds.
   */
  readonly type: 'id' | 'text' | 'address' | 'choice' | 'degrees' | 'words' | 'flag' | 'user' | 'time'
  /** Whether it may be absent, which means that it is unknown. Only texts, addresses and choices may. */
  readonly optional?: true
  /** Who may set it: whoever may edit, moderators and API tokens, API tokens alone, or nobody. */
  readonly setBy: 'editors' | 'moderators' | 'tokens' | 'nobody'
  /** The most characters of a text. */
  readonly maxLength?: number
  /** What a text must match, with the form in words. */
  readonly pattern?: { readonly source: string; readonly form: string }
  /** What a choice is one of. */
  readonly values?: readonly string[]
  /** Whether people may have written something personal in it, which can then be redacted. */
  readonly isText?: true
  /** Its name in exports. */
  readonly column: string
  readonly unit?: string
  /** What a value means, for exports and documentation. */
  readonly meaning: string
  /** The key of OpenStreetMap that has the same value; no amenity may have a tag with it. */
  readonly osm?: string
}

/** In the order of responses and exports. */
export const waypointFields = {
  id: { type: 'id', setBy: 'nobody', column: 'id', meaning: 'Identifier in this registry; never reused' },
  name: {
    type: 'text',
    setBy: 'editors',
    maxLength: limits.waypointName,
    isText: true,
    column: 'name',
    meaning: 'Name',
  },
  latitude: {
    type: 'degrees',
    setBy: 'editors',
    column: 'latitude',
    unit: 'degree',
    meaning: 'Latitude, WGS 84, -90 to 90',
  },
  longitude: {
    type: 'degrees',
    setBy: 'editors',
    column: 'longitude',
    unit: 'degree',
    meaning: 'Longitude, WGS 84, -180 to 180',
  },
  description: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: limits.description,
    isText: true,
    column: 'description',
    meaning: 'Where it is and what is special',
  },
  amenities: {
    type: 'words',
    setBy: 'editors',
    isText: true,
    column: 'amenities',
    meaning: 'What it offers, in the vocabulary of the registry; an amenity that is absent is unknown',
  },
  image: {
    type: 'address',
    optional: true,
    setBy: 'editors',
    isText: true,
    column: 'image',
    meaning: 'URL of a picture',
  },
  maintainer: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: limits.maintainer,
    isText: true,
    column: 'maintainer',
    meaning: 'Who looks after it',
  },
  region: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: limits.region,
    isText: true,
    column: 'region',
    meaning: 'Town, district or other region',
  },
  openingHours: {
    type: 'text',
    optional: true,
    setBy: 'editors',
    maxLength: limits.openingHours,
    isText: true,
    column: 'opening_hours',
    meaning: 'When it gives water, in the form of `opening_hours` of OpenStreetMap',
    osm: 'opening_hours',
  },
  approved: {
    type: 'flag',
    setBy: 'moderators',
    column: 'approved',
    meaning: 'A moderator has looked at the record, or an operator imported it',
  },
  verified: {
    type: 'flag',
    setBy: 'moderators',
    column: 'verified',
    meaning: 'It was checked that the fountain is there',
  },
  addedByUserId: {
    type: 'user',
    setBy: 'tokens',
    column: 'added_by',
    meaning: 'Identifier of the contributor who added it; `api` for programs and imports',
  },
  createdAt: { type: 'time', setBy: 'nobody', column: 'created_at', meaning: 'When it was added, UTC' },
  updatedAt: {
    type: 'time',
    setBy: 'nobody',
    column: 'updated_at',
    meaning: 'When it was last changed, UTC',
  },
} as const satisfies Readonly<Record<string, Field>>

type Fields = typeof waypointFields
export type WaypointField = keyof Fields

/** The names of the fields whose description has certain members. */
type Described<Description> = {
  [Name in WaypointField]: Fields[Name] extends Description ? Name : never
}[WaypointField]

export type OptionalField = Described<{ readonly optional: true }>
export type RedactableField = Described<{ readonly isText: true }>
export type LoggedField = Described<{ readonly setBy: 'editors' | 'moderators' | 'tokens' }>
export type EditableField = Described<{ readonly setBy: 'editors' | 'tokens' }>

/** The value of an optional field. */
export type OptionalValue<Name extends OptionalField> = Fields[Name] extends {
  readonly values: readonly (infer Value extends string)[]
}
  ? Value
  : string

/** The optional fields of a waypoint as an object has them. */
export type OptionalValues = { -readonly [Name in OptionalField]?: OptionalValue<Name> }

/** All fields, in order. */
export const fieldNames = Object.keys(waypointFields) as readonly WaypointField[]

const described = (is: (field: Field) => boolean): readonly WaypointField[] =>
  fieldNames.filter((name) => is(waypointFields[name]))

/** The optional fields, in order. */
export const optionalFields = described(({ optional }) => optional === true) as readonly OptionalField[]

/** The fields that can be redacted while the waypoint exists, in order. */
export const redactableFields = described(({ isText }) => isText === true) as readonly RedactableField[]

/** The fields that an edit may change, other than flags, in order. */
export const editableFields = described(
  ({ setBy, type }) => type !== 'flag' && setBy !== 'nobody',
) as readonly EditableField[]

/** The fields that entries may have, in code unit order, as the log writes them. */
export const loggedFields = (
  described(({ setBy }) => setBy !== 'nobody') as readonly LoggedField[]
).toSorted()

/** The optional fields that are tags of OpenStreetMap as they are, with their keys. */
export const osmFields = optionalFields.flatMap((name) => {
  const { osm }: Field = waypointFields[name]
  return osm === undefined ? [] : [{ name, key: osm }]
})

/** The optional fields that an object has. */
export function optionalValuesOf(given: Readonly<Partial<Record<OptionalField, unknown>>>): OptionalValues {
  const values: Record<string, unknown> = {}
  for (const name of optionalFields) {
    const value = given[name]
    // An empty text is the same as none.
    if (value !== undefined && value !== null && value !== '') values[name] = value
  }
  return values
}
