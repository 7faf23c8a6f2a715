/** Numbers in one block; a power of two. */
const blockSize = 1 << 14

/** A growing list of numbers in flat memory, eight bytes each, that is never copied to grow. */
export class NumberList {
  readonly #blocks: Float64Array[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  push(number: number): void {
    const place = this.#length % blockSize
    if (place === 0) this.#blocks.push(new Float64Array(blockSize))
    const block = this.#blocks.at(-1)
    if (block) block[place] = number
    this.#length += 1
  }

  /** The number at a place from 0; 0 beyond the end. */
  at(place: number): number {
    return this.#blocks[Math.floor(place / blockSize)]?.[place % blockSize] ?? 0
  }

  *[Symbol.iterator](): Iterator<number> {
    for (let place = 0; place < this.#length; place += 1) yield this.at(place)
  }

  /** Replaces the newest number. */
  replaceLast(number: number): void {
    const block = this.#blocks.at(-1)
    if (block) block[(this.#length - 1) % blockSize] = number
  }

  /** All numbers in one array; the list is empty afterwards. */
  taken(): Float64Array {
    const all = new Float64Array(this.#length)
    let start = 0
    for (let block = this.#blocks.shift(); block; block = this.#blocks.shift()) {
      all.set(block.subarray(0, Math.min(blockSize, this.#length - start)), start)
      start += blockSize
    }
    this.#length = 0
    return all
  }
}
