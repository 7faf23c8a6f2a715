/** The writing direction of a language, as the value of the attribute `dir`. */
export type Direction = 'ltr' | 'rtl'

/** Right-to-left scripts of living languages: not every browser's `Intl.Locale` has the direction. */
const fromRight = /^(?:Adlm|Arab|Hebr|Mand|Nkoo|Rohg|Samr|Syrc|Thaa|Yezi)$/u

/** The direction of a language tag such as `ar`, `pa-Arab` or `en`. */
export function directionOf(tag: string): Direction {
  return fromRight.test(new Intl.Locale(tag).maximize().script ?? '') ? 'rtl' : 'ltr'
}

/** Bidi control characters: embeddings, overrides and isolates. */
const controls = /[\u202A-\u202E\u2066-\u2069]/gu
/** The blocks of right-to-left scripts, and the controls. */
const turning =
  /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/** Isolates user text within a sentence of a direction, by U+2068 and U+2069; alone in an element, `<bdi>` or `dir="auto"` does it. */
export function isolated(text: string, direction: Direction): string {
  if (direction === 'ltr' && !turning.test(text)) return text
  return text === '' ? '' : `\u2068${text.replaceAll(controls, '')}\u2069`
}
