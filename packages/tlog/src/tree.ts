import { nodeHash } from '#hashing'

export { leafHash as hashOfLeaf, sha256 } from '#hashing'

/**
 * The Merkle tree over a log, as RFC 9162, section 2.1 has it: SHA-256, leaves prefixed with 0x00 and nodes with 0x01.
 * Full tiles of 256 leaves, and of 256 such tiles, keep their roots, so that proofs read few leaves. All hashes are in
 * lower-case hexadecimal.
 */

export const tileWidth = 256
/** The tree's levels that one tile spans: 256 is 2 to the power of 8. */
export const tileHeight = 8
/** Stored levels of tiles: 256 and 65,536 leaves. */
export const tileLevels = 2

export const emptyRoot = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Reads leaf hashes and the roots of full tiles; `from` counts from 0. */
export interface TreeReads {
  leaves(from: number, count: number): readonly string[] | Promise<readonly string[]>
  tiles(level: number, from: number, count: number): readonly string[] | Promise<readonly string[]>
  /** Roots of perfect subtrees by first leaf and level, kept for the next proofs. Default none are kept. */
  readonly roots?: Map<string, Promise<string>>
}

/** The root of neighbouring perfect subtrees of one size, a power of two in number. */
function joined(hashes: readonly string[]): string {
  let level = hashes
  while (level.length > 1)
    level = level.flatMap((left, index) => (index % 2 === 0 ? nodeHash(left, level[index + 1] ?? '') : []))
  return level[0] ?? emptyRoot
}

/** The root of the perfect subtree with 2 to the power of `level` leaves that begins at a leaf. */
export function perfect(reads: TreeReads, start: number, level: number): Promise<string> {
  const place = `${start} ${level}`
  const root = reads.roots?.get(place) ?? readPerfect(reads, start, level)
  reads.roots?.set(place, root)
  return root
}

async function readPerfect(reads: TreeReads, start: number, level: number): Promise<string> {
  if (reads.roots && level % tileHeight > 0) {
    const half = [start, start + 2 ** (level - 1)].map((each) => perfect(reads, each, level - 1))
    return joined(await Promise.all(half))
  }
  const step = Math.min(Math.floor(level / tileHeight), tileLevels)
  const count = 2 ** (level - step * tileHeight)
  const from = start / tileWidth ** step
  const hashes = step === 0 ? await reads.leaves(from, count) : await reads.tiles(step - 1, from, count)
  if (hashes.length !== count) throw new Error(`the tree has no leaves ${start} to ${start + 2 ** level}`)
  return joined(hashes)
}

/** The largest power of two below a number of at least 2. */
function splitOf(size: number): number {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/** The root of the leaves from `start`, counted from 0, up to but without `end`; `start` is a multiple of its size. */
async function rangeRoot(reads: TreeReads, start: number, end: number): Promise<string> {
  const size = end - start
  if (size === 0) return emptyRoot
  const level = Math.log2(size)
  if (Number.isInteger(level)) return perfect(reads, start, level)
  const split = splitOf(size)
  const [left, right] = await Promise.all([
    rangeRoot(reads, start, start + split),
    rangeRoot(reads, start + split, end),
  ])
  return nodeHash(left, right)
}

export function rootAt(reads: TreeReads, size: number): Promise<string> {
  return rangeRoot(reads, 0, size)
}

/** The proof that a leaf, counted from 0, is in the tree with `size` leaves (RFC 9162, 2.1.3.1), from the leaf upwards. */
export async function inclusionProof(reads: TreeReads, leaf: number, size: number): Promise<string[]> {
  const path: Promise<string>[] = []
  for (let start = 0, end = size; end - start > 1;) {
    const middle = start + splitOf(end - start)
    if (leaf < middle) {
      path.push(rangeRoot(reads, middle, end))
      end = middle
    } else {
      path.push(rangeRoot(reads, start, middle))
      start = middle
    }
  }
  return (await Promise.all(path)).toReversed()
}

/** The proof that the tree with `size` leaves begins with the one with `known` leaves (RFC 9162, 2.1.4.1). */
export async function consistencyProof(reads: TreeReads, known: number, size: number): Promise<string[]> {
  if (known === 0 || known === size) return []
  const path: Promise<string>[] = []
  let isWhole = true
  let start = 0
  let end = size
  let rest = known
  while (rest !== end - start) {
    const split = splitOf(end - start)
    if (rest <= split) {
      path.push(rangeRoot(reads, start + split, end))
      end = start + split
    } else {
      path.push(rangeRoot(reads, start, start + split))
      start += split
      rest -= split
      isWhole = false
    }
  }
  if (!isWhole) path.push(rangeRoot(reads, start, end))
  return (await Promise.all(path)).toReversed()
}

/** Whether a proof of inclusion holds (RFC 9162, 2.1.3.2). */
export function isIncluded(
  leaf: { readonly index: number; readonly hash: string },
  tree: { readonly size: number; readonly root: string },
  proof: readonly string[],
): boolean {
  if (leaf.index >= tree.size) return false
  let root = leaf.hash
  const reachesTop = climb(leaf.index, tree.size - 1, proof, (each, isLeft) => {
    root = isLeft ? nodeHash(each, root) : nodeHash(root, each)
  })
  return reachesTop && root === tree.root
}

/** Climbs a tree from a node along a proof. @param last node of the level @param join gets each hash, and whether it is on the left */
function climb(
  index: number,
  last: number,
  proof: readonly string[],
  join: (each: string, isLeft: boolean) => void,
): boolean {
  for (const each of proof) {
    if (last === 0) return false
    const isLeft = index % 2 === 1 || index === last
    join(each, isLeft)
    if (isLeft)
      while (index % 2 === 0 && index !== 0) {
        index /= 2
        last = Math.floor(last / 2)
      }
    index = Math.floor(index / 2)
    last = Math.floor(last / 2)
  }
  return last === 0
}

/** Whether a proof of consistency holds (RFC 9162, 2.1.4.2). */
export function isConsistent(
  known: { readonly size: number; readonly root: string },
  tree: { readonly size: number; readonly root: string },
  proof: readonly string[],
): boolean {
  if (known.size > tree.size) return false
  if (known.size === tree.size) return proof.length === 0 && known.root === tree.root
  if (known.size === 0) return proof.length === 0 && known.root === emptyRoot
  const isPower = Number.isInteger(Math.log2(known.size))
  const [first, ...rest] = isPower ? [known.root, ...proof] : proof
  if (first === undefined) return false
  let index = known.size - 1
  let last = tree.size - 1
  while (index % 2 === 1) {
    index = (index - 1) / 2
    last = Math.floor(last / 2)
  }
  let knownRoot = first
  let root = first
  const reachesTop = climb(index, last, rest, (each, isLeft) => {
    if (isLeft) knownRoot = nodeHash(each, knownRoot)
    root = isLeft ? nodeHash(each, root) : nodeHash(root, each)
  })
  return reachesTop && knownRoot === known.root && root === tree.root
}
