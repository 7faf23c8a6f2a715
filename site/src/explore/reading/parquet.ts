import { decompress } from 'fzstd'
import {
  parquetMetadataAsync,
  parquetRead,
  parquetReadObjects,
  parquetSchema,
  snappyUncompress,
  type AsyncBuffer,
  type Compressors,
  type SchemaTree,
} from 'hyparquet'
import { ReadingError } from './ranged-file.ts'

/** A JSON value; undefined where there is none. */
export type Row = Readonly<Record<string, unknown>>

export interface ParquetTable {
  /** Columns that are read: all but structures and geometries. */
  readonly columns: readonly string[]
  /** Columns that hold lists. */
  readonly lists: readonly string[]
  readonly rows: number
  /** Rows that are stored and read together; `to` is the first row after them. */
  readonly groups: readonly { readonly from: number; readonly to: number }[]
  /** Some columns of all rows: lists of values by row. @throws ReadingError */
  readColumns(
    names: readonly string[],
    onProgress: (share: number) => void,
  ): Promise<ReadonlyMap<string, readonly unknown[]>>
  /** Rows with all columns. @throws ReadingError */
  readRows(from: number, to: number): Promise<readonly Row[]>
}

/** Bytes at the end of a file that are read first; they include the metadata of some 20 groups. */
const endBytes = 1 << 17

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

/** Times as the registry's other exports write them. */
const parsers = {
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)).toISOString(),
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
}

/** @throws ReadingError also when the file is no Parquet */
export async function openParquet(file: AsyncBuffer): Promise<ParquetTable> {
  const metadata = await understood(parquetMetadataAsync(file, { initialFetchSize: endBytes }))
  const options = { file, metadata, compressors, parsers }
  const read = parquetSchema(metadata).children.filter(isRead)
  const columns = read.map(({ element }) => element.name)
  let rows = 0
  const groups = metadata.row_groups.map(({ num_rows: count }) => {
    const from = rows
    rows += Number(count)
    return { from, to: rows }
  })
  return {
    columns,
    lists: read.flatMap(({ element, children }) => (children.length > 0 ? [element.name] : [])),
    rows,
    groups,
    async readColumns(names, onProgress) {
      const found = new Map(names.map((name) => [name, Array.from<unknown>({ length: rows })]))
      let values = 0
      await understood(
        parquetRead({
          ...options,
          columns: [...names],
          onChunk({ columnName, columnData, rowStart }) {
            const column = found.get(columnName) ?? []
            for (const [place, value] of columnData.entries()) column[rowStart + place] = value
            values += columnData.length
            onProgress(values / (rows * names.length))
          },
        }),
      )
      complete(values, rows * names.length)
      return found
    },
    async readRows(from, to) {
      const found = await understood(parquetReadObjects({ ...options, columns, rowStart: from, rowEnd: to }))
      complete(found.length, to - from)
      return found.map((record) => Object.fromEntries(columns.map((name) => [name, valueOf(record[name])])))
    },
  }
}

async function understood<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof ReadingError) throw error
    throw new ReadingError('DAMAGED', error instanceof Error ? error.message : String(error))
  }
}

function complete(read: number, declared: number): void {
  if (read !== declared) throw new ReadingError('DAMAGED', `${read} of ${declared}`)
}

const isRead = ({ element: { type, converted_type: converted }, children }: SchemaTree): boolean =>
  children.length > 0 ? converted === 'LIST' : type !== 'BYTE_ARRAY' || converted !== undefined

const valueOf = (value: unknown): unknown =>
  typeof value === 'bigint' ? Number(value) : (value ?? undefined)
