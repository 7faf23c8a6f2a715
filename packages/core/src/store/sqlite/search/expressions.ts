import type { Term } from '../../../search/rule.ts'

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
