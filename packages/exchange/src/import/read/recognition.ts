import { detectLayout, readDelimited } from './delimited.ts'
import { decode, detectEncoding, namedEncoding, type Encoding, type FileInput } from './file-input.ts'
import { readGpx } from './gpx.ts'
import { jsonOf } from './json-elements.ts'
import { readJson, readJsonLines } from './json-rows.ts'
import { readKml } from './kml.ts'
import type { MapFile } from '../understand/columns.ts'
import { isRecord } from './nested-fields.ts'
import { ImportRefused } from './refusal.ts'
import { readSeparately } from './separate-rows.ts'
import type { FileFacts, RowBatches } from './source-row.ts'

/** The recognised format of a file, and a reader of its rows from the beginning, as often as needed. */
export interface RecognisedFile {
  /** For people: `Delimited text (";"), windows-1252`. */
  readonly title: string
  readonly encoding?: string
  readonly facts: FileFacts
  rows(): RowBatches
}

/** What of the text's layout is given, and not recognised. */
export type ReadingHints = Pick<MapFile, 'encoding' | 'delimiter' | 'header'>

/** Characters at the beginning of a text from which its format is recognised. */
const headSize = 256 * 1024

const archives: readonly [signature: string, archive: string, name: string][] = [
  ['PK\u0003\u0004', 'zip', 'a zip archive (also Excel, KMZ or a zipped shapefile)'],
  ['7z\u00BC\u00AF', '7z', 'a 7z archive'],
  ['Rar!', 'rar', 'a RAR archive'],
  ['BZh', 'bzip2', 'a bzip2 archive'],
  ['\u00FD7zXZ', 'xz', 'an xz archive'],
  ['(\u00B5/\u00FD', 'zstd', 'a zstd archive'],
  ['\u001F\u008B', 'gzip', 'gzip within gzip'],
]

/** Binary formats by the beginning of a file. */
const binaries = [
  ['PAR1', 'parquet', 'Parquet'],
  ['SQLite format 3\0', 'geopackage', 'GeoPackage'],
] as const

/** Formats of XML by the root element. */
const ofXml: Readonly<Record<string, readonly [title: string, read: typeof readGpx]>> = {
  gpx: ['GPX', readGpx],
  kml: ['KML', readKml],
}

/**
 * Recognises a file by its content, never by its name. All bytes are read once (encoding, binary data, broken
 * gzip), so that a file that cannot be read to its end is refused before anything is written.
 *
 * @throws ImportRefused EMPTY, BINARY, ARCHIVE, HTML, UNKNOWN_FORMAT, TRUNCATED, MALFORMED, BOMB
 */
export async function recognise(
  input: FileInput,
  hints: ReadingHints = {},
  signal?: AbortSignal,
): Promise<RecognisedFile> {
  const head = await firstBytes(input, 4096)
  if (head.length === 0) throw new ImportRefused({ code: 'EMPTY' })
  const signature = head.toString('latin1', 0, 16)
  const facts: FileFacts = { notes: [] }
  const [, archive, name] = archives.find(([start]) => signature.startsWith(start)) ?? []
  if (archive !== undefined) throw new ImportRefused({ code: 'ARCHIVE', archive }, `This is ${name}.`)
  const [, format, title = ''] = binaries.find(([start]) => signature.startsWith(start)) ?? []
  if (format !== undefined) {
    const path = await input.seekable()
    return { title, facts, rows: () => readSeparately({ format, path }, facts, { signal }) }
  }
  const encoding =
    hints.encoding === undefined ? await detectEncoding(head, input.read()) : namedEncoding(hints.encoding)
  facts.notes.push(...encoding.notes)
  return recogniseText(() => decode(input.read(), encoding), encoding, facts, hints)
}

