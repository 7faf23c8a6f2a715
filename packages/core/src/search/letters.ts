/**
 * Text by people: how letters are compared (without case, accents and compatibility forms, in every script), and which
 * characters are refused. The registry's search, the matching of imports and the site's search all use it. It imports
 * nothing, so that pages can include it.
 */

/** The first combining character of Unicode; texts of characters before it are in NFC. */
const firstMark = 0x300

function isPlain(text: string): boolean {
  // A loop is faster than a regular expression for texts as short as names.
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return true
}

/** Whether a text has only printable characters before `firstMark`, and so needs no normalising. */
export function isLatin(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20 || (unit > 0x7e && unit < 0xa0) || unit >= firstMark) return false
  }
  return true
}

/**
 * Marks that say how a letter is pronounced and may be left out in writing: those that belong to no script of their own
 * (accents, also Arabic's and Hebrew's), Hebrew's points, Arabic's and Syriac's vowel signs and the tatweel.
 * The voicing marks of kana (U+3099, U+309A) stay, since か and が are two letters, and so do the vowel signs of the
 * scripts of India and South-East Asia, without which a word loses its vowels.
 */
const optionalMarks =
  /(?=\p{Mn})(?![\u3099\u309A])[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]|\u0640/gu

/** Characters without a glyph, such as soft hyphens, joiners and marks of direction. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu

/** Letters that NFKD does not decompose into a plain letter and a mark. */
const letterFolds: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ł: 'l',
  ı: 'i',
  ð: 'd',
  þ: 'th',
  ς: 'σ',
}
const foldable = /[ßæœøđħŧłıðþς]/gu

function foldAny(given: string): string {
  return given
    .normalize('NFKD')
    .toLowerCase()
    .replace(optionalMarks, '')
    .replace(invisible, '')
    .replace(foldable, (letter) => letterFolds[letter] ?? letter)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
}

const latinFolds = Array.from({ length: firstMark }, (_, unit) => foldAny(String.fromCharCode(unit)))

/** `foldAny` for a text of such characters, which is faster. */
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

/** The words of a text for comparison: folded, everything but letters, their marks and digits a space. */
export function folded(text: string): string {
  const known = foldedBefore.get(text)
  if (known !== undefined) return known
  const plain = fold(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
  if (text.length <= 40) {
    if (foldedBefore.size > 20_000) foldedBefore.clear()
    foldedBefore.set(text, plain)
  }
  return plain
}

/** The key of names that read alike: their letters and digits, in one spelling and without spaces. */
export function likeness(name: string): string {
  return folded(name).replaceAll(' ', '') || fold(name)
}

/** Files of imports repeat the same few words. */
const foldedBefore = new Map<string, string>()

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u
const cjkEach = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/gu

/** Whether a text has Chinese, Japanese or Korean characters, which are written without spaces. */
export function hasCjk(given: string): boolean {
  return cjk.test(given)
}

/** Puts spaces around every CJK character, so that each is a word in an index of words. */
export function spaceCjk(given: string): string {
  return !isPlain(given) && cjk.test(given) ? given.replace(cjkEach, ' $& ') : given
}

/** Runs of at least `shortest` ASCII letters and digits; a loop is faster than a regular expression. */
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

const runs = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** The runs of letters, digits and marks of a folded text; CJK characters that follow each other are one run. */
export function runsOf(folded: string): string[] {
  return isPlain(folded) ? plainWords(folded, 1) : (folded.match(runs) ?? [])
}

/** Words of at least `shortest` code units in a folded text: runs of letters, digits and marks; single CJK characters. */
export function wordsOf(folded: string, shortest = 1): string[] {
  if (isPlain(folded)) return plainWords(folded, shortest)
  const words = spaceCjk(folded).match(runs) ?? []
  return words.filter((word) => word.length >= shortest)
}

const control = /[\p{Cc}--[\t\n]]/v

/**
 * Characters that are invisible by themselves: those that Unicode lets a font ignore, white space, controls, and two
 * symbols without a glyph.
 */
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\u2800\u{1D159}]*$/u

/** Overrides, embeddings and isolates of direction, which change how the text around a name reads. */
const turning = /[\u202A-\u202E\u2066-\u2069]/gu

export const showsNothing = (text: string): boolean => unseen.test(text)

/** A text without characters that change the direction of the text around it. */
export const withoutTurns = (text: string): string => text.replaceAll(turning, '')

/** The number of Unicode code points in a text, which limits apply to. */
function lengthOf(text: string): number {
  let surrogatePairs = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) surrogatePairs++
  }
  return text.length - surrogatePairs
}

/** The text in NFC with LF line ends, trimmed on request. Ill-formed text is returned as it is, for the check. */
export function normalised(text: string, trim: boolean): string {
  if (!text.isWellFormed()) return text
  const normal = isLatin(text) ? text : text.normalize('NFC').replaceAll('\r\n', '\n')
  return trim ? normal.trim() : normal
}

function badCharacter(text: string): string | undefined {
  if (!text.isWellFormed()) return 'has half a character in it (a lone surrogate)'
  if (control.test(text)) return 'has a control character in it; only newlines and tabs are allowed'
  return undefined
}

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

/** The problem with a normalised text of a length, or undefined; names must be visible and leave the direction of text. */
export function problemOf(
  text: string,
  { min, max, isName }: { readonly min: number; readonly max: number; readonly isName: boolean },
): string | undefined {
  const problem = isLatin(text)
    ? badLength(text.length, min, max)
    : (badCharacter(text) ?? badLength(lengthOf(text), min, max))
  return problem ?? (isName ? badName(text) : undefined)
}
