import { z } from 'zod'
import { limits } from '../rules.ts'
import { normalised, problemOf } from '../search/letters.ts'

/**
 * A schema for text by people: NFC-normalised, counted in code points, refusing control characters other than newline
 * and tab, and lone surrogates; names also refuse invisible characters and changes of the text's direction.
 */
export function text(options: {
  readonly min?: number
  readonly max: number
  readonly trim?: boolean
  readonly isName?: boolean
}) {
  const { min = 0, max, trim = false, isName = false } = options
  return z
    .string()
    .check((payload) => {
      const text = normalised(payload.value, trim)
      payload.value = text
      const message = problemOf(text, { min, max, isName })
      if (message !== undefined) payload.issues.push({ code: 'custom', input: text, message, continue: true })
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

/** Why something was done, as the log says it. */
export const Reason = text({ min: 1, max: limits.description, trim: true })

/** A time in ISO 8601 with its offset from UTC; becomes UTC with milliseconds, as in the log. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2026-05-31T12:00:00Z' })
  .transform((given) => new Date(given).toISOString())
