import { expect, test } from 'vitest'
import { leafHash } from '../src/frontier.ts'
import { treeOf } from './stage.ts'
import * as node from '../src/hashing.ts'
import * as web from '../src/hashing-web.ts'
import {
  bundleBytes,
  consistencyProof,
  entriesOf,
  hasTile,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootAt,
  tileBytes,
  tileOfPath,
  tilePath,
  tilesOf,
  treeOfTiles,
} from '../src/index.ts'

const size = 70_000
const leaves = Array.from({ length: size }, (_, index) => leafHash(`leaf ${index}`))
const { frontier, reads: stored } = treeOf(leaves)

const tiles = [...tilesOf(size)]
const at = (level: number | 'entries') => tiles.filter((tile) => tile.level === level)

test('the example of C2SP tlog-tiles: 70,000 entries: its tiles, full and partial', () => {
  expect(at(0).filter(({ width }) => width === 256)).toHaveLength(273)
  expect(at(0).at(-1)).toEqual({ level: 0, index: 273, width: 112 })
  expect(at(1).map(({ width }) => width)).toEqual([256, 17])
  expect(at(2)).toEqual([{ level: 2, index: 0, width: 1 }])
  expect(at('entries')).toHaveLength(274)
  expect([...tilesOf(256)].map(tilePath)).toEqual(['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1'])
  expect([...tilesOf(0)]).toEqual([])
})

test('a tree that has grown has the new tiles beside those that are full', () => {
  const known = [...tilesOf(69_800)].map(tilePath)
  const later = [...tilesOf(size, 69_800)].map(tilePath)
  expect(later).toHaveLength(2 + 2 + 1)
  const full = known.filter((path) => !path.includes('.p/'))
  expect(new Set([...full, ...later, 'tile/2/000.p/1'])).toEqual(new Set(tiles.map(tilePath)))
})

test('a log that has only its tiles proves the same', async () => {
  const read: string[] = []
  const tree = treeOfTiles(size, async (path) => {
    read.push(path)
    const tile = tileOfPath(path)
    return tileBytes(stored, Number(tile?.level), tile?.index ?? -1, tile?.width ?? 0)
  })
  const root = frontier.root()
  expect(await rootAt(tree, size)).toBe(root)
  for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
    const proof = await inclusionProof(tree, index, size)
    expect(proof).toEqual(await inclusionProof(stored, index, size))
    expect(isIncluded({ index, hash: leaves[index] ?? '' }, { size, root }, proof)).toBe(true)
    const since = await consistencyProof(tree, index + 1, size)
    const known = { size: index + 1, root: await rootAt(stored, index + 1) }
    expect(isConsistent(known, { size, root }, since)).toBe(true)
  }
  expect(new Set(read).size).toBe(read.length)
  expect(read.every((path) => tiles.map(tilePath).includes(path))).toBe(true)
})

test('paths are those of the specification, and only those', () => {
  const tile = { level: 0, index: 1_234_067, width: 256 }
  expect(tilePath(tile)).toBe('tile/0/x001/x234/067')
  for (const each of [tile, { ...tile, width: 7 }, { level: 'entries', index: 5, width: 1 } as const])
    expect(tileOfPath(tilePath(each))).toEqual(each)
  for (const path of [
    'tile/0/1',
    'tile/00/001',
    'tile/64/001',
    'tile/0/x000/001',
    'tile/0/001.p/0',
    'tile/0/001.p/256',
    'tile/0/001.p/07',
    'tile/data/001',
    'tile/0/../001',
    'tile/0/x001/x234/067/',
    'tile//001',
  ])
    expect(tileOfPath(path), path).toBeUndefined()
})

test('a tree has the tiles up to its size', () => {
  expect(hasTile(300, { level: 0, index: 1, width: 44 })).toBe(true)
  expect(hasTile(300, { level: 0, index: 1, width: 45 })).toBe(false)
  expect(hasTile(300, { level: 1, index: 0, width: 1 })).toBe(true)
  expect(hasTile(255, { level: 1, index: 0, width: 1 })).toBe(false)
})

test('bundles have each entry after its length', () => {
  const entries = ['', 'a', 'b'.repeat(300)].map((text) => new TextEncoder().encode(text))
  const bundle = bundleBytes(entries)
  expect(bundle.slice(0, 7)).toEqual(Uint8Array.of(0, 0, 0, 1, 97, 1, 44))
  expect(entriesOf(bundle)).toEqual(entries)
  expect(() => entriesOf(bundle.subarray(0, -1))).toThrow('ends within an entry')
  expect(() => bundleBytes([new Uint8Array(65_536)])).toThrow('at most 65535 bytes')
})

test('browsers make the hashes that Node makes', () => {
  for (const data of [
    '',
    'é',
    Uint8Array.of(0, 255),
    ...[55, 56, 63, 64, 300].map((length) => 'a'.repeat(length)),
  ]) {
    expect(web.sha256(data)).toBe(node.sha256(data))
    expect(web.leafHash(data)).toBe(node.leafHash(data))
  }
  const [one = '', other = ''] = leaves
  expect(web.nodeHash(one, other)).toBe(node.nodeHash(one, other))
})
