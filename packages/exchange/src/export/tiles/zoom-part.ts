import { hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { TileEntry } from './tile-directory.ts'

/** Bytes up to which a smaller window compresses as well, and a large one is not allocated for each of many tiles. */
const smallTile = 1 << 12
const small = { level: 6, windowBits: 12, memLevel: 5, chunkSize: 1 << 11 }

/** The place of a tile among those of its zoom. */
type Place = Pick<TileEntry, 'offset' | 'length'>

/**
 * Tile data of one zoom, in a file of its own until the archive is assembled: zooms are made from the deepest up, and are
 * in the archive from the shallowest down.
 */
export class ZoomPart {
  readonly path: string
  readonly entries: TileEntry[] = []
  length = 0
  tiles = 0
  contents = 0
  readonly #handle: FileHandle
  /** Places of tiles that may repeat, by their digest. */
  readonly #seen = new Map<string, Place>()
  #pending: Buffer[] = []
  #pendingBytes = 0

  private constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  static async create(path: string): Promise<ZoomPart> {
    return new ZoomPart(path, await open(path, 'wx'))
  }

  /** Appends a tile; tile ids must ascend. One that may repeat another of the zoom is stored once. */
  async add(tileId: number, tile: Uint8Array, mayRepeat: boolean): Promise<void> {
    const digest = mayRepeat ? hash('sha256', tile, 'base64') : ''
    const place = (mayRepeat && this.#seen.get(digest)) || this.#append(tile)
    if (mayRepeat) this.#seen.set(digest, place)
    this.tiles += 1
    const last = this.entries.at(-1)
    if (last?.offset === place.offset && last.tileId + last.run === tileId) last.run += 1
    else this.entries.push({ tileId, ...place, run: 1 })
    if (this.#pendingBytes > 1 << 18) await this.#flush()
  }

  #append(tile: Uint8Array): Place {
    const bytes = gzipSync(tile, tile.length > smallTile ? { level: 6 } : small)
    const place = { offset: this.length, length: bytes.length }
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    this.length += bytes.length
    this.contents += 1
    return place
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
