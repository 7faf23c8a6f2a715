import { randomBytes } from 'node:crypto'

/** A source of random bytes. Default `node:crypto`. */
export type Random = (bytes: number) => Uint8Array

const seedBytes = 16

/** Random seeds of entries in hexadecimal; a few hundred are drawn at a time. */
export function seeds(random: Random | undefined): () => string {
  let pool = ''
  let used = 0
  return () => {
    if (used >= pool.length) {
      const bytes = random ? Buffer.from(random(seedBytes)) : randomBytes(seedBytes * 256)
      pool = bytes.toString('hex')
      used = 0
    }
    const from = used
    used += seedBytes * 2
    return pool.slice(from, used)
  }
}
