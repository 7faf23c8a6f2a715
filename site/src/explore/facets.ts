import type { Row } from './data.ts'
import { everyOf, textColumn, type FacetColumn, type Selection } from './selection.ts'

export interface Facet {
  readonly column: FacetColumn
  readonly values: ReadonlyMap<Row, readonly string[]>
}

export function facetOf(column: FacetColumn, rows: readonly Row[]): Facet {
  // Rows with the same values share one list.
  const known = new Map<string, readonly string[]>()
  const values = rows.map((row) => {
    const value = row[column]
    const key = typeof value === 'string' ? value : JSON.stringify(value ?? '')
    const found = known.get(key) ?? textsOf(value)
    known.set(key, found)
    return [row, found] as const
  })
  return { column, values: new Map(values) }
}

/** The values of a row, without doubles. */
function textsOf(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value]
  return all.length === 0 ? [''] : [...new Set(all.map((one) => String(one ?? '')))]
}

/** The number of fountains by value of each column, the most frequent first. */
export type Counts = Readonly<
  Partial<Record<FacetColumn, readonly (readonly [value: string, waypoints: number])[]>>
>

/** Selects rows, and counts the values of each column without the conditions on that column itself. */
export function choose(
  all: readonly Row[],
  facets: readonly Facet[],
  { text, values: chosen }: Selection,
): { readonly rows: readonly Row[]; readonly counts: Counts } {
  const lower = text.toLowerCase()
  const columns = facets.map(({ column, values }) => {
    const wanted = chosen[column] ?? []
    const isEvery = everyOf.includes(column)
    const counts = new Map<string, number>()
    const matches = (row: Row): boolean => {
      const has = (value: string) => values.get(row)?.includes(value) === true
      return wanted.length === 0 || (isEvery ? wanted.every(has) : wanted.some(has))
    }
    return { column, values, isEvery, counts, matches }
  })
  const rows: Row[] = []
  for (const row of all) {
    if (lower !== '' && !String(row[textColumn]).toLowerCase().includes(lower)) continue
    const [failed, ...others] = columns.filter(({ matches }) => !matches(row))
    if (failed === undefined) rows.push(row)
    // Where every value is required, another one can only narrow the selection.
    else if (others.length > 0 || failed.isEvery) continue
    for (const { values, counts } of failed ? [failed] : columns)
      for (const value of values.get(row) ?? []) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  const sorted = (counts: ReadonlyMap<string, number>) =>
    [...counts].toSorted(([one, count], [other, more]) => more - count || (one < other ? -1 : 1))
  return { rows, counts: Object.fromEntries(columns.map(({ column, counts }) => [column, sorted(counts)])) }
}
