import iconv from 'iconv-lite'
import { isUtf8 } from 'node:buffer'
import { fstatSync } from 'node:fs'
import { Bytes } from './bytes.ts'
import { listed, zipBytes, zipEntries, type ZipEntry } from './archive.ts'
import type { Geometry } from './geometry.ts'
import type { FilePart } from './reading-child.ts'
import { ImportRefused } from './refusal.ts'
import { checkRows } from './sheets.ts'
import type { SentRow } from './source-row.ts'

const rowsAtOnce = 1000

/**
 * The features of a shapefile in a zip archive (ESRI Shapefile Technical Description, July 1998): shapes and rows of the
 * dBase table in their order. @throws ImportRefused
 */
export async function* shapefileParts(descriptor: number): AsyncGenerator<FilePart, void> {
  const entries = await zipEntries(descriptor, fstatSync(descriptor).size)
  const shapes = entries.filter(({ name }) => /\.shp$/iu.test(name) && !name.startsWith('__MACOSX/'))
  const [shape] = shapes
  if (shape === undefined || shapes.length > 1)
    throw new ImportRefused(
      { code: 'ARCHIVE', archive: 'zip' },
      `The archive holds several shapefiles: ${listed(shapes.map(({ name }) => name))}.`,
    )
  const beside = (extension: string): ZipEntry | undefined => {
    const name = `${shape.name.slice(0, -3)}${extension}`.toLowerCase()
    return entries.find((entry) => entry.name.toLowerCase() === name)
  }
  const small = async (extension: string): Promise<string | undefined> => {
    const entry = beside(extension)
    const bytes = entry && new Bytes(zipBytes(descriptor, entry)).take(Math.min(entry.size, 10_000))
    return (await bytes)?.toString('utf8').trim()
  }
  const crs = await small('prj')
  if (crs !== undefined && crs !== '') yield { crs }
  const dbf = beside('dbf')
  const geometries = shapesOf(new Bytes(zipBytes(descriptor, shape)))
  const records = dbf && recordsOf(new Bytes(zipBytes(descriptor, dbf)), await small('cpg'))
  let rows: SentRow[] = []
  let row = 0
  for await (const geometry of geometries) {
    const next = await records?.next()
    if (next?.done === true) throw shorter('.dbf', '.shp')
    // Rows that were deleted stay in the table.
    if (next?.value === null) continue
    row += 1
    checkRows(row)
    rows.push({ row, fields: next?.value ?? {}, geometry })
    if (rows.length < rowsAtOnce) continue
    yield { rows }
    rows = []
  }
  if ((await records?.next())?.done === false) throw shorter('.shp', '.dbf')
  yield { rows }
}

const shorter = (one: string, other: string): ImportRefused =>
  new ImportRefused({ code: 'TRUNCATED' }, `The ${one} of the shapefile has fewer rows than its ${other}.`)

async function* shapesOf(bytes: Bytes): AsyncGenerator<Geometry | null> {
  const header = await bytes.take(100)
  if (header.readInt32BE(0) !== 9994) throw damaged('.shp')
  while (!(await bytes.isAtEnd())) {
    const length = (await bytes.take(8)).readInt32BE(4) * 2
    if (length < 4) throw damaged('.shp')
    const content = await bytes.take(length)
    try {
      yield shapeOf(content)
    } catch (error) {
      throw error instanceof RangeError ? damaged('.shp', error) : error
    }
  }
}

const damaged = (what: string, cause?: unknown): ImportRefused =>
  new ImportRefused({ code: 'MALFORMED' }, `The ${what} of the shapefile is damaged.`, { cause })

/** Types with Z (10…) and M (20…) begin like those without. */
function shapeOf(content: Buffer): Geometry | null {
  const type = content.readInt32LE(0)
  const point = (at: number): number[] => [content.readDoubleLE(at), content.readDoubleLE(at + 8)]
  const points = (at: number, count: number): number[][] => {
    if (count < 0 || at + count * 16 > content.length) throw damaged('.shp')
    return Array.from({ length: count }, (_, index) => point(at + index * 16))
  }
  if (type === 0) return null
  if (type % 10 === 1) return { type: 'Point', coordinates: point(4) }
  if (type % 10 === 8) return { type: 'MultiPoint', coordinates: points(40, content.readInt32LE(36)) }
  if (type % 10 !== 3 && type % 10 !== 5) return { type: `shape ${type}` }
  const [parts, count] = [content.readInt32LE(36), content.readInt32LE(40)]
  if (parts < 0 || 44 + parts * 4 > content.length) throw damaged('.shp')
  const starts = Array.from({ length: parts }, (_, index) => content.readInt32LE(44 + index * 4))
  const all = points(44 + parts * 4, count)
  const lines = starts.map((start, index) => all.slice(start, starts[index + 1] ?? count))
  // Each ring counts as a polygon of its own: the largest is never a hole.
  return type % 10 === 3
    ? { type: 'MultiLineString', coordinates: lines }
    : { type: 'MultiPolygon', coordinates: lines.map((line) => [line]) }
}

