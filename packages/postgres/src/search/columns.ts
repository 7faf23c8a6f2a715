import { fold, hasCjk, wordsOf, type Term } from '@openfountain/core/engine'

/**
 * What is stored beside a waypoint for finding it: the folded texts with a mark at each place where a term may begin,
 * and tokens of them as hashes, under an index. A token is a word, the beginning of a word or three characters of the
 * name; whatever has the tokens of a term is looked at, since two texts may have the same hash.
 */

/** The lengths of the beginnings of words that are tokens. */
const prefixLengths = [1, 2, 3, 4, 6, 8]

/** Stands where a term may begin, and between texts. No folded text has control characters. */
const mark = '\u0001'
const between = '\n'

/** The texts of a waypoint that are searched. */
export interface Searched {
  readonly foldedName: string
  readonly description?: string | null | undefined
  readonly region?: string | null | undefined
  readonly amenities: readonly string[]
}

/** A hash of 32 bits (FNV-1a), as PostgreSQL's integer has it. */
function hashed(kind: string, text: string): number {
  let hash = 0x811c9dc5
  for (const part of [kind, text])
    for (let index = 0; index < part.length; index++) {
      const unit = part.charCodeAt(index)
      hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
      hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
    }
  return hash | 0
}

const wordToken = (word: string): number => hashed('word ', word)
const prefixToken = (prefix: string): number => hashed('prefix ', prefix)
const trigramToken = (trigram: string): number => hashed('name ', trigram)
const amenityToken = (amenity: string): number => hashed('amenity ', amenity)

/** The tokens that every waypoint with some amenities has. */
export const amenityTokens = (amenities: readonly string[]): number[] => amenities.map(amenityToken)

const beginning = (characters: readonly string[], length: number): string =>
  characters.slice(0, length).join('')

/** The longest beginning of a word that is a token: of the whole word, when it is short. */
function prefixOf(word: string): string {
  const characters = [...word]
  const length = prefixLengths.findLast((each) => each <= characters.length) ?? 1
  return beginning(characters, length)
}

/** Every three characters of a name, without those that have a space: no term does. */
function* trigramsOf(text: string): Generator<string> {
  const characters = [...text]
  for (let at = 0; at + 3 <= characters.length; at++) {
    const trigram = characters.slice(at, at + 3).join('')
    if (!trigram.includes(' ')) yield trigram
  }
}

const endsWord = /[\p{L}\p{N}\p{M}\p{Co}]$/u

/** A folded text with a mark wherever a term may begin: where no word goes on, and after each CJK character. */
export function marked(folded: string): string {
  let text = ''
  let before = ''
  for (const character of folded) {
    if (before === '' || !endsWord.test(before) || hasCjk(before)) text += mark
    text += character
    before = character
  }
  return text
}

/** The columns `searchText` and `searchTokens` of a live waypoint. */
export function searchColumns({ foldedName, description, region, amenities }: Searched): {
  readonly searchText: string
  readonly searchTokens: number[]
} {
  const texts = [foldedName, fold(region ?? ''), fold(description ?? '')]
  const found = new Set<number>(amenityTokens(amenities))
  for (const word of new Set(texts.flatMap((text) => wordsOf(text)))) {
    found.add(wordToken(word))
    const characters = [...word]
    for (const length of prefixLengths)
      if (length <= characters.length) found.add(prefixToken(beginning(characters, length)))
  }
  for (const trigram of trigramsOf(foldedName)) found.add(trigramToken(trigram))
  return { searchText: texts.map(marked).join(between), searchTokens: [...found] }
}

/** What a waypoint has in which a term is found: tokens, and the text that is looked for. */
export interface SoughtTerm {
  /** The tokens of its words; absent when it has none. */
  readonly words: readonly number[] | undefined
  /** The tokens of three characters of the name; absent when it cannot be found by those. */
  readonly name: readonly number[] | undefined
  /** As it is in `searchText` where it begins a word. */
  readonly marked: string
  /** As it is in the name, where it may be anywhere; absent when it may not. */
  readonly anywhere: string | undefined
}

/** How a term is looked for. */
export function sought({ text, words, anywhere }: Term): SoughtTerm {
  const last = words.at(-1)
  const trigrams = anywhere ? [...new Set(trigramsOf(text))] : []
  return {
    words:
      last === undefined ? undefined : [...words.slice(0, -1).map(wordToken), prefixToken(prefixOf(last))],
    name: trigrams.length === 0 ? undefined : trigrams.map(trigramToken),
    marked: marked(text),
    anywhere: anywhere ? text : undefined,
  }
}
