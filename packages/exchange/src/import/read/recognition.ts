import iconv from 'iconv-lite'
import { gunzipped, zipBytes, zipContent, zipEntries, type ZipContent } from './archive.ts'
import { bytesOf } from './bytes.ts'
import { detectLayout, readDelimited } from './delimited.ts'
import { readGml } from './gml.ts'
import { readGpx } from './gpx.ts'
import { jsonOf } from './json-elements.ts'
import { readJson, readJsonLines } from './json-rows.ts'
import { readKml } from './kml.ts'
import type { MapFile } from '../understand/columns.ts'
import { isRecord } from './nested-fields.ts'
import { readOsmXml } from './osm-xml.ts'
import { ImportRefused, quotable } from './refusal.ts'
import { readSeparately } from './separate-rows.ts'
import type { FileToRead } from './reading-child.ts'
import { titles, type FileFacts, type RowBatches } from './source-row.ts'
import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isAscii, isUtf8 } from 'node:buffer'
import type { ImportNote } from '../reasons.ts'

/** The recognised format of a file, and a reader of its rows from the beginning, as often as needed. */
export interface RecognisedFile {
  /** For people: `Delimited text (";"), windows-1252`. */
  readonly title: string
  readonly encoding?: string
  readonly facts: FileFacts
  rows(): RowBatches
}

/** Layout given by the caller or the map; the rest is recognised. */
type ReadingHints = Pick<MapFile, 'encoding' | 'delimiter' | 'header' | 'skip' | 'sheet' | 'columns'>

/** Characters at the beginning of a text from which its format is recognised. */
const headSize = 256 * 1024

const archives: readonly [signature: string, archive: string, name: string][] = [
  ['PK\u0005\u0006', 'zip', 'an empty zip archive'],
  ['7z\u00BC\u00AF', '7z', 'a 7z archive'],
  ['Rar!', 'rar', 'a RAR archive'],
  ['BZh', 'bzip2', 'a bzip2 archive'],
  ['\u00FD7zXZ', 'xz', 'an xz archive'],
  ['(\u00B5/\u00FD', 'zstd', 'a zstd archive'],
  ['\u001F\u008B', 'gzip', 'gzip within gzip'],
]

const binaries: readonly [signature: string, format: FileToRead['format']][] = [
  ['PAR1', 'parquet'],
  ['SQLite format 3\0', 'geopackage'],
]

/** The beginning of an extract of OpenStreetMap, behind a length in four bytes. */
const osmHeader = '\n\tOSMHeader'

const zip = 'PK\u0003\u0004'

/** Formats that others read, by the beginning of a file. */
const notRead: readonly [signature: string, found: string][] = [
  [
    '\u00D0\u00CF\u0011\u00E0',
    'This is an old Excel workbook (.xls), or one with a password: save it as .xlsx without one.',
  ],
  ['fgb\u0003', 'This is FlatGeobuf.'],
  [
    '\0\0\u0027\u000A',
    'This is one file of a shapefile: put it into a zip archive with those of the same name (.dbf, .prj, .cpg).',
  ],
]

type XmlReader = (text: () => AsyncIterable<string>, facts: FileFacts) => RowBatches
const gml: XmlReader = (text, facts) => readGml(text(), facts)

/** Formats of XML by the root element. */
const ofXml: Readonly<Record<string, readonly [title: string, read: XmlReader]>> = {
  gpx: ['GPX', (text, facts) => readGpx(text(), facts)],
  kml: ['KML', (text, facts) => readKml(text(), facts)],
  featurecollection: ['GML', gml],
  exceptionreport: ['GML', gml],
  serviceexceptionreport: ['GML', gml],
  osm: ['OpenStreetMap XML', readOsmXml],
}

/**
 * Recognises a file by its content, never by its name. All bytes are read once, so that a file that cannot be read to its
 * end is refused before anything is written.
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
  const [, other] = notRead.find(([start]) => signature.startsWith(start)) ?? []
  if (other !== undefined) throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, other)
  if (head.toString('latin1', 257, 262) === 'ustar')
    throw new ImportRefused({ code: 'ARCHIVE', archive: 'tar' }, 'This is a tar archive.')
  if (input.entry !== undefined) facts.notes.push({ code: 'ENTRY_READ', entry: quotable(input.entry) })
  const [, binary] = signature.startsWith(osmHeader, 4)
    ? [osmHeader, 'osm-pbf' as const]
    : (binaries.find(([start]) => signature.startsWith(start)) ?? [])
  const format = signature.startsWith(zip) ? formatOf(await contentOf(await input.seekable())) : binary
  if (hints.sheet !== undefined && format !== 'xlsx' && format !== 'ods')
    throw new ImportRefused(
      { code: 'SHEET_UNKNOWN', sheet: hints.sheet, sheets: [] },
      'The file is no workbook and has no sheets.',
    )
  if (format !== undefined) {
    const { sheet, skip, header, columns } = hints
    const file = { format, path: await input.seekable(), sheet, skip, header, columns }
    return { title: titles[format], facts, rows: () => readSeparately(file, facts, { signal }) }
  }
  const encoding =
    hints.encoding === undefined ? await detectEncoding(head, input.read()) : namedEncoding(hints.encoding)
  facts.notes.push(...encoding.notes)
  return recogniseText(() => decode(input.read(), encoding), encoding, facts, hints)
}

/** The data in a zip archive. @throws ImportRefused TRUNCATED, MALFORMED, ARCHIVE, UNKNOWN_FORMAT */
const contentOf = async (file: string): Promise<ZipContent> =>
  zipContent(await zipEntries(file, await sizeOf(file)))

