import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { PMTiles, type Source } from 'pmtiles'
import { z } from 'zod'
import { baseMapError, SiteOptionError } from '../build/option-error.ts'
import { explain } from '../data/problem.ts'
import type { Bounds } from '../data/region.ts'

export interface StreetArchive {
  readonly minZoom: number
  readonly maxZoom: number
  readonly bounds: Bounds
  /** Changes with the content: for caches. */
  readonly version: string
}

/** Reads a range of an archive; shorter at its end. */
type ReadPart = (offset: number, length: number) => Promise<Uint8Array>

/** Required layers of a street map, by Protomaps' names. */
const neededLayers = ['earth', 'roads', 'places', 'water']

const headerBytes = 127
/** Header and root directory, hashed for the version: other tiles have other lengths there. */
const beginningBytes = 16_384
const longestMetadata = 4_000_000
const longestWait = 30_000

const gzipOrNone = new Set([1, 2])
const vectorTiles = 1
const pictures = ['', 'MVT', 'PNG', 'JPEG', 'WebP', 'AVIF', 'MapLibre']

/** Reads the header of a file of tiles. @throws {SiteOptionError} when it is no whole PMTiles archive of Protomaps' vector tiles */
export async function readArchiveFile(path: string): Promise<StreetArchive> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const found = await file.stat()
    if (found.isDirectory()) throw baseMapError('BASEMAP_IS_FOLDER', { path })
    return await readArchive(path, partsOf(file), () => found.size)
  } catch (error) {
    if (error instanceof SiteOptionError) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    throw isMissing
      ? baseMapError('BASEMAP_MISSING', { path })
      : baseMapError('BASEMAP_UNREADABLE', { basemap: path, reason: explain(error) })
  } finally {
    await file?.close()
  }
}

export function partsOf(file: FileHandle): ReadPart {
  return async (offset, length) => {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, offset)
    return bytes.subarray(0, bytesRead)
  }
}

/** The same of an archive on a host. @throws {SiteOptionError} also when it cannot be reached or has no range requests */
export async function readArchiveAt(url: string): Promise<StreetArchive> {
  let size: number | undefined
  const read: ReadPart = async (offset, length) => {
    const response = await fetch(url, {
      headers: { range: `bytes=${offset}-${offset + length - 1}` },
      signal: AbortSignal.timeout(longestWait),
    })
    if (response.status !== 206) {
      await response.body?.cancel()
      if (response.ok) throw baseMapError('BASEMAP_WHOLE', { url })
      throw new Error(`the host returned ${response.status}`)
    }
    size = Number(/\/(\d+)$/u.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
    return new Uint8Array(await response.arrayBuffer())
  }
  try {
    return await readArchive(url, read, () => size)
  } catch (error) {
    if (error instanceof SiteOptionError) throw error
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const reason = cause instanceof Error ? cause.message || explain(cause) : String(cause)
    throw baseMapError('BASEMAP_UNREACHABLE', { url, reason })
  }
}

export const sourceOf = (name: string, read: ReadPart): Source => ({
  getKey: () => name,
  getBytes: async (offset, length) => ({ data: new Uint8Array(await read(offset, length)).buffer }),
})

/** @param sizeOf the size of the whole, once a part was read; undefined where the host does not tell it */
async function readArchive(
  basemap: string,
  read: ReadPart,
  sizeOf: () => number | undefined,
): Promise<StreetArchive> {
  refuseOthers(basemap, Buffer.from(await read(0, headerBytes)))
  const archive = new PMTiles(sourceOf(basemap, read))
  const unreadable = (reason: string) => baseMapError('BASEMAP_DAMAGED', { basemap, reason })
  const header = await archive.getHeader().catch((error: unknown) => {
    throw unreadable(`its directory cannot be read: ${explain(error)}`)
  })
  const described = Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    (header.leafDirectoryOffset ?? 0) + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  )
  const bytes = sizeOf() ?? described
  if (bytes < described) throw baseMapError('BASEMAP_CUT_OFF', { basemap, bytes, described })
  if (header.tileType !== vectorTiles)
    throw baseMapError('BASEMAP_NOT_VECTOR', { basemap, content: pictures[header.tileType] ?? 'unknown' })
  if (!gzipOrNone.has(header.tileCompression)) throw baseMapError('BASEMAP_COMPRESSION', { basemap })
  if (header.jsonMetadataLength > longestMetadata) throw unreadable('its metadata are too long')
  const metadata = await archive.getMetadata().catch((error: unknown) => {
    throw unreadable(`its metadata cannot be read: ${explain(error)}`)
  })
  refuseOtherSchemas(basemap, metadata)
  const { minLon, minLat, maxLon, maxLat } = header
  const isSound = minLon < maxLon && minLat < maxLat
  const version = createHash('sha256')
    .update(await read(0, beginningBytes))
    .update(JSON.stringify(metadata))
    .digest('hex')
    .slice(0, 12)
  return {
    minZoom: header.minZoom,
    maxZoom: header.maxZoom,
    bounds: isSound ? [minLon, minLat, maxLon, maxLat] : [-180, -85.0511, 180, 85.0511],
    version,
  }
}

/** Recognizes other file types by their first bytes. */
function refuseOthers(basemap: string, head: Buffer): void {
  const text = head.toString('latin1')
  if (text.startsWith('PMTiles') && head[7] === 3) {
    if (head.length === headerBytes) return
    throw baseMapError('BASEMAP_CUT_OFF', { basemap, bytes: head.length, described: headerBytes })
  }
  const others = { PM: 'another version of PMTiles', 'SQLite format 3': 'MBTiles' }
  const found = Object.entries(others).find(([beginning]) => text.startsWith(beginning))?.[1]
  throw baseMapError('BASEMAP_NOT_PMTILES', { basemap, ...(found !== undefined && { found }) })
}

const description = z.object({
  vector_layers: z.array(z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()).optional() })),
})

/** Tiles of another schema have other layers, which would not be drawn. */
function refuseOtherSchemas(basemap: string, metadata: unknown): void {
  const found = description.safeParse(metadata).data?.vector_layers ?? []
  const layers = found.map(({ id }) => id)
  const isOld = found.some(({ fields }) => fields && 'pmap:kind' in fields)
  if (isOld || !neededLayers.every((one) => layers.includes(one)))
    throw baseMapError('BASEMAP_SCHEMA', { basemap, layers, isOld })
}
