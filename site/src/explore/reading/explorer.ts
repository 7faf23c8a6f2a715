import { facetColumns, textColumn, type Selection } from '../selection.ts'
import { choose, Facet, type Counts } from './facets.ts'
import { fileForms, termColumns, termsOf, type FormName, type Terms } from './files.ts'
import { openParquet, type ParquetTable, type Row } from './parquet.ts'
import { openRanges, type ExploredFile } from './ranged-file.ts'

/** The counts of a selection and of its alternatives. */
export interface Result {
  readonly chosen: number
  readonly all: number
  readonly counts: Counts
  readonly terms: Terms
}

export interface Download {
  readonly name: string
  readonly rows: number
  readonly blob: Blob
}

/** Called with a share from 0 to 1. */
export type Progress = (share: number) => void

/** Chooses, counts and writes the waypoints of Parquet files. It reads the columns that it needs when it needs them. */
export class Explorer {
  readonly #tables: readonly ParquetTable[]
  readonly #facets: readonly Facet[]
  readonly #terms: readonly Facet[]
  #names: readonly string[] | undefined
  #chosen: readonly number[] = []
  /** Bytes of whole files from a host without range requests. */
  readonly wholeBytes: number

  private constructor(
    tables: readonly ParquetTable[],
    facets: readonly Facet[],
    terms: readonly Facet[],
    wholeBytes: number,
  ) {
    this.#tables = tables
    this.#facets = facets
    this.#terms = terms
    this.wholeBytes = wholeBytes
  }

  /** @throws ReadingError */
  static async open(files: readonly ExploredFile[], onProgress: Progress): Promise<Explorer> {
    const whole = new Set<ExploredFile>()
    const tables = await Promise.all(
      files.map(async (file) => openParquet(await openRanges(file, () => whole.add(file)))),
    )
    const columns = tables[0]?.columns ?? []
    const wanted = [...facetColumns, ...termColumns].filter((column) => columns.includes(column))
    const found = await readColumns(tables, [...new Set(wanted)], onProgress)
    const facetsOf = (names: readonly string[]) =>
      names.flatMap((name) => (found.has(name) ? [new Facet(name, found.get(name) ?? [])] : []))
    const wholeBytes = [...whole].reduce((sum, { bytes }) => sum + bytes, 0)
    return new Explorer(tables, facetsOf(facetColumns), facetsOf(termColumns), wholeBytes)
  }

  /** Columns for selections, of which some waypoint has a value. */
  get facets(): readonly string[] {
    return this.#facets.filter(({ isFilled }) => isFilled).map(({ column }) => column)
  }

  /** Columns that hold lists. */
  get lists(): readonly string[] {
    return this.#tables[0]?.lists ?? []
  }

  /** @throws ReadingError */
  async choose(selection: Selection, onProgress: Progress): Promise<Result> {
    if (selection.text !== '' && this.#names === undefined) {
      const names = (await readColumns(this.#tables, [textColumn], onProgress)).get(textColumn)
      this.#names = names?.map((name) => String(name ?? '').toLowerCase())
    }
    const all = this.#tables.reduce((sum, { rows }) => sum + rows, 0)
    const { rows, counts } = choose(this.#facets, all, selection, this.#names)
    this.#chosen = rows
    return { chosen: rows.length, all, counts, terms: this.#termsOf(rows) }
  }

  /** The chosen waypoints by ascending id, with all their columns. @throws ReadingError */
  async file(name: FormName, onProgress: Progress): Promise<Download> {
    const form = fileForms[name]
    const columns = this.#tables[0]?.columns ?? []
    const written: { readonly id: number; readonly text: string }[] = []
    let [start, done] = [0, 0]
    for (const { groups, rows, readRows } of this.#tables) {
      for (const { from, to } of groups) {
        const chosen = this.#chosen.filter((row) => start + from <= row && row < start + to)
        if (chosen.length === 0) continue
        const records = await readRows(from, to)
        for (const row of chosen) {
          const record = records[row - start - from] ?? {}
          written.push({ id: Number(record['id']), text: form.record(record, columns) })
        }
        done += chosen.length
        onProgress(done / this.#chosen.length)
      }
      start += rows
    }
    written.sort((one, other) => one.id - other.id)
    const parts = written.map(({ text }, index) => (index === 0 ? text : `${form.between}${text}`))
    return {
      name: form.file,
      rows: written.length,
      blob: new Blob([form.before(columns, this.#termsOf(this.#chosen)), ...parts, form.after], {
        type: form.mediaType,
      }),
    }
  }

  #termsOf(rows: readonly number[]): Terms {
    const seen = new Map<string, Row>()
    for (const row of rows) {
      const values = this.#terms.map((facet) => [facet.column, facet.values[facet.of(row)[0] ?? 0]])
      seen.set(values.join('\n'), Object.fromEntries(values) as Row)
    }
    return termsOf([...seen.values()])
  }
}

/** Some columns of all rows of tables, one after the other. */
async function readColumns(
  tables: readonly ParquetTable[],
  names: readonly string[],
  onProgress: Progress,
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const found = new Map<string, unknown[]>(names.map((name) => [name, []]))
  for (const [index, table] of tables.entries()) {
    const columns = await table.readColumns(names, (share) => onProgress((index + share) / tables.length))
    for (const [name, values] of columns) found.set(name, [...(found.get(name) ?? []), ...values])
  }
  return found
}
