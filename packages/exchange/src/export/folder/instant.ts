import { invalidBecause } from '@openfountain/core/internal'

const form = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d))?$/iu

/**
 * A time as ISO 8601 in UTC with milliseconds; a date is its beginning in UTC.
 *
 * @throws {RegistryError} INVALID_INPUT for anything but a date or a time with its zone
 */
export function instantOf(name: string, given: string): string {
  const text = given.trim()
  const time = form.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  // Days that a month does not have are days of the next one to JavaScript.
  const isDay = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  if (isDay) return new Date(time).toISOString()
  throw invalidBecause(
    name,
    `${JSON.stringify(text)} is neither a date such as 2026-01-31 nor a time with its zone such as 2026-01-31T12:00:00Z`,
  )
}
