import { facetColumns, textColumn, type FormName, type Selection } from '../selection.ts'
import { choose, facetOf, type Counts, type Facet } from './facets.ts'
import { fileForms, termColumns, termsOf, type Terms } from './files.ts'
import { openParquet, type ParquetTable } from './parquet.ts'
import { openRanges, type ExploredFile } from './ranged-file.ts'

/** The counts of a selection and of its alternatives. */
export interface Result {
  readonly chosen: number
  readonly all: number
  readonly counts: Counts
  readonly terms: Terms
}

export interface Download {
  readonly rows: number
  readonly blob: Blob
}

/** The title of a waypoint. */
export interface Title {
  readonly id: number
  readonly title: string
  /** District and place; empty when unknown. */
  readonly where: string
}

/** Called with a share from 0 to 1. */
export type Progress = (share: number) => void

interface Opened {
  readonly tables: readonly ParquetTable[]
  readonly facets: readonly Facet[]
  readonly terms: readonly Facet[]
  readonly wholeBytes: number
}

/** Chooses, counts and writes the waypoints of Parquet files. It reads the columns that it needs when it needs them. */
export class Explorer {
  readonly #given: Opened
  #names: readonly string[] | undefined
  #chosen: readonly number[] = []

  private constructor(given: Opened) {
    this.#given = given
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
      names.filter((name) => found.has(name)).map((name) => facetOf(name, found.get(name) ?? []))
    const wholeBytes = [...whole].reduce((sum, { bytes }) => sum + bytes, 0)
    return new Explorer({ tables, facets: facetsOf(facetColumns), terms: facetsOf(termColumns), wholeBytes })
  }

  /** Bytes of whole files from a host without range requests; 0 otherwise. */
  get wholeBytes(): number {
    return this.#given.wholeBytes
  }

  /** Columns for selections, of which some waypoint has a value. */
  get facets(): readonly string[] {
    const isSome = (values: readonly string[]): boolean => values.some((value) => value !== '')
    return this.#given.facets.filter(({ rows }) => rows.some(isSome)).map(({ column }) => column)
  }

  /** Columns that hold lists. */
  get lists(): readonly string[] {
    return this.#given.tables[0]?.lists ?? []
  }

  /** @throws ReadingError */
  async choose(selection: Selection, onProgress: Progress): Promise<Result> {
    if (selection.text !== '' && this.#names === undefined) {
      const names = (await readColumns(this.#given.tables, [textColumn], onProgress)).get(textColumn)
      this.#names = names?.map((name) => String(name ?? '').toLowerCase())
    }
    const all = this.#given.tables.reduce((sum, { rows }) => sum + rows, 0)
    const { rows, counts } = choose(this.#given.facets, all, selection, this.#names)
    this.#chosen = rows
    return { chosen: rows.length, all, counts, terms: this.#termsOf(rows) }
  }

  /** The chosen waypoints by ascending id, with all their columns. @throws ReadingError */
  async file(name: FormName, onProgress: Progress): Promise<Download> {
    const form = fileForms[name]
    const columns = this.#given.tables[0]?.columns ?? []
    const written: { readonly id: number; readonly text: string }[] = []
    let [start, done] = [0, 0]
    for (const table of this.#given.tables) {
      for (const { from, to } of table.groups) {
        const chosen = this.#chosen.filter((row) => start + from <= row && row < start + to)
        if (chosen.length === 0) continue
        const records = await table.readRows(from, to)
        for (const row of chosen) {
          const record = records[row - start - from] ?? {}
          written.push({ id: Number(record['id']), text: form.record(record, columns) })
        }
        done += chosen.length
        onProgress(done / this.#chosen.length)
      }
      start += table.rows
    }
    written.sort((one, other) => one.id - other.id)
    const parts = written.map(({ text }, index) => (index === 0 ? text : `${form.between}${text}`))
    return {
      rows: written.length,
      blob: new Blob([form.before(columns, this.#termsOf(this.#chosen)), ...parts, form.after], {
        type: form.mediaType,
      }),
    }
  }

  /**
   * Names of the chosen waypoints and of the places around them, by ascending id.
   *
   * @param ids only these of them; empty for all
   * @throws ReadingError
   */
  async titles(ids: readonly number[], onProgress: Progress): Promise<Title[]> {
    const { tables } = this.#given
    const columns = await readColumns(tables, ['id', 'name', 'region', 'place'], onProgress)
    const textOf = (name: string, row: number) => String(columns.get(name)?.[row] ?? '')
    return this.#chosen
      .map((row) => ({
        id: Number(columns.get('id')?.[row]),
        title: textOf('name', row),
        where: [...new Set([textOf('region', row), textOf('place', row)])].filter(Boolean).join(', '),
      }))
      .filter(({ id }) => ids.length === 0 || ids.includes(id))
      .toSorted((one, other) => one.id - other.id)
  }

  #termsOf(rows: readonly number[]): Terms {
    return termsOf(rows.map((row) => this.#given.terms.map((facet) => facet.rows[row]?.[0] ?? '')))
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
