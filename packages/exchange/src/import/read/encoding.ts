import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import type { ImportNote } from '../notes.ts'
import { ImportRefused } from './refusal.ts'

/** How a text file is encoded, and what should be known about that. */
export interface Encoding {
  /** A name that iconv-lite knows. */
  readonly name: string
  /** Whether single characters of the UTF-8 text are in Windows-1252. */
  readonly mixed?: boolean
  readonly notes: readonly ImportNote[]
}

/** What text that is not UTF-8 is read in. */
const fallback = 'windows-1252'

/**
 * Finds a text's encoding from all of its bytes: a byte-order mark decides; then the zero bytes of UTF-16;
 * then UTF-8 when the bytes are valid; else Windows-1252, of which Latin-1's letters are a part.
 * A UTF-8 text with a few broken characters stays UTF-8, and says so.
 *
 * @throws ImportRefused BINARY when the bytes are not text
 */
export async function detectEncoding(chunks: AsyncIterable<Buffer>): Promise<Encoding> {
  const bytes = new ByteStatistics()
  let first = true
  for await (const chunk of chunks) {
    if (first) {
      const marked = byteOrderMark(chunk) ?? zeroPattern(chunk)
      if (marked !== undefined) return { name: marked, notes: [] }
      first = false
    }
    if (chunk.includes(0)) throw new ImportRefused({ code: 'BINARY' }, 'The file holds binary data.')
    bytes.add(chunk)
  }
  return bytes.verdict()
}

/** The encoding of a name that the caller gives. @throws ImportRefused ENCODING_UNKNOWN */
export function namedEncoding(name: string): Encoding {
  const shown = name.slice(0, 100)
  if (!iconv.encodingExists(name)) {
    throw new ImportRefused(
      { code: 'ENCODING_UNKNOWN', encoding: name },
      `The encoding "${shown}" is not known.`,
    )
  }
  return { name, notes: [] }
}

/** The text of bytes in an encoding, without a byte-order mark. */
export async function* decode(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  if (encoding.mixed === true) {
    yield* decodeMixed(chunks)
    return
  }
  const decoder = iconv.getDecoder(encoding.name, { stripBOM: true })
  for await (const chunk of chunks) {
    const text = decoder.write(chunk)
    if (text !== '') yield text
  }
  const rest = decoder.end()
  if (rest !== undefined && rest !== '') yield rest
}

async function* decodeMixed(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let carry = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk])
    const end = wholeCharacters(bytes)
    carry = Buffer.from(bytes.subarray(end))
    yield mixedText(bytes.subarray(0, end))
  }
  if (carry.length > 0) yield mixedText(carry)
}

function mixedText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) continue
    const length = sequenceLength(bytes, at)
    if (length > 0) at += length - 1
    else {
      text += bytes.toString('utf8', from, at) + iconv.decode(bytes.subarray(at, at + 1), fallback)
      from = at + 1
    }
  }
  return text + bytes.toString('utf8', from)
}

/** Where the last character that is whole ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return bytes.length - back
    if (byte < 0x80) break
  }
  return bytes.length
}

/** Bytes of the well-formed multi-byte character at a place, or 0. */
function sequenceLength(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}

function byteOrderMark(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Latin text in UTF-16 has a zero in nearly every other byte, and nearly none in between. */
function zeroPattern(head: Buffer): string | undefined {
  const sample = head.subarray(0, 4096)
  if (sample.length < 4) return undefined
  const zeros = [0, 0]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const half = sample.length / 2
  if (odd > half * 0.6 && even < half * 0.05) return 'utf-16le'
  if (even > half * 0.6 && odd < half * 0.05) return 'utf-16be'
  return undefined
}

/** Counts well-formed and broken multi-byte sequences across chunks. */
class ByteStatistics {
  #wellFormed = 0
  #broken = 0
  #carry = Buffer.alloc(0)

  add(chunk: Buffer): void {
    const bytes = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    // A character that the end of the chunk cuts is counted with the next chunk.
    const end = wholeCharacters(bytes)
    this.#carry = Buffer.from(bytes.subarray(end))
    const whole = bytes.subarray(0, end)
    if (isUtf8(whole)) {
      // Only the proportion matters: one count a chunk is enough where nothing is broken.
      this.#wellFormed += isAscii(whole) ? 0 : 1
    } else {
      this.#count(whole)
    }
  }

  verdict(): Encoding {
    if (this.#carry.length > 0 && !isUtf8(this.#carry)) this.#broken += 1
    if (this.#broken === 0) return { name: 'utf-8', notes: [] }
    if (this.#wellFormed > this.#broken * 9) {
      return {
        name: 'utf-8',
        mixed: true,
        notes: [{ code: 'MIXED_ENCODING', characters: this.#broken, encoding: fallback }],
      }
    }
    return { name: fallback, notes: [{ code: 'NOT_UTF8', encoding: fallback }] }
  }

  #count(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if ((bytes[at] ?? 0) < 0x80) continue
      const length = sequenceLength(bytes, at)
      if (length > 0) {
        this.#wellFormed += 1
        at += length - 1
      } else {
        this.#broken += 1
      }
    }
  }
}
