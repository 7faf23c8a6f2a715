import { bytesOfHex, bytesOfText, joinedBytes } from './bytes.ts'

// The same as hashing.ts for browsers. WebCrypto answers later, and not at all on pages without https.

/** The first 32 bits of the fractional parts of roots of the first primes. */
const primes: number[] = []
for (let number = 2; primes.length < 64; number++)
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0
const begin = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

const words = new Int32Array(64)
const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** SHA-256 (FIPS 180-4). */
export function sha256(data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? bytesOfText(data) : data
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n)
  let state = begin
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let at = 0; at < 16; at++) words[at] = padded.getInt32(block + at * 4)
    for (let at = 16; at < 64; at++) {
      const low = words[at - 15] ?? 0
      const high = words[at - 2] ?? 0
      const sigma0 = turned(low, 7) ^ turned(low, 18) ^ (low >>> 3)
      const sigma1 = turned(high, 17) ^ turned(high, 19) ^ (high >>> 10)
      words[at] = (words[at - 16] ?? 0) + sigma0 + (words[at - 7] ?? 0) + sigma1
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
    for (let at = 0; at < 64; at++) {
      const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      const first = (h + sum1 + ((e & f) ^ (~e & g)) + (constants[at] ?? 0) + (words[at] ?? 0)) | 0
      const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
      const second = sum0 + ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    const before = state
    state = [a, b, c, d, e, f, g, h].map((word, at) => (word + (before[at] ?? 0)) | 0)
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

export const leafHash = (data: string | Uint8Array): string =>
  sha256(joinedBytes(Uint8Array.of(0), typeof data === 'string' ? bytesOfText(data) : data))

export const nodeHash = (left: string, right: string): string => sha256(bytesOfHex(`01${left}${right}`))
