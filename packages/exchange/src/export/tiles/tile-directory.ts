import { gzipSync } from 'node:zlib'

/** The place in the data of a run of equal tiles. A run of zero points to a leaf directory. */
export interface TileEntry {
  readonly tileId: number
  readonly offset: number
  readonly length: number
  run: number
}

/** Tiles of one zoom: their entries, and the bytes that they take. */
interface Part {
  readonly entries: readonly TileEntry[]
  readonly length: number
}

export const headerBytes = 127
/** The header and the root directory have to fit the first 16 KiB. */
const rootLimit = 16_384 - headerBytes

/**
 * The directories of an archive whose data are the parts one after another. `count` is the entries of all leaves.
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md#4-directories
 */
export function directories(parts: readonly Part[]): { root: Buffer; leaves: Buffer; count: number } {
  const entries: TileEntry[] = []
  let start = 0
  for (const part of parts) {
    for (const entry of part.entries) entries.push({ ...entry, offset: entry.offset + start })
    start += part.length
  }
  const count = entries.length
  const whole = directory(entries)
  if (whole.length <= rootLimit) return { root: whole, leaves: Buffer.alloc(0), count }
  for (let size = 4096; ; size *= 2) {
    const leaves: Buffer[] = []
    const pointers: TileEntry[] = []
    let offset = 0
    for (let from = 0; from < count; from += size) {
      const leaf = directory(entries.slice(from, from + size))
      pointers.push({ tileId: entries[from]?.tileId ?? 0, offset, length: leaf.length, run: 0 })
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = directory(pointers)
    if (root.length <= rootLimit) return { root, leaves: Buffer.concat(leaves), count }
  }
}

function directory(entries: readonly TileEntry[]): Buffer {
  const bytes = new Varints(entries.length)
  bytes.put(entries.length)
  let before = 0
  for (const { tileId } of entries) {
    bytes.put(tileId - before)
    before = tileId
  }
  for (const { run } of entries) bytes.put(run)
  for (const { length } of entries) bytes.put(length)
  let end = -1
  for (const { offset, length } of entries) {
    bytes.put(offset === end ? 0 : offset + 1)
    end = offset + length
  }
  return gzipSync(bytes.all(), { level: 9 })
}

/** Numbers in base 128, lowest digits first, a set high bit when more follow. */
class Varints {
  /** Four numbers an entry, of at most eight digits for what a double holds. */
  readonly #bytes: Buffer
  #length = 0

  constructor(entries: number) {
    this.#bytes = Buffer.allocUnsafe(8 + 4 * 8 * entries)
  }

  put(number: number): void {
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#length = this.#bytes.writeUInt8((rest % 128) + 128, this.#length)
    }
    this.#length = this.#bytes.writeUInt8(rest, this.#length)
  }

  all(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}
