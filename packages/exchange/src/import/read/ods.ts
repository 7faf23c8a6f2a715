import { fstatSync } from 'node:fs'
import { workbookUnpacking, zipBytes, zipEntries } from './archive.ts'
import type { FilePart, FileToRead } from './reading-child.ts'
import { examinedRecords } from './headings.ts'
import { ImportRefused } from './refusal.ts'
import { checkColumn, checkRows, recordCounter, sheetParts, type Cells, type Sheet } from './sheets.ts'
import { decoded } from './xlsx.ts'
import { readXml } from './xml-rows.ts'

/** The rows of an OpenDocument spreadsheet (OASIS ODF 1.3). @throws ImportRefused */
export async function* odsParts(descriptor: number, file: FileToRead): AsyncGenerator<FilePart, void> {
  const entries = await zipEntries(descriptor, fstatSync(descriptor).size)
  const content = entries.find(({ name }) => name === 'content.xml')
  if (content === undefined) throw new ImportRefused({ code: 'MALFORMED' })
  const text = () => decoded(zipBytes(descriptor, content, workbookUnpacking))
  const sheets: Sheet[] = []
  const count = recordCounter()
  const hidden = new Set<string>()
  let style = ''
  const names = readXml(text(), [], {
    open(name, attributes) {
      if (name === 'table-row') count()
      if (name === 'style') style = attributes['style:name'] ?? ''
      if (name === 'table-properties' && attributes['table:display'] === 'false') hidden.add(style)
      if (name !== 'table') return
      const at = sheets.length
      const isHidden = hidden.has(attributes['table:style-name'] ?? '')
      sheets.push({ name: attributes['table:name'] ?? '', isHidden, records: () => cellRows(text(), at) })
    },
    close() {},
  })
  for await (const _ of names);
  yield* sheetParts(sheets, file)
}

/** Cells that a row or cell without values may stand for: programs fill sheets to their end with them. */
const repeated = (text = '1'): number => Math.max(1, Number(text) || 1)

async function* cellRows(chunks: AsyncIterable<string>, sheet: number): AsyncGenerator<Cells[]> {
  const rows: Cells[] = []
  let [table, times, columns, column, all] = [-1, 1, 1, 0, 0]
  let cells: Cells = []
  let value: Cells[number]
  let lines: string[] = []
  let [isText, isNote] = [false, false]
  yield* readXml(chunks, rows, {
    open(name, attributes) {
      if (name === 'table') table += 1
      if (table !== sheet) return
      if (name === 'table-row') {
        times = repeated(attributes['table:number-rows-repeated'])
        ;[cells, column] = [[], 0]
      } else if (name === 'table-cell' || name === 'covered-table-cell') {
        columns = repeated(attributes['table:number-columns-repeated'])
        value = valueOf(attributes)
        lines = []
      } else if (name === 'annotation') isNote = true
      else if (name === 'p' && !isNote) {
        isText = true
        lines.push('')
      } else if (isText && name === 's') add(' '.repeat(Math.min(100, repeated(attributes['text:c']))))
      else if (isText && (name === 'tab' || name === 'line-break')) add(' ')
    },
    text(given) {
      if (isText && !isNote) add(given)
    },
    close(name) {
      if (name === 'annotation') isNote = false
      if (name === 'p' && !isNote) isText = false
      if (table !== sheet) return
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const shown = lines.join('\n')
        const found = value ?? (shown === '' ? undefined : shown)
        if (found !== undefined) {
          checkColumn(column + columns)
          for (let at = column; at < column + columns; at += 1) cells[at] = found
        }
        column += columns
      }
      if (name !== 'table-row' || cells.length === 0) return
      all += times
      // Titles and headings come on top of the rows, which are counted without them.
      checkRows(all - examinedRecords)
      for (let at = 0; at < times; at += 1) rows.push(Array.from(cells))
    },
  })
  function add(text: string): void {
    lines[lines.length - 1] += text
  }
}

function valueOf(attributes: Readonly<Record<string, string>>): Cells[number] {
  const of = (name: string) => attributes[`office:${name}`]
  switch (of('value-type')) {
    case 'float':
    case 'percentage':
    case 'currency':
      return Number(of('value'))
    case 'date':
      return of('date-value')
    case 'boolean':
      return of('boolean-value') === 'true'
    case 'string':
      return of('string-value')
    default:
      return undefined
  }
}
