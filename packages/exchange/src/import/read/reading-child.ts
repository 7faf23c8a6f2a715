import type { ImportNote } from '../reasons.ts'
import { ImportRefused, type Refusal } from './refusal.ts'
import { readingLimits, type SentRow, type titles } from './source-row.ts'

/** The results of a format's reader, in order; `crs` such as `EPSG:25833`. */
export type FilePart =
  | { readonly rows: readonly SentRow[] }
  | { readonly crs: string }
  /** The day on which the data was taken, `YYYY-MM-DD`. */
  | { readonly published: string }
  | { readonly note: ImportNote }

/** The lines of JSON that the process writes: that it is ready, parts, then the end, or why there is none. */
type SentLine =
  | { readonly ready: true }
  | FilePart
  | { readonly end: true }
  | { readonly refused: Refusal; readonly found: string }
  /** A parser's error. */
  | { readonly failure: string }

/** A file of a binary format, and what the caller or the map gives of its layout. */
export interface FileToRead {
  readonly format: keyof typeof titles
  /** For a parser that cannot read an open file. The file is open for reading as descriptor 3. */
  readonly path: string
  /** The sheet of a workbook, the rows above its headings, whether it has any, and names for columns without them. */
  readonly sheet?: string | undefined
  readonly skip?: number | undefined
  readonly header?: boolean | undefined
  readonly columns?: readonly string[] | undefined
}

/** Characters and rows of a line, at the least: neither side holds many. */
const lineLength = 1024 * 1024
const lineRows = 1000

const descriptor = 3

type Reader = (descriptor: number, file: FileToRead) => AsyncIterable<FilePart> | Iterable<FilePart>

const readers: Readonly<Record<FileToRead['format'], () => Promise<Reader>>> = {
  parquet: async () => (await import('./parquet.ts')).parquetParts,
  geopackage: async () => (await import('./geopackage.ts')).geoPackageParts,
  xlsx: async () => (await import('./xlsx.ts')).xlsxParts,
  ods: async () => (await import('./ods.ts')).odsParts,
  'osm-pbf': async () => (await import('./osm-pbf.ts')).osmPbfParts,
  shapefile: async () => (await import('./shapefile.ts')).shapefileParts,
}

function* linesOf(part: FilePart): Generator<string, void> {
  if (!('rows' in part)) return yield JSON.stringify(part)
  let texts: string[] = []
  let length = 0
  for (const row of part.rows) {
    const text = JSON.stringify(row)
    if (text.length > readingLimits.record)
      throw new ImportRefused({ code: 'TOO_LARGE', row: row.row }, `Record ${row.row} is larger than 4 MB.`)
    texts.push(text)
    length += text.length
    if (length < lineLength && texts.length < lineRows) continue
    yield `{"rows":[${texts.join(',')}]}`
    texts = []
    length = 0
  }
  // Without rows it says that reading goes on.
  if (texts.length > 0 || part.rows.length === 0) yield `{"rows":[${texts.join(',')}]}`
}

/** Resolves when the pipe has the line: it waits for the parent when the pipe is full. */
const write = (line: string): Promise<unknown> =>
  new Promise((resolve) => void process.stdout.write(`${line}\n`, resolve))

const send = (line: SentLine): Promise<unknown> => write(JSON.stringify(line))

async function fail(error: unknown): Promise<void> {
  if (error instanceof ImportRefused) await send({ refused: error.refusal, found: error.found })
  else await send({ failure: error instanceof Error ? error.message : String(error) })
  process.exit(1)
}

async function read(task: FileToRead): Promise<void> {
  const parts = await readers[task.format]()
  await send({ ready: true })
  for await (const part of parts(descriptor, task)) for (const line of linesOf(part)) await write(line)
  await send({ end: true })
  process.exit()
}

// Parsers reject promises that nobody awaits when several columns are damaged.
process.on('unhandledRejection', (error) => void fail(error))
process.on('uncaughtException', (error) => void fail(error))
await read(JSON.parse(process.argv[2] ?? '') as FileToRead)
