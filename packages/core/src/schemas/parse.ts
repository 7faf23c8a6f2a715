import { z } from 'zod'
import { RegistryError, sentence, type Issue, invalid } from '../errors.ts'
import { defaultRules, type Rules } from '../rules.ts'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
}

const forms: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2026-05-31T12:00:00Z',
  date: 'must be a day such as 2026-05-31',
  email: 'must be an e-mail address',
}

const counted: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' }

function bound(
  issue: { readonly origin: string; readonly inclusive?: boolean | undefined },
  side: 'least' | 'most',
) {
  if (issue.inclusive === false) return side === 'least' ? 'must be above' : 'must be below'
  return `must ${issue.origin in counted ? 'have' : 'be'} at ${side}`
}

/** The message of an issue for which the schema has none: a predicate that follows the field's name. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.inst instanceof z.ZodNumberFormat ? 'int' : issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      if (issue.maximum === Number.MAX_SAFE_INTEGER) return 'is too large'
      return `${bound(issue, 'most')} ${issue.maximum}${nounAfter(issue.origin)}`
    case 'too_small':
      if (issue.origin in counted && issue.minimum === 1) return 'must not be empty'
      return `${bound(issue, 'least')} ${issue.minimum}${nounAfter(issue.origin)}`
    case 'invalid_format':
      return forms[issue.format] ?? 'is malformed'
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`
    default:
      return 'is malformed'
  }
}

function nounAfter(origin: string): string {
  const noun = counted[origin]
  return noun === undefined ? '' : ` ${noun}`
}

/** The issues of one place without consequences of others: a value of the wrong kind is not also too long. */
function withoutConsequences(found: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const mistyped = found.filter(({ code }) => code === 'invalid_type')
  if (mistyped.length > 0) return mistyped
  const others = found.filter(
    (issue) => issue.code !== 'too_big' || issue.maximum !== Number.MAX_SAFE_INTEGER,
  )
  return others.length > 0 ? others : found
}

function isCoordinateRange(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['coordinates'] === true
}

type Shape = z.core.$ZodShape

function membersIn(schema: z.core.$ZodType | undefined): Shape | undefined {
  if (schema instanceof z.ZodObject) return schema.def.catchall === undefined ? schema.shape : undefined
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return membersIn(schema.def.innerType)
  return undefined
}

const memberOf = (shape: Shape, name: string) => (Object.hasOwn(shape, name) ? shape[name] : undefined)

/** Members that are unknown to a schema, or misplaced; those of `read`, the schema for reading the noun, are accepted. */
function unknownMembers(
  schema: z.core.$ZodType,
  input: unknown,
  { within = '', read = {} }: { readonly within?: string; readonly read?: Shape } = {},
): Issue[] {
  const shape = membersIn(schema)
  if (shape === undefined || !isObject(input)) return []
  const issues: Issue[] = []
  for (const name of Object.keys(input)) {
    const member = memberOf(shape, name)
    if (member !== undefined) {
      const value = input[name]
      if (isObject(value)) issues.push(...unknownMembers(member, value, { within: `${within}${name}.` }))
      continue
    }
    if (memberOf(read, name) !== undefined) continue
    const place = Object.keys(shape).find(
      (each) => memberOf(membersIn(memberOf(shape, each)) ?? {}, name) !== undefined,
    )
    const message = place === undefined ? isUnknown(Object.keys(shape)) : `belongs inside ${place}`
    issues.push({ path: `${within}${name}`, message })
  }
  return issues
}

export function withoutUnknown(schema: z.ZodType, input: unknown): unknown {
  const without = (its: z.core.$ZodType, value: unknown): unknown => {
    const shape = membersIn(its)
    if (shape === undefined || !isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => {
        const member = memberOf(shape, name)
        return member === undefined ? [] : [[name, without(member, each)]]
      }),
    )
  }
  return without(schema, input)
}

/** A program's input in the schema's form. @param read what may be sent back is left out @throws RegistryError INVALID_INPUT and others */
export function parse<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  read?: z.ZodObject,
): z.output<Schema> {
  return parsed(schema, input, unknownMembers(schema, input, { read: read?.shape ?? {} }))
}

