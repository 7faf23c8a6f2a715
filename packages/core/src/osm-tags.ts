import type { Field } from './fields/field.ts'
import { optionalFields, waypointFields, type OptionalField, type OptionalValues } from './fields/waypoint.ts'
import { osmTagsIn, type OsmObject } from './published/osm-object.ts'
import { seasonInTag, seasonTag } from './season.ts'
import { osmTagsOf } from './vocabulary.ts'

type Tags = Readonly<Record<string, string>>

interface OsmField {
  readonly name: OptionalField
  readonly keys: readonly string[]
  readonly isFree: boolean
  tagsOf(value: string): Tags
  valueIn(tag: (key: string) => string | undefined): string | undefined
}

function osmField(name: OptionalField, { osm, type, maxLength }: Field): OsmField | undefined {
  if (osm === undefined) return undefined
  if (typeof osm !== 'string') {
    const choices = Object.entries(osm)
    return {
      name,
      keys: [...new Set(choices.flatMap(([, tags]) => Object.keys(tags)))],
      isFree: false,
      tagsOf: (value) => osm[value] ?? {},
      valueIn: (tag) =>
        choices.find(([, tags]) => Object.entries(tags).some(([key, value]) => tag(key) === value))?.[0],
    }
  }
  const isSeason = type === 'season'
  return {
    name,
    keys: [osm],
    isFree: type === 'text' || type === 'address',
    tagsOf: (value) => ({ [osm]: isSeason ? seasonTag(value) : value }),
    valueIn(tag) {
      const value = tag(osm)
      if (value === undefined || value.length > (maxLength ?? value.length)) return undefined
      return isSeason ? seasonInTag(value) : value
    },
  }
}

const osmFields = optionalFields.flatMap((name) => osmField(name, waypointFields[name]) ?? [])

type Tagged = { readonly [Name in OptionalField]?: OptionalValues[Name] | undefined } & {
  readonly amenities: readonly string[]
}

const kindKeys = ['man_made', 'natural']

/** The tags of amenities without drinking water: those of a fountain, or of its kind, and none about drinking. */
function undrinkableTags(amenities: readonly string[]): Record<string, string> {
  const { amenity: _drinking, fountain, ...tags } = osmTagsOf(amenities)
  return {
    ...(!kindKeys.some((key) => key in tags) && { amenity: 'fountain' }),
    ...(fountain !== undefined && fountain !== 'drinking' && { fountain }),
    ...Object.fromEntries(Object.entries(tags).filter(([key]) => !/^(?:bottle$|drinking_water)/u.test(key))),
  }
}

const tagsOfFrozen = new WeakMap<readonly string[], Record<string, string>>()

function sharedTags(amenities: readonly string[]): Record<string, string> {
  if (!Object.isFrozen(amenities)) return osmTagsOf(amenities)
  let tags = tagsOfFrozen.get(amenities)
  if (tags === undefined) tagsOfFrozen.set(amenities, (tags = Object.freeze(osmTagsOf(amenities))))
  return tags
}

/** The tags of a waypoint's amenities, and those of its fields in their place. Free text fields come last. */
function waypointTags(waypoint: Tagged): Record<string, string> {
  const { amenities, drinkable } = waypoint
  const tags = drinkable === 'no' ? undrinkableTags(amenities) : sharedTags(amenities)
  const given = present(waypoint)
  if (given.length === 0) return tags
  const keys = new Set(given.flatMap((field) => field.keys))
  const others = Object.fromEntries(Object.entries(tags).filter(([key]) => !keys.has(key)))
  for (const { name, tagsOf } of given) {
    const value = waypoint[name]
    if (typeof value === 'string') Object.assign(others, tagsOf(value))
  }
  return others
}

type TaggedRecord = Tagged &
  OsmObject & {
    readonly lastConfirmed?: string | undefined
    readonly sourceValues?: readonly string[] | undefined
    readonly sourceChecked?: string | undefined
  }

export function recordTags(record: Tagged & Pick<TaggedRecord, 'lastConfirmed'>): Record<string, string> {
  const { lastConfirmed } = record
  const tags = waypointTags(record)
  return lastConfirmed === undefined ? tags : { ...tags, check_date: lastConfirmed }
}

/** The tags that follow from what people changed here since the last import, where the source's values are known. */
export function changedTags(record: TaggedRecord): Record<string, string> {
  const { sourceValues = [], lastConfirmed, sourceChecked } = record
  const tags = recordTags(record)
  if (sourceValues.length === 0) return tags
  if (sourceValues.includes('{}')) return {}
  const values = sourceValues.map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
  const isOfSource = (name: string, value: unknown) =>
    values.some((each) => each[name] === value || each[name] === null)
  const words = new Set(values.flatMap(({ amenities }) => (Array.isArray(amenities) ? amenities : [])))
  const withheld = values.some(({ amenities }) => amenities === null)
  const before = recordTags({
    ...Object.fromEntries(
      present(record).flatMap(({ name }) =>
        isOfSource(name, record[name]) ? [[name, record[name]] as const] : [],
      ),
    ),
    amenities: withheld ? record.amenities : record.amenities.filter((word) => words.has(word)),
    lastConfirmed: lastConfirmed === sourceChecked ? lastConfirmed : undefined,
  })
  return withoutEqual(tags, before)
}

/** The tags of exports: of an object of OpenStreetMap only what people changed here and the object does not say. */
export function derivedTags(record: TaggedRecord): Record<string, string> {
  const own = osmTagsIn(record)
  return own === undefined ? recordTags(record) : withoutEqual(changedTags(record), own)
}

const withoutEqual = (tags: Tags, others: Tags): Record<string, string> =>
  Object.fromEntries(Object.entries(tags).filter(([key, value]) => others[key] !== value))

const present = (waypoint: Tagged): OsmField[] => ordered.filter(({ name }) => waypoint[name] !== undefined)

const ordered = [...osmFields].toSorted((one, other) => Number(one.isFree) - Number(other.isFree))

/** The fields that tags of OpenStreetMap say, as far as they are in the form that the registry takes. */
export function fieldsInTags(tag: (key: string) => string | undefined): OptionalValues {
  const values: Record<string, string> = {}
  for (const { name, valueIn } of osmFields) {
    const value = valueIn(tag)
    if (value !== undefined) values[name] = value
  }
  return values
}
