import { pipeline } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { compressor } from './compression.ts'
import type { Variant } from './entity-tag.ts'

/** A body that is made piece by piece while it is sent. */
export class TextStream {
  readonly pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
  /** Its Content-Type, when it is not the JSON of the endpoint. */
  readonly mediaType: string | undefined

  constructor(pieces: TextStream['pieces'], mediaType?: string) {
    this.pieces = pieces
    this.mediaType = mediaType
  }
}

/** The text of a short JSON object that is made beside the thread that serves, when its turn comes. */
export class LaterText {
  readonly make: () => Promise<string>

  constructor(make: () => Promise<string>) {
    this.make = make
  }
}

export interface StreamOptions {
  readonly variant: Variant
  /** A reader that takes nothing for this long is cut off. */
  readonly stallMilliseconds: number
  /**
   * A reader that is slower than this on the whole is cut off too; it has `stallMilliseconds` more than the bytes
   * that it took allow for. Default: as slow as it likes.
   */
  readonly slowestBytesPerSecond?: number
  /** Called once when the stream is over, however it ended, with the bytes that were handed on. */
  readonly onEnd: (bytes: number) => void
  /** Called with what broke the stream, when something here did. */
  readonly onError: (error: unknown) => void
}

const utf8 = new TextEncoder()

/** Pieces whose making has begun; `end` stops it, read or not. */
export interface BegunPieces extends AsyncIterable<string | Uint8Array> {
  end(): void
}

/** Begins to make the pieces: what fails at the beginning fails before anything was sent. */
export async function begun(pieces: TextStream['pieces']): Promise<BegunPieces> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const first = await iterator.next()
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    },
    // A generator that nobody read would not notice that nobody does.
    end: () => void Promise.resolve(iterator.return?.()).catch(() => undefined),
  }
}

/** Characters that are worth a write of their own. */
const worthWriting = 32 * 1024

/** Bytes of the pieces, small ones joined; other requests have their turn before each. */
async function* encoded(pieces: TextStream['pieces']): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    if (typeof piece === 'string' && text.length < worthWriting) continue
    if (text !== '') yield utf8.encode(text)
    text = ''
    if (typeof piece !== 'string') yield piece
    // On a fast connection 'drain' never gives the event loop back, so light reads would wait for the whole list.
    await nextTurn()
  }
  if (text !== '') yield utf8.encode(text)
}

/** Bytes that are handed on at a time, so that whoever reads at all is seen to read. */
const handful = 128 * 1024

async function* cutUp(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.byteLength; at += handful) yield bytes.subarray(at, at + handful)
  }
}

async function* compressed(
  source: AsyncIterable<Uint8Array>,
  variant: 'br' | 'gz',
): AsyncGenerator<Uint8Array> {
  const packer = compressor(variant)
  // An error of the source destroys the packer with it, and so reaches the loop below.
  pipeline(source, packer, () => undefined)
  try {
    for await (const bytes of packer) yield bytes as Uint8Array
  } finally {
    packer.destroy()
  }
}

/** Turns pieces of text into the body of a response, compressed when asked, made only as fast as it is read. */
export function streamBody(pieces: TextStream['pieces'], options: StreamOptions): ReadableStream<Uint8Array> {
  const source = encoded(pieces)
  const chunks = options.variant === '' ? cutUp(source) : compressed(source, options.variant)
  let bytes = 0
  let over = false
  let stall: NodeJS.Timeout | undefined
  /** Since when the reader is waited for, and how long it was before; the time that the making takes is not its fault. */
  let waitingSince = 0
  let waited = 0
  const patience = (): number => {
    const { slowestBytesPerSecond = 0, stallMilliseconds } = options
    if (slowestBytesPerSecond === 0) return stallMilliseconds
    const left = stallMilliseconds + (bytes / slowestBytesPerSecond) * 1000 - waited
    return Math.max(0, Math.min(stallMilliseconds, left))
  }
  const end = (): void => {
    clearTimeout(stall)
    if (over) return
    over = true
    options.onEnd(bytes)
  }
  const cutOff = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    waitingSince = performance.now()
    stall = setTimeout(() => {
      controller.error(new Error('The reader is too slow, or stalled'))
      end()
      void chunks.return(undefined).catch(() => undefined)
    }, patience())
    stall.unref()
  }
  return new ReadableStream<Uint8Array>(
    {
      start: cutOff,
      async pull(controller) {
        clearTimeout(stall)
        waited += performance.now() - waitingSince
        try {
          const next = await chunks.next()
          if (over) return
          if (next.done === true) {
            controller.close()
            end()
            return
          }
          bytes += next.value.byteLength
          controller.enqueue(next.value)
          cutOff(controller)
        } catch (error) {
          options.onError(error)
          end()
          controller.error(error)
        }
      },
      async cancel() {
        end()
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
