import { UniqueColumns } from './unique-columns.ts'
import type { RowBatches, SourceRow } from '../read/source-row.ts'

/** The result of one pass over all rows: their number, and enough examples to guess the columns from. */
export interface Survey {
  readonly rows: number
  /** The first rows and some of the later ones, long texts cut. */
  readonly sample: readonly SourceRow[]
  /** The columns that are filled and unique in every row, those with a heading of references first. */
  readonly unique: readonly string[]
}

const firstRows = 1000
const everyNth = 97
const sampleRows = 4000
const sampleText = 400

/**
 * Reads all rows once, keeping a sample. That the file can be read to its end is known afterwards, so that a
 * truncated or damaged file is refused before anything is written.
 */
export async function survey(batches: RowBatches, onRows: (rows: number) => void): Promise<Survey> {
  const sample: SourceRow[] = []
  const unique = new UniqueColumns()
  let rows = 0
  for await (const batch of batches) {
    for (const row of batch) {
      rows += 1
      unique.add(row)
      if (sample.length < sampleRows && (rows <= firstRows || rows % everyNth === 0)) sample.push(cut(row))
    }
    onRows(rows)
  }
  return { rows, sample, unique: unique.found() }
}

function cut(row: SourceRow): SourceRow {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row.fields)) {
    fields[column] =
      typeof value === 'string' && value.length > sampleText ? value.slice(0, sampleText) : value
  }
  const { geometry, id } = row
  return {
    ...row,
    fields,
    ...(geometry !== undefined && !isSmall(geometry) && { geometry: null }),
    ...(id !== undefined && { id: id.slice(0, sampleText) }),
    original: () => '',
  }
}

function isSmall(geometry: SourceRow['geometry']): boolean {
  return geometry?.type === 'Point' || JSON.stringify(geometry ?? null).length < 5000
}