async function recogniseText(
  text: () => AsyncGenerator<string>,
  { name: encoding }: Encoding,
  facts: FileFacts,
  hints: ReadingHints,
): Promise<RecognisedFile> {
  const { head, complete } = await beginning(text())
  const start = head.trimStart()
  if (start === '') throw new ImportRefused({ code: 'EMPTY' }, 'The file holds only white space.')
  const read = (title: string, rows: () => RowBatches): RecognisedFile => ({
    title: encoding === 'utf-8' ? title : `${title}, ${encoding}`,
    encoding,
    facts,
    rows,
  })
  if (start.startsWith('<')) {
    if (/<!ENTITY/iu.test(start)) throw new ImportRefused({ code: 'ENTITIES' })
    const root = rootElement(start)
    const [title, reader] = Object.hasOwn(ofXml, root) ? (ofXml[root] ?? []) : []
    if (title !== undefined && reader !== undefined) return read(title, () => reader(text(), facts))
    if (root === 'html') throw new ImportRefused({ code: 'HTML' })
    const shown = root.slice(0, 40)
    throw new ImportRefused(
      { code: 'UNKNOWN_FORMAT', root: shown },
      `XML with the root element <${shown}> is not read.`,
    )
  }
  if ('{[\u001E'.includes(start.charAt(0)))
    return isLines(start, complete)
      ? read('JSON lines', () => readJsonLines(text()))
      : read(jsonTitle(start), () => readJson(text(), facts))
  const layout = detectLayout(start, complete, hints)
  if (layout === undefined) {
    if (!start.includes('\n') && !complete)
      throw new ImportRefused({ code: 'TOO_LARGE', line: 1 }, 'The first line has no end.')
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, 'The text has no columns.')
  }
  const mark = layout.delimiter === '\t' ? 'tab' : `"${layout.delimiter}"`
  const headings = layout.header ? '' : ', without headings'
  return read(`Delimited text (${mark}${headings})`, () => readDelimited(text(), layout))
}

async function firstBytes(input: FileInput, count: number): Promise<Buffer> {
  for await (const chunk of input.read()) return chunk.subarray(0, count)
  return Buffer.alloc(0)
}

async function beginning(chunks: AsyncIterable<string>): Promise<{ head: string; complete: boolean }> {
  let head = ''
  for await (const chunk of chunks) {
    head += chunk
    if (head.length >= headSize) return { head, complete: false }
  }
  return { head, complete: true }
}

/** The local name of the root element, in lower case; comments, declarations and doctypes skipped. */
function rootElement(text: string): string {
  if (/^(?:<\?[^>]*\?>|<!--[\s\S]*?-->|\s)*<!doctype\s+html/iu.test(text)) return 'html'
  const cleaned = text.replaceAll(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/gu, '')
  const doctype = /<!doctype\s+([\w:.-]+)/iu.exec(cleaned)?.[1]
  const root = doctype ?? /<([A-Za-z_][\w:.-]*)/u.exec(cleaned)?.[1] ?? ''
  const name = root.slice(root.indexOf(':') + 1).toLowerCase()
  return ['head', 'body', 'div', 'script', 'p'].includes(name) ? 'html' : name
}

/**
 * Whether the first line is a complete object and the next begins another, or the text has record separators. One object
 * in all is a line when it has a place of its own.
 */
function isLines(start: string, complete: boolean): boolean {
  if (start.startsWith('\u001E')) return true
  const end = start.indexOf('\n')
  if (end === -1 && !complete) return false
  const first = jsonOf(end === -1 ? start : start.slice(0, end))
  if (!isRecord(first)) return false
  const next = end === -1 ? '' : start.slice(end).trimStart()
  return next === '' ? 'latitude' in first || 'lat' in first : next.startsWith('{')
}

function jsonTitle(start: string): string {
  const head = start.slice(0, 4000)
  if (/"type"\s*:\s*"Feature(?:Collection)?"/u.test(head)) return 'GeoJSON'
  return /"elements"\s*:\s*\[/u.test(head) ? 'Overpass JSON' : 'JSON records'
}
