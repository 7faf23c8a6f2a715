import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { directories, headerBytes } from './tile-directory.ts'
import type { ZoomPart } from './zoom-part.ts'

export interface ArchiveDescription {
  readonly minZoom: number
  readonly maxZoom: number
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number]
  readonly metadata: object
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
    await handle.writeFile(Buffer.concat([header, root, metadata, leaves]))
    for (const part of parts) {
      for await (const bytes of createReadStream(part.path)) await handle.writeFile(bytes)
      await rm(part.path)
    }
  } finally {
    await handle.close()
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
