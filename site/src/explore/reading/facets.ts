import { everyOf, type Selection } from '../selection.ts'

/** The values of a column by number, for each row; number 0, the empty value, is none. */
export class Facet {
  readonly column: string
  readonly values: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>
  /** The numbers of each row's values. */
  readonly #rows: readonly (readonly number[])[]

  /** @param given values by row: texts or lists of them */
  constructor(column: string, given: readonly unknown[]) {
    const numbers = new Map([['', 0]])
    const known = new Map<string, readonly number[]>()
    const numberOf = (value: unknown): number => {
      const text = String(value ?? '')
      const number = numbers.get(text) ?? numbers.size
      numbers.set(text, number)
      return number
    }
    this.column = column
    this.#rows = given.map((value) => {
      const key = typeof value === 'string' ? value : JSON.stringify(value ?? '')
      const found = known.get(key) ?? listOf(value).map(numberOf)
      known.set(key, found)
      return found
    })
    this.#numbers = numbers
    this.values = [...numbers.keys()]
  }

  /** Whether any row has a value. */
  get isFilled(): boolean {
    return this.values.length > 1
  }

  /** The numbers of chosen values; a value that no row has is -1, and matches nothing. */
  numbersOf(values: readonly string[]): number[] {
    return values.map((value) => this.#numbers.get(value) ?? -1)
  }

  /** The numbers of a row's values. */
  of(row: number): readonly number[] {
    return this.#rows[row] ?? [0]
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

/** The number of waypoints by value. */
export type Counts = Readonly<Record<string, readonly (readonly [value: string, waypoints: number])[]>>

export interface FacetResult {
  /** Chosen rows, ascending. */
  readonly rows: readonly number[]
  /** By column, the most frequent value first: the counts without the conditions on that column itself. */
  readonly counts: Counts
}

/**
 * Selects rows and counts the values of each column.
 *
 * @param facets of all rows
 * @param names of all rows in lower case, for text search
 */
export function choose(
  facets: readonly Facet[],
  rowCount: number,
  { text, values }: Selection,
  names: readonly string[] = [],
): FacetResult {
  const lower = text.toLowerCase()
  const columns = facets.map((facet) => ({
    facet,
    wanted: facet.numbersOf(values[facet.column] ?? []),
    counts: new Uint32Array(facet.values.length),
  }))
  const conditions = columns.filter(({ wanted }) => wanted.length > 0)
  const count = ({ facet, counts }: (typeof columns)[number], row: number): void => {
    for (const number of facet.of(row)) counts[number] = (counts[number] ?? 0) + 1
  }
  const rows: number[] = []
  for (let row = 0; row < rowCount; row += 1) {
    if (lower !== '' && names[row]?.includes(lower) !== true) continue
    const [failed, ...others] = conditions.filter(({ facet, wanted }) => !facet.matches(row, wanted))
    if (failed === undefined) {
      rows.push(row)
      for (const column of columns) count(column, row)
      // Where every value is required, another one can only narrow the selection.
    } else if (others.length === 0 && !everyOf.includes(failed.facet.column)) count(failed, row)
  }
  return {
    rows,
    counts: Object.fromEntries(
      columns.map(({ facet, counts }) => [facet.column, sorted(facet.values, counts)]),
    ),
  }
}

const sorted = (values: readonly string[], counts: Uint32Array): (readonly [string, number])[] =>
  values
    .map((value, number) => [value, counts[number] ?? 0] as const)
    .filter(([, waypoints]) => waypoints > 0)
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
