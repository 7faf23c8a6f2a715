import { randomBytes } from 'node:crypto'

/** A source of random bytes. Default `node:crypto`. */
export type Random = (bytes: number) => Uint8Array

const saltBytes = 16

/** Random salts in hexadecimal; a few hundred are drawn at a time. */
export function salts(random: Random | undefined): () => string {
  let pool = ''
  let used = 0
  return () => {
    if (used >= pool.length) {
      const bytes = random ? Buffer.from(random(saltBytes)) : randomBytes(saltBytes * 256)
      pool = bytes.toString('hex')
      used = 0
    }
    const from = used
    used += saltBytes * 2
    return pool.slice(from, used)
  }
}
