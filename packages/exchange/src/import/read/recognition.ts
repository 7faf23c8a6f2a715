import { detectLayout, readDelimited, type Layout } from './delimited.ts'
import { decode, detectEncoding, namedEncoding, type Encoding } from './encoding.ts'
import type { FileInput } from './file-input.ts'
import { readGpx } from './gpx.ts'
import { JsonOutline } from './json-elements.ts'
import { readJson, readJsonLines } from './json-rows.ts'
import { readKml } from './kml.ts'
import { ImportRefused } from './refusal.ts'
import { readSeparately } from './separate-rows.ts'
import type { FileFacts, RowBatches } from './source-row.ts'

export type FormatName = 'json' | 'json-lines' | 'delimited' | 'gpx' | 'kml' | 'geopackage' | 'parquet'

/** What a file was recognised as, and how to read its rows from the beginning, as often as needed. */
export interface RecognisedFile {
  readonly format: FormatName
  /** For people: `Delimited text (";"), windows-1252`. */
  readonly title: string
  readonly encoding?: string
  readonly layout?: Layout
  readonly facts: FileFacts
  rows(): RowBatches
}

export interface ReadingHints {
  readonly encoding?: string
  readonly delimiter?: string
  readonly header?: boolean
}

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
  const signature = (await firstBytes(input, 16)).toString('latin1')
  if (signature === '') throw new ImportRefused({ code: 'EMPTY' })
  const facts: FileFacts = { notes: [] }
  const [, archive, name] = archives.find(([start]) => signature.startsWith(start)) ?? []
  if (archive !== undefined) throw new ImportRefused({ code: 'ARCHIVE', archive }, `This is ${name}.`)
  if (signature.startsWith('PAR1')) {
    const path = await input.seekable()
    const rows = () => readSeparately({ format: 'parquet', path }, facts, { signal })
    return { format: 'parquet', title: 'Parquet', facts, rows }
  }
  if (signature.startsWith('SQLite format 3\0')) {
    const path = await input.seekable()
    const rows = () => readSeparately({ format: 'geopackage', path }, facts, { signal })
    return { format: 'geopackage', title: 'GeoPackage', facts, rows }
  }
  const encoding =
    hints.encoding === undefined ? await detectEncoding(input.read()) : namedEncoding(hints.encoding)
  facts.notes.push(...encoding.notes)
  return recogniseText(input, encoding, facts, hints)
}

async function recogniseText(
  input: FileInput,
  encoding: Encoding,
  facts: FileFacts,
  hints: ReadingHints,
): Promise<RecognisedFile> {
  const text = () => decode(input.read(), encoding)
  const { head, complete } = await beginning(text())
  const start = head.trimStart()
  if (start === '') throw new ImportRefused({ code: 'EMPTY' }, 'The file holds only white space.')
  const base = { encoding: encoding.name, facts }
  const suffix = encoding.name === 'utf-8' ? '' : `, ${encoding.name}`
  if (start.startsWith('<')) {
    if (/<!ENTITY/iu.test(start)) throw new ImportRefused({ code: 'ENTITIES' })
    const root = rootElement(start)
    if (root === 'gpx') {
      return { ...base, format: 'gpx', title: `GPX${suffix}`, rows: () => readGpx(text(), facts) }
    }
    if (root === 'kml') {
      return { ...base, format: 'kml', title: `KML${suffix}`, rows: () => readKml(text(), facts) }
    }
    if (root === 'html') throw new ImportRefused({ code: 'HTML' })
    const shown = root.slice(0, 40)
    throw new ImportRefused(
      { code: 'UNKNOWN_FORMAT', root: shown },
      `XML with the root element <${shown}> is not read.`,
    )
  }
  const first = start.charAt(0)
  if (first === '{' || first === '[' || first === '\u001E') {
    if (isLines(start, complete)) {
      return {
        ...base,
        format: 'json-lines',
        title: `JSON lines${suffix}`,
        rows: () => readJsonLines(text()),
      }
    }
    return {
      ...base,
      format: 'json',
      title: `${jsonTitle(start)}${suffix}`,
      rows: () => readJson(text(), facts),
    }
  }
  const layout = detectLayout(start, complete, hints)
  if (layout === undefined) {
    if (!start.includes('\n') && !complete)
      throw new ImportRefused({ code: 'TOO_LARGE', line: 1 }, 'The first line has no end.')
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, 'The text has no columns.')
  }
  const mark = layout.delimiter === '\t' ? 'tab' : `"${layout.delimiter}"`
  const title = `Delimited text (${mark}${layout.header ? '' : ', without headings'})${suffix}`
  return { ...base, format: 'delimited', title, layout, rows: () => readDelimited(text(), layout) }
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

/** Whether the first line is a complete object and the next begins another, or the text has record separators. */
function isLines(start: string, complete: boolean): boolean {
  if (start.startsWith('\u001E')) return true
  if (!start.startsWith('{')) return false
  const end = start.indexOf('\n')
  if (end === -1) return complete && isFlatRecord(start)
  if (!isObject(start.slice(0, end))) return false
  const next = start.slice(end + 1).trimStart()
  return next === '' ? isFlatRecord(start) : next.startsWith('{')
}

function isObject(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function jsonTitle(start: string): string {
  const head = start.slice(0, 4000)
  if (/"type"\s*:\s*"Feature(?:Collection)?"/u.test(head)) return 'GeoJSON'
  return /"elements"\s*:\s*\[/u.test(head) ? 'Overpass JSON' : 'JSON records'
}

/** One object in all that has a place of its own: a single record. */
function isFlatRecord(text: string): boolean {
  try {
    const outline = new JsonOutline(new Set())
    outline.push(text)
    outline.end()
    return outline.take().some(({ key }) => key === 'latitude' || key === 'lat')
  } catch {
    return false
  }
}
