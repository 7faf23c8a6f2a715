import { facetColumns, textColumn, type Selection } from '../selection.ts'
import { choose, Facet, type Counts } from './facets.ts'
import { fileForms, termColumns, termsOf, type FormName, type Terms } from './files.ts'
import { openParquet, type Column, type Row, type RowGroup } from './parquet.ts'
import { RangedFile } from './ranged-file.ts'

/** A Parquet file of the export, with its size at the time of the build. */
export interface ExploredFile {
  readonly url: string
  readonly bytes: number
}

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

interface PlacedGroup {
  readonly group: RowGroup
  /** The number of its first row over all files. */
  readonly start: number
}

/** Groups that are requested while another one is read. */
const ahead = 4

/** Chooses, counts and writes the waypoints of Parquet files. It reads the columns that it needs when it needs them. */
export class Explorer {
  readonly #files: readonly RangedFile[]
  readonly #columns: readonly Column[]
  readonly #groups: readonly PlacedGroup[]
  readonly #rows: number
  #facets: readonly Facet[] = []
  #terms: readonly Facet[] = []
  #names: readonly string[] | undefined
  #chosen: readonly number[] = []

  private constructor(files: readonly RangedFile[], columns: readonly Column[], groups: readonly RowGroup[]) {
    this.#files = files
    this.#columns = columns
    let rows = 0
    this.#groups = groups.map((group) => {
      const start = rows
      rows += group.rows
      return { group, start }
    })
    this.#rows = rows
  }

  /** @throws ReadingError */
  static async open(given: readonly ExploredFile[], onProgress: Progress): Promise<Explorer> {
    const files = given.map(({ url, bytes }) => new RangedFile(url, bytes))
    const tables = await Promise.all(files.map((file) => openParquet(file)))
    const explorer = new Explorer(
      files,
      tables[0]?.columns ?? [],
      tables.flatMap(({ groups }) => groups),
    )
    await explorer.#readFacets(onProgress)
    return explorer
  }

  /** Columns for selections, of which some waypoint has a value. */
  get facets(): readonly string[] {
    return this.#facets.filter(({ isFilled }) => isFilled).map(({ column }) => column)
  }

  /** Columns that hold lists. */
  get lists(): readonly string[] {
    return this.#columns.flatMap(({ name, kind }) => (kind === 'list' ? [name] : []))
  }

  /** Bytes of whole files from a host without range requests. */
  get wholeBytes(): number {
    return this.#files.reduce((sum, { isWhole, byteLength }) => sum + (isWhole ? byteLength : 0), 0)
  }

  /** @throws ReadingError */
  async choose(selection: Selection, onProgress: Progress): Promise<Result> {
    if (selection.text !== '') this.#names ??= await this.#readNames(onProgress)
    const { rows, counts } = choose(this.#facets, this.#rows, selection, this.#names)
    this.#chosen = rows
    return { chosen: rows.length, all: this.#rows, counts, terms: this.#termsOf(rows) }
  }

  /** The chosen waypoints by ascending id, with all their columns. @throws ReadingError */
  async file(name: FormName, onProgress: Progress): Promise<Download> {
    const form = fileForms[name]
    const written: { readonly id: number; readonly text: string }[] = []
    const terms: Row[] = []
    const wanted = this.#groups.flatMap((placed) => {
      const rows = rowsIn(this.#chosen, placed)
      return rows.length === 0 ? [] : [{ ...placed, rows }]
    })
    await this.#read(wanted, this.#columns, onProgress, (records, { rows, start }) => {
      for (const row of rows) {
        const record = records[row - start]
        if (record === undefined) continue
        terms.push({ license: record['license'], attribution: record['attribution'] })
        written.push({ id: Number(record['id']), text: form.record(record, this.#columns) })
      }
    })
    written.sort((one, other) => one.id - other.id)
    const parts: string[] = [form.before(this.#columns, terms)]
    written.forEach(({ text }, index) => parts.push(index === 0 ? text : `${form.between}${text}`))
    return {
      name: form.file,
      rows: written.length,
      blob: new Blob([...parts, form.after], { type: form.mediaType }),
    }
  }

  async #readFacets(onProgress: Progress): Promise<void> {
    const present = (columns: readonly string[]) =>
      columns.filter((name) => this.#columns.some((column) => column.name === name))
    this.#facets = present(facetColumns).map((column) => new Facet(column))
    this.#terms = present(termColumns).map((column) => new Facet(column))
    const all = [...this.#facets, ...this.#terms]
    const columns = this.#columns.filter(({ name }) => all.some(({ column }) => column === name))
    await this.#read(this.#groups, columns, onProgress, (records) => {
      for (const record of records) for (const facet of all) facet.add(record)
    })
  }

  async #readNames(onProgress: Progress): Promise<string[]> {
    const names: string[] = []
    const columns = this.#columns.filter(({ name }) => name === textColumn)
    await this.#read(this.#groups, columns, onProgress, (records) => {
      for (const record of records) names.push(String(record[textColumn] ?? '').toLowerCase())
    })
    return names
  }

  #termsOf(rows: readonly number[]): Terms {
    const seen = new Map<string, Row>()
    for (const row of rows) {
      const codes = this.#terms.map((facet) => facet.codeOf(row))
      const key = codes.join()
      if (seen.has(key)) continue
      seen.set(
        key,
        Object.fromEntries(
          this.#terms.map(({ column, values }, index) => [column, values[codes[index] ?? 0]]),
        ),
      )
    }
    return termsOf([...seen.values()])
  }

  /** Reads groups in their order, some of them requested in advance. */
  async #read<Group extends PlacedGroup>(
    groups: readonly Group[],
    columns: readonly Column[],
    onProgress: Progress,
    onRows: (rows: readonly Row[], group: Group) => void,
  ): Promise<void> {
    const reading = new Map<number, Promise<readonly Row[]>>()
    const begin = (index: number): void => {
      const rows = groups[index]?.group.read(columns)
      if (rows === undefined) return
      // It is awaited later; an earlier one may fail first.
      rows.catch(() => undefined)
      reading.set(index, rows)
    }
    for (let index = 0; index < ahead; index += 1) begin(index)
    for (const [index, group] of groups.entries()) {
      onRows((await reading.get(index)) ?? [], group)
      reading.delete(index)
      begin(index + ahead)
      onProgress((index + 1) / groups.length)
    }
  }
}

/** The rows that are in a group. @param rows ascending */
function rowsIn(rows: readonly number[], { start, group }: PlacedGroup): readonly number[] {
  return rows.slice(firstFrom(rows, start), firstFrom(rows, start + group.rows))
}

/** The index of the first number that is not below another. @param numbers ascending */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
