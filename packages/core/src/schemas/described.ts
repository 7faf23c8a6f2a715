import { z } from 'zod'
import {
  namesOf,
  optionalNames,
  type Field,
  type Fields,
  type OptionalName,
  type ValueOf,
  type GivenProperties as GivenObject,
  type Properties as PropertiesObject,
} from '../fields/field.ts'
import { limits } from '../rules.ts'
import { seasonPattern } from '../season.ts'
import { text } from './text.ts'

type ValueSchema<Description> = Description extends { readonly type: 'time' }
  ? z.ZodISODateTime
  : Description extends { readonly type: 'properties' }
    ? PropertiesType
    : TextSchema<Description>

type TextSchema<Description> =
  string extends ValueOf<Description>
    ? z.ZodString
    : z.ZodEnum<{ [Value in ValueOf<Description> & string]: Value }>

type GivenSchema<Description> = Description extends { readonly type: 'properties' }
  ? GivenPropertiesType
  : ValueSchema<Description>

type Optional<All extends Fields> = {
  [Name in OptionalName<All>]: z.ZodOptional<ValueSchema<All[Name]>>
}
type Clearable<All extends Fields> = {
  [Name in OptionalName<All>]: z.ZodOptional<z.ZodNullable<GivenSchema<All[Name]>>>
}

/** The schema of a value that somebody sets; nobody sets a time. */
function inputOf({ type, values = [], minLength: min = 0, maxLength: max = 0, pattern }: Field): z.ZodType {
  if (type === 'address') return WebAddress
  if (type === 'properties') return GivenProperties
  if (type === 'choice')
    return z.enum(values as [string, ...string[]], { error: `must be one of ${values.join(', ')}` })
  if (type === 'season')
    return z.string().regex(seasonPattern, {
      message:
        'must be MM-DD/MM-DD, the first and the last day of the season such as 04-15/10-31, and days that exist',
    })
  const schema = text({ min, max, trim: min > 0 })
  if (pattern === undefined) return schema
  const form = new RegExp(`^(?:${pattern.source})?$`, 'u')
  return schema.refine((given) => form.test(given), { message: `must be ${pattern.form}` })
}

function outputOf({ type, values }: Field): z.ZodType {
  if (type === 'time') return z.iso.datetime()
  if (type === 'properties') return Properties
  return values === undefined ? z.string() : z.enum(values)
}

function shapeOf(fields: Fields, schemaOf: (field: Field) => z.ZodType): object {
  return Object.fromEntries(optionalNames(fields).map((name) => [name, schemaOf(fields[name] as Field)]))
}

export function optionalInputs<All extends Fields>(fields: All): Optional<All> {
  return shapeOf(fields, (field) => inputOf(field).optional()) as Optional<All>
}

/** The same where `null` clears a field. An empty text is the same as none. */
export function clearableInputs<All extends Fields>(fields: All): Clearable<All> {
  return shapeOf(fields, (field) => inputOf(field).nullable().optional()) as Clearable<All>
}

export function optionalOutputs<All extends Fields>(fields: All): Optional<All> {
  return shapeOf(fields, (field) => outputOf(field).optional()) as Optional<All>
}

export function inOrder<Shape extends object>(fields: Fields, shape: Shape): Shape {
  return Object.fromEntries(
    namesOf(fields).flatMap((name) => (name in shape ? [[name, shape[name as keyof Shape]]] : [])),
  ) as Shape
}

/** Custom fields of any declaration: their form in the log, exports and mirrors. */

const most = limits.properties
const nameForm = /^[A-Za-z][A-Za-z0-9_]*$/
const own = text({ max: most.text })

const Value = z.union(
  [
    own,
    // JSON does not distinguish minus zero from zero.
    z.number().overwrite((given) => given + 0),
    z.boolean(),
    z.array(own).max(most.entries, { message: `must have at most ${most.entries} entries` }),
  ],
  { error: 'must be a text, a number, true or false, or a list of texts' },
)

export function nameProblem(name: string): string | undefined {
  // Every object of JavaScript has members such as `constructor`.
  if (nameForm.test(name) && name.length <= most.name && !(name in Object.prototype)) return undefined
  return `must be a letter and then letters, digits or underscores (A-Z, a-z, 0-9, _), at most ${most.name}`
}

function membersProblem(given: object): string | undefined {
  const names = Object.keys(given)
  if (names.length > most.members) return `must have at most ${most.members} members`
  if (names.some((name) => nameProblem(name) !== undefined))
    return `must have names that are a letter and then letters, digits or underscores, at most ${most.name}`
  if (JSON.stringify(given).length > most.json) return `must have at most ${most.json} characters as JSON`
  return undefined
}

/** Custom fields in code unit order of their names, as in the log. */
export const membersInOrder = <Members extends object>(members: Members): Members =>
  Object.fromEntries(Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1))) as Members

function membersOf<Member extends z.ZodType>(value: Member) {
  return z
    .record(z.string(), value)
    .check((payload) => {
      const message = membersProblem(payload.value)
      if (message === undefined) payload.value = membersInOrder(payload.value)
      else payload.issues.push({ code: 'custom', input: payload.value, message })
    })
    .meta({ maxProperties: most.members })
}

// Named types, so that schemas refer to them by name, and not to the module of the fields.

export interface PropertiesType extends z.ZodType<PropertiesObject, PropertiesObject> {}

export interface GivenPropertiesType extends z.ZodType<GivenObject, GivenObject> {}

export const Properties: PropertiesType = membersOf(Value)

/** Custom fields as they are given: `null` removes one. */
export const GivenProperties: GivenPropertiesType = membersOf(Value.nullable())

function isWebAddress(given: string): boolean {
  if (!/^https?:\/\//iu.test(given) || /[\s\p{Cc}]/u.test(given)) return false
  const url = URL.parse(given)
  return url !== null && url.hostname !== '' && url.username === '' && url.password === ''
}

/** An absolute http: or https: URL without credentials. */
const WebAddress = z
  .string()
  .refine((given) => given.isWellFormed() && given.length <= limits.imageUrl && isWebAddress(given), {
    message: `must be an absolute http: or https: URL of at most ${limits.imageUrl} characters`,
  })
  .meta({ format: 'uri', maxLength: limits.imageUrl })
