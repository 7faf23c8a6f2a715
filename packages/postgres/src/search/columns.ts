import { fold, hasCjk, wordsOf, type Term } from '@openfountain/core/engine'

/** Columns for search: folded texts with a mark where a term can begin, and hashed tokens (words, beginnings, trigrams) under an index. */

const prefixLengths = [1, 2, 3, 4, 6, 8]

/** Marks a possible beginning of a term, and the gap between texts. No folded text has control characters. */
const mark = '\u0001'
const between = '\n'

interface Searched {
  readonly foldedName: string
  readonly description?: string | null | undefined
  readonly region?: string | null | undefined
}

/** Takes a code unit into a hash of 32 bits (FNV-1a), as PostgreSQL's integer has it. */
const hashedOn = (hash: number, unit: number): number =>
  Math.imul(Math.imul(hash ^ (unit & 0xff), 0x01000193) ^ (unit >>> 8), 0x01000193)

function hashed(start: number, text: string): number {
  let hash = start
  for (let index = 0; index < text.length; index++) hash = hashedOn(hash, text.charCodeAt(index))
  return hash
}

/** Where the hashes of each kind of tokens begin. */
const [ofWord, ofPrefix, ofName] = ['word', 'prefix', 'name'].map((kind) => hashed(0x811c9dc5 | 0, kind)) as [
  number,
  number,
  number,
]

/** Adds the tokens of a word: the whole of it and its beginnings, which are counted in characters. */
function addWord(word: string, found: Set<number>): void {
  let hash = ofPrefix
  let [length, next] = [0, 0]
  for (let index = 0; index < word.length && next < prefixLengths.length; index++) {
    const unit = word.charCodeAt(index)
    hash = hashedOn(hash, unit)
    // The first half of a character is no character.
    if (unit >= 0xd800 && unit <= 0xdbff) continue
    if (++length === prefixLengths[next]) {
      found.add(hash)
      next++
    }
  }
  found.add(hashed(ofWord, word))
}

function prefixToken(word: string): number {
  const characters = [...word]
  const length = prefixLengths.findLast((each) => each <= characters.length) ?? 1
  return hashed(ofPrefix, characters.slice(0, length).join(''))
}

const space = 0x20

/** The tokens of every three characters of a name, without those with a space: no term has one. */
function* trigramsOf(text: string): Generator<number> {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  for (let at = 0; at + 3 <= codes.length; at++) {
    const [one = 0, two = 0, three = 0] = [codes[at], codes[at + 1], codes[at + 2]]
    if (one === space || two === space || three === space) continue
    yield hashedOn(hashedOn(hashedOn(ofName, one), two), three)
  }
}

function spread(items: readonly number[], most: number): Set<number> {
  if (items.length <= most) return new Set(items)
  return new Set(
    Array.from(
      { length: most },
      (_, index) => items[Math.round((index * (items.length - 1)) / (most - 1))] ?? 0,
    ),
  )
}

const endsWord = /[\p{L}\p{N}\p{M}\p{Co}]$/u

function mayBeginAfter(character: string): boolean {
  const unit = character.charCodeAt(0)
  if (unit < 0x80)
    return !(
      (unit >= 0x61 && unit <= 0x7a) ||
      (unit >= 0x30 && unit <= 0x39) ||
      (unit >= 0x41 && unit <= 0x5a)
    )
  return !endsWord.test(character) || hasCjk(character)
}

/** A folded text with a mark wherever a term may begin: where no word goes on, and after each CJK character. */
export function marked(folded: string): string {
  let text = mark
  for (const character of folded) {
    text += character
    if (mayBeginAfter(character)) text += mark
  }
  return text
}

interface Stored {
  readonly marked: string
  readonly words: readonly string[]
}

/** Of texts that many waypoints share, such as regions and the remarks of a source. */
const storedBefore = new Map<string, Stored>()
const mostStored = 5000

function stored(folded: string): Stored {
  return { marked: marked(folded), words: wordsOf(folded) }
}

function storedOf(given: string | null | undefined): Stored {
  const text = given ?? ''
  const before = storedBefore.get(text)
  if (before !== undefined) return before
  const made = stored(fold(text))
  if (storedBefore.size >= mostStored) storedBefore.clear()
  if (text.length <= 200) storedBefore.set(text, made)
  return made
}

export function searchColumns({ foldedName, description, region }: Searched): {
  readonly searchText: string
  readonly searchTokens: number[]
} {
  const texts = [stored(foldedName), storedOf(region), storedOf(description)]
  const found = new Set<number>()
  for (const { words } of texts) for (const word of words) addWord(word, found)
  for (const trigram of trigramsOf(foldedName)) found.add(trigram)
  return { searchText: texts.map((text) => text.marked).join(between), searchTokens: [...found] }
}

/** A term in the form of the columns: tokens, and the text to look for. */
export interface SearchTerm {
  /** The tokens of its words; absent when it has none. */
  readonly words: readonly number[] | undefined
  /** The tokens of three characters of the name; absent when it cannot be found by those. */
  readonly name: readonly number[] | undefined
  /** Its form in `searchText` where it begins a word. */
  readonly marked: string
  /** Its form in the name, where it may be anywhere; absent when it may not. */
  readonly anywhere: string | undefined
}

/** How a term is looked for. @param most trigrams at most, spread over the term, the most selective first */
export function sought({ text, words, anywhere }: Term, most: number): SearchTerm {
  const last = words.at(-1)
  const trigrams = anywhere ? spread([...trigramsOf(text)], most) : new Set<number>()
  return {
    words:
      last === undefined
        ? undefined
        : [...words.slice(0, -1).map((word) => hashed(ofWord, word)), prefixToken(last)],
    name: trigrams.size === 0 ? undefined : [...trigrams],
    // The text after the term does not matter.
    marked: marked(text).replace(endingMark, ''),
    anywhere: anywhere ? text : undefined,
  }
}

const endingMark = new RegExp(`${mark}$`, 'u')
