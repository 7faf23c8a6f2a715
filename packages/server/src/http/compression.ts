import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Transform } from 'node:stream'
import type { Variant } from './entity-tag.ts'

/** Below this many characters a packet holds the answer anyway, and compressing costs more than it saves. */
export const worthCompressing = 1400

// Quality 4 takes about as long as gzip's default and packs JSON tighter; more costs many times the time.
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const gzipOptions = { level: 6 }

const toBrotli = promisify<string | Uint8Array, typeof brotliOptions, Buffer<ArrayBuffer>>(brotliCompress)
const toGzip = promisify<string | Uint8Array, typeof gzipOptions, Buffer<ArrayBuffer>>(gzip)

/** The value of Content-Encoding for a compressed variant. */
export const encodingName = { br: 'br', gz: 'gzip' } as const

/**
 * Chooses the coding that the client prefers; Brotli wins a tie (RFC 9110, section 12.5.3).
 *
 * @param accepted the Accept-Encoding header, or null
 */
export function chosenVariant(accepted: string | null): Variant {
  if (accepted === null) return ''
  let brotli: number | undefined
  let gzipped: number | undefined
  let others = 0
  for (const item of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';')
    const weight = weightOf(parameters)
    const coding = name.trim()
    if (coding === 'br') brotli = weight
    else if (coding === 'gzip' || coding === 'x-gzip') gzipped = weight
    else if (coding === '*') others = weight
  }
  const br = brotli ?? others
  const gz = gzipped ?? others
  if (br > 0 && br >= gz) return 'br'
  return gz > 0 ? 'gz' : ''
}

function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name, value] = parameter.split('=')
    if (name?.trim() !== 'q') continue
    const weight = Number(value?.trim())
    return weight >= 0 && weight <= 1 ? weight : 0
  }
  return 1
}

/** Compresses a whole body off the main thread. */
export function compress(body: string | Uint8Array, variant: 'br' | 'gz'): Promise<Buffer<ArrayBuffer>> {
  return variant === 'br' ? toBrotli(body, brotliOptions) : toGzip(body, gzipOptions)
}

/** A transform that compresses a body as it passes. */
export function compressor(variant: 'br' | 'gz'): Transform {
  return variant === 'br' ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions)
}
