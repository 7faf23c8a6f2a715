import { open, type FileHandle } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { EarlierTiles } from './earlier-tiles.ts'
import { KeptTiles } from './kept-tiles.ts'
import { TileEntries } from './tile-directory.ts'

/** Bytes up to which a smaller window compresses as well, and a large one is not allocated for each of many tiles. */
const smallTile = 1 << 12
const small = { level: 6, windowBits: 12, memLevel: 5, chunkSize: 1 << 11 }

/** Bytes that stand one after another in the file of a zoom, or in the earlier archive. */
interface Stretch {
  readonly isEarlier: boolean
  readonly offset: number
  length: number
}

/**
 * Tile data of one zoom until the archive is assembled: zooms are made from the deepest up, and are in the archive from the
 * shallowest down. What was made is in a file of its own, what is taken over stays in the earlier archive.
 */
export class ZoomPart {
  readonly path: string
  readonly entries = new TileEntries()
  /** By their places in this zoom. */
  readonly kept = new KeptTiles()
  readonly stretches: Stretch[] = []
  length = 0
  tiles = 0
  contents = 0
  /** Bytes of tiles that were taken over. */
  takenOver = 0
  readonly #handle: FileHandle
  readonly #earlier: EarlierTiles | undefined
  /** Places of tiles that may repeat, by their digest. */
  readonly #seen = new Map<string, { readonly offset: number; readonly length: number }>()
  #madeBytes = 0
  #pending: Buffer[] = []
  #pendingBytes = 0

  private constructor(path: string, handle: FileHandle, earlier?: EarlierTiles) {
    this.path = path
    this.#handle = handle
    this.#earlier = earlier
  }

  /** @param earlier whose tiles are taken over */
  static async create(path: string, earlier?: EarlierTiles): Promise<ZoomPart> {
    return new ZoomPart(path, await open(path, 'wx'), earlier)
  }

  /**
   * Appends a tile whose content is here already or in the earlier archive, and returns whether it is; tile ids must ascend.
   *
   * @param mayRepeat whether another tile of the zoom may have the same digest
   */
  take(tileId: number, digest: string, mayRepeat: boolean): boolean {
    const same = mayRepeat ? this.#seen.get(digest) : undefined
    if (same) {
      this.tiles += 1
      this.entries.add(tileId, same.offset, same.length)
      return true
    }
    const found = this.#earlier?.tiles.find(tileId, digest)
    if (found === undefined) return false
    this.takenOver += found.length
    this.#append(tileId, digest, mayRepeat, { isEarlier: true, ...found })
    return true
  }

  /** Appends a tile that could not be taken; tile ids must ascend. A tile that may repeat another is stored once. */
  async add(tileId: number, digest: string, mayRepeat: boolean, tile: Uint8Array): Promise<void> {
    const bytes = gzipSync(tile, tile.length > smallTile ? { level: 6 } : small)
    const { length } = bytes
    this.#append(tileId, digest, mayRepeat, { isEarlier: false, offset: this.#madeBytes, length })
    this.#madeBytes += length
    this.#pending.push(bytes)
    this.#pendingBytes += length
    if (this.#pendingBytes > 1 << 18) await this.#flush()
  }

  #append(tileId: number, digest: string, mayRepeat: boolean, stretch: Stretch): void {
    const { length } = stretch
    this.entries.add(tileId, this.length, length)
    this.kept.add(digest, tileId, this.length, length)
    if (mayRepeat) this.#seen.set(digest, { offset: this.length, length })
    this.length += length
    this.tiles += 1
    this.contents += 1
    const last = this.stretches.at(-1)
    if (last?.isEarlier === stretch.isEarlier && last.offset + last.length === stretch.offset)
      last.length += length
    else this.stretches.push(stretch)
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
