import { everyOf, type Selection } from '../selection.ts'
import type { Row } from './parquet.ts'

/** The values of a column by number, for each row; number 0, the empty value, is none. */
export class Facet {
  readonly column: string
  readonly values: string[] = ['']
  readonly #numbers = new Map([['', 0]])
  /** The start of each row's numbers; one more than there are rows. */
  readonly #starts: number[] = [0]
  readonly #codes: number[] = []

  constructor(column: string) {
    this.column = column
  }

  /** Whether any row has a value. */
  get isFilled(): boolean {
    return this.values.length > 1
  }

  add(row: Row): void {
    const value = row[this.column]
    const all = Array.isArray(value) ? [...new Set(value)] : [value]
    for (const one of all.length === 0 ? [''] : all) this.#codes.push(this.#numberOf(String(one ?? '')))
    this.#starts.push(this.#codes.length)
  }

  /** The numbers of chosen values; a value that no row has is left out, and matches nothing. */
  numbersOf(values: readonly string[]): number[] {
    return values.map((value) => this.#numbers.get(value) ?? -1)
  }

  /** The number of a row's first value. */
  codeOf(row: number): number {
    return this.#codes[this.#starts[row] ?? 0] ?? 0
  }

  /** Counts the values of a row. */
  countInto(counts: Uint32Array, row: number): void {
    const end = this.#starts[row + 1] ?? 0
    for (let at = this.#starts[row] ?? 0; at < end; at += 1) {
      const code = this.#codes[at] ?? 0
      counts[code] = (counts[code] ?? 0) + 1
    }
  }

  /** Whether a row has one of the values, or all of them where the column requires that. */
  matches(row: number, wanted: readonly number[]): boolean {
    const has = (code: number) => this.#has(row, code)
    return everyOf.includes(this.column) ? wanted.every(has) : wanted.some(has)
  }

  #has(row: number, code: number): boolean {
    const end = this.#starts[row + 1] ?? 0
    for (let at = this.#starts[row] ?? 0; at < end; at += 1) if (this.#codes[at] === code) return true
    return false
  }

  #numberOf(value: string): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.values.push(value)
    this.#numbers.set(value, this.values.length - 1)
    return this.values.length - 1
  }
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
  const conditions = facets.flatMap((facet, index) => {
    const wanted = facet.numbersOf(values[facet.column] ?? [])
    return wanted.length === 0 ? [] : [{ facet, index, wanted }]
  })
  const counts = facets.map((facet) => new Uint32Array(facet.values.length))
  const rows: number[] = []
  for (let row = 0; row < rowCount; row += 1) {
    if (lower !== '' && names[row]?.includes(lower) !== true) continue
    const failed = conditions.filter(({ facet, wanted }) => !facet.matches(row, wanted))
    if (failed.length === 0) {
      rows.push(row)
      facets.forEach((facet, index) => counts[index] && facet.countInto(counts[index], row))
    } else if (failed.length === 1) {
      const [{ facet, index } = { facet: undefined, index: 0 }] = failed
      // Where every value is required, another one can only narrow the selection.
      if (facet && !everyOf.includes(facet.column)) facet.countInto(counts[index] ?? new Uint32Array(), row)
    }
  }
  return {
    rows,
    counts: Object.fromEntries(
      facets.map(({ column, values: names_ }, index) => [
        column,
        sorted(names_, counts[index] ?? new Uint32Array()),
      ]),
    ),
  }
}

function sorted(values: readonly string[], counts: Uint32Array): (readonly [string, number])[] {
  return values
    .map((value, code) => [value, counts[code] ?? 0] as const)
    .filter(([, waypoints]) => waypoints > 0)
    .toSorted(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
}
