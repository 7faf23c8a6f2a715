import { open } from 'node:fs/promises'
import { createGzip, type DeflateRaw, type Gzip } from 'node:zlib'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Edition } from './edition.ts'
import type { Field } from './fields.ts'
import type { JsonSchema } from './json-schema.ts'

/** Counts the rows of a file while it is written. */
export interface Tally {
  rows: number
}

/**
 * What a file is about: `waypoints` has the chosen records alone, `registry` describes the whole registry, `log` is its
 * history, and `difference` exists only since a point of the log.
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
  /** What it contains, one sentence. */
  readonly holds: string
  /** What is lost, one sentence. */
  readonly loses: string
  /** Its columns, where it is a table whose columns have those names. */
  readonly fields?: readonly Field[]
  /** Whether it may be as of earlier the same day: it takes long to make, and nothing is made from it. */
  readonly isDaily?: true
  /** Whether a difference has it, with what was added or changed. Files about waypoints and the log are in any. */
  readonly hasDifference?: true
  /** The member of a JSON file that lists its rows. */
  readonly rowsIn?: string
  /** What a JSON file consists of. */
  readonly jsonSchema?: JsonSchema
  /**
   * Writes the file and counts its rows. Reads the edition as a stream and yields to the event loop between
   * pieces.
   */
  write(path: string, edition: Edition, tally: Tally): Promise<void>
}

/** A format that is text and may be sent piece by piece as well as written to a file. */
export interface TextFormat extends Format {
  /** The text in pieces of any size; UTF-8 when encoded. */
  text(edition: Edition, tally: Tally): Iterable<string>
}

type TextFormatParts = Omit<TextFormat, 'write'> & { readonly gzip?: boolean }

/** A text format with the function that writes its file, compressed when `gzip` is set. */
export function textFormat({ gzip, text, ...format }: TextFormatParts): TextFormat {
  return completed(format, text, gzip)
}

/** A text format of the pieces of its file, of any size; bytes are UTF-8 and hold whole characters. */
export function completed(
  format: Omit<TextFormat, 'write' | 'text'>,
  pieces: (edition: Edition, tally: Tally) => Iterable<string | Uint8Array>,
  gzip = false,
): TextFormat {
  return {
    ...format,
    *text(edition, tally) {
      for (const piece of pieces(edition, tally)) yield typeof piece === 'string' ? piece : utf8.decode(piece)
    },
    write: (path, edition, tally) =>
      gzip
        ? // Node's gzip header carries no time, so equal text gives equal bytes.
          writeCompressed(path, pieces(edition, tally), {
            compressor: createGzip({ level: 6, chunkSize: 1 << 16 }),
          })
        : writePlain(path, pieces(edition, tally)),
  }
}

/** A byte order mark within a text is a part of it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Bytes that are written or compressed at a time. */
const bufferBytes = 1 << 20

/**
 * Joins small pieces in two alternating buffers: what is yielded stays valid while the next is made, so that it can be
 * written or compressed meanwhile.
 */
export function* joined(pieces: Iterable<string | Uint8Array>): Iterable<Uint8Array> {
  let [buffer, other] = [Buffer.allocUnsafe(bufferBytes), Buffer.allocUnsafe(bufferBytes)]
  let used = 0
  for (const piece of pieces) {
    // A UTF-16 unit becomes three bytes of UTF-8 at most.
    const room = typeof piece === 'string' ? 3 * piece.length : piece.length
    if (room > bufferBytes - used && used > 0) {
      yield buffer.subarray(0, used)
      ;[buffer, other, used] = [other, buffer, 0]
    }
    if (room > bufferBytes) yield typeof piece === 'string' ? Buffer.from(piece) : piece
    else if (typeof piece === 'string') used += buffer.write(piece, used)
    else {
      buffer.set(piece, used)
      used += piece.length
      freed(piece)
    }
  }
  yield buffer.subarray(0, used)
}

/** Frees the memory of bytes that do not share it, which the garbage collector would keep for long. */
export function freed({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

async function writePlain(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx')
  let written: Promise<void> = Promise.resolve()
  try {
    for (const bytes of joined(pieces)) {
      await written
      // While this is written, the next is made.
      written = handle.writeFile(bytes)
    }
  } finally {
    await written.finally(() => handle.close())
  }
}

/** How pieces are compressed. */
export interface Compression {
  readonly compressor: Gzip | DeflateRaw
  /** `wx` for a new file, `a` to append to one. Default `wx`. */
  readonly flags?: 'wx' | 'a'
  /** Called with all bytes before they are compressed, which are valid until it returns. */
  onBytes?(bytes: Uint8Array): void
}

/** Writes pieces to a file, compressed in other threads while the next are made. */
export async function writeCompressed(
  path: string,
  pieces: Iterable<string | Uint8Array>,
  { compressor, flags = 'wx', onBytes }: Compression,
): Promise<void> {
  const written = pipeline(compressor, createWriteStream(path, { flags }))
  let compressed: Promise<void> = Promise.resolve()
  try {
    for (const bytes of joined(pieces)) {
      onBytes?.(bytes)
      await Promise.race([compressed, written])
      // What fails here fails `written` too.
      compressed = new Promise((resolve) => compressor.write(bytes, () => resolve()))
    }
    compressor.end()
  } catch (error) {
    compressor.destroy()
    await written.catch(() => undefined)
    throw error
  }
  await written
}
