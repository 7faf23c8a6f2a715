import { z } from 'zod'
import { RegistryError, type Issue } from './errors.ts'

/** Marks an issue as a coordinate out of range, which has a code of its own. */
export const outOfRange = { coordinates: true } as const

/** A message for a zod issue that says what would be right, in words for people who never saw zod. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    const wanted = issue.expected === 'int' ? 'a whole number' : article(issue.expected)
    return issue.input === undefined ? `is required and must be ${wanted}` : `must be ${wanted}`
  }
  if (issue.code === 'too_big') return `must be at most ${String(issue.maximum)}`
  if (issue.code === 'too_small') return `must be at least ${String(issue.minimum)}`
  return issue.message
}

function article(noun: string): string {
  return /^[aeiou]/u.test(noun) ? `an ${noun}` : `a ${noun}`
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
  const result = schema.safeParse(input, { reportInput: true })
  if (result.success) return result.data
  const issues = result.error.issues.map((issue): Issue => ({
    path: issue.path.map(String).join('.'),
    message: messageOf(issue),
  }))
  const code = result.error.issues.every(isCoordinateRange) ? 'INVALID_COORDINATES' : 'INVALID_INPUT'
  const [first] = issues
  const message =
    first === undefined
      ? undefined
      : first.path === ''
        ? `The input ${first.message}`
        : `${first.path} ${first.message}`
  throw new RegistryError(code, message, { issues })
}
