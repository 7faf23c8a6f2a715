import { z } from 'zod'
import { limits } from '../rules.ts'
import { isLatin } from '../search/letters.ts'

/** Text written by people: how characters are counted, and which are refused. */

const control = /[\p{Cc}--[\t\n]]/v

/**
 * Characters that are invisible by themselves: those that Unicode lets a font ignore, white space, controls, and two
 * symbols without a glyph.
 */
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\u2800\u{1D159}]*$/u

/** Overrides, embeddings and isolates of direction, which change how the text around a name reads. */
const turning = /[\u202A-\u202E\u2066-\u2069]/gu

/** Whether a text is invisible. */
export const showsNothing = (text: string): boolean => unseen.test(text)

/** A text without characters that change the direction of the text around it. */
export const withoutTurns = (text: string): string => text.replaceAll(turning, '')

/** The number of Unicode code points in a text, which limits apply to. */
export function lengthOf(text: string): number {
  let surrogatePairs = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs++
  }
  return text.length - surrogatePairs
}

/** The text in NFC with LF line ends, trimmed on request. Ill-formed text is returned as it is, for the check. */
function normalised(text: string, trim: boolean): string {
  if (!text.isWellFormed()) return text
  const normal = text.normalize('NFC').replaceAll('\r\n', '\n')
  return trim ? normal.trim() : normal
}

/** The problem with the characters of a normalised text, or undefined. */
function badCharacter(text: string): string | undefined {
  if (!text.isWellFormed()) return 'has half a character in it (a lone surrogate)'
  if (control.test(text)) return 'has a control character in it; only newlines and tabs are allowed'
  return undefined
}

/** The problem with a normalised name, or undefined. */
function badName(text: string): string | undefined {
  if (showsNothing(text)) return 'must have a character that can be seen'
  if (withoutTurns(text) !== text)
    return 'has a character in it that turns the direction of text (U+202A to U+202E, U+2066 to U+2069): leave it out'
  return undefined
}

function badLength(length: number, min: number, max: number): string | undefined {
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`
  return length > max ? `must have at most ${max} characters, has ${length}` : undefined
}

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
      const given = payload.value
      const latin = isLatin(given)
      const text = latin ? (trim ? given.trim() : given) : normalised(given, trim)
      payload.value = text
      const length = latin ? text.length : lengthOf(text)
      const message =
        (latin ? undefined : badCharacter(text)) ??
        badLength(length, min, max) ??
        (isName ? badName(text) : undefined)
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
