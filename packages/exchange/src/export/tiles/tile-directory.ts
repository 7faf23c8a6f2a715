import { gzipSync } from 'node:zlib'
import { NumberList } from '../parquet/number-list.ts'

/** The places of runs of equal tiles in the data, by ascending tile id, in flat memory. */
export class TileEntries {
  readonly tileIds = new NumberList()
  readonly offsets = new NumberList()
  readonly lengths = new NumberList()
  readonly runs = new NumberList()

  /** Adds a tile, to the last run when it follows it and has the same content. */
  add(tileId: number, offset: number, length: number): void {
    const last = this.tileIds.length - 1
    const run = this.runs.at(last)
    if (last >= 0 && this.offsets.at(last) === offset && this.tileIds.at(last) + run === tileId) {
      this.runs.replaceLast(run + 1)
      return
    }
    this.#put(tileId, offset, length, 1)
  }

  /** Adds a pointer to a leaf directory: a run length of zero says that it is one. */
  point(tileId: number, offset: number, length: number): void {
    this.#put(tileId, offset, length, 0)
  }

  #put(tileId: number, offset: number, length: number, run: number): void {
    this.tileIds.push(tileId)
    this.offsets.push(offset)
    this.lengths.push(length)
    this.runs.push(run)
  }
}

/** Tiles of one zoom: their entries, and the bytes that they take. */
interface Part {
  readonly entries: TileEntries
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
  const entries = new TileEntries()
  let start = 0
  for (const part of parts) {
    const { tileIds, offsets, lengths, runs } = part.entries
    for (let place = 0; place < tileIds.length; place += 1) {
      entries.tileIds.push(tileIds.at(place))
      entries.offsets.push(offsets.at(place) + start)
      entries.lengths.push(lengths.at(place))
      entries.runs.push(runs.at(place))
    }
    start += part.length
  }
  const count = entries.tileIds.length
  const whole = directory(entries, 0, count)
  if (whole.length <= rootLimit) return { root: whole, leaves: Buffer.alloc(0), count }
  for (let size = 4096; ; size *= 2) {
    const leaves: Buffer[] = []
    const pointers = new TileEntries()
    let offset = 0
    for (let from = 0; from < count; from += size) {
      const leaf = directory(entries, from, Math.min(from + size, count))
      pointers.point(entries.tileIds.at(from), offset, leaf.length)
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = directory(pointers, 0, pointers.tileIds.length)
    if (root.length <= rootLimit) return { root, leaves: Buffer.concat(leaves), count }
  }
}

function directory({ tileIds, offsets, lengths, runs }: TileEntries, from: number, to: number): Buffer {
  const bytes = new Varints(to - from)
  bytes.put(to - from)
  let tileId = 0
  for (let place = from; place < to; place += 1) {
    bytes.put(tileIds.at(place) - tileId)
    tileId = tileIds.at(place)
  }
  for (let place = from; place < to; place += 1) bytes.put(runs.at(place))
  for (let place = from; place < to; place += 1) bytes.put(lengths.at(place))
  let end = -1
  for (let place = from; place < to; place += 1) {
    const offset = offsets.at(place)
    bytes.put(offset === end ? 0 : offset + 1)
    end = offset + lengths.at(place)
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
