import { limits } from '../rules.ts'
import {
  fields,
  freeText,
  when,
  namesOf,
  namesWhere,
  optionalNames,
  optionalValuesIn,
  textNames,
  type Described,
  type ValueOf,
  type ValuesOf,
} from './field.ts'

export const waypointFields = fields({
  id: { type: 'id', setBy: 'nobody', meaning: 'Identifier in this registry; never reused' },
  name: { type: 'text', setBy: 'editors', maxLength: limits.waypointName, isText: true, meaning: 'Name' },
  latitude: { type: 'degrees', setBy: 'editors', unit: 'degree', meaning: 'Latitude, WGS 84, -90 to 90' },
  longitude: { type: 'degrees', setBy: 'editors', unit: 'degree', meaning: 'Longitude, WGS 84, -180 to 180' },
  description: { ...freeText, maxLength: limits.description, meaning: 'Where it is and what is special' },
  amenities: {
    type: 'words',
    setBy: 'editors',
    isText: true,
    meaning: 'What it offers, in the vocabulary of the registry; an amenity that is absent is unknown',
  },
  image: { ...freeText, type: 'address', meaning: 'URL of a picture' },
  maintainer: { ...freeText, maxLength: limits.maintainer, meaning: 'Who looks after it' },
  region: { ...freeText, maxLength: limits.region, meaning: 'Town, district or other region' },
  openingHours: {
    ...freeText,
    maxLength: limits.openingHours,
    meaning: 'When it gives water, in the form of `opening_hours` of OpenStreetMap',
    osm: 'opening_hours',
  },
  season: {
    type: 'season',
    optional: true,
    setBy: 'editors',
    meaning: 'First and last day of the part of every year in which it gives water; may run across New Year',
    osm: 'seasonal',
  },
  drinkable: {
    type: 'choice',
    values: ['yes', 'no', 'unsigned'],
    optional: true,
    setBy: 'editors',
    meaning: 'Whether the water is declared to be drinking water; `unsigned` when nothing there says so',
    osm: {
      // The first that a tag says counts.
      no: { drinking_water: 'no', 'drinking_water:legal': 'no' },
      yes: { 'drinking_water:legal': 'yes' },
      unsigned: { 'drinking_water:legal': 'unsigned', 'drinking_water:signed': 'no' },
    },
  },
  access: {
    type: 'choice',
    values: ['yes', 'customers', 'private', 'unknown'],
    optional: true,
    setBy: 'editors',
    meaning:
      'Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out',
    osm: {
      private: { access: 'private' },
      customers: { access: 'customers' },
      yes: { access: 'yes' },
      unknown: { access: 'unknown' },
    },
  },
  properties: {
    type: 'properties',
    optional: true,
    setBy: 'editors',
    isText: true,
    column: 'custom_properties',
    meaning: 'Fields of its own that the registry declares, by their names',
  },
  approved: {
    type: 'flag',
    setBy: 'moderators',
    meaning: 'A moderator has looked at the record, or an operator imported it',
  },
  verified: { type: 'flag', setBy: 'moderators', meaning: 'It was checked that the fountain is there' },
  addedByUserId: {
    type: 'user',
    setBy: 'tokens',
    column: 'added_by',
    meaning: 'Identifier of the contributor who added it; `api` for programs and imports',
  },
  createdAt: { ...when, meaning: 'When it was added, UTC' },
  updatedAt: { ...when, meaning: 'When it was last changed, UTC' },
})

type Own = typeof waypointFields
export type WaypointField = keyof Own

export type OptionalField = Described<Own, { readonly optional: true }>
export type RedactableField = Described<Own, { readonly isText: true }>
export type LoggedField = Described<Own, { readonly setBy: 'editors' | 'moderators' | 'tokens' }>
export type EditableField = Described<Own, { readonly setBy: 'editors' | 'tokens' }>

export type OptionalValue<Name extends OptionalField> = ValueOf<Own[Name]>

export type OptionalValues = ValuesOf<Own>

export const fieldNames: readonly WaypointField[] = namesOf(waypointFields)

export const optionalFields: readonly OptionalField[] = optionalNames(waypointFields)

export const redactableFields: readonly RedactableField[] = textNames(waypointFields)

/** The fields that an edit may change, other than flags, in order. */
export const editableFields = namesWhere(
  waypointFields,
  ({ setBy, type }) => type !== 'flag' && setBy !== 'nobody',
) as readonly EditableField[]

/** The fields that entries may have, in code unit order, as the log writes them. */
export const loggedFields = (
  namesWhere(waypointFields, ({ setBy }) => setBy !== 'nobody') as readonly LoggedField[]
).toSorted()

/** The fields with one text each, which lists can be asked for as a whole, in order. */
export type ComparedField = Described<
  Own,
  { readonly type: 'text' | 'address' | 'season' | 'choice' | 'user' | 'time' }
>
export const comparedFields = namesWhere(waypointFields, ({ type }) =>
  ['text', 'address', 'season', 'choice', 'user', 'time'].includes(type),
) as readonly ComparedField[]

/** Something for each of these fields, such as a schema. */
export const forEachCompared = <Value>(of: (name: ComparedField) => Value) =>
  Object.fromEntries(comparedFields.map((name) => [name, of(name)])) as { [Name in ComparedField]: Value }

/** The fields of the position, each of which makes no sense without the other. */
export const positionFields = ['latitude', 'longitude'] as const
export const isOfPosition = (field: string): boolean => field === 'latitude' || field === 'longitude'

/** The optional fields that an object has. An empty text is the same as none. */
export const optionalValuesOf = optionalValuesIn(waypointFields)
