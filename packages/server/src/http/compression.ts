import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Transform } from 'node:stream'

/** Below this many characters a response fits into one packet anyway, and compressing costs more than it saves. */
export const worthCompressing = 1400

// Quality 4 takes about as long as gzip's default and makes JSON smaller; higher ones take many times as long.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzipOptions = { level: 6 }

const toBrotli = promisify<string | Uint8Array, typeof brotliOptions, Buffer<ArrayBuffer>>(brotliCompress)
const toGzip = promisify<string | Uint8Array, typeof gzipOptions, Buffer<ArrayBuffer>>(gzip)

/** The value of Content-Encoding for a compressed variant. */
export const encodingName = { br: 'br', gz: 'gzip' } as const

/** Compresses a whole body off the main thread. */
export function compress(body: string | Uint8Array, variant: 'br' | 'gz'): Promise<Buffer<ArrayBuffer>> {
  return variant === 'br' ? toBrotli(body, brotliOptions) : toGzip(body, gzipOptions)
}

/** A transform that compresses a body as it passes. */
export function compressor(variant: 'br' | 'gz'): Transform {
  return variant === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
}
