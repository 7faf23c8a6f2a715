import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  consistencyProof,
  emptyRoot,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootAt,
} from '../src/index.ts'
import { Frontier, leafHash, nodeHash } from '../src/frontier.ts'
import { treeOf } from './stage.ts'

const sha256 = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

const kOf = (n: number): number => 2 ** Math.floor(Math.log2(n - 1))

/** MTH of RFC 9162, 2.1.1, over leaf hashes, word by word. */
function naiveRoot(leaves: readonly string[]): string {
  const [only] = leaves
  if (only === undefined) return sha256('')
  if (leaves.length === 1) return only
  const k = kOf(leaves.length)
  return sha256(Buffer.of(1), bytes(naiveRoot(leaves.slice(0, k))), bytes(naiveRoot(leaves.slice(k))))
}

const fakeLeaves = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => leafHash(`leaf ${index}`))

const inputs = ',00,10,2021,3031,40414243,5051525354555657,606162636465666768696a6b6c6d6e6f'.split(',')
const leaves = inputs.map((input) => sha256(Buffer.of(0), bytes(input)))
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const { reads } = treeOf(leaves)

test('the vectors of certificate-transparency: eight leaves: leaves whose data is text', () => {
  expect(leafHash('')).toBe(roots[0])
  expect(leafHash(' !')).toBe(leaves[3])
  expect(leafHash('@ABC')).toBe(leaves[5])
  expect(nodeHash(leaves[0] ?? '', leaves[1] ?? '')).toBe(roots[1])
})

