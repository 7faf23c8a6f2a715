import iconv from 'iconv-lite'
import type { Readable, Transform } from 'node:stream'
import { crc32, createGunzip, createInflateRaw } from 'node:zlib'
import { bytesOf, chunkBytes, type FileHandle } from './bytes.ts'
import { ImportRefused, quotable } from './refusal.ts'

/** Limits of unpacking: above `bytes`, at most `ratio` times the packed size. */
interface Unpacking {
  readonly ratio: number
  readonly bytes: number
  /** A finding in what exceeds it. */
  readonly found?: string
}

/** Real data is compressed 1:10 to 1:30; deflate reaches 1:1032 at most. */
const unpacking: Unpacking = { ratio: 200, bytes: 64 * 1024 * 1024 }

/** Of a workbook, whose XML takes some seconds for each 10 MB. */
export const workbookUnpacking: Unpacking = {
  ratio: 100,
  bytes: 8 * 1024 * 1024,
  found: 'The workbook repeats empty or equal cells without an end: save its sheet as CSV.',
}

export const gunzipped = (file: string, bytes: number): AsyncGenerator<Buffer> =>
  unpacked(bytesOf(file), createGunzip({ chunkSize: chunkBytes }), bytes)

async function* unpacked(
  raw: Readable,
  through: Transform,
  bytes: number,
  limit = unpacking,
): AsyncGenerator<Buffer> {
  const chunks = raw.pipe(through)
  raw.on('error', (error) => chunks.destroy(error))
  let [packed, out] = [0, 0]
  raw.on('data', ({ length }: Buffer) => (packed += length))
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      out += chunk.length
      if (out > limit.bytes && out > limit.ratio * Math.max(packed, 1))
        throw new ImportRefused({ code: 'BOMB', bytes, unpacked: out }, limit.found)
      yield chunk
    }
  } catch (error) {
    throw unpackingRefusal(error)
  } finally {
    raw.destroy()
    chunks.destroy()
  }
}

function unpackingRefusal(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'Z_BUF_ERROR')
    return new ImportRefused({ code: 'TRUNCATED' }, 'The compressed data is cut off.')
  if (code !== undefined && code.startsWith('Z_')) return damaged('The compressed data', error)
  return error
}

const damaged = (what: string, cause?: unknown): ImportRefused =>
  new ImportRefused({ code: 'MALFORMED' }, `${what} is damaged.`, { cause })

/** A file in a zip archive. */
export type ZipEntry = Readonly<ReturnType<typeof entryOf>>

const mostEntries = 10_000
const endLength = 22
const refusedZip = (found: string): ImportRefused =>
  new ImportRefused({ code: 'ARCHIVE', archive: 'zip' }, found)

/**
 * The files of a zip archive by its central directory (APPNOTE.TXT 6.3.10, with Zip64), without folders. `size`: its bytes.
 *
 * @throws ImportRefused TRUNCATED, MALFORMED, ARCHIVE
 */
export async function zipEntries(file: FileHandle, size: number): Promise<ZipEntry[]> {
  const tail = await range(file, Math.max(0, size - 65_535 - endLength), size)
  const end = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1')
  if (end === -1 || end + endLength > tail.length)
    throw new ImportRefused({ code: 'TRUNCATED' }, 'The zip archive is cut off.')
  let [count, length, start] = [
    tail.readUInt16LE(end + 10),
    tail.readUInt32LE(end + 12),
    tail.readUInt32LE(end + 16),
  ]
  if (count === 0xffff || length === 0xffff_ffff || start === 0xffff_ffff) {
    if (end < 20 || tail.toString('latin1', end - 20, end - 16) !== 'PK\u0006\u0007')
      throw damaged('The zip archive')
    const at = Number(tail.readBigUInt64LE(end - 12))
    const large = await range(file, at, at + 56)
    if (large.length < 56) throw damaged('The zip archive')
    const wide = (offset: number): number => Number(large.readBigUInt64LE(offset))
    ;[count, length, start] = [wide(32), wide(40), wide(48)]
  }
  if (count > mostEntries) throw refusedZip(`It holds ${count} files.`)
  if (start + length > size) throw damaged('The zip archive')
  const directory = await range(file, start, start + length)
  const entries: ZipEntry[] = []
  for (let at = 0; entries.length < count;) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x0201_4b50)
      throw damaged('The zip archive')
    const [name, extra] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)]
    const next = at + 46 + name + extra + directory.readUInt16LE(at + 32)
    if (next > directory.length) throw damaged('The zip archive')
    entries.push(entryOf(directory.subarray(at, next), name, extra))
    at = next
  }
  return entries.filter(({ name }) => !name.endsWith('/'))
}

