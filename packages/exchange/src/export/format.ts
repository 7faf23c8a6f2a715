import { createWriteStream } from 'node:fs'
import { PassThrough, Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Edition } from './edition.ts'
import type { Field } from './fields.ts'
import type { JsonSchema } from './json-schema.ts'

/** Counts the rows of a file while it is written. */
export interface Tally {
  rows: number
}

/**
 * The subject of a file: `waypoints` has the chosen records alone, `registry` describes the whole registry, `log` is
 * its history, and `difference` exists only since a point of the log.
 */
export type Subject = 'waypoints' | 'registry' | 'log' | 'difference'

/** One kind of file that an export can write. A new one is a file of code and a line in formats.ts. */
export interface Format {
  /** Its name in an export's `formats`. */
  readonly name: string
  readonly file: string
  readonly mediaType: string
  /** For people who choose a download. */
  readonly title: string
  readonly subject: Subject
  /** Its contents, one sentence. */
  readonly holds: string
  /** The loss of information, one sentence. */
  readonly loses: string
  /** Its columns, where it is a table whose columns have those names. */
  readonly fields?: readonly Field[]
  /** Whether it may be as of earlier the same day: it takes long to make, and nothing is made from it. */
  readonly isDaily?: true
  /** Whether a difference includes it, with the added and changed rows. Files about waypoints and the log are always included. */
  readonly hasDifference?: true
  /** The member of a JSON file that lists its rows. */
  readonly rowsIn?: string
  /** The JSON Schema of the file. */
  readonly jsonSchema?: JsonSchema
  /** Writes the file and counts its rows. Reads the edition as a stream and yields to the event loop between pieces. */
  write(path: string, edition: Edition, tally: Tally): Promise<void>
}

/** A format that is text and may be sent piece by piece as well as written to a file. */
export interface TextFormat extends Format {
  /** The text in pieces of any size; UTF-8 when encoded. */
  text(edition: Edition, tally: Tally): Iterable<string>
}

type TextFormatParts = Omit<TextFormat, 'write'> & { readonly gzip?: boolean }

/** A text format with the function that writes its file, compressed when `gzip` is set. */
export function textFormat({ gzip = false, ...format }: TextFormatParts): TextFormat {
  return {
    ...format,
    // Node's gzip header carries no time, so equal text gives equal bytes.
    write: (path, edition, tally) =>
      writeBytes(path, joined(format.text(edition, tally)), gzip ? createGzip(compression) : undefined),
  }
}

export function* counted<Row>(rows: Iterable<Row>, tally: Tally): Iterable<Row> {
  for (const row of rows) {
    tally.rows += 1
    yield row
  }
}

export const lineBefore = ({ rows }: Tally): string => (rows > 1 ? ',\n' : '\n')

export const compression = { level: 6, chunkSize: 1 << 16 }

const bufferBytes = 1 << 18

/** Texts in UTF-8 and bytes, small ones joined. */
export function* joined(pieces: Iterable<string | Uint8Array>): Iterable<Uint8Array> {
  let buffer = Buffer.allocUnsafe(bufferBytes)
  let used = 0
  for (const piece of pieces) {
    const isText = typeof piece === 'string'
    // A UTF-16 unit becomes three bytes of UTF-8 at most.
    const room = isText ? 3 * piece.length : piece.length
    if (room > buffer.length - used) {
      if (used > 0) yield buffer.subarray(0, used)
      buffer = Buffer.allocUnsafe(Math.max(bufferBytes, room))
      used = 0
    }
    if (isText) used += buffer.write(piece, used)
    else {
      buffer.set(piece, used)
      used += piece.length
    }
  }
  if (used > 0) yield buffer.subarray(0, used)
}

/** Writes a new file, compressed in other threads while more is made. */
export const writeBytes = (
  path: string,
  bytes: Iterable<Uint8Array>,
  compressor: Transform = new PassThrough(),
): Promise<void> =>
  pipeline(Readable.from(bytes, { highWaterMark: 1 }), compressor, createWriteStream(path, { flags: 'wx' }))
