import { randomBytes } from 'node:crypto'

/** A source of random bytes; `node:crypto` unless a test gives a seeded one. */
export type Random = (bytes: number) => Uint8Array

interface Salt {
  readonly bytes: Uint8Array
  readonly hex: string
}

const saltBytes = 16

/** Random salts, drawn from the system a few hundred at a time. */
export function salts(random: Random | undefined): () => Salt {
  let pool = Buffer.alloc(0)
  let hex = ''
  let used = 0
  return () => {
    if (used >= pool.length) {
      pool = random ? Buffer.from(random(saltBytes)) : randomBytes(saltBytes * 256)
      hex = pool.toString('hex')
      used = 0
    }
    const from = used
    used += saltBytes
    return { bytes: pool.subarray(from, used), hex: hex.slice(from * 2, used * 2) }
  }
}