function formatOf(content: ZipContent): FileToRead['format'] {
  if ('format' in content) return content.format
  throw new ImportRefused({ code: 'ARCHIVE', archive: 'zip' }, 'This is an archive in an archive.')
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
    if (title !== undefined && reader !== undefined) return read(title, () => reader(text, facts))
    if (root === 'html') throw new ImportRefused({ code: 'HTML' })
    const found = `XML with the root element <${root.slice(0, 40)}> is not read.`
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT', root: root.slice(0, 40) }, found)
  }
  if ('{[\u001E'.includes(start.charAt(0)))
    return isLines(start, complete)
      ? read('JSON lines', () => readJsonLines(text()))
      : read(jsonTitle(start), () => readJson(text(), facts))
  // The lines to skip are those of the file, blank ones too.
  const beginsWith = hints.skip === undefined ? start : head
  const layout = detectLayout(beginsWith, complete, hints)
  if (layout === undefined) {
    if (!start.includes('\n') && !complete)
      throw new ImportRefused({ code: 'TOO_LARGE', line: 1 }, 'The first line has no end.')
    throw new ImportRefused({ code: 'UNKNOWN_FORMAT' }, 'The text has no columns.')
  }
  const mark = layout.delimiter === '\t' ? 'tab' : `"${layout.delimiter}"`
  const headings = layout.header ? '' : ', without headings'
  const { characters, lines } = layout.skipped
  if (lines > 0) facts.notes.push({ code: 'LINES_SKIPPED', lines })
  const skipped = { lines, characters: characters === 0 ? 0 : characters + head.length - beginsWith.length }
  return read(`Delimited text (${mark}${headings})`, () => readDelimited(text(), { ...layout, skipped }))
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
  if (/"(?:geometryType|spatialReference|objectIdFieldName)"\s*:/u.test(head)) return 'ArcGIS JSON'
  return /"elements"\s*:\s*\[/u.test(head) ? 'Overpass JSON' : 'JSON records'
}

/** An open file to import: it can be read several times, and is unpacked meanwhile when it is gzip or a zip archive of one. */
export type FileInput = Awaited<ReturnType<typeof openInput>>

/**
 * Opens a file, or standard input with `-` (which is copied to a temporary file, because it is read twice).
 *
 * @throws ImportRefused NOT_FOUND, EMPTY
 */
