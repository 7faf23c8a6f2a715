import { hash } from 'node:crypto'

// Hashes in lower-case hexadecimal, which Node makes three times as fast as buffers.

export const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'hex')

/** The hash of a leaf: text is taken as UTF-8. */
export function leafHash(data: string | Uint8Array): string {
  if (typeof data === 'string') return sha256(`\u0000${data}`)
  return sha256(Buffer.concat([Buffer.of(0), data]))
}

const pair = Buffer.alloc(1 + 32 + 32)
pair[0] = 1

/** The hash of two neighbouring subtrees. */
export function nodeHash(left: string, right: string): string {
  pair.write(left, 1, 'hex')
  pair.write(right, 1 + 32, 'hex')
  return sha256(pair)
}
