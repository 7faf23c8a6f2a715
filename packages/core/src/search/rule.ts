import { fold, hasCjk, wordsOf } from './letters.ts'

/** The trigrams that a search looks for: all of a single term, the first and the last of each of several terms. */
export const searchedTrigrams = { only: Number.POSITIVE_INFINITY, several: 2 }

/** The most waypoints that each step of a search looks at, newest first, which keeps every search fast. */
export const mostCandidates = 1000

export interface Term {
  readonly text: string
  /** Its words, by which indexes are asked; the last one may be a prefix. */
  readonly words: readonly string[]
  /** Whether it also matches inside a word of the name. */
  readonly anywhere: boolean
}

export function termsOf(query: string): Term[] {
  return query.split(' ').map((text) => {
    const isShort = [...text].length < 3
    const anywhere = !isShort || hasCjk(text)
    const words = wordsOf(text)
    const [first = ''] = words
    // The first word may be the end of a longer word, which no index has.
    const isCut = isShort && anywhere && words.length > 1 && !hasCjk(first)
    return { text, words: isCut ? words.slice(1) : words, anywhere }
  })
}

function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    // The character before it, which may have two code units.
    const before = /.$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? ''
    if (before === '' || !/[\p{L}\p{N}\p{M}\p{Co}]$/u.test(before) || hasCjk(before)) return true
  }
  return false
}

/** Cached results of `fold` for regions and remarks that many waypoints share. */
const folds = new Map<string, string>()

function folded(given: string | null): string {
  if (given === null) return ''
  let text = folds.get(given)
  if (text === undefined) {
    text = fold(given)
    if (folds.size >= 2000) folds.clear()
    if (given.length <= 100) folds.set(given, text)
  }
  return text
}

/** The exact rule of search, which every engine applies to what its indexes propose. */
export function matches(
  terms: readonly Term[],
  found: { readonly foldedName: string; readonly description: string | null; readonly region: string | null },
): boolean {
  let rest: string[] | undefined
  return terms.every(({ text, anywhere }) => {
    if (anywhere && found.foldedName.includes(text)) return true
    if (beginsWord(found.foldedName, text)) return true
    rest ??= [folded(found.region), folded(found.description)]
    return rest.some((each) => beginsWord(each, text))
  })
}
