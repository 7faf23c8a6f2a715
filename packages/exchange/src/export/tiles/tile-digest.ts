import { hash } from 'node:crypto'

/** Bytes of a digest: 128 bits of SHA-256. */
export const digestBytes = 16
/** Position, weight and length of the text of a point. */
const headBytes = 12

/** Digests of what tiles follow from, one tile after another in the same memory. Equal digests are of equal tiles, and the other way round. */
export class TileDigest {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0

  /**
   * Adds a cluster, or a point with the text that its tags follow from.
   *
   * @param x units from the left, below 65,536 like `y`, which is from the top
   */
  add(x: number, y: number, weight: number, text?: Uint8Array): void {
    const length = text?.length ?? 0
    this.#reserve(headBytes + length)
    const bytes = this.#bytes
    bytes.writeUInt16LE(x, this.#length)
    bytes.writeUInt16LE(y, this.#length + 2)
    bytes.writeUInt32LE(weight, this.#length + 4)
    bytes.writeUInt32LE(length, this.#length + 8)
    if (text) bytes.set(text, this.#length + headBytes)
    this.#length += headBytes + length
  }

  /** The digest of what was added, a character for each byte. The next tile begins empty. */
  finish(): string {
    const digest = hash('sha256', this.#bytes.subarray(0, this.#length), 'binary')
    this.#length = 0
    return digest.slice(0, digestBytes)
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
