import { Parser } from 'csv-parse'
import { flatFields } from './nested-fields.ts'
import { ImportRefused } from './refusal.ts'
import { readingLimits, type RowBatches, type SourceRow } from './source-row.ts'

/** How a delimited text is laid out. */
export interface Layout {
  readonly delimiter: string
  /** The columns' headings; `column1`… when the file has none. */
  readonly columns: readonly string[]
  readonly header: boolean
}

const delimiters = [',', ';', '\t', '|'] as const

/**
 * Finds the delimiter and the headings from the beginning of a text: the delimiter that splits most records into
 * the same number of columns, counted outside quotes; a heading line is a first record without any number,
 * coordinate or JSON in it.
 *
 * @param complete whether `head` is the whole text
 * @returns undefined when the text has no columns
 */
export function detectLayout(
  head: string,
  complete: boolean,
  given: { delimiter?: string | undefined; header?: boolean | undefined } = {},
): Layout | undefined {
  const candidates = given.delimiter === undefined ? delimiters : [given.delimiter]
  let best: { delimiter: string; records: string[][]; score: number } | undefined
  for (const delimiter of candidates) {
    const records = firstRecords(head, delimiter, complete)
    const score = evenness(records)
    if (score > (best?.score ?? 0)) best = { delimiter, records, score }
  }
  const first = best?.records[0]
  if (best === undefined || first === undefined) return undefined
  const header = given.header ?? !first.some(isData)
  const width = Math.max(...best.records.map((record) => record.length))
  return { delimiter: best.delimiter, header, columns: header ? headings(first) : numbered(width) }
}

/** The rows of a delimited text. Cells beyond the headings become fields of their own (`column7`). */
export async function* readDelimited(chunks: AsyncIterable<string>, layout: Layout): RowBatches {
  const { columns, delimiter } = layout
  const records: string[][] = []
  const failure: { error?: Error } = {}
  const parser = parserOf(delimiter, records)
  parser.on('error', (error) => (failure.error = error))
  parser.resume()
  let row = layout.header ? -1 : 0
  let lastBreak = true
  let lastWidth = columns.length
  const take = (): SourceRow[] => {
    const rows: SourceRow[] = []
    for (const record of records.splice(0)) {
      if (record.length > readingLimits.columns) throw tooWide(record.length)
      row += 1
      if (row === 0) continue
      lastWidth = record.length
      rows.push(rowOf(record, row, columns, delimiter))
    }
    return rows
  }
  for await (const chunk of chunks) {
    await written(parser, chunk, failure)
    lastBreak = /[\r\n]$/u.test(chunk)
    yield take()
  }
  await ended(parser, failure)
  const rows = take()
  if (!lastBreak && lastWidth < columns.length && row > 1) {
    const found = `Row ${row} has ${lastWidth} of ${columns.length} columns.`
    throw new ImportRefused({ code: 'TRUNCATED', row }, found)
  }
  yield rows
}

function parserOf(delimiter: string, records: string[][]): Parser {
  return new Parser({
    delimiter,
    bom: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: readingLimits.record,
    // Records are taken here; pushing each through the stream is needless work.
    on_record: (record: string[]) => {
      records.push(record)
      return null
    },
  })
}

function written(parser: Parser, chunk: string, failure: { error?: Error }): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.write(chunk, (error) => {
      const cause = failure.error ?? error
      if (cause) reject(csvRefusal(cause))
      else resolve()
    })
  })
}

function ended(parser: Parser, failure: { error?: Error }): Promise<void> {
  return new Promise((resolve, reject) => {
    parser.once('error', (error) => reject(csvRefusal(error)))
    parser.once('end', resolve)
    if (failure.error) reject(csvRefusal(failure.error))
    else parser.end()
  })
}

function csvRefusal(cause: Error & { readonly code?: string; readonly lines?: number }): ImportRefused {
  const { code, lines: line } = cause
  if (code === 'CSV_MAX_RECORD_SIZE')
    return new ImportRefused({ code: 'TOO_LARGE', line }, `Line ${line} is longer than 4 MB.`)
  const isOpen = code === 'CSV_QUOTE_NOT_CLOSED'
  const found = isOpen ? 'A quote is opened and not closed.' : `Line ${line} cannot be read.`
  return new ImportRefused({ code: isOpen ? 'TRUNCATED' : 'MALFORMED', line }, found, { cause })
}

function tooWide(width: number): ImportRefused {
  return new ImportRefused({ code: 'TOO_LARGE', columns: width }, `One line has ${width} columns.`)
}

function rowOf(record: string[], row: number, columns: readonly string[], delimiter: string): SourceRow {
  const fields: Record<string, unknown> = {}
  for (let index = 0; index < record.length; index += 1) {
    const cell = record[index]
    if (cell !== undefined && cell !== '') fields[columns[index] ?? `column${index + 1}`] = cell
  }
  const tags = 'tags' in fields || 'other_tags' in fields
  return {
    row,
    fields: tags ? flatFields(fields) : fields,
    original: () => record.map((cell) => quoted(cell, delimiter)).join(delimiter),
  }
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** The first records, at most fifty, split at a delimiter outside quotes. */
function firstRecords(head: string, delimiter: string, complete: boolean): string[][] {
  const records: string[][] = []
  let record: string[] = []
  let cell = ''
  let inQuotes = false
  for (let at = 0; at < head.length && records.length < 50; at += 1) {
    const mark = head.charAt(at)
    if (inQuotes) {
      if (mark !== '"') cell += mark
      else if (head.charAt(at + 1) === '"') {
        cell += mark
        at += 1
      } else inQuotes = false
    } else if (mark === '"' && cell === '') inQuotes = true
    else if (mark === delimiter) {
      record.push(cell)
      cell = ''
      if (record.length > readingLimits.columns) throw tooWide(record.length)
    } else if (mark === '\n' || mark === '\r') {
      if (record.length > 0 || cell !== '') records.push([...record, cell])
      record = []
      cell = ''
    } else cell += mark
  }
  if (complete && records.length < 50 && (record.length > 0 || cell !== '')) records.push([...record, cell])
  return records
}

/** The share of records with the most frequent width above one, weighted by the width; 0 for text without columns. */
function evenness(records: readonly string[][]): number {
  const widths = Map.groupBy(records, ({ length }) => length)
  widths.delete(1)
  let best = 0
  for (const [width, { length }] of widths)
    best = Math.max(best, (length / records.length) * (1 + Math.log2(width) / 10))
  return best > 0.5 ? best : 0
}

function isData(cell: string): boolean {
  return /^(?:[-+]?\d+(?:[.,]\d+)?$|[{[]|(?:MULTI)?POINT\s*Z?\s*\(|-?\d+[.,]\d+\s*[,;]\s*-?\d)/iu.test(
    cell.trim(),
  )
}

function headings(first: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return first.map((cell, index) => {
    const name = cell.replace(/^\uFEFF/u, '').trim() || `column${index + 1}`
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
}

function numbered(width: number): string[] {
  return Array.from({ length: width }, (_, index) => `column${index + 1}`)
}
