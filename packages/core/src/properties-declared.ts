import { z } from 'zod'
import { invalid, invalidBecause } from './errors.ts'
import type { Properties, PropertyValue } from './fields/field.ts'
import type { LabelOf } from './places/labels.ts'
import { limits, type Rules } from './rules.ts'
import { nameProblem, Properties as AnyProperties } from './schemas/described.ts'
import { isObject, mustBeKnown, parse } from './schemas/parse.ts'

/** One custom field in JSON Schema: a text, a number, a flag, or a list of texts. */
export interface PropertySchema {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  /** The label before a value. Default its name. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** The only texts that it may have. */
  readonly enum?: readonly string[] | undefined
  readonly format?: 'date' | 'date-time' | 'uri' | undefined
  readonly pattern?: string | undefined
  /** In characters. */
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly exclusiveMinimum?: number | undefined
  readonly exclusiveMaximum?: number | undefined
  readonly multipleOf?: number | undefined
  /** The type of a list's items. */
  readonly items?: PropertySchema | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
}

/** The custom fields of a registry in JSON Schema (draft 2020-12), limited to their types. Each is optional. */
export interface PropertiesSchema {
  readonly $schema?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PropertySchema>>
  readonly additionalProperties?: false | undefined
}

/** How custom fields are declared: a zod object (zod 4) or JSON Schema. */
export type PropertiesDeclaration = z.ZodObject | PropertiesSchema

/** The custom fields of a declaration: those of a zod object have their types, each may be absent. */
export type PropertiesOf<Declared extends PropertiesDeclaration> = [Declared] extends [
  z.ZodObject<infer Shape>,
]
  ? Fitting<{ readonly [Name in keyof Shape]?: Extract<z.output<Shape[Name]>, PropertyValue> }>
  : Properties

/** Of a zod object with unknown members, any. */
type Fitting<Custom> = string extends keyof Custom
  ? Properties
  : Custom extends Properties
    ? Custom
    : Properties