function entryOf(header: Buffer, nameLength: number, extraLength: number) {
  const flags = header.readUInt16LE(8)
  const name = header.subarray(46, 46 + nameLength)
  const extra = header.subarray(46 + nameLength, 46 + nameLength + extraLength)
  let large = sixtyFour(extra)
  const [size = 0, packed = 0, offset = 0] = [24, 20, 42].map((at) => {
    const given = header.readUInt32LE(at)
    if (given !== 0xffff_ffff || large.length < 8) return given
    const value = Number(large.readBigUInt64LE(0))
    large = large.subarray(8)
    return value
  })
  return {
    name: (flags & 0x800) === 0 ? iconv.decode(name, 'cp437') : name.toString('utf8'),
    isEncrypted: (flags & 1) === 1,
    /** 0 for stored, 8 for deflated. */
    method: header.readUInt16LE(10),
    crc: header.readUInt32LE(16),
    /** Bytes in the archive, and unpacked. */
    packed,
    size,
    /** Where its local header begins. */
    offset,
  }
}

/** The extra field of Zip64. */
function sixtyFour(extra: Buffer): Buffer {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  return Buffer.alloc(0)
}

const range = async (file: FileHandle, start: number, end: number): Promise<Buffer> =>
  Buffer.concat((await bytesOf(file, start, end).toArray()) as Buffer[])

/** The unpacked bytes of a file in an archive, checked at the end. @throws ImportRefused ARCHIVE, TRUNCATED, MALFORMED, BOMB */
export async function* zipBytes(
  file: FileHandle,
  entry: ZipEntry,
  limit?: Unpacking,
): AsyncGenerator<Buffer> {
  const { name, method, packed, size, offset, crc } = entry
  const title = `"${quotable(name)}" in the archive`
  if (entry.isEncrypted) throw refusedZip(`${title} has a password.`)
  if (method !== 0 && method !== 8) throw refusedZip(`${title} is compressed by method ${method}.`)
  const local = await range(file, offset, offset + 30)
  if (local.length < 30 || local.readUInt32LE(0) !== 0x0403_4b50) throw damaged(title)
  const start = offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28)
  const raw = bytesOf(file, start, start + packed)
  let [out, sum] = [0, 0]
  for await (const chunk of method === 0
    ? (raw as AsyncIterable<Buffer>)
    : unpacked(raw, createInflateRaw({ chunkSize: chunkBytes }), packed, limit)) {
    out += chunk.length
    if (out > size) throw damaged(title)
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (out !== size || sum !== crc) throw damaged(title)
}

/** Data in an archive: a format of several files, or one file. */
export type ZipContent = { readonly format: 'xlsx' | 'ods' | 'shapefile' } | { readonly entry: ZipEntry }

const dataFile =
  /\.(?:csv|fgb|geojson|geojsonl|gml|gpkg|gpx|json|jsonl|kml|kmz|ndjson|ods|osm|parquet|pbf|tsv|xlsx)$/iu

/** The data in an archive. @throws ImportRefused ARCHIVE naming its files where there are several */
export function zipContent(entries: readonly ZipEntry[]): ZipContent {
  const files = entries.filter(({ name }) => !/(?:^|\/)(?:__MACOSX\/|\.)/u.test(name))
  const has = (name: string) => files.some((file) => file.name === name)
  if (has('xl/workbook.xml')) return { format: 'xlsx' }
  if (has('xl/workbook.bin')) throw notRead('This is a binary Excel workbook (.xlsb): save it as .xlsx.')
  if (has('content.xml') && has('mimetype')) return { format: 'ods' }
  if (files.some(({ name }) => /\.gdbtable$/iu.test(name)))
    throw notRead('This is a file geodatabase of Esri (.gdb).')
  const data = files.filter(({ name }) => dataFile.test(name))
  const shapes = files.filter(({ name }) => /\.shp$/iu.test(name))
  if (shapes.length > 0 && data.length === 0) return { format: 'shapefile' }
  // Of a KMZ, unless it only links to the one other file.
  const [one] = data.toSorted((a, b) => b.size - a.size)
  const hasDoc = has('doc.kml') && data.every(({ name }) => /\.kml$/iu.test(name))
  const main = hasDoc ? (data.length > 2 ? data.find(({ name }) => name === 'doc.kml') : one) : undefined
  const [entry, second] = main === undefined ? [...(data.length > 0 ? data : files), ...shapes] : [main]
  if (entry !== undefined && second === undefined) return { entry }
  throw refusedZip(
    entry === undefined
      ? 'The zip archive is empty.'
      : `The zip archive holds several files: ${listed(files.map(({ name }) => name))}.`,
  )
}

const notRead = (found: string): ImportRefused => new ImportRefused({ code: 'UNKNOWN_FORMAT' }, found)

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => quotable(name))
  return names.length > 10 ? `${shown.join(', ')} and ${names.length - 10} more` : shown.join(', ')
}
