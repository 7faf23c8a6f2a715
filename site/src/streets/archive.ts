import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { PMTiles, type RangeResponse, type Source } from 'pmtiles'
import { z } from 'zod'
import { SiteOptionError } from '../build/option-error.ts'
import { explain } from '../data/problem.ts'
import type { Bounds } from '../data/region.ts'

/** The facts of an archive of street tiles. */
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
/** Longer metadata are not those of a map. */
const longestMetadata = 4_000_000
const longestWait = 30_000

const gzipOrNone = new Set([1, 2])
const vectorTiles = 1
const pictures = ['', 'MVT', 'PNG', 'JPEG', 'WebP', 'AVIF', 'MapLibre']

/**
 * Reads the header of a file of tiles; the tiles themselves are never read.
 *
 * @throws {SiteOptionError} when it is missing, or is not a whole PMTiles archive of Protomaps' vector tiles.
 */
export async function readArchiveFile(path: string): Promise<StreetArchive> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const found = await file.stat()
    if (found.isDirectory()) throw new SiteOptionError({ code: 'BASEMAP_IS_FOLDER', option: 'basemap', path })
    return await readArchive(path, partsOf(file), found.size)
  } catch (error) {
    if (error instanceof SiteOptionError) throw error
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) throw new SiteOptionError({ code: 'BASEMAP_MISSING', option: 'basemap', path })
    throw new SiteOptionError({
      code: 'BASEMAP_UNREADABLE',
      option: 'basemap',
      basemap: path,
      reason: explain(error),
    })
  } finally {
    await file?.close()
  }
}

function partsOf(file: FileHandle): ReadPart {
  return async (offset, length) => {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await file.read(bytes, 0, length, offset)
    return bytes.subarray(0, bytesRead)
  }
}

/**
 * The same for an archive on a host, by range requests.
 *
 * @throws {SiteOptionError} also when the host cannot be reached or does not support range requests.
 */
export async function readArchiveAt(url: string): Promise<StreetArchive> {
  let size: number | undefined
  const read: ReadPart = async (offset, length) => {
    const response = await fetch(url, {
      headers: { range: `bytes=${offset}-${offset + length - 1}` },
      signal: AbortSignal.timeout(longestWait),
    })
    if (response.status !== 206) {
      await response.body?.cancel()
      if (response.ok) throw new SiteOptionError({ code: 'BASEMAP_WHOLE', option: 'basemap', url })
      throw new Error(`the host returned ${response.status}`)
    }
    size ??= Number(/\/(\d+)$/u.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
    return new Uint8Array(await response.arrayBuffer())
  }
  try {
    const first = await read(0, headerBytes)
    return await readArchive(
      url,
      async (offset, length) => (offset === 0 && length === headerBytes ? first : read(offset, length)),
      size,
    )
  } catch (error) {
    if (error instanceof SiteOptionError) throw error
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    throw new SiteOptionError({
      code: 'BASEMAP_UNREACHABLE',
      option: 'basemap',
      url,
      reason: cause instanceof Error ? cause.message || explain(cause) : String(cause),
    })
  }
}

async function readArchive(
  basemap: string,
  read: ReadPart,
  size: number | undefined,
): Promise<StreetArchive> {
  const head = Buffer.from(await read(0, headerBytes))
  refuseOthers(basemap, head)
  const archive = new PMTiles(new PartSource(basemap, read))
  const unreadable = (reason: string) =>
    new SiteOptionError({ code: 'BASEMAP_DAMAGED', option: 'basemap', basemap, reason })
  const header = await archive.getHeader().catch((error: unknown) => {
    throw unreadable(`its directory cannot be read: ${explain(error)}`)
  })
  const end = Math.max(
    header.rootDirectoryOffset + header.rootDirectoryLength,
    header.jsonMetadataOffset + header.jsonMetadataLength,
    (header.leafDirectoryOffset ?? 0) + (header.leafDirectoryLength ?? 0),
    header.tileDataOffset + (header.tileDataLength ?? 0),
  )
  if (size !== undefined && size < end) {
    throw new SiteOptionError({
      code: 'BASEMAP_CUT_OFF',
      option: 'basemap',
      basemap,
      bytes: size,
      described: end,
    })
  }
  if (header.tileType !== vectorTiles) {
    const content = pictures[header.tileType] ?? 'unknown'
    throw new SiteOptionError({ code: 'BASEMAP_NOT_VECTOR', option: 'basemap', basemap, content })
  }
  if (!gzipOrNone.has(header.tileCompression)) {
    throw new SiteOptionError({ code: 'BASEMAP_COMPRESSION', option: 'basemap', basemap })
  }
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
    throw new SiteOptionError({
      code: 'BASEMAP_CUT_OFF',
      option: 'basemap',
      basemap,
      bytes: head.length,
      described: headerBytes,
    })
  }
  const isOldOrNew = text.startsWith('PM')
  const found = isOldOrNew
    ? 'another version of PMTiles'
    : text.startsWith('SQLite format 3')
      ? 'MBTiles'
      : undefined
  throw new SiteOptionError({
    code: 'BASEMAP_NOT_PMTILES',
    option: 'basemap',
    basemap,
    found,
  })
}

const described = z.object({
  vector_layers: z.array(z.object({ id: z.string(), fields: z.record(z.string(), z.unknown()).optional() })),
})

/** Tiles of another schema have other layers, which would not be drawn. */
function refuseOtherSchemas(basemap: string, metadata: unknown): void {
  const parsed = described.safeParse(metadata)
  const layers = parsed.success ? parsed.data.vector_layers : []
  const names = layers.map(({ id }) => id)
  const isOld = layers.some(({ fields }) => fields && 'pmap:kind' in fields)
  if (isOld || !neededLayers.every((one) => names.includes(one))) {
    throw new SiteOptionError({ code: 'BASEMAP_SCHEMA', option: 'basemap', basemap, layers: names, isOld })
  }
}

class PartSource implements Source {
  readonly #key: string
  readonly #read: ReadPart

  constructor(key: string, read: ReadPart) {
    this.#key = key
    this.#read = read
  }

  getKey(): string {
    return this.#key
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const bytes = await this.#read(offset, length)
    return { data: new Uint8Array(bytes).buffer }
  }
}
