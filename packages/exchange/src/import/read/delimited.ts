import { Parser } from 'csv-parse'
import type { MapFile } from '../understand/columns.ts'
import { examinedRecords, headingAt, headings, isData, numbered } from './headings.ts'
import { flatFields } from './nested-fields.ts'
import { ImportRefused } from './refusal.ts'
import { readingLimits, type RowBatches, type SourceRow } from './source-row.ts'

export interface Layout {
  readonly delimiter: string
  readonly columns: readonly string[]
  readonly header: boolean
  /** Characters before the headings, and the lines among them that are titles or comments. */
  readonly skipped: { readonly characters: number; readonly lines: number }
}

const delimiters = [',', ';', '\t', '|'] as const

/** The first line with which a text names its delimiter to Excel. */
const separatorLine = /^"?sep=(.)"?[^\S\n]*\n/iu

/**
 * Finds the delimiter and the headings from the beginning of a text: the delimiter that splits most records into the same
 * number of columns, counted outside quotes; a heading line is a first record without any number, coordinate or JSON in
 * it. Titles and comments above it are not read. Undefined for a text without columns.
 *
 * @param complete whether `head` is the whole text
 */
export function detectLayout(
  head: string,
  complete: boolean,
  given: Pick<MapFile, 'delimiter' | 'header' | 'skip' | 'columns'> = {},
): Layout | undefined {
  const [separator = '', named] = separatorLine.exec(head) ?? []
  const from = given.skip === undefined ? separator.length : endOfLines(head, given.skip)
  const text = head.slice(from)
  const delimiter = given.delimiter ?? named
  let best: { delimiter: string; records: FirstRecord[]; score: number } | undefined
  for (const each of delimiter === undefined ? delimiters : [delimiter]) {
    const records = firstRecords(text, each, complete)
    const score = evenness(records)
    if (score > (best?.score ?? 0)) best = { delimiter: each, records, score }
  }
  if (best === undefined) return undefined
  const isAsGiven = given.skip !== undefined || given.header === false
  const at = isAsGiven ? 0 : headingAt(best.records.map(({ cells }) => cells))
  const first = best.records[at]
  if (first === undefined) return undefined
  const header = given.header ?? !first.cells.some(isData)
  const width = Math.max(...best.records.map(({ cells }) => cells.length))
  const start = at === 0 ? 0 : first.start
  return {
    delimiter: best.delimiter,
    header,
    columns: header ? headings(first.cells) : numbered(width, given.columns),
    skipped: { characters: from + start, lines: text.slice(0, start).split('\n').length - 1 },
  }
}

function endOfLines(text: string, lines: number): number {
  let at = 0
  for (let line = 0; line < lines && at < text.length; line += 1)
    at = text.indexOf('\n', at) + 1 || text.length
  return at
}

async function* from(chunks: AsyncIterable<string>, characters: number): AsyncGenerator<string> {
  let left = characters
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.slice(left)
    left = Math.max(0, left - chunk.length)
  }
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
  for await (const chunk of from(chunks, layout.skipped.characters)) {
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

const tooWide = (columns: number): ImportRefused =>
  new ImportRefused({ code: 'TOO_LARGE', columns }, `One line has ${columns} columns.`)

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

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** A record, and where it begins in the text. */
type FirstRecord = { readonly cells: readonly string[]; readonly start: number }

/** The first records, at most fifty, split at a delimiter outside quotes. */
function firstRecords(head: string, delimiter: string, complete: boolean): FirstRecord[] {
  const records: FirstRecord[] = []
  let cells: string[] = []
  let cell = ''
  let [inQuotes, start] = [false, 0]
  const end = (next: number): void => {
    if (cells.length > 0 || cell !== '') records.push({ cells: [...cells, cell], start })
    ;[cells, cell, start] = [[], '', next]
  }
  for (let at = 0; at < head.length && records.length < examinedRecords; at += 1) {
    const mark = head.charAt(at)
    if (inQuotes) {
      if (mark !== '"') cell += mark
      else if (head.charAt(at + 1) === '"') {
        cell += mark
        at += 1
      } else inQuotes = false
    } else if (mark === '"' && cell === '') inQuotes = true
    else if (mark === delimiter) {
      cells.push(cell)
      cell = ''
      if (cells.length > readingLimits.columns) throw tooWide(cells.length)
    } else if (mark === '\n' || mark === '\r') end(at + 1)
    else cell += mark
  }
  if (complete && records.length < examinedRecords) end(head.length)
  return records
}

/**
 * The share of records with the most frequent width above one, weighted by the width; 0 for text without columns. Lines
 * above the first record with several columns are titles.
 */
function evenness(records: readonly FirstRecord[]): number {
  const above = records.findIndex(({ cells }) => cells.length > 1)
  const rest = records.slice(above >= 0 && records.length - above > 1 ? above : 0)
  const widths = Map.groupBy(rest, ({ cells }) => cells.length)
  widths.delete(1)
  let best = 0
  for (const [width, { length }] of widths)
    best = Math.max(best, (length / rest.length) * (1 + Math.log2(width) / 10))
  return best > 0.5 ? best : 0
}