const aboutAll = ['$schema', 'title', 'description', 'type', 'properties', 'additionalProperties'] as const
const aboutAny = ['type', 'title', 'description'] as const
const aboutEach = {
  string: [...aboutAny, 'enum', 'format', 'pattern', 'minLength', 'maxLength'],
  number: [...aboutAny, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: [...aboutAny, 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  boolean: aboutAny,
  array: [...aboutAny, 'items', 'minItems', 'maxItems'],
} as const satisfies Record<PropertySchema['type'], readonly (keyof PropertySchema)[]>

/** Without e-mail addresses: all custom fields are published. */
const formats = ['date', 'date-time', 'uri']
const isText = (given: unknown): given is string => typeof given === 'string'

function keywordProblem(name: string, given: unknown): string | undefined {
  if (name === 'enum')
    return Array.isArray(given) && given.length > 0 && given.every(isText) ? undefined : 'must be texts'
  if (name === 'format')
    return isText(given) && formats.includes(given) ? undefined : `must be one of ${formats.join(', ')}`
  if (['title', 'description', 'pattern'].includes(name)) return isText(given) ? undefined : 'must be text'
  if (['type', 'items'].includes(name)) return undefined
  return typeof given === 'number' ? undefined : 'must be a number'
}

/** @throws RegistryError INVALID_INPUT for a form that a custom field cannot have */
function mustBeProperty(
  path: string,
  given: unknown,
  kinds: readonly string[],
): asserts given is PropertySchema {
  if (!isObject(given)) throw invalid(path, 'must be an object in JSON Schema')
  const { type } = given
  if (!isText(type) || !kinds.includes(type))
    throw invalid(`${path}.type`, `must be one of ${kinds.join(', ')}`)
  mustBeKnown(given, aboutEach[type as PropertySchema['type']], path)
  for (const [name, value] of Object.entries(given)) {
    const problem = value === undefined ? undefined : keywordProblem(name, value)
    if (problem !== undefined) throw invalid(`${path}.${name}`, problem)
  }
  if (type === 'array') mustBeProperty(`${path}.items`, given['items'], ['string'])
}

/** @throws RegistryError INVALID_INPUT that names the first thing that cannot be declared */
function mustBeSchema(given: unknown): asserts given is PropertiesSchema {
  if (!isObject(given)) throw invalid('properties', 'must be a zod object, or an object in JSON Schema')
  if (Array.isArray(given['required']) && given['required'].length > 0)
    throw invalid('properties.required', 'must be left out: custom fields are optional')
  mustBeKnown(given, [...aboutAll, 'required'], 'properties')
  if (given['type'] !== 'object') throw invalid('properties.type', 'must be object')
  if (given['additionalProperties'] === true || isObject(given['additionalProperties']))
    throw invalid('properties.additionalProperties', 'must be false: only what is declared is taken')
  const members = given['properties']
  if (!isObject(members))
    throw invalid('properties.properties', 'must be an object with a schema for each name')
  const names = Object.keys(members)
  if (names.length > limits.properties.members)
    throw invalid('properties.properties', `must have at most ${limits.properties.members} members`)
  for (const name of names) {
    const problem = nameProblem(name)
    if (problem !== undefined)
      throw invalidBecause('properties', `the name ${JSON.stringify(name)} ${problem}`)
    mustBeProperty(`properties.properties.${name}`, members[name], Object.keys(aboutEach))
  }
}

const isZod = (given: object): given is z.ZodObject => '_zod' in given

function membersOf(given: z.ZodObject): z.ZodObject {
  const { type, shape, checks } = given._zod.def as z.ZodObject['_zod']['def']
  if (type !== 'object') throw invalid('properties', 'must be a zod object')
  if ((checks ?? []).length > 0)
    throw invalid('properties', 'must have no check over several members: each is given on its own')
  return z.strictObject(
    Object.fromEntries(Object.entries(shape).map(([name, member]) => [name, z.optional(member)])),
  )
}

/** The JSON Schema of a zod object. @throws RegistryError INVALID_INPUT for a type that JSON Schema cannot express */
function jsonOf(members: z.ZodObject): object {
  try {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(members, { io: 'output' })
    return schema
  } catch (error) {
    throw invalidBecause('properties', `cannot be written as JSON Schema: ${(error as Error).message}`)
  }
}

/** The zod object of a JSON Schema. @throws RegistryError INVALID_INPUT, as for a pattern that is none */
function zodOf(schema: PropertiesSchema): z.ZodType {
  try {
    return z.fromJSONSchema({ ...schema, additionalProperties: false } as Parameters<
      typeof z.fromJSONSchema
    >[0])
  } catch (error) {
    throw invalidBecause('properties', `is not JSON Schema: ${(error as Error).message}`)
  }
}

export interface WriteTerms {
  readonly rules: Rules
  readonly properties: DeclaredProperties | undefined
  /** The label of a waypoint without a name. Default in English, without places. */
  readonly labelOf?: LabelOf | undefined
}

export class DeclaredProperties {
  /** The declaration, in JSON Schema. */
  readonly schema: PropertiesSchema
  readonly #input: z.ZodType

  /** @throws RegistryError INVALID_INPUT for a declaration that custom fields cannot have */
  constructor(given: unknown) {
    const members = isObject(given) && isZod(given) ? membersOf(given) : undefined
    const schema: unknown = members === undefined ? given : jsonOf(members)
    mustBeSchema(schema)
    this.schema = structuredClone(schema)
    this.#input = members ?? zodOf(schema)
  }

  /** Their names, in the order of declaration. */
  get names(): readonly string[] {
    return Object.keys(this.schema.properties)
  }

  has(name: string): boolean {
    return Object.hasOwn(this.schema.properties, name)
  }

  /** The members as they are stored. @throws RegistryError INVALID_INPUT */
  checked(members: Properties): Properties {
    const form = z.object({ properties: this.#input })
    return parse(z.object({ properties: AnyProperties }), parse(form, { properties: members })).properties
  }
}
