import { everyOf, type Selection } from '../selection.ts'

/** The values of a column by number, for each row; number 0, the empty value, is none. */
export class Facet {
  readonly column: string
  readonly values: readonly string[]
  readonly #numbers = new Map([['', 0]])
  /** The numbers of each row's values. */
  readonly #rows: readonly (readonly number[])[]

  /** @param given values by row: texts or lists of them */
  constructor(column: string, given: readonly unknown[]) {
    const known = new Map<string, readonly number[]>()
    this.column = column
    this.#rows = given.map((value) => {
      const key = typeof value === 'string' ? value : JSON.stringify(value ?? '')
      const found = known.get(key) ?? listOf(value).map((one) => this.#add(String(one ?? '')))
      known.set(key, found)
      return found
    })
    this.values = [...this.#numbers.keys()]
  }

  #add(value: string): number {
    const number = this.#numbers.get(value) ?? this.#numbers.size
    this.#numbers.set(value, number)
    return number
  }

  /** The numbers of chosen values; a value that no row has is -1, and matches nothing. */
  numbersOf(values: readonly string[]): number[] {
    return values.map((value) => this.#numbers.get(value) ?? -1)
  }

  /** The numbers of a row's values. */
  of(row: number): readonly number[] {
    return this.#rows[row] ?? [0]
  }

  /** The first value of a row. */
  valueOf(row: number): string {
    return this.values[this.of(row)[0] ?? 0] ?? ''
  }

  /** Whether a row has one of the values, or all of them where the column requires that. */
  matches(row: number, wanted: readonly number[]): boolean {
    const has = (number: number) => this.of(row).includes(number)
    return everyOf.includes(this.column) ? wanted.every(has) : wanted.some(has)
  }
}

/** The values of a row in a column, without doubles. */
function listOf(value: unknown): readonly unknown[] {
  const all = Array.isArray(value) ? [...new Set<unknown>(value)] : [value]
  return all.length === 0 ? [''] : all
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
  const columns = facets.map((facet) => ({
    facet,
    wanted: facet.numbersOf(values[facet.column] ?? []),
    counts: new Uint32Array(facet.values.length),
  }))
  const conditions = columns.filter(({ wanted }) => wanted.length > 0)
  const rows: number[] = []
  for (let row = 0; row < rowCount; row += 1) {
    if (lower !== '' && names[row]?.includes(lower) !== true) continue
    const [failed, ...others] = conditions.filter(({ facet, wanted }) => !facet.matches(row, wanted))
    if (failed === undefined) rows.push(row)
    // Where every value is required, another one can only narrow the selection.
    else if (others.length > 0 || everyOf.includes(failed.facet.column)) continue
    for (const { facet, counts } of failed ? [failed] : columns)
      for (const number of facet.of(row)) counts[number] = (counts[number] ?? 0) + 1
  }
  return {
    rows,
    counts: Object.fromEntries(
      columns.map(({ facet, counts }) => [facet.column, sorted(facet.values, counts)]),
    ),
  }
}

const sorted = (values: readonly string[], counts: Uint32Array): Counts[string] =>
  values
    .map((value, number) => [value, counts[number] ?? 0] as const)
    .filter(([, waypoints]) => waypoints > 0)
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
