import { fstatSync } from 'node:fs'
import zlib from 'node:zlib'
import {
  parquetMetadataAsync,
  parquetReadObjects,
  snappyUncompress,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
} from 'hyparquet'
import { readInto } from './bytes.ts'
import { isGeometry } from './geometry.ts'
import type { FilePart } from './reading-child.ts'
import { ImportRefused } from './refusal.ts'
import { readingLimits, type SentRow } from './source-row.ts'

/** Rows of a part, and values that are unpacked together: all texts of a group of rows may be unpacked anew each time. */
const [partRows, valuesAtOnce] = [5000, 250_000]

/** Bytes. Ordinary pages have about a megabyte; the file itself declares how much memory is allocated for one. */
const largestPage = 256 * 1024 * 1024

function bounded(unpack: (input: Uint8Array, bytes: number) => Uint8Array) {
  return (input: Uint8Array, bytes: number): Uint8Array => {
    if (bytes > largestPage) throw new Error(`A page of ${bytes} bytes`)
    // A page of absent values alone; Node refuses to unpack nothing.
    if (bytes === 0) return new Uint8Array(0)
    return unpack(input, bytes)
  }
}

const compressors: Compressors = {
  SNAPPY: bounded((input, bytes) => {
    const output = new Uint8Array(bytes)
    snappyUncompress(input, output)
    return output
  }),
  GZIP: bounded((input, maxOutputLength) => zlib.gunzipSync(input, { maxOutputLength })),
  BROTLI: bounded((input, maxOutputLength) => zlib.brotliDecompressSync(input, { maxOutputLength })),
  // Node has it since 22.15.
  ...('zstdDecompressSync' in zlib && {
    ZSTD: bounded((input, maxOutputLength) => zlib.zstdDecompressSync(input, { maxOutputLength })),
  }),
}

/**
 * The rows of a Parquet file, GeoParquet's geometry among them, some thousand at a time.
 *
 * @throws ImportRefused TRUNCATED, UNKNOWN_FORMAT, TOO_DEEP; what the parser throws for a damaged file
 */
export async function* parquetParts(descriptor: number): AsyncGenerator<FilePart, void> {
  const file = bufferOf(descriptor)
  const end = Buffer.from(await file.slice(Math.max(0, file.byteLength - 4)))
  if (end.toString('latin1') !== 'PAR1')
    throw new ImportRefused({ code: 'TRUNCATED' }, 'The Parquet file is cut off.')
  const metadata = await parquetMetadataAsync(file)
  const codec = unreadableCodec(metadata)
  if (codec !== undefined)
    throw new ImportRefused(
      { code: 'UNKNOWN_FORMAT', codec },
      `The Parquet file is compressed with ${codec}, which cannot be unpacked here (ZSTD needs Node 22.15 or newer).`,
    )
  const geo = metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value
  const crs = geo === undefined ? undefined : declaredCrs(geo)
  if (crs !== undefined) yield { crs }
  const total = Number(metadata.num_rows)
  const columns = metadata.row_groups[0]?.columns.length ?? 1
  const rowsAtOnce = Math.max(partRows, Math.floor(valuesAtOnce / columns))
  for (let rowStart = 0; rowStart < total; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(rowStart + rowsAtOnce, total)
    const records = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd })
    for (let at = 0; at < records.length; at += partRows)
      yield {
        rows: records.slice(at, at + partRows).map((one, index) => rowOf(one, rowStart + 1 + at + index)),
      }
    // A file may declare more rows than it has.
    if (records.length < rowEnd - rowStart) return
  }
}

function bufferOf(descriptor: number): AsyncBuffer {
  const { size } = fstatSync(descriptor)
  return {
    byteLength: size,
    async slice(start, end = size) {
      const from = start < 0 ? size + start : start
      const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - from))
      await readInto(descriptor, bytes, 0, bytes.length, from)
      return bytes.buffer
    },
  }
}

function unreadableCodec({ row_groups }: FileMetaData): string | undefined {
  return row_groups
    .flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec))
    .find((codec) => codec !== undefined && codec !== 'UNCOMPRESSED' && !(codec in compressors))
}

function rowOf(record: Readonly<Record<string, unknown>>, row: number): SentRow {
  const fields: Record<string, unknown> = {}
  let geometry: SentRow['geometry']
  for (const [column, value] of Object.entries(record)) {
    if (value === null || value === undefined || value === '' || ArrayBuffer.isView(value)) continue
    if (isGeometry(value) && 'coordinates' in value) geometry ??= value
    else fields[column] = plain(value, row, readingLimits.depth)
  }
  return { row, fields, geometry }
}

/** A value as JSON has it, also within lists and structures. */
function plain(value: unknown, row: number, levels: number): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (levels === 0) throw new ImportRefused({ code: 'TOO_DEEP', row })
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (Array.isArray(value)) return value.map((member) => plain(member, row, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, plain(member, row, levels - 1)]),
  )
}

function declaredCrs(geo: string): string | undefined {
  const parsed = JSON.parse(geo) as {
    primary_column?: string
    columns?: Record<string, { crs?: { id?: { authority: string; code: number } } }>
  }
  const id = parsed.columns?.[parsed.primary_column ?? '']?.crs?.id
  return id === undefined ? undefined : `${id.authority}:${id.code}`
}