/** Validates input from others, as `parse` does, and leaves out unknown members. */
export function parseForeign<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  return parsed(schema, input, [])
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  unknown: readonly Issue[],
): z.output<Schema> {
  const result = schema.safeParse(input, { error: messageOf })
  if (result.success && unknown.length === 0) return result.data
  const found = result.error?.issues ?? []
  const places = Map.groupBy(found, ({ path }) => path.map(String).join('.'))
  const issues = [
    ...unknown,
    ...[...places].flatMap(([path, all]) =>
      withoutConsequences(all).map(({ message }): Issue => ({ path, message })),
    ),
  ]
  const isOutOfRange = unknown.length === 0 && found.every(isCoordinateRange)
  const code = isOutOfRange ? 'INVALID_COORDINATES' : 'INVALID_INPUT'
  const [first] = issues
  const message = first && sentence(first)
  throw new RegistryError(code, message, { issues })
}

const isUnknown = (known: readonly string[]): string =>
  `is unknown: there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`

/** @throws RegistryError INVALID_INPUT that names the first unknown member */
export function mustBeKnown<Given extends object>(
  given: Given,
  known: readonly (keyof Given & string)[],
  path = '',
): void {
  if (!isObject(given)) throw invalid(path === '' ? 'options' : path, 'must be an object')
  const names: readonly string[] = known
  const name = Object.keys(given).find((each) => !names.includes(each))
  if (name !== undefined) throw invalid(path === '' ? name : `${path}.${name}`, isUnknown(names))
}

/** The given options. @throws RegistryError INVALID_INPUT for an unknown one */
export function knownOptions<Options extends object>(
  given: Options,
  known: readonly (keyof Options & string)[],
): Options {
  mustBeKnown(given, known)
  return given
}

export const isObject = (given: unknown): given is Readonly<Record<string, unknown>> =>
  typeof given === 'object' && given !== null && !Array.isArray(given)

/** @throws RegistryError INVALID_INPUT for a missing rule, an invalid number, or an unknown member */
export function mustBeRules(rules: unknown): asserts rules is Rules {
  const all = members('rules', rules, Object.keys(defaultRules))
  // Rules that a program was compiled with may be older than an event: it earns nothing then.
  const xp = members('rules.xp', all['xp'], Object.keys(defaultRules.xp))
  for (const [name, amount] of Object.entries(xp)) mustBeWhole(`rules.xp.${name}`, amount)
  const gates = members('rules.gates', all['gates'], Object.keys(defaultRules.gates))
  // A gate that is newer than the rules is as by default.
  const { photoWithoutReview: _newer, ...required } = defaultRules.gates
  for (const name of Object.keys({ ...required, ...gates })) mustBeWhole(`rules.gates.${name}`, gates[name])
  const { starts, thenEvery } = members('rules.levels', all['levels'], ['starts', 'thenEvery'])
  if (!Array.isArray(starts) || starts[0] !== 0 || !ascends(starts))
    throw invalid('rules.levels.starts', 'must be whole numbers that begin with 0 and ascend')
  if (!Number.isSafeInteger(thenEvery) || Number(thenEvery) < 1)
    throw invalid('rules.levels.thenEvery', 'must be a whole number of at least 1')
  const { onePerWaypoint } = members('rules.reviews', all['reviews'], ['onePerWaypoint'])
  if (typeof onePerWaypoint !== 'boolean')
    throw invalid('rules.reviews.onePerWaypoint', 'must be true or false')
  const { newcomers, earnOnApproval } = all
  if (earnOnApproval !== undefined && typeof earnOnApproval !== 'boolean')
    throw invalid('rules.earnOnApproval', 'must be true or false')
  if (newcomers === undefined || newcomers === false) return
  const limits = members('rules.newcomers', newcomers, Object.keys(defaultRules.newcomers))
  for (const [name, limit] of Object.entries(limits))
    if (limit !== undefined) mustBeWhole(`rules.newcomers.${name}`, limit)
}

function members(path: string, given: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (given === undefined) throw invalid(path, 'is required: begin with { ...defaultRules }')
  if (!isObject(given)) throw invalid(path, 'must be an object')
  mustBeKnown(given, known, path)
  return given
}

function mustBeWhole(path: string, given: unknown): void {
  if (!Number.isSafeInteger(given) || Number(given) < 0)
    throw invalid(path, given === undefined ? 'is required' : 'must be a whole number of at least 0')
}

const ascends = (numbers: readonly unknown[]): boolean =>
  numbers.every(
    (each, index) => Number.isSafeInteger(each) && (index === 0 || Number(each) > Number(numbers[index - 1])),
  )
