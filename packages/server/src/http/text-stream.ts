import { pipeline } from 'node:stream'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type CodedHere, compressor } from './compression.ts'

/** A body made in pieces while it is sent. */
export class TextStream {
  readonly pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
  /** Its Content-Type; default the JSON of the endpoint. */
  readonly mediaType: string | undefined

  constructor(pieces: TextStream['pieces'], mediaType?: string) {
    this.pieces = pieces
    this.mediaType = mediaType
  }
}

interface StreamOptions {
  readonly variant: CodedHere | ''
  /** Milliseconds without reading after which the stream fails. */
  readonly stallMilliseconds: number
  /** Minimum average reading speed; `stallMilliseconds` are added to the allowed time. Default: no limit. */
  readonly slowestBytesPerSecond?: number
  /** Called once at the end of the stream, for any reason, with the bytes sent. */
  readonly onEnd: (bytes: number) => void
  /** Called with the error of a failed piece. */
  readonly onError: (error: unknown) => void
}

const utf8 = new TextEncoder()

/** Pieces, the first of them made already; `end` stops making more, even before any was read. */
interface PrimedPieces extends AsyncIterable<string | Uint8Array> {
  end(): void
}

/** Makes the first piece, so that its error is thrown before anything is sent. */
export async function primed(pieces: TextStream['pieces']): Promise<PrimedPieces> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  const first = await iterator.next()
  return {
    async *[Symbol.asyncIterator]() {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    },
    // An unread generator does not notice that its reader stopped.
    end: () => void Promise.resolve(iterator.return?.()).catch(() => undefined),
  }
}

const writeCharacters = 32 * 1024

/** Encodes the pieces, small ones joined, and yields to the event loop after each. */
async function* encoded(pieces: TextStream['pieces']): AsyncGenerator<Uint8Array> {
  let text = ''
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    if (typeof piece === 'string' && text.length < writeCharacters) continue
    if (text !== '') yield utf8.encode(text)
    text = ''
    if (typeof piece !== 'string') yield piece
    // On a fast connection 'drain' never has to be awaited, and light reads would wait for the whole list.
    await yieldToEventLoop()
  }
  if (text !== '') yield utf8.encode(text)
}

/** Bytes of a chunk, few enough for a slow reader to take one within the time limit. */
const chunkBytes = 128 * 1024

async function* chunked(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const bytes of source) {
    for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
}

async function* compressed(
  source: AsyncIterable<Uint8Array>,
  variant: 'br' | 'gz',
): AsyncGenerator<Uint8Array> {
  const compression = compressor(variant)
  // An error of the source destroys the compressor, and so reaches the loop below.
  pipeline(source, compression, () => undefined)
  try {
    for await (const bytes of compression) yield bytes as Uint8Array
  } finally {
    compression.destroy()
  }
}

export function streamBody(pieces: TextStream['pieces'], options: StreamOptions): ReadableStream<Uint8Array> {
  const source = encoded(pieces)
  const chunks = options.variant === '' ? chunked(source) : compressed(source, options.variant)
  let bytes = 0
  let hasEnded = false
  let stall: NodeJS.Timeout | undefined
  /** Start of the current wait for the reader, and the total of earlier waits; time spent making pieces does not count. */
  let waitingSince = 0
  let waited = 0
  const remainingMilliseconds = (): number => {
    const { slowestBytesPerSecond = 0, stallMilliseconds } = options
    if (slowestBytesPerSecond === 0) return stallMilliseconds
    const left = stallMilliseconds + (bytes / slowestBytesPerSecond) * 1000 - waited
    return Math.max(0, Math.min(stallMilliseconds, left))
  }
  const end = (): void => {
    clearTimeout(stall)
    if (hasEnded) return
    hasEnded = true
    options.onEnd(bytes)
  }
  const startTimer = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    waitingSince = performance.now()
    stall = setTimeout(() => {
      controller.error(new Error('The reader is too slow, or stalled'))
      end()
      void chunks.return(undefined).catch(() => undefined)
    }, remainingMilliseconds())
    stall.unref()
  }
  return new ReadableStream<Uint8Array>(
    {
      start: startTimer,
      async pull(controller) {
        clearTimeout(stall)
        waited += performance.now() - waitingSince
        try {
          const next = await chunks.next()
          if (hasEnded) return
          if (next.done === true) {
            controller.close()
            end()
            return
          }
          bytes += next.value.byteLength
          controller.enqueue(next.value)
          startTimer(controller)
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
