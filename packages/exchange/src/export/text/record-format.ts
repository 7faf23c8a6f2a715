import type { PageTemplate } from '@openfountain/core/internal'
import type { Edition } from '../edition.ts'
import { completed, type Tally, type TextFormat } from '../format.ts'

type RecordFormatParts = Omit<TextFormat, 'write' | 'text'> & {
  readonly gzip?: boolean
  /** How a waypoint is written. */
  readonly template: (edition: Edition) => PageTemplate
  /** What the file begins with. */
  readonly before?: string | ((edition: Edition) => string)
  /** What the file ends with. */
  readonly after?: string
}

/**
 * A text format whose records all have the same template, so that the database can write many of them at once.
 */
export function recordFormat({ template, before, after, gzip, ...format }: RecordFormatParts): TextFormat {
  function* pieces(edition: Edition, tally: Tally): Iterable<string | Uint8Array> {
    if (before !== undefined) yield typeof before === 'string' ? before : before(edition)
    const form = template(edition)
    let first = true
    for (const { bytes, count } of edition.pages(form)) {
      if (!first && form.between !== undefined) yield form.between
      first = false
      tally.rows += count
      yield bytes
    }
    if (after !== undefined) yield after
  }
  return completed(format, pieces, gzip)
}
