import { fstatSync } from 'node:fs'
import { posix } from 'node:path'
import { workbookUnpacking, zipBytes, zipEntries, type ZipEntry } from './archive.ts'
import type { FilePart, FileToRead } from './reading-child.ts'
import { ImportRefused } from './refusal.ts'
import { checkColumn, recordCounter, sheetParts, type Cells, type Sheet } from './sheets.ts'
import { readXml, type XmlListener } from './xml-rows.ts'

/**
 * The rows of an Excel workbook (ECMA-376, SpreadsheetML): formulas by their last value, dates as `YYYY-MM-DD`, cells with
 * errors empty. @throws ImportRefused
 */
export async function* xlsxParts(descriptor: number, file: FileToRead): AsyncGenerator<FilePart, void> {
  const entries = new Map(
    (await zipEntries(descriptor, fstatSync(descriptor).size)).map((each) => [each.name, each]),
  )
  const part = (name: string, listener: XmlListener) =>
    drained(xmlOf(descriptor, entries.get(name), [], listener))
  const targets = new Map<string, string>()
  await part('xl/_rels/workbook.xml.rels', {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship')
        targets.set(Id, posix.join(Target.startsWith('/') ? '' : 'xl', Target).replace(/^\//u, ''))
    },
    close() {},
  })
  const found: { readonly name: string; readonly isHidden: boolean; readonly target: string }[] = []
  let is1904 = false
  await part('xl/workbook.xml', {
    open(element, { name = '', state = 'visible', date1904, ...others }) {
      if (element === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
      const id = Object.entries(others).find(([key]) => key.endsWith(':id'))?.[1] ?? ''
      if (element === 'sheet')
        found.push({ name, isHidden: state !== 'visible', target: targets.get(id) ?? '' })
    },
    close() {},
  })
  const texts = await strings(descriptor, entries.get('xl/sharedStrings.xml'))
  const dates = await dateStyles((listener) => part('xl/styles.xml', listener))
  const sheets = found.map(({ target, ...sheet }): Sheet => {
    const records = () => cellRows(descriptor, entries.get(target), { texts, dates, is1904 })
    return { ...sheet, records }
  })
  yield* sheetParts(
    sheets.filter((_, at) => entries.has(found[at]?.target ?? '')),
    file,
  )
}

/** The rows that a listener finds in a file of the archive; none where it is missing. */
async function* xmlOf<Row>(
  descriptor: number,
  entry: ZipEntry | undefined,
  rows: Row[],
  listener: XmlListener,
): AsyncGenerator<Row[]> {
  if (entry !== undefined)
    yield* readXml(decoded(zipBytes(descriptor, entry, workbookUnpacking)), rows, listener)
}

/** Text in UTF-8, which XML of these formats is in. */
export async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
}

async function drained(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}

async function strings(descriptor: number, entry: ZipEntry | undefined): Promise<string[]> {
  let [text, isRead, isPhonetic] = ['', false, false]
  const found: string[] = []
  const batches = xmlOf(descriptor, entry, found, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isRead = name === 't' && !isPhonetic
    },
    text(given) {
      if (isRead) text += given
    },
    close(name) {
      isRead = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'si') found.push(text)
    },
  })
  const texts: string[] = []
  for await (const batch of batches) texts.push(...batch)
  return texts
}

/** Formats of dates and times without a code of their own (ECMA-376, 18.8.30). */
const isDateId = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** Whether a format's code shows a day or a time, outside quotes, brackets and escapes. */
const isDateCode = (code: string): boolean =>
  /[dmyhs]/iu.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|[\\_*]./gu, '').replace(/general/iu, ''))

/** For each style of cells whether it shows dates. */
async function dateStyles(read: (listener: XmlListener) => Promise<void>): Promise<boolean[]> {
  const codes = new Map<number, string>()
  const styles: boolean[] = []
  let isCells = false
  await read({
    open(name, { numFmtId, formatCode = '' }) {
      if (name === 'cellXfs') isCells = true
      const id = Number(numFmtId)
      if (name === 'numFmt') codes.set(id, formatCode)
      const code = codes.get(id)
      if (name === 'xf' && isCells) styles.push(code === undefined ? isDateId(id) : isDateCode(code))
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}

interface Workbook {
  readonly texts: readonly string[]
  readonly dates: readonly boolean[]
  readonly is1904: boolean
}

async function* cellRows(
  descriptor: number,
  entry: ZipEntry | undefined,
  book: Workbook,
): AsyncGenerator<Cells[]> {
  const rows: Cells[] = []
  const count = recordCounter()
  let cells: Cells = []
  let [at, text, type, style, isRead, isPhonetic] = [-1, '', '', 0, false, false]
  yield* xmlOf(descriptor, entry, rows, {
    open(name, { r = '', t = 'n', s = '0' }) {
      if (name === 'row') {
        count()
        ;[cells, at] = [[], -1]
      }
      if (name === 'rPh') isPhonetic = true
      if (name === 'c') {
        at = columnOf(r) ?? at + 1
        checkColumn(at + 1)
        ;[text, type, style] = ['', t, Number(s)]
      }
      isRead = name === 'v' || (name === 't' && !isPhonetic)
    },
    text(given) {
      if (isRead) text += given
    },
    close(name) {
      isRead = false
      if (name === 'rPh') isPhonetic = false
      if (name === 'c' && text !== '') cells[at] = valueOf(text, type, style, book)
      if (name === 'row') rows.push(Array.from(cells))
    },
  })
}

/** The column of a cell such as `AB12`, from 0. */
function columnOf(cell: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/u.exec(cell)?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function valueOf(
  text: string,
  type: string,
  style: number,
  { texts, dates, is1904 }: Workbook,
): Cells[number] {
  if (type === 's') {
    const found = texts[Number(text)]
    if (found === undefined)
      throw new ImportRefused({ code: 'MALFORMED' }, 'A cell refers to a text that is missing.')
    return found === '' ? undefined : found
  }
  if (type === 'b') return text === '1'
  if (type === 'e') return undefined
  if (type !== 'n') return text
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  return dates[style] === true ? dateOf(number, is1904) : number
}

const day = 86_400_000

/** A day, or a day with a time, or a time, of a serial number; the number where it is no date. */
function dateOf(serial: number, is1904: boolean): string | number {
  if (serial < 0 || serial >= 2_958_466) return serial
  // Excel counts 29 February 1900, which was none.
  const days = is1904 ? serial : serial < 60 ? serial + 1 : serial
  const time = (is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)) + Math.round(days * 86_400) * 1000
  const text = new Date(time).toISOString()
  if (serial < 1 && !is1904) return text.slice(11, 19)
  return time % day === 0 ? text.slice(0, 10) : text.slice(0, 19)
}
