import { open } from 'node:fs/promises'
import { createGzip } from 'node:zlib'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Edition } from './edition.ts'
import type { Field } from './fields.ts'

/** Counts the rows of a file while it is written. */
export interface Tally {
  rows: number
}

/**
 * What a file is about: `waypoints` obeys every choice of records, `registry` describes the whole and `log` its
 * history, `difference` exists only since some point of the log.
 */
export type Subject = 'waypoints' | 'registry' | 'log' | 'difference'

/** One kind of file that an export can write. A new one is a file of code and a line in formats.ts. */
export interface Format {
  /** What `--formats` calls it. */
  readonly name: string
  readonly file: string
  readonly mediaType: string
  /** For people who choose a download. */
  readonly title: string
  readonly subject: Subject
  /** What it can hold, one sentence. */
  readonly holds: string
  /** What gets lost, one sentence. */
  readonly loses: string
  /** Its columns, where it is a table whose columns have those names. */
  readonly fields?: readonly Field[]
  /**
   * Writes the file and counts its rows. Reads the edition as a stream and gives the event loop back between
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

/** Completes a text format with the writing of its file, compressed when `gzip` is set. */
export function textFormat(parts: TextFormatParts): TextFormat {
  const { gzip = false, ...format } = parts
  return {
    ...format,
    write: async (path, edition, tally) => {
      const texts = format.text(edition, tally)
      await (gzip ? writeCompressed(path, texts) : writePlain(path, texts))
    },
  }
}

/** Characters a piece should have before it is worth a write. */
const pieceLength = 1 << 18

/** Joins small pieces of text to larger ones. */
export function* gathered(texts: Iterable<string>): Iterable<string> {
  let piece = ''
  for (const text of texts) {
    piece += text
    if (piece.length < pieceLength) continue
    yield piece
    piece = ''
  }
  if (piece !== '') yield piece
}

/** Bytes that are written at a time. */
const bufferBytes = 1 << 20

async function writePlain(path: string, texts: Iterable<string>): Promise<void> {
  const handle = await open(path, 'wx')
  const buffer = Buffer.allocUnsafe(bufferBytes)
  let used = 0
  const flush = async () => {
    await handle.writeFile(buffer.subarray(0, used))
    used = 0
  }
  try {
    for (const text of texts) {
      // A UTF-16 unit becomes three bytes of UTF-8 at most.
      const room = 3 * text.length
      if (room > bufferBytes - used) await flush()
      if (room > bufferBytes) await handle.writeFile(text)
      else used += buffer.write(text, used)
    }
    await flush()
  } finally {
    await handle.close()
  }
}

async function writeCompressed(path: string, texts: Iterable<string>): Promise<void> {
  // Node's gzip header carries no time, so equal text gives equal bytes.
  const pieces = Readable.from(gathered(texts))
  await pipeline(pieces, createGzip({ level: 6 }), createWriteStream(path, { flags: 'wx' }))
}
