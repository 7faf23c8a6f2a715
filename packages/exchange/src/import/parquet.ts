import { open } from 'node:fs/promises'
import zlib, { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { parquetMetadataAsync, parquetReadObjects, type AsyncBuffer, type Compressors } from 'hyparquet'
import { isGeometry } from './geometry.ts'
import { ImportRefused } from './refusal.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'

const batch = 5000

const compressors: Compressors = {
  GZIP: (input, outputLength) => gunzipSync(input, { maxOutputLength: outputLength }),
  BROTLI: (input, outputLength) => brotliDecompressSync(input, { maxOutputLength: outputLength }),
  // Node has it since 22.15.
  ZSTD: (input, outputLength) => zlib.zstdDecompressSync(input, { maxOutputLength: outputLength }),
}

/**
 * The rows of a Parquet file, GeoParquet's geometry among them, some thousand at a time.
 *
 * @throws ImportRefused MALFORMED, TRUNCATED
 */
export async function* readParquet(path: string, facts: FileFacts): RowBatches {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const file: AsyncBuffer = {
      byteLength: size,
      async slice(start, end = size) {
        const from = start < 0 ? size + start : start
        const length = Math.max(0, Math.min(end, size) - from)
        const bytes = new Uint8Array(length)
        await handle.read(bytes, 0, length, from)
        return bytes.buffer
      },
    }
    const tail = Buffer.from(await file.slice(size - 4))
    if (tail.toString('latin1') !== 'PAR1')
      throw new ImportRefused('TRUNCATED', 'The Parquet file has no end.')
    const metadata = await parquetMetadataAsync(file)
    const total = Number(metadata.num_rows)
    const crs = declaredCrs(metadata.key_value_metadata)
    if (crs !== undefined) facts.crs = crs
    for (let start = 0; start < total; start += batch) {
      const records = await parquetReadObjects({
        file,
        metadata,
        compressors,
        rowStart: start,
        rowEnd: Math.min(start + batch, total),
      })
      yield records.map((record, index) => rowOf(record, start + index + 1))
    }
  } catch (error) {
    if (error instanceof ImportRefused) throw error
    throw new ImportRefused('MALFORMED', 'The Parquet file is damaged.', {}, { cause: error })
  } finally {
    await handle.close()
  }
}

function rowOf(record: Readonly<Record<string, unknown>>, row: number): SourceRow {
  const fields: Record<string, unknown> = {}
  let geometry: SourceRow['geometry']
  for (const [column, value] of Object.entries(record)) {
    if (value === null || value === undefined || value === '') continue
    if (isGeometry(value) && 'coordinates' in value) geometry ??= value
    else fields[column] = plain(value)
  }
  return {
    row,
    fields,
    ...(geometry === undefined ? {} : { geometry }),
    original: () => JSON.stringify(fields),
  }
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  return value
}

function declaredCrs(metadata: readonly { key: string; value?: string }[] | undefined): string | undefined {
  const geo = metadata?.find(({ key }) => key === 'geo')?.value
  if (geo === undefined) return undefined
  const parsed = JSON.parse(geo) as {
    primary_column?: string
    columns?: Record<string, { crs?: { id?: { authority: string; code: number } } }>
  }
  const id = parsed.columns?.[parsed.primary_column ?? '']?.crs?.id
  return id === undefined ? undefined : `${id.authority}:${id.code}`
}
