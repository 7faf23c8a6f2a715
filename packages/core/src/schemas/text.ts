import { z } from 'zod'

/** Text of people: what counts as a character, what is refused, and how it is folded for searching. */

const control = /[\p{Cc}--[\t\n]]/v
/** Whether a text is printable ASCII, which needs none of the care that follows, and most text is. */
function isPlain(text: string): boolean {
  // A loop takes a third of the time of a regular expression for texts as short as names.
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return true
}

/** From here on Unicode has characters that combine with others; before, each is in form NFC as it stands. */
const firstMark = 0x300

/** Whether a text is printable and of letters, digits and signs before `firstMark`, which needs no normalising. */
function isLatin(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || (unit > 0x7e && unit < 0xa0) || unit >= firstMark) return false
  }
  return true
}

/** Unicode code points in a text, which is what limits count. */
export function lengthOf(text: string): number {
  let surrogatePairs = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs++
  }
  return text.length - surrogatePairs
}

/** NFC with line feeds alone, and no white space around it when `trim`. Ill-formed text is left for the check. */
function tidy(text: string, trim: boolean): string {
  if (!text.isWellFormed()) return text
  const normal = text.normalize('NFC').replaceAll('\r\n', '\n')
  return trim ? normal.trim() : normal
}

/** What is wrong with the characters of a tidied text, if anything is. */
function badCharacter(text: string): string | undefined {
  if (!text.isWellFormed()) return 'has half a character in it (a lone surrogate)'
  if (control.test(text)) return 'has a control character in it; only newlines and tabs are allowed'
  return undefined
}

function badLength(length: number, min: number, max: number): string | undefined {
  if (length < min) return min === 1 ? 'must not be empty' : `must have at least ${min} characters`
  return length > max ? `must have at most ${max} characters, has ${length}` : undefined
}

/**
 * A schema for text by people: NFC-normalised, counted in code points, refusing control characters other
 * than newline and tab, and lone surrogates.
 */
export function text(options: { readonly min?: number; readonly max: number; readonly trim?: boolean }) {
  const { min = 0, max, trim = false } = options
  return z
    .string()
    .check((payload) => {
      const given = payload.value
      const latin = isLatin(given)
      const tidied = latin ? (trim ? given.trim() : given) : tidy(given, trim)
      payload.value = tidied
      const length = latin ? tidied.length : lengthOf(tidied)
      const message = (latin ? undefined : badCharacter(tidied)) ?? badLength(length, min, max)
      if (message !== undefined)
        payload.issues.push({ code: 'custom', input: tidied, message, continue: true })
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })
}

const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/gu
const letterFolds: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ð: 'd',
  þ: 'th',
}
const foldable = /[ßæœøđłıðþ]/gu

function foldAny(given: string): string {
  return given
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(foldable, (letter) => letterFolds[letter] ?? letter)
    .replace(/\s+/gu, ' ')
}

/** What each character before `firstMark` becomes. */
const latinFolds = Array.from({ length: firstMark }, (_, unit) => foldAny(String.fromCharCode(unit)))

/** The same for a text of such characters, in a third of the time. */
function foldLatin(given: string): string {
  let folded = ''
  let from = 0
  for (let index = 0; index < given.length; index++) {
    const unit = given.charCodeAt(index)
    if (unit <= 0x7e) continue
    folded += given.slice(from, index).toLowerCase() + (latinFolds[unit] ?? '')
    from = index + 1
  }
  folded += given.slice(from).toLowerCase()
  return folded.includes('  ') ? folded.replace(/ {2,}/g, ' ') : folded
}

/** A text without case, accents and repeated white space, for comparing. Both sides of a comparison are folded. */
export function fold(given: string): string {
  return (isLatin(given) ? foldLatin(given) : foldAny(given)).trim()
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u
const cjkEach = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/gu

/** Whether a text has Chinese, Japanese or Korean characters, which are written without spaces. */
export function hasCjk(given: string): boolean {
  return cjk.test(given)
}

/** Puts every CJK character apart, so that each is a word of its own in an index of words. */
export function spaceCjk(given: string): string {
  return !isPlain(given) && cjk.test(given) ? given.replace(cjkEach, ' $& ') : given
}

/** Runs of so many ASCII letters and digits; a loop takes half the time of a regular expression. */
function plainWords(text: string, shortest: number): string[] {
  const words: string[] = []
  let start = -1
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index) | 0x20
    const isPart = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39)
    if (isPart && start < 0) start = index
    else if (!isPart && start >= 0) {
      if (index - start >= shortest) words.push(text.slice(start, index))
      start = -1
    }
  }
  if (start >= 0 && text.length - start >= shortest) words.push(text.slice(start))
  return words
}

/** The words of a folded text of `shortest` code units or more: runs of letters, digits and marks; CJK characters one by one. */
export function wordsOf(folded: string, shortest = 1): string[] {
  if (isPlain(folded)) return plainWords(folded, shortest)
  const words = spaceCjk(folded).match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? []
  return words.filter((word) => word.length >= shortest)
}
