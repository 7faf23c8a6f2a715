import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Transform } from 'node:stream'
import type { Coded } from './response.ts'

/** Shorter responses, in characters, fit into one packet, so compression costs more than it saves. */
export const worthCompressing = 1400

const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
// Quality 4 takes about as long as gzip's default and makes JSON smaller; higher ones take many times as long.
const brotliOptions = brotli(4)
/** Of files that never change: a sixth smaller, in thirty times the time. */
const densest = brotli(10)
const gzipOptions = { level: 6 }

const toBrotli = promisify<string | Uint8Array, typeof brotliOptions, Buffer<ArrayBuffer>>(brotliCompress)
const toGzip = promisify<string | Uint8Array, typeof gzipOptions, Buffer<ArrayBuffer>>(gzip)

/** The value of Content-Encoding for a compressed variant. */
export const encodingName = { br: 'br', zst: 'zstd', gz: 'gzip' } as const satisfies Record<Coded, string>

export type CodedHere = Exclude<Coded, 'zst'>

/** Compresses a whole body off the main thread; one that is `kept` for long as densely as possible. */
export function compress(
  body: string | Uint8Array,
  variant: CodedHere,
  { kept = false } = {},
): Promise<Buffer<ArrayBuffer>> {
  if (variant === 'gz') return toGzip(body, gzipOptions)
  return toBrotli(body, kept ? densest : brotliOptions)
}

export const compressor = (variant: CodedHere): Transform =>
  variant === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
