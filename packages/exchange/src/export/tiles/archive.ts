import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { directories, headerBytes, TileEntries } from './tile-directory.ts'

/** Bytes up to which a smaller window compresses as well, and a large one is not allocated for each of many tiles. */
const smallTile = 1 << 12
const small = { level: 6, windowBits: 12, memLevel: 5, chunkSize: 1 << 11 }

export interface ArchiveDescription {
  readonly minZoom: number
  readonly maxZoom: number
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number]
  readonly metadata: object
}

/**
 * Tile data of one zoom, in a file of its own until the archive is assembled: zooms are made from the deepest up, and
 * are in the archive from the shallowest down.
 */
export class ZoomPart {
  readonly path: string
  readonly entries = new TileEntries()
  length = 0
  tiles = 0
  contents = 0
  readonly #handle: FileHandle
  /** Places of tiles that may repeat, by their content. */
  readonly #seen = new Map<string, { readonly offset: number; readonly length: number }>()
  #pending: Buffer[] = []
  #pendingBytes = 0

  constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  static async create(path: string): Promise<ZoomPart> {
    return new ZoomPart(path, await open(path, 'wx'))
  }

  /**
   * Appends a tile; tile ids must ascend. A tile that may repeat another is stored once.
   */
  async add(tileId: number, tile: Uint8Array, mayRepeat: boolean): Promise<void> {
    this.tiles += 1
    const key = mayRepeat ? Buffer.from(tile).toString('latin1') : undefined
    const same = key === undefined ? undefined : this.#seen.get(key)
    if (same) {
      this.entries.add(tileId, same.offset, same.length)
      return
    }
    const bytes = gzipSync(tile, tile.length > smallTile ? { level: 6 } : small)
    const { length } = bytes
    this.entries.add(tileId, this.length, length)
    if (key !== undefined) this.#seen.set(key, { offset: this.length, length })
    this.length += bytes.length
    this.contents += 1
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    if (this.#pendingBytes > 1 << 18) await this.#flush()
  }

  async close(): Promise<void> {
    this.#seen.clear()
    await this.#flush()
    await this.#handle.close()
  }

  async #flush(): Promise<void> {
    await this.#handle.writev(this.#pending)
    this.#pending = []
    this.#pendingBytes = 0
  }
}

/**
 * Writes a PMTiles version 3 archive of the parts, shallowest zoom first, and removes their files.
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export async function writeArchive(
  path: string,
  parts: readonly ZoomPart[],
  description: ArchiveDescription,
): Promise<void> {
  const { root, leaves, count } = directories(parts)
  const dataLength = parts.reduce((total, part) => total + part.length, 0)
  const metadata = gzipSync(JSON.stringify(description.metadata), { level: 9 })
  const sum = (count: (part: ZoomPart) => number) => parts.reduce((total, part) => total + count(part), 0)
  const header = headerOf(description, {
    root: root.length,
    metadata: metadata.length,
    leaves: leaves.length,
    data: dataLength,
    tiles: sum((part) => part.tiles),
    entries: count,
    contents: sum((part) => part.contents),
  })
  const handle = await open(path, 'wx')
  try {
    await handle.writev([header, root, metadata, leaves])
  } finally {
    await handle.close()
  }
  for (const part of parts) {
    await pipeline(createReadStream(part.path), createWriteStream(path, { flags: 'a' }))
    await rm(part.path)
  }
}

interface Sizes {
  readonly root: number
  readonly metadata: number
  readonly leaves: number
  readonly data: number
  readonly tiles: number
  readonly entries: number
  readonly contents: number
}

const gzip = 2
const mapboxVectorTile = 1

function headerOf({ minZoom, maxZoom, bounds }: ArchiveDescription, sizes: Sizes): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles', 0, 'latin1')
  header.writeUInt8(3, 7)
  let position = 8
  const long = (value: number) => {
    header.writeBigUInt64LE(BigInt(value), position)
    position += 8
  }
  let offset = headerBytes
  for (const length of [sizes.root, sizes.metadata, sizes.leaves, sizes.data]) {
    long(offset)
    long(length)
    offset += length
  }
  long(sizes.tiles)
  long(sizes.entries)
  long(sizes.contents)
  for (const byte of [1, gzip, gzip, mapboxVectorTile, minZoom, maxZoom]) {
    header.writeUInt8(byte, position)
    position += 1
  }
  const degrees = (value: number) => {
    header.writeInt32LE(Math.round(value * 1e7), position)
    position += 4
  }
  const [west, south, east, north] = bounds
  for (const value of bounds) degrees(value)
  header.writeUInt8(minZoom, position)
  position += 1
  degrees((west + east) / 2)
  degrees((south + north) / 2)
  return header
}
