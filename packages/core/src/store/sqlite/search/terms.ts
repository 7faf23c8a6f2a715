import { fold, hasCjk, wordsOf } from '../../../search/letters.ts'

/** One term of a query, folded. */
export interface Term {
  readonly text: string
  /** Its words; the last one may be a prefix. */
  readonly words: readonly string[]
  /** Whether it also matches inside a word of the name. */
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

/** A string literal of FTS5, in which the query syntax has no meaning. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

/**
 * The FTS5 expression for names that contain a term anywhere, or undefined for terms that the index cannot find.
 *
 * @param most how many trigrams to query at most, spread over the term: the first few are the most selective
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

/** Whether a term is at the beginning of a word of a text. */
function beginsWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at)
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

/** The exact rule of search, which is applied to what the indexes propose. */
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
