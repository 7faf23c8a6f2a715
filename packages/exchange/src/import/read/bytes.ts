import { createReadStream, read } from 'node:fs'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { ImportRefused } from './refusal.ts'

/** Small enough that the texts made of it are collected with the young generation. */
export const chunkBytes = 64 * 1024

/** A file by its path, or by the descriptor of an open one. */
export type FileHandle = string | number

/** The bytes of a file from `start` to `end`, which is excluded. */
export function bytesOf(file: FileHandle, start = 0, end = Infinity): Readable {
  if (end <= start) return Readable.from([])
  if (typeof file === 'number') return Readable.from(piecesOf(file, start, end))
  return createReadStream(file, { start, end: end - 1, highWaterMark: chunkBytes })
}

export const readInto = promisify(read)

/** A stream of Node would close the descriptor. */
async function* piecesOf(descriptor: number, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(chunkBytes, end - at))
    const { bytesRead } = await readInto(descriptor, piece, 0, piece.length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

const mostBytes = 32 * 1024 * 1024

export class Bytes {
  readonly #chunks: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes. @throws ImportRefused TRUNCATED, TOO_LARGE */
  async take(length: number): Promise<Buffer> {
    if (length > mostBytes) throw new ImportRefused({ code: 'TOO_LARGE' })
    const pieces = [this.#held]
    for (let held = this.#held.length; held < length;) {
      const next = await this.#chunks.next()
      if (next.done === true) throw new ImportRefused({ code: 'TRUNCATED' }, 'The data is cut off.')
      pieces.push(next.value)
      held += next.value.length
    }
    const all = pieces.length === 1 ? this.#held : Buffer.concat(pieces)
    this.#held = all.subarray(length)
    return all.subarray(0, length)
  }

  /** Reads to the end, where the archive's checksum is compared. */
  async skipRest(): Promise<void> {
    while ((await this.#chunks.next()).done !== true);
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#held.length === 0) {
      const next = await this.#chunks.next()
      if (next.done === true) return true
      this.#held = next.value
    }
    return false
  }
}
