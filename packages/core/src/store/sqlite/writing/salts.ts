import { randomBytes } from 'node:crypto'

/** A source of random bytes; `node:crypto` unless a test gives a seeded one. */
export type Random = (bytes: number) => Uint8Array

const saltBytes = 16

/** Random salts in hexadecimal, drawn from the system a few hundred at a time. */
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
