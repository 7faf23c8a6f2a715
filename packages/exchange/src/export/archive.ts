import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'

/** Bytes up to which a smaller window loses nothing, and spares the making of a large one for each of many tiles. */
const smallTile = 1 << 12
const small = { level: 6, windowBits: 12, memLevel: 5, chunkSize: 1 << 11 }

/** Where the bytes of a run of tiles lie in a PMTiles archive. */
interface Entry {
  readonly tileId: number
  readonly offset: number
  readonly length: number
  runLength: number
}

export interface ArchiveDescription {
  readonly minZoom: number
  readonly maxZoom: number
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number]
  readonly metadata: object
}

/**
 * Tile data of one zoom, kept in a file of its own until the archive is put together: zooms are made from the
 * deepest up, and stand in the archive from the shallowest down.
 */
export class ZoomPart {
  readonly path: string
  readonly entries: Entry[] = []
  length = 0
  tiles = 0
  contents = 0
  readonly #handle: FileHandle
  readonly #seen = new Map<string, Entry>()
  #pending: Buffer[] = []
  #pendingBytes = 0

  private constructor(path: string, handle: FileHandle) {
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
      const last = this.entries.at(-1)
      if (last?.offset === same.offset && last.tileId + last.runLength === tileId) last.runLength += 1
      else this.entries.push({ tileId, offset: same.offset, length: same.length, runLength: 1 })
      return
    }
    const bytes = gzipSync(tile, tile.length > smallTile ? { level: 6 } : small)
    const entry = { tileId, offset: this.length, length: bytes.length, runLength: 1 }
    this.entries.push(entry)
    if (key !== undefined) this.#seen.set(key, entry)
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
  const entries: Entry[] = []
  let dataLength = 0
  for (const part of parts) {
    for (const entry of part.entries) entries.push({ ...entry, offset: entry.offset + dataLength })
    dataLength += part.length
  }
  const { root, leaves } = directories(entries)
  const metadata = gzipSync(JSON.stringify(description.metadata), { level: 9 })
  const sum = (count: (part: ZoomPart) => number) => parts.reduce((total, part) => total + count(part), 0)
  const header = headerOf(description, {
    root: root.length,
    metadata: metadata.length,
    leaves: leaves.length,
    data: dataLength,
    tiles: sum((part) => part.tiles),
    entries: entries.length,
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

const headerBytes = 127
/** The header and the root directory have to fit the first 16 KiB. */
const rootLimit = 16_384 - headerBytes

function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const whole = directory(entries)
  if (whole.length <= rootLimit) return { root: whole, leaves: Buffer.alloc(0) }
  for (let size = 4096; ; size *= 2) {
    const leaves: Buffer[] = []
    const pointers: Entry[] = []
    let offset = 0
    for (let start = 0; start < entries.length; start += size) {
      const slice = entries.slice(start, start + size)
      const leaf = directory(slice)
      // A run length of zero says that the entry points to a leaf directory.
      pointers.push({ tileId: slice[0]?.tileId ?? 0, offset, length: leaf.length, runLength: 0 })
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = directory(pointers)
    if (root.length <= rootLimit) return { root, leaves: Buffer.concat(leaves) }
  }
}

function directory(entries: readonly Entry[]): Buffer {
  const numbers: number[] = [entries.length]
  let tileId = 0
  for (const entry of entries) {
    numbers.push(entry.tileId - tileId)
    tileId = entry.tileId
  }
  for (const entry of entries) numbers.push(entry.runLength)
  for (const entry of entries) numbers.push(entry.length)
  let end = -1
  for (const entry of entries) {
    numbers.push(entry.offset === end ? 0 : entry.offset + 1)
    end = entry.offset + entry.length
  }
  return gzipSync(varints(numbers), { level: 9 })
}

/** Numbers in base 128, lowest digits first, a set high bit when more follow. */
function varints(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  for (const number of numbers) {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return Buffer.from(bytes)
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
