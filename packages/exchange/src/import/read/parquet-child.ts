import { open } from 'node:fs/promises'
import zlib from 'node:zlib'
import {
  parquetMetadataAsync,
  parquetReadObjects,
  snappyUncompress,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
} from 'hyparquet'

/** What comes for every message that the child gets: the beginning, then some rows at a time, then the end. */
export type ParquetPart =
  | { readonly geo: string | undefined }
  | { readonly records: readonly Readonly<Record<string, unknown>>[] }
  | { readonly end: true }
  /** A compression that cannot be unpacked. */
  | { readonly codec: string }

/** What the child sends; a failure may come at any time. */
export type ParquetNews = ParquetPart | { readonly failure: string }

const rowsAtOnce = 5000

/** A page holds a megabyte where files are made as they should be; the file itself says how much to make room for. */
const largestPage = 256 * 1024 * 1024

function bounded(unpack: (input: Uint8Array, bytes: number) => Uint8Array) {
  return (input: Uint8Array, bytes: number): Uint8Array => {
    if (bytes > largestPage) throw new Error(`A page of ${bytes} bytes`)
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

function unreadableCodec({ row_groups }: FileMetaData): string | undefined {
  return row_groups
    .flatMap(({ columns }) => columns.map(({ meta_data }) => meta_data?.codec))
    .find((codec) => codec !== undefined && codec !== 'UNCOMPRESSED' && !(codec in compressors))
}

async function* read(path: string): AsyncGenerator<ParquetPart, void> {
  // It is open as long as the process lives.
  const handle = await open(path, 'r')
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
  const metadata = await parquetMetadataAsync(file)
  const codec = unreadableCodec(metadata)
  if (codec !== undefined) {
    yield { codec }
    return
  }
  yield { geo: metadata.key_value_metadata?.find(({ key }) => key === 'geo')?.value }
  const total = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < total; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(rowStart + rowsAtOnce, total)
    yield { records: await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }) }
  }
  yield { end: true }
}

const send = (news: ParquetNews): void => void process.send?.(news)

const fail = (error: unknown): void =>
  send({ failure: error instanceof Error ? error.message : String(error) })

// The parser reads all columns at once and rejects promises that it does not await when several are damaged.
process.on('unhandledRejection', fail)
process.on('uncaughtException', fail)
// A terminal sends its Ctrl-C to all; who reads the rows decides what becomes of it.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())

const news = read(process.argv[2] ?? '')
process.on('message', () => {
  news.next().then(({ value }) => send(value ?? { end: true }), fail)
})
