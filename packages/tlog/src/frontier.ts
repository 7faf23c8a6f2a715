import { nodeHash } from '#hashing'
import { emptyRoot, tileHeight, tileLevels } from './tree.ts'

export { leafHash, nodeHash, sha256 } from '#hashing'

/** The root of a full tile: `level` 0 has 256 leaves, `level` 1 has 65,536; `index` counts from 0. */
export interface TileRoot {
  readonly level: number
  readonly index: number
  readonly root: string
}

/** A tree that only grows, known by the roots of its perfect subtrees, the largest first. */
export class Frontier {
  #size: number
  readonly #peaks: string[]

  /** @param peaks the roots of the perfect subtrees of a tree with `size` leaves, the largest first, one after the other */
  constructor(size = 0, peaks = '') {
    this.#size = size
    this.#peaks = peaks.match(/.{64}/gu) ?? []
    if (this.#peaks.length !== size.toString(2).replaceAll('0', '').length)
      throw new Error(`a tree of ${size} leaves has other peaks`)
  }

  get size(): number {
    return this.#size
  }

  /** The roots of the perfect subtrees, as the constructor takes them. */
  get peaks(): string {
    return this.#peaks.join('')
  }

  append(leaf: string, onTile: (tile: TileRoot) => void = () => {}): void {
    let root = leaf
    let level = 0
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      const left = this.#peaks.pop()
      if (left === undefined) throw new Error('a tree of odd size has a leaf at its end')
      root = nodeHash(left, root)
      level++
      if (level % tileHeight === 0 && level / tileHeight <= tileLevels) {
        const index = Math.floor(this.#size / 2 ** level)
        onTile({ level: level / tileHeight - 1, index, root })
      }
    }
    this.#peaks.push(root)
    this.#size++
  }

  root(): string {
    if (this.#size === 0) return emptyRoot
    return this.#peaks.reduceRight((right, left) => nodeHash(left, right))
  }
}
