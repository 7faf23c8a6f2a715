import { z } from 'zod'
import { RegistryError, sentence, type Issue } from '../errors.ts'

/** The plain name of each kind of value. */
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

/** What a text of each form looks like. */
const forms: Readonly<Record<string, string>> = {
  datetime: 'must be a time such as 2026-05-31T12:00:00Z',
  date: 'must be a day such as 2026-05-31',
  email: 'must be an e-mail address',
}

/** What is counted in values of each kind. */
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

/** The issues of one place without those that follow from others: a value of the wrong kind is not also too long. */
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

/**
 * Validates an input and returns it in the schema's form: without unknown members, and with normalised text.
 *
 * @throws RegistryError INVALID_COORDINATES when only coordinates are out of range, otherwise INVALID_INPUT
 */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: messageOf })
  if (result.success) return result.data
  const found = result.error.issues
  const places = Map.groupBy(found, ({ path }) => path.map(String).join('.'))
  const issues = [...places].flatMap(([path, all]) =>
    withoutConsequences(all).map(({ message }): Issue => ({ path, message })),
  )
  const code = found.every(isCoordinateRange) ? 'INVALID_COORDINATES' : 'INVALID_INPUT'
  const [first] = issues
  const message = first && sentence(first)
  throw new RegistryError(code, message, { issues })
}
