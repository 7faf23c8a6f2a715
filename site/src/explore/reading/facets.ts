import { everyOf, type Selection } from '../selection.ts'

/** The values of a column by row; a row without a value has the empty one. */
export interface Facet {
  readonly column: string
  readonly rows: readonly (readonly string[])[]
}

/** @param given values by row: texts or lists of them */
export function facetOf(column: string, given: readonly unknown[]): Facet {
  // Rows with the same values share one list.
  const known = new Map<string, readonly string[]>()
  const rows = given.map((value) => {
    const key = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    const found = known.get(key) ?? textsOf(value)
    known.set(key, found)
    return found
  })
  return { column, rows }
}

/** The values of a row, without doubles. */
function textsOf(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.length === 0 ? [''] : [...new Set(all.map((one) => String(one ?? '')))]
}

/** The number of waypoints by value of each column, the most frequent first. */
export type Counts = Readonly<Record<string, readonly (readonly [value: string, waypoints: number])[]>>

/**
 * Selects rows, ascending, and counts the values of each column without the conditions on that column itself.
 *
 * @param facets of all rows
 * @param names of all rows in lower case, for text search
 */
export function choose(
  facets: readonly Facet[],
  rowCount: number,
  { text, values }: Selection,
  names: readonly string[] = [],
): { readonly rows: readonly number[]; readonly counts: Counts } {
  const lower = text.toLowerCase()
  const columns = facets.map((facet) => {
    const wanted = values[facet.column] ?? []
    const isEvery = everyOf.includes(facet.column)
    const counts = new Map<string, number>()
    const matches = (row: number): boolean => {
      const has = (value: string) => facet.rows[row]?.includes(value) === true
      return wanted.length === 0 || (isEvery ? wanted.every(has) : wanted.some(has))
    }
    return { ...facet, isEvery, counts, matches }
  })
  const rows: number[] = []
  for (let row = 0; row < rowCount; row += 1) {
    if (lower !== '' && names[row]?.includes(lower) !== true) continue
    const [failed, ...others] = columns.filter(({ matches }) => !matches(row))
    if (failed === undefined) rows.push(row)
    // Where every value is required, another one can only narrow the selection.
    else if (others.length > 0 || failed.isEvery) continue
    for (const { rows: all, counts } of failed ? [failed] : columns)
      for (const value of all[row] ?? []) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const sorted = (counts: ReadonlyMap<string, number>) =>
    [...counts].toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
  return { rows, counts: Object.fromEntries(columns.map(({ column, counts }) => [column, sorted(counts)])) }
}
