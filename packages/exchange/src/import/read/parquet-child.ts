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

/** The child's response to each message: the metadata first, then some rows at a time, then the end. */
export type ParquetPart =
  | { readonly geo: string | undefined }
  | { readonly records: readonly Readonly<Record<string, unknown>>[] }
  | { readonly end: true }
  /** A compression that cannot be unpacked. */
  | { readonly codec: string }

/** What the child sends; a failure may be sent at any time. */
export type ParquetMessage = ParquetPart | { readonly failure: string }

const rowsAtOnce = 5000

/** Bytes. Ordinary pages have about a megabyte; the file itself declares how much memory is allocated for one. */
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
  // It stays open until the process ends.
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

const send = (message: ParquetMessage): void => void process.send?.(message)

const fail = (error: unknown): void =>
  send({ failure: error instanceof Error ? error.message : String(error) })

// The parser reads all columns at once and rejects promises that it does not await when several are damaged.
process.on('unhandledRejection', fail)
process.on('uncaughtException', fail)
// A terminal sends Ctrl-C to all processes of a group; the parent decides what happens then.
process.on('SIGINT', () => {})
process.on('disconnect', () => process.exit())

const parts = read(process.argv[2] ?? '')
process.on('message', () => {
  parts.next().then(({ value }) => send(value ?? { end: true }), fail)
})
