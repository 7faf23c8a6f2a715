import { folded } from '@openfountain/core/letters'
import { isPlaceholder } from './cell-text.ts'
import type { SourceRow } from '../read/source-row.ts'

/** The most columns to follow, and the number of rows that suffices: it takes memory. */
const followedColumns = 4
const followedRows = 200_000
/** The number of rows from which any column may be one of references; in fewer, values differ by chance. */
const manyRows = 20

const idLike =
  /(?:^|\s)(?:id|gid|uid|uuid|code|cod|codice|codi|nr|num|nummer|numero|ref|key|gis|inv|asset|kennung)|id$|^id|gis$/u
/** Numbers that a program gives to the rows of one export. */
const ofTheExport =
  /^(?:object ?id|fid|oid|row ?(?:id|num|number)|index|ogc fid|lfd ?nr|unnamed.*|serial|zeile)$/u

/**
 * Finds columns that are filled and different in every row of a file, as a source's own references are. Rows are given
 * one after the other.
 */
export class UniqueColumns {
  #rows = 0
  /** The values of each column that was filled and unique so far; undefined before the first row. */
  #values: Map<string, Set<string>> | undefined
  /** Columns whose values are the numbers of the rows, from 0 or 1. */
  readonly #counters = new Set<string>()

  add({ fields }: SourceRow): void {
    this.#rows += 1
    if (this.#rows > followedRows) return
    this.#values ??= this.#begun(fields)
    for (const [column, values] of this.#values) {
      const value = referenceOf(fields[column])
      if (value === undefined || values.has(value)) this.#values.delete(column)
      else values.add(value)
      if (value !== String(this.#rows) && value !== String(this.#rows - 1)) this.#counters.delete(column)
    }
    if (this.#rows === manyRows) this.#limit()
  }

  /** The columns, those with a heading of references first. */
  found(): string[] {
    const columns = [...(this.#values?.keys() ?? [])].filter((column) => !this.#counters.has(column))
    const fitting = this.#rows < manyRows ? columns.filter(isIdLike) : columns
    return this.#rows < 2 ? [] : ordered(fitting)
  }

  #begun(fields: SourceRow['fields']): Map<string, Set<string>> {
    const columns = Object.keys(fields).filter((column) => !ofTheExport.test(folded(column)))
    for (const column of columns) this.#counters.add(column)
    return new Map(columns.map((column) => [column, new Set<string>()]))
  }

  #limit(): void {
    for (const column of ordered([...(this.#values?.keys() ?? [])]).slice(followedColumns))
      this.#values?.delete(column)
  }
}

const isIdLike = (column: string): boolean => idLike.test(folded(column))

function ordered(columns: readonly string[]): string[] {
  return columns.toSorted((one, other) => Number(isIdLike(other)) - Number(isIdLike(one)))
}

/** A value that can be a reference: a whole number, or one word with a digit in it that is no fraction, day or address. */
function referenceOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined
  if (typeof value !== 'string' || isPlaceholder(value)) return undefined
  const text = value.trim()
  const isWord = /^[^\s{[]{1,64}$/u.test(text) && /\d/u.test(text)
  const isOther =
    /^[-+]?\d+[.,]\d+$|^\d{4}-\d{2}(?:-\d{2})?(?:T|$)|^https?:|^\d{1,2}[./]\d{1,2}[./]\d{2,4}/u.test(text)
  return isWord && !isOther ? text : undefined
}
