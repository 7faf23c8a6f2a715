import { decompress } from 'fzstd'
import {
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  snappyUncompress,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet'
import { ReadingError } from './reading-error.ts'

/** The type of a column; structures and geometries are not read. */
export type ColumnKind = 'text' | 'number' | 'flag' | 'day' | 'time' | 'list' | 'object'

export interface Column {
  readonly name: string
  readonly kind: ColumnKind
}

/** A JSON value; undefined where there is none. */
export type Value = string | number | boolean | readonly unknown[] | object | undefined
export type Row = Readonly<Record<string, Value>>

/** Rows that are stored and read together. */
export interface RowGroup {
  readonly rows: number
  /** Reads some columns of all its rows. */
  read(columns: readonly Column[]): Promise<readonly Row[]>
}

export interface ParquetTable {
  readonly columns: readonly Column[]
  readonly groups: readonly RowGroup[]
}

/** Bytes at the end of a file that are read first; they include the metadata of some 20 groups. */
const endBytes = 1 << 17

/** Gaps of at most these bytes are read along, since another request would take longer. */
const gapBytes = 1 << 16

/** Bytes. A page has some hundred thousand; the file itself declares the memory that a reader allocates for one. */
const largestPage = 1 << 28

function bounded(unpack: (input: Uint8Array, output: Uint8Array) => unknown) {
  return (input: Uint8Array, bytes: number): Uint8Array => {
    if (bytes > largestPage) throw new ReadingError('DAMAGED', `a page of ${bytes} bytes`)
    const output = new Uint8Array(bytes)
    // A page of null values alone has no data.
    if (bytes > 0) unpack(input, output)
    return output
  }
}

const compressors: Compressors = { SNAPPY: bounded(snappyUncompress), ZSTD: bounded(decompress) }

/** @throws ReadingError also when the file is no Parquet */
export async function openParquet(file: AsyncBuffer): Promise<ParquetTable> {
  const metadata = await understood(() => parquetMetadataAsync(file, { initialFetchSize: endBytes }))
  let start = 0
  const groups = metadata.row_groups.map((_group, index): RowGroup => {
    const rowStart = start
    const rows = Number(metadata.row_groups[index]?.num_rows ?? 0)
    start += rows
    return {
      rows,
      read: (columns) =>
        understood(async () => {
          const names = columns.map(({ name }) => name)
          const ahead = readAhead(file, metadata, index, names)
          const read = await parquetReadObjects({
            file: ahead,
            metadata,
            compressors,
            columns: names,
            rowStart,
            rowEnd: rowStart + rows,
          })
          if (read.length !== rows) throw new ReadingError('DAMAGED', `${read.length} rows of ${rows}`)
          return read.map((record) =>
            Object.fromEntries(columns.map(({ name, kind }) => [name, valueOf(kind, record[name])])),
          )
        }),
    }
  })
  return {
    columns: parquetSchema(metadata).children.flatMap((child) => {
      const kind = kindOf(child)
      return kind === undefined ? [] : [{ name: child.element.name, kind }]
    }),
    groups,
  }
}

async function understood<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ReadingError) throw error
    throw new ReadingError('DAMAGED', error instanceof Error ? error.message : String(error))
  }
}

function kindOf({ element, children }: SchemaTree): ColumnKind | undefined {
  const { type, converted_type: converted, logical_type: logical } = element
  if (converted === 'LIST' || logical?.type === 'LIST') return 'list'
  if (children.length > 0) return undefined
  if (converted === 'JSON') return 'object'
  if (converted === 'UTF8' || logical?.type === 'STRING') return 'text'
  if (converted === 'DATE') return 'day'
  if (converted === 'TIMESTAMP_MILLIS' || logical?.type === 'TIMESTAMP') return 'time'
  if (type === 'BOOLEAN') return 'flag'
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY' ? undefined : 'number'
}

function valueOf(kind: ColumnKind, value: unknown): Value {
  if (value === null || value === undefined) return undefined
  if (value instanceof Date) return kind === 'day' ? value.toISOString().slice(0, 10) : value.toISOString()
  return typeof value === 'bigint' ? Number(value) : (value as Value)
}

/** Requests the columns of a group in as few ranges as possible. */
function readAhead(
  file: AsyncBuffer,
  { row_groups }: FileMetaData,
  index: number,
  names: readonly string[],
): AsyncBuffer {
  const parts: { start: number; end: number; bytes?: Promise<ArrayBuffer> }[] = []
  for (const { meta_data: chunk } of row_groups[index]?.columns ?? []) {
    if (chunk === undefined || !names.includes(chunk.path_in_schema[0] ?? '')) continue
    const start = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset)
    const end = start + Number(chunk.total_compressed_size)
    const last = parts.at(-1)
    if (last && start >= last.start && start <= last.end + gapBytes) last.end = Math.max(last.end, end)
    else parts.push({ start, end })
  }
  return {
    byteLength: file.byteLength,
    async slice(start, end = file.byteLength) {
      const part = parts.find((one) => one.start <= start && end <= one.end)
      if (part === undefined) return file.slice(start, end)
      part.bytes ??= Promise.resolve(file.slice(part.start, part.end))
      return (await part.bytes).slice(start - part.start, end - part.start)
    },
  }
}
