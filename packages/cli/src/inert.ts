/** C0 and C1 controls, line and paragraph separators, bidirectional controls (https://trojansource.codes). */
const controls = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu

const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`

/** Untrusted text, on one line and with escaped control characters, harmless for a terminal. */
export const inert = (text: string): string =>
  text.replaceAll(controls, (character) => {
    if (character === '\n') return '\\n'
    if (character === '\t') return ' '
    return escaped(character)
  })

/** As `inert`, for several lines of this program's own text. */
export const inertLines = (text: string): string => text.split('\n').map(inert).join('\n')

/** JSON on one line or, for a terminal, on several; control characters are escaped as JSON allows. */
export const inertJson = (value: unknown, indent?: number): string =>
  inertJsonText(JSON.stringify(value, undefined, indent))

/** As `inertJson`, for JSON text, or a piece of it that cuts no string. */
export const inertJsonText = (json: string): string =>
  json.replaceAll(controls, (character) => (character === '\n' ? character : escaped(character)))

const wide =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|[\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}

/** The part of a text that fits into some columns, with an ellipsis if cut. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += wide.test(segment) ? 2 : 1
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}
