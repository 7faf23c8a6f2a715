import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import { joined, writeBytes } from '../format.ts'

export interface Tile {
  readonly id: number
  readonly bytes: Uint8Array
  /** Whether another tile may have the same content, which is then stored once. */
  readonly mayRepeat: boolean
}

export interface ArchiveDescription {
  readonly minZoom: number
  readonly maxZoom: number
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number]
  readonly metadata: object
}

type Place = Readonly<Record<'offset' | 'length', number>>

/** The place of a run of equal tiles. A run of zero points to a leaf directory. */
interface Entry extends Place {
  readonly id: number
  run: number
}

const headerBytes = 127
/** The header and the root directory have to fit the first 16 KiB. */
const rootLimit = 16_384 - headerBytes

/** Bytes up to which a smaller window compresses as well, and a large one is not allocated for each of many tiles. */
const smallTile = 1 << 12
const small = { level: 6, windowBits: 12, memLevel: 5, chunkSize: 1 << 11 }

/**
 * Writes a PMTiles version 3 archive of tiles by ascending id. The header depends on all tiles, so that their data is
 * in a temporary file until then. https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md
 */
export async function writeArchive(
  path: string,
  tiles: Iterable<Tile>,
  description: ArchiveDescription,
): Promise<void> {
  const dataFile = `${path}.data`
  const contents: Contents = { entries: [], length: 0, tiles: 0, distinct: 0 }
  await writeBytes(dataFile, joined(dataOf(tiles, contents)))
  const { root, leaves } = directories(contents.entries)
  const metadata = gzipSync(JSON.stringify(description.metadata), { level: 9 })
  const sections = [root.length, metadata.length, leaves.length, contents.length]
  const counts = [contents.tiles, contents.entries.length, contents.distinct]
  const header = headerOf(description, sections, counts)
  await writeFile(path, Buffer.concat([header, root, metadata, leaves]), { flag: 'wx' })
  await pipeline(createReadStream(dataFile), createWriteStream(path, { flags: 'a' }))
  await rm(dataFile)
}

interface Contents {
  readonly entries: Entry[]
  length: number
  tiles: number
  /** Tiles whose content is stored. */
  distinct: number
}

function* dataOf(tiles: Iterable<Tile>, contents: Contents): Iterable<Uint8Array> {
  /** Places of tiles that may repeat, by their digest. */
  const seen = new Map<string, Place>()
  for (const { id, bytes, mayRepeat } of tiles) {
    const digest = mayRepeat ? hash('sha256', bytes, 'base64') : ''
    let place = seen.get(digest)
    if (place === undefined) {
      const data = gzipSync(bytes, bytes.length > smallTile ? { level: 6 } : small)
      place = { offset: contents.length, length: data.length }
      if (mayRepeat) seen.set(digest, place)
      contents.length += data.length
      contents.distinct += 1
      yield data
    }
    contents.tiles += 1
    const last = contents.entries.at(-1)
    if (last?.offset === place.offset && last.id + last.run === id) last.run += 1
    else contents.entries.push({ id, ...place, run: 1 })
  }
}

/** https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md#4-directories */
function directories(entries: readonly Entry[]): { root: Buffer; leaves: Buffer } {
  const whole = directory(entries)
  if (whole.length <= rootLimit) return { root: whole, leaves: Buffer.alloc(0) }
  for (let size = 4096; ; size *= 2) {
    const leaves: Buffer[] = []
    const pointers: Entry[] = []
    let offset = 0
    for (let from = 0; from < entries.length; from += size) {
      const leaf = directory(entries.slice(from, from + size))
      pointers.push({ id: entries[from]?.id ?? 0, offset, length: leaf.length, run: 0 })
      leaves.push(leaf)
      offset += leaf.length
    }
    const root = directory(pointers)
    if (root.length <= rootLimit) return { root, leaves: Buffer.concat(leaves) }
  }
}

function directory(entries: readonly Entry[]): Buffer {
  const bytes = new PbfWriter()
  bytes.writeVarint(entries.length)
  let before = 0
  for (const { id } of entries) {
    bytes.writeVarint(id - before)
    before = id
  }
  for (const { run } of entries) bytes.writeVarint(run)
  for (const { length } of entries) bytes.writeVarint(length)
  let end = -1
  for (const { offset, length } of entries) {
    bytes.writeVarint(offset === end ? 0 : offset + 1)
    end = offset + length
  }
  return gzipSync(bytes.finish(), { level: 9 })
}

const gzip = 2
const mapboxVectorTile = 1

/**
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md#3-header
 *
 * @param sections bytes of root directory, metadata, leaf directories and tile data
 * @param counts tiles, entries and distinct contents
 */
function headerOf(
  { minZoom, maxZoom, bounds }: ArchiveDescription,
  sections: readonly number[],
  counts: readonly number[],
): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write('PMTiles\u0003', 'latin1')
  let offset = headerBytes
  const places = sections.flatMap((length) => [(offset += length) - length, length])
  for (const [index, value] of [...places, ...counts].entries())
    header.writeBigUInt64LE(BigInt(value), 8 + 8 * index)
  header.set([1, gzip, gzip, mapboxVectorTile, minZoom, maxZoom], 96)
  header.writeUInt8(minZoom, 118)
  const [west, south, east, north] = bounds
  const degrees = [
    [102, west],
    [106, south],
    [110, east],
    [114, north],
    [119, (west + east) / 2],
    [123, (south + north) / 2],
  ] as const
  for (const [at, value] of degrees) header.writeInt32LE(Math.round(value * 1e7), at)
  return header
}
