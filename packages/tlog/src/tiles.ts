import { bytesOfHex, hexOf, joinedBytes } from './bytes.ts'
import { perfect, tileHeight, tileLevels, tileWidth, type TreeReads } from './tree.ts'

/** A tile of C2SP tlog-tiles. Level 0 has hashes of leaves, level 1 those of 256 leaves and so on; `entries` has the leaves themselves. */
export interface Tile {
  readonly level: number | 'entries'
  /** Counted from 0. */
  readonly index: number
  /** Hashes or entries in it, 256 in a full tile. */
  readonly width: number
}

/** The path of a tile below the prefix of its log: `tile/0/x001/234`, and `tile/0/x001/234.p/7` for a partial one. */
export function tilePath({ level, index, width }: Tile): string {
  const parts = [String(index % 1000).padStart(3, '0')]
  for (let rest = Math.floor(index / 1000); rest > 0; rest = Math.floor(rest / 1000))
    parts.unshift(`x${String(rest % 1000).padStart(3, '0')}`)
  const partial = width === tileWidth ? '' : `.p/${width}`
  return `tile/${level}/${parts.join('/')}${partial}`
}

/** The tile of a path, undefined for anything but the only form of one. */
export function tileOfPath(path: string): Tile | undefined {
  const [, level = '', index = '', width = '256'] =
    /^tile\/(\d{1,2}|entries)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/u.exec(path) ?? []
  const tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(index.replaceAll(/[x/]/gu, '')),
    width: Number(width),
  } as const
  const isTile = tile.level === 'entries' || tile.level < 64
  return isTile && tile.width > 0 && tilePath(tile) === path ? tile : undefined
}

const hashesAt = (size: number, level: number): number => Math.floor(size / tileWidth ** level)

/** The tiles of a tree with `size` leaves that the one with `known` leaves did not have, level by level. */
export function* tilesOf(size: number, known = 0): Generator<Tile> {
  for (const level of ['entries', ...Array.from({ length: 8 }, (_, each) => each)] as const) {
    const above = level === 'entries' ? 0 : level
    const [count, before] = [hashesAt(size, above), hashesAt(known, above)]
    for (let index = Math.floor(before / tileWidth); index * tileWidth < count; index++) {
      const width = Math.min(tileWidth, count - index * tileWidth)
      if (index * tileWidth + width > before) yield { level, index, width }
    }
  }
}

/** Whether a tree with `size` leaves has a tile; of a partial one also when it has grown since. */
export function hasTile(size: number, { level, index, width }: Tile): boolean {
  return index * tileWidth + width <= hashesAt(size, level === 'entries' ? 0 : level)
}

export async function tileBytes(reads: TreeReads, level: number, index: number, width: number) {
  const from = index * tileWidth
  const hashes = await hashesOf(reads, level, from, width)
  if (hashes.length !== width) throw new Error(`the tree has no tile ${tilePath({ level, index, width })}`)
  return bytesOfHex(hashes.join(''))
}

function hashesOf(reads: TreeReads, level: number, from: number, count: number) {
  if (level === 0) return reads.leaves(from, count)
  if (level <= tileLevels) return reads.tiles(level - 1, from, count)
  const span = tileWidth ** level
  const places = Array.from({ length: count }, (_, each) => (from + each) * span)
  return Promise.all(places.map((start) => perfect(reads, start, level * tileHeight)))
}

/** Bytes of a leaf at most: a bundle has its length in two bytes. */
const mostBytes = 65_535

/** The bytes of a bundle of entries: each after its length in two bytes. */
export function bundleBytes(entries: readonly Uint8Array[]): Uint8Array {
  return joinedBytes(
    ...entries.flatMap((entry) => {
      if (entry.length > mostBytes) throw new Error(`an entry has at most ${mostBytes} bytes`)
      return [Uint8Array.of(entry.length >> 8, entry.length & 255), entry]
    }),
  )
}

/** The entries of a bundle. @throws Error for a bundle that ends within an entry */
export function entriesOf(bundle: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bundle.length;) {
    const length = ((bundle[at] ?? 0) << 8) | (bundle[at + 1] ?? 0)
    const end = at + 2 + length
    if (end > bundle.length) throw new Error('the bundle ends within an entry')
    entries.push(bundle.subarray(at + 2, end))
    at = end
  }
  return entries
}

/** The tree of a log with `size` leaves, read from its tiles. @param read the bytes of a tile by its path */
export function treeOfTiles(size: number, read: (path: string) => Promise<Uint8Array>): TreeReads {
  const known = new Map<string, Promise<string[]>>()
  const tile = (level: number, index: number): Promise<string[]> => {
    const width = Math.min(tileWidth, hashesAt(size, level) - index * tileWidth)
    if (width <= 0) return Promise.resolve([])
    const path = tilePath({ level, index, width })
    const found = known.get(path) ?? read(path).then((bytes) => hexOf(bytes).match(/.{64}/gu) ?? [])
    known.set(path, found)
    return found
  }
  const hashes = async (level: number, from: number, count: number): Promise<string[]> => {
    const first = Math.floor(from / tileWidth)
    const last = Math.floor((from + count - 1) / tileWidth)
    const tiles = await Promise.all(
      Array.from({ length: last - first + 1 }, (_, each) => tile(level, first + each)),
    )
    return tiles.flat().slice(from - first * tileWidth, from - first * tileWidth + count)
  }
  return {
    roots: new Map(),
    leaves: (from, count) => hashes(0, from, count),
    tiles: (level, from, count) => hashes(level + 1, from, count),
  }
}
