import { z } from 'zod'
import { RegistryError, sentence, type Issue } from '../errors.ts'

/** Marks an issue as a coordinate out of range, which has a code of its own. */
export const outOfRange = { coordinates: true } as const

/** What a value of each kind is called by people who never saw a schema. */
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

/** What has too many or too few, by its kind. */
const counted: Readonly<Record<string, string>> = { string: 'characters', array: 'entries', set: 'entries' }

function bound(
  issue: { readonly origin: string; readonly inclusive?: boolean | undefined },
  side: 'least' | 'most',
) {
  if (issue.inclusive === false) return side === 'least' ? 'must be above' : 'must be below'
  return `must ${issue.origin in counted ? 'have' : 'be'} at ${side}`
}

/** What is wrong with a value for which the schema has no words of its own: the end of a sentence that begins with its name. */
function messageOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.inst instanceof z.ZodNumberFormat ? 'int' : issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_big':
      return `${bound(issue, 'most')} ${issue.maximum}${nounAfter(issue.origin)}`
    case 'too_small':
      if (issue.origin in counted && issue.minimum === 1) return 'must not be empty'
      return `${bound(issue, 'least')} ${issue.minimum}${nounAfter(issue.origin)}`
    default:
      return 'is malformed'
  }
}

function nounAfter(origin: string): string {
  const noun = counted[origin]
  return noun === undefined ? '' : ` ${noun}`
}

/** Of the issues of one place those that say something more: what is of the wrong kind is not too long besides. */
function telling(found: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
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
 * Checks an input against a schema and answers it in the schema's form: unknown members dropped, text tidied.
 *
 * @throws RegistryError INVALID_COORDINATES when nothing but a range of coordinates is wrong, else INVALID_INPUT
 */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: messageOf })
  if (result.success) return result.data
  const found = result.error.issues
  const places = Map.groupBy(found, ({ path }) => path.map(String).join('.'))
  const issues = [...places].flatMap(([path, all]) =>
    telling(all).map(({ message }): Issue => ({ path, message })),
  )
  const code = found.every(isCoordinateRange) ? 'INVALID_COORDINATES' : 'INVALID_INPUT'
  const [first] = issues
  const message = first && sentence(first)
  throw new RegistryError(code, message, { issues })
}
