import { usage } from './failure.ts'

const written = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/u

/**
 * The time in an option's value, in UTC with milliseconds; a bare date is its midnight in UTC.
 *
 * @throws CommandError usage
 */
export function instantOf(name: string, text: string): string {
  const day = written.exec(text)?.[1]
  const time = day === undefined ? Number.NaN : Date.parse(text)
  // Date reads the 31st of February as the 3rd of March.
  const isDay = day !== undefined && Number.isFinite(time) && new Date(day).toISOString().startsWith(day)
  if (!isDay)
    throw usage(
      `${name} must be a date such as 2026-01-31 or a time such as 2026-01-31T12:00:00Z, not ${JSON.stringify(text)}`,
    )
  return new Date(time).toISOString()
}