export async function openInput(path: string, stdin: Readable = process.stdin) {
  const temporary: string[] = []
  const dispose = async () => {
    for (const file of temporary) await rm(file, { force: true })
  }
  try {
    const [file, name] = path === '-' ? [await spool(stdin, temporary), 'stdin'] : [path, basename(path)]
    const bytes = await sizeOf(file)
    if (bytes === 0) throw new ImportRefused({ code: 'EMPTY' })
    const isGzip = await startsWith(file, '\u001F\u008B')
    const content = (await startsWith(file, zip)) ? await contentOf(file) : undefined
    const entry = content !== undefined && 'entry' in content ? content.entry : undefined
    const read = (): AsyncIterable<Buffer> =>
      isGzip ? gunzipped(file, bytes) : entry === undefined ? bytesOf(file) : zipBytes(file, entry)
    let unpacked: Promise<string> | undefined
    return {
      name,
      entry: entry?.name,
      /** Of the file as it is on disk. */
      bytes,
      /** The unpacked bytes from the beginning. */
      read,
      /** The file's path, unpacked into a temporary file first where it is packed; for formats that need seeking. */
      seekable: async (): Promise<string> =>
        isGzip || entry !== undefined ? (unpacked ??= spool(Readable.from(read()), temporary)) : file,
      /** Of the file as it is on disk, as 64 hexadecimal digits. */
      async sha256() {
        const hash = createHash('sha256')
        for await (const chunk of bytesOf(file)) hash.update(chunk as Buffer)
        return hash.digest('hex')
      },
      dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function spool(from: Readable, temporary: string[]): Promise<string> {
  const file = join(tmpdir(), `openfountain-${randomBytes(12).toString('hex')}`)
  temporary.push(file)
  await pipeline(from, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  return file
}

const notFound =
  (file: string) =>
  (cause: unknown): never => {
    throw new ImportRefused({ code: 'NOT_FOUND', file: basename(file) }, '', { cause })
  }

async function sizeOf(file: string): Promise<number> {
  const facts = await stat(file).catch(notFound(file))
  if (facts.isDirectory())
    throw new ImportRefused({ code: 'NOT_FOUND', file: basename(file), folder: true }, 'This is a folder.')
  return facts.size
}

async function startsWith(file: string, signature: string): Promise<boolean> {
  const handle = await open(file, 'r').catch(notFound(file))
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(signature.length), 0, signature.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === signature
  } finally {
    await handle.close()
  }
}

export interface Encoding {
  /** A name that iconv-lite knows. */
  readonly name: string
  /** Whether single characters of the UTF-8 text are in Windows-1252. */
  readonly mixed?: boolean
  readonly notes: readonly ImportNote[]
}

const fallback = 'windows-1252'

/**
 * Finds a text's encoding from all of its bytes: a byte-order mark decides; then the zero bytes of UTF-16;
 * then UTF-8 when the bytes are valid; else Windows-1252, of which Latin-1's letters are a part.
 * A UTF-8 text with a few broken characters stays UTF-8, and says so.
 *
 * @param head its first bytes
 * @throws ImportRefused BINARY when the bytes are not text
 */
async function detectEncoding(head: Buffer, chunks: AsyncIterable<Buffer>): Promise<Encoding> {
  const marked = byteOrderMark(head) ?? zeroPattern(head)
  if (marked !== undefined) return { name: marked, notes: [] }
  let [wellFormed, broken] = [0, 0]
  for await (const bytes of wholeCharacters(chunks)) {
    if (bytes.includes(0)) throw new ImportRefused({ code: 'BINARY' }, 'The file holds binary data.')
    // Only the proportion matters: one count a chunk is enough where nothing is broken.
    if (isUtf8(bytes)) wellFormed += isAscii(bytes) ? 0 : 1
    else
      for (const [found] of bytes.toString('latin1').matchAll(foreign)) {
        if (found.length > 1) wellFormed += 1
        else broken += 1
      }
  }
  if (broken === 0) return { name: 'utf-8', notes: [] }
  if (wellFormed <= broken * 9) return { name: fallback, notes: [{ code: 'NOT_UTF8', encoding: fallback }] }
  const note = { code: 'MIXED_ENCODING', characters: broken, encoding: fallback } as const
  return { name: 'utf-8', mixed: true, notes: [note] }
}

/** The encoding of a name that the caller gives. @throws ImportRefused ENCODING_UNKNOWN */
function namedEncoding(name: string): Encoding {
  const found = `The encoding "${name.slice(0, 100)}" is not known.`
  if (iconv.encodingExists(name)) return { name, notes: [] }
  throw new ImportRefused({ code: 'ENCODING_UNKNOWN', encoding: name }, found)
}

/** The text of bytes in an encoding, without a byte-order mark. */
export async function* decode(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  if (encoding.mixed === true) return yield* decodeMixed(chunks)
  const decoder = iconv.getDecoder(encoding.name, { stripBOM: true })
  for await (const chunk of chunks) {
    const text = decoder.write(chunk)
    if (text !== '') yield text
  }
  const rest = decoder.end()
  if (rest !== undefined && rest !== '') yield rest
}

async function* decodeMixed(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const bytes of wholeCharacters(chunks)) {
    yield isUtf8(bytes)
      ? bytes.toString('utf8')
      : bytes.toString('latin1').replaceAll(foreign, (found) => {
          const character = Buffer.from(found, 'latin1')
          return found.length > 1 ? character.toString('utf8') : iconv.decode(character, fallback)
        })
  }
}

/** Non-ASCII parts of bytes read as Latin-1: well-formed characters of UTF-8 (Unicode, table 3-7), or single bytes. */
const foreign =
  /[\xC2-\xDF][\x80-\xBF]|(?:\xE0[\xA0-\xBF]|[\xE1-\xEC\xEE\xEF][\x80-\xBF]|\xED[\x80-\x9F])[\x80-\xBF]|(?:\xF0[\x90-\xBF]|[\xF1-\xF3][\x80-\xBF]|\xF4[\x80-\x8F])[\x80-\xBF]{2}|[\x80-\xFF]/gu

/** The same bytes in chunks that end where a character of UTF-8 does. */
async function* wholeCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let carry: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([carry, chunk])
    // The last three bytes may be the beginning of one.
    const begun = bytes.subarray(-3).findLastIndex((byte) => byte >= 0xc0)
    const end = begun === -1 ? bytes.length : Math.max(0, bytes.length - 3) + begun
    carry = bytes.subarray(end)
    yield bytes.subarray(0, end)
  }
  yield carry
}

function byteOrderMark(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Latin text in UTF-16 has a zero in nearly every other byte, and nearly none in between. */
function zeroPattern(sample: Buffer): string | undefined {
  if (sample.length < 4) return undefined
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.6 && odd < half * 0.05) return 'utf-16be'
  return undefined
}
