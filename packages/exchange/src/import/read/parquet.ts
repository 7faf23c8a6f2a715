import { open } from 'node:fs/promises'
import { isGeometry } from './geometry.ts'
import { ParquetReader } from './parquet-reader.ts'
import { ImportRefused } from './refusal.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'

/**
 * The rows of a Parquet file, GeoParquet's geometry among them, some thousand at a time. A process of its own reads
 * the file: what fails there, for lack of memory too, does not affect this one.
 *
 * @throws ImportRefused MALFORMED, TRUNCATED, UNKNOWN_FORMAT
 */
export async function* readParquet(path: string, facts: FileFacts): RowBatches {
  if (!(await hasEnd(path))) throw new ImportRefused({ code: 'TRUNCATED' }, 'The Parquet file is cut off.')
  const reader = new ParquetReader(path)
  try {
    let row = 1
    for (;;) {
      const part = await reader.next()
      if ('end' in part) return
      if ('codec' in part)
        throw new ImportRefused(
          { code: 'UNKNOWN_FORMAT', codec: part.codec },
          `The Parquet file is compressed with ${part.codec}, which cannot be unpacked here (ZSTD needs Node 22.15 or newer).`,
        )
      if ('records' in part) {
        const first = row
        yield part.records.map((record, index) => rowOf(record, first + index))
        row += part.records.length
      } else if (part.geo !== undefined) {
        const crs = declaredCrs(part.geo)
        if (crs !== undefined) facts.crs = crs
      }
    }
  } catch (error) {
    if (error instanceof ImportRefused || isSystemError(error)) throw error
    throw new ImportRefused({ code: 'MALFORMED' }, 'The Parquet file is damaged.', { cause: error })
  } finally {
    reader.end()
  }
}

/** A process that cannot be started says nothing about the file. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

async function hasEnd(path: string): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4))
    return buffer.toString('latin1') === 'PAR1'
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

/** A value as JSON has it, also within lists and structures. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]))
}

function declaredCrs(geo: string): string | undefined {
  const parsed = JSON.parse(geo) as {
    primary_column?: string
    columns?: Record<string, { crs?: { id?: { authority: string; code: number } } }>
  }
  const id = parsed.columns?.[parsed.primary_column ?? '']?.crs?.id
  return id === undefined ? undefined : `${id.authority}:${id.code}`
}
