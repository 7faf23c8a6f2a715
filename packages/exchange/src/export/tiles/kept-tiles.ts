import { digestBytes } from './tile-digest.ts'

/** A digest, and the number, the length and the place of a tile. */
const rowBytes = digestBytes + 4 + 4 + 8

/** Where tiles are in a file, by ascending number, and the digests of what they follow from: 32 bytes a tile. */
export class KeptTiles {
  #rows: Buffer
  #length: number

  /** @param rows bytes of other ones; default none */
  constructor(rows: Buffer = Buffer.alloc(0)) {
    this.#rows = rows
    this.#length = rows.length
  }

  add(digest: string, tileId: number, offset: number, length: number): void {
    if (this.#length === this.#rows.length)
      this.#rows = Buffer.concat([this.#rows], 2 * (this.#length + rowBytes))
    this.#rows.write(digest, this.#length, 'latin1')
    this.#rows.writeUInt32LE(tileId, this.#length + digestBytes)
    this.#rows.writeUInt32LE(length, this.#length + digestBytes + 4)
    this.#rows.writeDoubleLE(offset, this.#length + digestBytes + 8)
    this.#length += rowBytes
  }

  /** The place of the tile with a number; undefined when there is none, or it follows from something else. */
  find(tileId: number, digest: string): { readonly offset: number; readonly length: number } | undefined {
    let [row, end] = [0, this.#length / rowBytes]
    while (row < end) {
      const middle = (row + end) >>> 1
      if (this.#rows.readUInt32LE(middle * rowBytes + digestBytes) < tileId) row = middle + 1
      else end = middle
    }
    const start = row * rowBytes
    if (start === this.#length || this.#rows.readUInt32LE(start + digestBytes) !== tileId) return undefined
    if (this.#rows.toString('latin1', start, start + digestBytes) !== digest) return undefined
    return {
      offset: this.#rows.readDoubleLE(start + digestBytes + 8),
      length: this.#rows.readUInt32LE(start + digestBytes + 4),
    }
  }

  /** The bytes, with `more` added to all places. */
  moved(more: number): Buffer {
    const rows = Buffer.from(this.#rows.subarray(0, this.#length))
    for (let place = digestBytes + 8; place < rows.length; place += rowBytes)
      rows.writeDoubleLE(rows.readDoubleLE(place) + more, place)
    return rows
  }
}
