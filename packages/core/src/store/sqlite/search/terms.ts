import { fold, hasCjk, wordsOf } from '../../../search/letters.ts'

/** One term of a query, folded. */
export interface Term {
  readonly text: string
  /** Its words, the last of them unfinished. */
  readonly words: readonly string[]
  /** Whether it may stand in the middle of a word of the name. */
  readonly anywhere: boolean
}

/** The terms of a folded query. */
export function termsOf(query: string): Term[] {
  return query.split(' ').map((text) => ({
    text,
    words: wordsOf(text),
    anywhere: [...text].length >= 3 || hasCjk(text),
  }))
}

/** FTS5's string literal: nothing in it means anything to the query syntax. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/**
 * The FTS5 expression for names that have a term anywhere, or undefined for terms that the index cannot help with.
 *
 * @param most how many trigrams it may ask for, spread over the term: each costs time, the first few tell most
 */
export function namesExpression({ text, anywhere }: Term, most: number): string | undefined {
  if (!anywhere) return undefined
  const characters = [...text]
  const last = characters.length - 3
  if (last < 0) return undefined
  const count = Math.min(most, last + 1)
  const starts = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * last) / (count - 1)),
  )
  const trigrams = starts.map((start) => characters.slice(start, start + 3).join(''))
  return [...new Set(trigrams)].map(quoted).join(' AND ')
}

/** Whether a term begins a word: nothing, or nothing that belongs to a word, stands before it. */
function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
    if (before === '' || !/[\p{L}\p{N}\p{M}\p{Co}]$/u.test(before) || hasCjk(before)) return true
  }
  return false
}

/** Texts that were folded before: regions, and remarks that many waypoints share. */
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

/** Exactly the rule of search, whatever the indexes proposed. */
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
