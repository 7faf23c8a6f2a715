import { z } from 'zod'
import {
  namesOf,
  optionalNames,
  type Field,
  type Fields,
  type OptionalName,
  type ValueOf,
} from '../fields/field.ts'
import { seasonPattern } from '../season.ts'
import { WebAddress } from './address.ts'
import { GivenProperties, Properties, type GivenPropertiesType, type PropertiesType } from './properties.ts'
import { text } from './text.ts'

/** Schemas of the optional fields of nouns, by their descriptions. */

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

/** The optional fields as inputs of a new noun. */
export function optionalInputs<All extends Fields>(fields: All): Optional<All> {
  return shapeOf(fields, (field) => inputOf(field).optional()) as Optional<All>
}

/** The same where `null` clears a field. An empty text is the same as none. */
export function clearableInputs<All extends Fields>(fields: All): Clearable<All> {
  return shapeOf(fields, (field) => inputOf(field).nullable().optional()) as Clearable<All>
}

/** The optional fields as they are published. */
export function optionalOutputs<All extends Fields>(fields: All): Optional<All> {
  return shapeOf(fields, (field) => outputOf(field).optional()) as Optional<All>
}

/** A shape with its members in the order of the fields. */
export function inOrder<Shape extends object>(fields: Fields, shape: Shape): Shape {
  return Object.fromEntries(
    namesOf(fields).flatMap((name) => (name in shape ? [[name, shape[name as keyof Shape]]] : [])),
  ) as Shape
}
