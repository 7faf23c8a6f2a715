import { examinedRecords, headingAt, headings, isData, nameCoordinates, numbered } from './headings.ts'
import type { FilePart, FileToRead } from './reading-child.ts'
import { ImportRefused, quotable } from './refusal.ts'
import { readingLimits, type SentRow } from './source-row.ts'
import { listed } from './archive.ts'

/** Rows of a sheet with the empty ones: no program writes more (Excel's specifications and limits). */
const mostRecords = 1_048_576

/** Counts the rows of a sheet, empty ones too. @throws ImportRefused TOO_MANY_ROWS */
export function recordCounter(): () => void {
  const refused = { code: 'TOO_MANY_ROWS', most: mostRows } as const
  let count = 0
  return () => {
    count += 1
    if (count > mostRecords)
      throw new ImportRefused(refused, 'A sheet has more rows than any program writes.')
  }
}

/** The cells of a row by their column, from 0; empty ones are undefined. */
export type Cells = (string | number | boolean | undefined)[]

/** A sheet of a workbook, read anew each time. */
export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  records(): AsyncIterable<Cells[]>
}

/** Rows of a workbook or a shapefile: they are held together with what belongs to them. */
export const mostRows = 200_000

/** @throws ImportRefused TOO_MANY_ROWS */
export function checkRows(rows: number): void {
  if (rows > mostRows) throw new ImportRefused({ code: 'TOO_MANY_ROWS', most: mostRows })
}

/**
 * The rows of a workbook: of the sheet that is named, else of the one whose headings name coordinates, else of the one
 * with most cells. Hidden sheets are read when they are named.
 *
 * @throws ImportRefused SHEET_UNKNOWN, TOO_MANY_ROWS, TOO_LARGE
 */
export async function* sheetParts(
  sheets: readonly Sheet[],
  { sheet: asked, ...given }: Pick<FileToRead, 'sheet' | 'skip' | 'header' | 'columns'>,
): AsyncGenerator<FilePart, void> {
  const named = sheets.filter(({ name }) => name === asked)
  const names = sheets.map(({ name }) => quotable(name))
  if (asked !== undefined && named.length === 0)
    throw new ImportRefused(
      { code: 'SHEET_UNKNOWN', sheet: asked, sheets: names },
      `There is no sheet "${quotable(asked)}" among ${listed(names)}.`,
    )
  let best: { readonly sheet: Sheet; readonly layout: ReturnType<typeof layoutOf> } | undefined
  for (const sheet of asked === undefined ? sheets.filter(({ isHidden }) => !isHidden) : named) {
    const layout = layoutOf(await firstRecords(sheet), given)
    if (best === undefined || layout.score > best.layout.score) best = { sheet, layout }
  }
  if (best === undefined) return
  const { sheet, layout } = best
  const others = names.filter((name) => name !== quotable(sheet.name))
  if (others.length > 0) yield { note: { code: 'SHEET_READ', sheet: quotable(sheet.name), others } }
  if (layout.skipped > 0 && given.skip === undefined)
    yield { note: { code: 'LINES_SKIPPED', lines: layout.skipped } }
  let [row, left] = [0, layout.skipped + (layout.header ? 1 : 0)]
  for await (const records of sheet.records()) {
    const rows: SentRow[] = []
    for (const cells of records) {
      if (!cells.some((cell) => cell !== undefined)) continue
      if (left-- > 0) continue
      row += 1
      checkRows(row)
      rows.push({ row, fields: fieldsOf(cells, layout.columns) })
    }
    yield { rows }
  }
}

async function firstRecords(sheet: Sheet): Promise<Cells[]> {
  const found: Cells[] = []
  for await (const records of sheet.records()) {
    found.push(...records.filter((cells) => cells.some((cell) => cell !== undefined)))
    if (found.length >= examinedRecords) break
  }
  return found.slice(0, examinedRecords)
}

function layoutOf(records: readonly Cells[], given: Pick<FileToRead, 'skip' | 'header' | 'columns'>) {
  const skipped = given.skip ?? (given.header === false ? 0 : headingAt(records))
  const rest = records.slice(skipped)
  const first = rest[0] ?? []
  const header = given.header ?? !first.some(isData)
  const width = Math.max(0, ...rest.map(({ length }) => length))
  const columns = header ? headings(first) : numbered(width, given.columns)
  const cells = rest.reduce((all, record) => all + record.filter((cell) => cell !== undefined).length, 0)
  return { skipped, header, columns, score: (header && nameCoordinates(columns) ? 1_000_000 : 0) + cells }
}

function fieldsOf(cells: Cells, columns: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [index, cell] of cells.entries())
    if (cell !== undefined) fields[columns[index] ?? `column${index + 1}`] = cell
  return fields
}

/** @throws ImportRefused TOO_LARGE for a column that no table of fountains has */
export function checkColumn(column: number): void {
  if (column > readingLimits.columns) throw new ImportRefused({ code: 'TOO_LARGE', columns: column })
}
