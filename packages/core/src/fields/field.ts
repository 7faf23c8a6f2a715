/** Descriptions of fields: plain data, whose meaning for schemas, SQL and formats is defined there. */

export interface Field {
  /**
   * `address` is an absolute http: or https: URL, `choice` one of `values`, `season` the first and the last day of a part
   * of every year as `MM-DD/MM-DD`, `words` a list of amenities, `whole` a whole number, `user` the id of one, `time` ISO
   * 8601 in UTC with milliseconds, `rings` those of a polygon as in GeoJSON, `object` any JSON object, `properties` a flat
   * one of numbers, texts, flags and lists of texts, whose members a program declares.
   */
  readonly type:
    | 'id'
    | 'text'
    | 'address'
    | 'choice'
    | 'season'
    | 'degrees'
    | 'words'
    | 'flag'
    | 'whole'
    | 'user'
    | 'time'
    | 'rings'
    | 'object'
    | 'properties'
  /** Whether it may be absent, which means unknown: texts, addresses, choices, seasons, times and properties may. */
  readonly optional?: true
  /** Who can set it: authors of the noun, moderators and API tokens, API tokens alone, or nobody. */
  readonly setBy: 'editors' | 'moderators' | 'tokens' | 'nobody'
  /** The fewest characters of a text, which is trimmed then. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: { readonly source: string; readonly form: string }
  readonly values?: readonly string[]
  /** Whether people may have written something personal in it, which can then be redacted. */
  readonly isText?: true
  /** Its name in exports. Default its own in small letters, with `_` between words. */
  readonly column: string
  readonly unit?: string
  readonly meaning: string
  /** The key of OpenStreetMap that has the value, or the tags that each value of a choice is; before those of amenities. */
  readonly osm?: string | Readonly<Record<string, Readonly<Record<string, string>>>>
}

export const when = { type: 'time', setBy: 'nobody' } as const

/** A count or another whole number that follows from the rest. */
export const count = { type: 'whole', setBy: 'nobody' } as const

/** A text that people may have written something personal in, and may leave out. */
export const freeText = { type: 'text', optional: true, setBy: 'editors', isText: true } as const

/** A day as a source says it, `YYYY-MM-DD`. */
export const day = { type: 'text', optional: true, setBy: 'tokens', maxLength: 10 } as const

/** The fields of a noun by their names, in the order of responses and exports. */
export type Fields = Readonly<Record<string, Field>>

export type NameOf<All extends Fields> = keyof All & string

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

type WithColumns<All> = {
  readonly [Name in keyof All & string]: All[Name] & {
    readonly column: All[Name] extends { readonly column: infer Own extends string } ? Own : Snake<Name>
  }
}

export const fields = <
  const All extends Readonly<Record<string, Omit<Field, 'column'> & { column?: string }>>,
>(
  all: All,
): WithColumns<All> =>
  Object.fromEntries(
    Object.entries(all).map(([name, field]) => [
      name,
      { column: name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`), ...field },
    ]),
  ) as WithColumns<All>

/** The names of the fields whose description has certain members. */
export type Described<All extends Fields, Description> = {
  [Name in NameOf<All>]: All[Name] extends Description ? Name : never
}[NameOf<All>]

export type OptionalName<All extends Fields> = Described<All, { readonly optional: true }>

export type PropertyValue = string | number | boolean | readonly string[]

export type Properties = Readonly<Record<string, PropertyValue>>

export type GivenProperties = Readonly<Record<string, PropertyValue | null>>

/** The value of an optional field. */
export type ValueOf<Description> = Description extends { readonly type: 'properties' }
  ? Properties
  : Description extends { readonly values: readonly (infer Value extends string)[] }
    ? Value
    : string

type GivenValueOf<Description> = Description extends { readonly type: 'properties' }
  ? GivenProperties
  : ValueOf<Description>

export type ValuesOf<All extends Fields> = {
  -readonly [Name in OptionalName<All>]?: ValueOf<All[Name]>
}

/** The optional fields of a noun as callers give them: `null` and an empty text mean none. */
export type GivenValuesOf<All extends Fields> = {
  readonly [Name in OptionalName<All>]?: GivenValueOf<All[Name]> | null | undefined
}

/** The same for each of the fields of a noun, such as a schema. */
export function forEachOf<All extends Fields, Value>(
  fields: All,
  value: Value,
): { [Name in NameOf<All>]: Value } {
  return Object.fromEntries(namesOf(fields).map((name) => [name, value])) as { [Name in NameOf<All>]: Value }
}

export function namesOf<All extends Fields>(fields: All): readonly NameOf<All>[] {
  return Object.keys(fields)
}

export function namesWhere<All extends Fields>(
  fields: All,
  is: (field: Field) => boolean,
): readonly NameOf<All>[] {
  return Object.entries(fields).flatMap(([name, field]) => (is(field) ? [name] : []))
}

export function optionalNames<All extends Fields>(fields: All): readonly OptionalName<All>[] {
  return namesWhere(fields, ({ optional }) => optional === true) as readonly OptionalName<All>[]
}

export function textNames<All extends Fields>(
  fields: All,
): readonly Described<All, { readonly isText: true }>[] {
  return namesWhere(fields, ({ isText }) => isText === true) as readonly Described<
    All,
    { readonly isText: true }
  >[]
}

/** Returns a function for the optional fields that an object has. An empty text is the same as none. */
export function optionalValuesIn<All extends Fields>(fields: All) {
  const names = optionalNames(fields)
  return (given: Readonly<Partial<Record<OptionalName<All>, unknown>>>): ValuesOf<All> => {
    const values: Record<string, unknown> = {}
    for (const name of names) {
      const value = given[name]
      if (value !== undefined && value !== null && value !== '') values[name] = value
    }
    return values as ValuesOf<All>
  }
}