test('the vectors of certificate-transparency: eight leaves: roots', async () => {
  expect(await rootAt(reads, 0)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(emptyRoot).toBe(await rootAt(reads, 0))
  for (const [index, root] of roots.entries()) {
    expect(await rootAt(reads, index + 1)).toBe(root)
    expect(treeOf(leaves.slice(0, index + 1)).frontier.root()).toBe(root)
  }
})

/** Each size up to half a tile, and those around the first tile of 256. */
const sizes = [...Array.from({ length: 130 }, (_, index) => index + 1), 254, 255, 256, 257, 258, 300]

describe('trees up to 300 leaves', () => {
  const leaves = fakeLeaves(300)
  const { reads } = treeOf(leaves)
  const roots = Array.from({ length: 301 }, (_, size) => naiveRoot(leaves.slice(0, size)))
  const rootOf = (size: number): string => roots[size] ?? ''
  const leaf = (index: number): string => leaves[index] ?? ''

  test('the root is that of the definition, and of the frontier', async () => {
    const frontier = new Frontier()
    for (let size = 0; size <= 300; size++) {
      expect(await rootAt(reads, size)).toBe(rootOf(size))
      expect(frontier.root()).toBe(rootOf(size))
      if (size < 300) frontier.append(leaf(size))
    }
  })

  test('every proof of inclusion holds, for its leaf, index, size and root alone', async () => {
    for (const size of sizes)
      for (let index = 0; index < size; index++) {
        const proof = await inclusionProof(reads, index, size)
        const [tree, hash] = [{ size, root: rootOf(size) }, leaf(index)]
        if (!isIncluded({ index, hash }, tree, proof)) throw new Error(`${index} is not in ${size}`)
        const wrong =
          isIncluded({ index, hash: leaf(index + 1) || leaf(0) + 'x' }, tree, proof) ||
          isIncluded({ index: (index + 1) % size, hash }, tree, proof) !== (size === 1) ||
          isIncluded({ index, hash }, { size, root: rootOf(size - 1) }, proof) ||
          isIncluded({ index, hash }, tree, [...proof, leaf(0)]) ||
          (proof.length > 0 && isIncluded({ index, hash }, tree, proof.slice(1)))
        if (wrong) throw new Error(`a wrong proof of ${index} in ${size} holds`)
      }
  })

  test('every proof of consistency holds, for its sizes and roots alone', async () => {
    for (const size of sizes)
      for (let known = 1; known <= size; known++) {
        const proof = await consistencyProof(reads, known, size)
        const old = { size: known, root: rootOf(known) }
        const tree = { size, root: rootOf(size) }
        if (!isConsistent(old, tree, proof)) throw new Error(`${known} is not consistent with ${size}`)
        const other = { size: known, root: rootOf(known - 1) }
        const wrong =
          isConsistent(other, tree, proof) ||
          isConsistent(old, { size, root: rootOf(size - 1) }, proof) ||
          isConsistent(old, tree, [...proof, leaf(0)]) ||
          (proof.length > 0 && isConsistent(old, tree, proof.slice(1))) ||
          (proof.length > 0 && isConsistent(old, tree, proof.toReversed().with(0, leaf(0))))
        if (wrong) throw new Error(`a wrong proof of ${known} in ${size} holds`)
      }
  })

  test('an older tree is not consistent with a newer one that is smaller, nor with another of its size', async () => {
    expect(isConsistent({ size: 9, root: rootOf(9) }, { size: 8, root: rootOf(8) }, [])).toBe(false)
    expect(isConsistent({ size: 8, root: rootOf(7) }, { size: 8, root: rootOf(8) }, [])).toBe(false)
    expect(isConsistent({ size: 0, root: emptyRoot }, { size: 8, root: rootOf(8) }, [])).toBe(true)
    expect(isConsistent({ size: 0, root: rootOf(1) }, { size: 8, root: rootOf(8) }, [])).toBe(false)
  })

  test('a place outside of the tree is in no tree', async () => {
    const tree = { size: 8, root: rootOf(8) }
    const proof = await inclusionProof(reads, 7, 8)
    for (const index of [8, -1, 0.5, Number.NaN])
      expect(isIncluded({ index, hash: leaf(7) }, tree, proof)).toBe(false)
  })
})

test.for([255, 256, 257, 65_535, 65_536, 65_537])('tiles agree with %d leaves', async (size) => {
  const leaves = fakeLeaves(size)
  const { tiles, reads, frontier } = treeOf(leaves)
  const full = (width: number) => Math.floor(size / width)
  expect(tiles).toHaveLength(full(256) + full(65_536))
  for (const { level, index, root } of tiles) {
    const width = 256 ** (level + 1)
    if (level === 1 || index % 64 === 0)
      expect(root).toBe(naiveRoot(leaves.slice(index * width, (index + 1) * width)))
  }
  const root = naiveRoot(leaves)
  expect(frontier.root()).toBe(root)
  expect(await rootAt(reads, size)).toBe(root)
  for (const index of [0, 1, 254, size - 2, size - 1]) {
    const proof = await inclusionProof(reads, index, size)
    expect(isIncluded({ index, hash: leaves[index] ?? '' }, { size, root }, proof)).toBe(true)
    const old = { size: index + 1, root: naiveRoot(leaves.slice(0, index + 1)) }
    expect(isConsistent(old, { size, root }, await consistencyProof(reads, index + 1, size))).toBe(true)
  }
})

test('a frontier that was stored goes on as if it had not been', () => {
  const leaves = fakeLeaves(600)
  const whole = treeOf(leaves)
  for (const at of [0, 1, 2, 3, 255, 256, 257, 511, 512, 599]) {
    const before = treeOf(leaves.slice(0, at))
    const tiles = [...before.tiles]
    const frontier = new Frontier(at, before.frontier.peaks)
    expect(frontier.root()).toBe(before.frontier.root())
    for (const leaf of leaves.slice(at)) frontier.append(leaf, (tile) => tiles.push(tile))
    expect(frontier.size).toBe(600)
    expect(frontier.peaks).toBe(whole.frontier.peaks)
    expect(tiles).toEqual(whole.tiles)
  }
})

test('peaks of another size are refused', () => {
  expect(() => new Frontier(4, treeOf(fakeLeaves(3)).frontier.peaks)).toThrow('has other peaks')
  expect(() => new Frontier(1)).toThrow('has other peaks')
})