/** Encodings by the byte in which dBase names the language driver. */
const ofDriver: Readonly<Record<number, string>> = {
  0x01: 'cp437',
  0x02: 'cp850',
  0x03: 'windows-1252',
  0x57: 'windows-1252',
  0x58: 'windows-1252',
  0x59: 'windows-1252',
  0x64: 'cp852',
  0x65: 'cp866',
  0xc8: 'windows-1250',
  0xc9: 'windows-1251',
  0xca: 'windows-1254',
  0xcb: 'windows-1253',
  0xcc: 'windows-1257',
}

/** The encoding that a `.cpg` names: `UTF-8`, `ISO-8859-1`, `1252`, `ANSI 1252`, `88591`, `65001`. */
function namedEncoding(text = ''): string | undefined {
  const number = /(\d{3,5})$/u.exec(text.replaceAll(/[\s_-]/gu, ''))?.[1] ?? ''
  if (number === '65001') return 'utf-8'
  const iso = /^8859(\d{1,2})$/u.exec(number)?.[1]
  const names = [text, iso && `iso-8859-${iso}`, `windows-${number}`, `cp${number}`]
  return names.find((name) => name !== undefined && name !== '' && iconv.encodingExists(name))
}

/** The rows of a dBase table; null for those that were deleted. */
async function* recordsOf(bytes: Bytes, cpg?: string): AsyncGenerator<Record<string, unknown> | null> {
  const header = await bytes.take(32)
  const count = header.readUInt32LE(4)
  const [headerLength, length] = [header.readUInt16LE(8), header.readUInt16LE(10)]
  if (headerLength < 33 || length < 1) throw damaged('.dbf')
  const encoding = namedEncoding(cpg) ?? ofDriver[header.readUInt8(29)]
  const text = (given: Buffer): string =>
    iconv.decode(given, encoding ?? (isUtf8(given) ? 'utf-8' : 'windows-1252'), {
      stripBOM: encoding !== undefined,
    })
  const descriptions = await bytes.take(headerLength - 32)
  const fields: { name: string; type: string; start: number; end: number }[] = []
  let end = 1
  for (let at = 0; at + 32 <= descriptions.length && descriptions[at] !== 0x0d; at += 32) {
    const name = descriptions.subarray(at, at + 11)
    const zero = name.indexOf(0)
    const start = end
    end += descriptions.readUInt8(at + 16)
    const type = String.fromCharCode(descriptions.readUInt8(at + 11))
    fields.push({ name: text(zero === -1 ? name : name.subarray(0, zero)).trim(), type, start, end })
  }
  for (let record = 0; record < count; record += 1) {
    const row = await bytes.take(length)
    const values = fields.flatMap(({ name, type, start, end: stop }) => {
      const value = valueOf(type, row.subarray(start, stop), text)
      return value === undefined ? [] : [[name, value] as const]
    })
    yield row[0] === 0x2a ? null : Object.fromEntries(values)
  }
  await bytes.skipRest()
}

function valueOf(type: string, cell: Buffer, textOf: (cell: Buffer) => string): unknown {
  const text = textOf(cell).replaceAll('\0', '').trim()
  switch (type) {
    case 'N':
    case 'F': {
      const number = Number(text)
      return text === '' || !Number.isFinite(number) ? undefined : number
    }
    case 'D':
      return /^\d{8}$/u.test(text) && text !== '00000000'
        ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`
        : undefined
    case 'L':
      return /^[YT]$/iu.test(text) ? true : /^[NF]$/iu.test(text) ? false : undefined
    case 'C':
      return text === '' ? undefined : text
    default:
      return undefined
  }
}
