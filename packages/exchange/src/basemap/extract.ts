import { createHash } from 'node:crypto'
import { existsSync, readSync } from 'node:fs'
import { open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { boxAround, type Place } from '@openfountain/core/geodesy'
import {
  Compression,
  findTile,
  PMTiles,
  SharedPromiseCache,
  TileType,
  zxyToTileId,
  type Header,
  type Source,
} from 'pmtiles'
import { extentOf } from '../export/edition.ts'
import { writeArchive } from '../export/tiles/archive.ts'
import { isAddress, openRanges, type RangeFile } from '../fetching/ranges.ts'
import type { FetchOptions } from '@openfountain/core/internal'

export interface ExtractOptions extends FetchOptions {
  /** Places around which streets are wanted, in degrees. */
  readonly places: Iterable<Place>
  /** Metres around each place. Default 2,000. */
  readonly marginMetres?: number | undefined
  /** The most detailed level that is taken; default that of the archive, at most 15. */
  readonly maxZoom?: number | undefined
  /** Bytes of a request at most; what was read of one that is cut off is asked for again. Default 4,000,000. */
  readonly rangeBytes?: number | undefined
}

/** A part of the archive's data, with the tiles in it. */
type Piece = Readonly<Record<'offset' | 'length', number>>
type Wanted = Piece & { readonly id: number }

export interface ExtractPlan {
  readonly source: string
  readonly tiles: number
  /** Bytes of tiles to be read. */
  readonly bytes: number
  readonly minZoom: number
  readonly maxZoom: number
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number]
  /** Whom the archive asks to name, as HTML. */
  readonly attribution: string | undefined
}

export type ExtractProgress = Readonly<Record<'bytes' | 'of', number>>

const defaultMarginMetres = 2000
const mostZoom = 15
const defaultRangeBytes = 4_000_000
/** Longest gap between tiles that is read along with them. */
const mostGap = 32_768
/** Beyond this, tiles of Web Mercator end. */
const mercatorLatitude = 85.0511

function* tilesIn([west, south, east, north]: readonly number[], z: number): Generator<number> {
  const size = 2 ** z
  const clamped = (value: number) => Math.min(size - 1, Math.max(0, Math.floor(value)))
  const column = (degrees = 0) => clamped(((degrees + 180) / 360) * size)
  const row = (degrees = 0) => {
    const sine = Math.sin((Math.max(-mercatorLatitude, Math.min(mercatorLatitude, degrees)) * Math.PI) / 180)
    return clamped((0.5 - Math.atanh(sine) / (2 * Math.PI)) * size)
  }
  for (let y = row(north); y <= row(south); y++)
    for (let x = column(west); x <= column(east); x++) yield zxyToTileId(z, x, y)
}

/** Ids of all tiles around places, from the whole world to the most detailed level, ascending. */
function wantedIds(boxes: readonly (readonly number[])[], header: Header, maxZoom: number): number[] {
  const ids = new Set<number>()
  for (let z = header.minZoom; z <= maxZoom; z++)
    for (const box of boxes) for (const id of tilesIn(box, z)) ids.add(id)
  return [...ids].toSorted((one, other) => one - other)
}

/** A box, as two where it crosses the antimeridian. */
const split = ([west, south, east, north]: readonly [number, number, number, number]) =>
  west > east
    ? [[west, south, 180, north] as const, [-180, south, east, north] as const]
    : [[west, south, east, north] as const]

const sourceOf = (file: RangeFile): Source => ({
  getKey: () => file.name,
  getBytes: async (offset, length) => ({ data: new Uint8Array(await file.read(offset, length)).buffer }),
})

interface OpenedArchive {
  readonly file: RangeFile
  readonly header: Header
  readonly metadata: object
  readonly wanted: readonly Wanted[]
  readonly rangeBytes: number
}

/** An opened archive with what is wanted of it. */
export class StreetExtract implements AsyncDisposable {
  readonly plan: ExtractPlan
  readonly #opened: OpenedArchive

  private constructor(opened: OpenedArchive, plan: ExtractPlan) {
    this.#opened = opened
    this.plan = plan
  }

  /**
   * Reads the directories of a Protomaps archive, and none of its tiles.
   *
   * @param source a file, or an https: address that sends ranges
   * @throws BasemapRefused, FetchRefused
   */
  static async open(source: string, options: ExtractOptions): Promise<StreetExtract> {
    const { places, marginMetres = defaultMarginMetres } = options
    if (!isAddress(source) && !existsSync(source)) throw new BasemapRefused({ code: 'MISSING', source })
    const file = await openRanges(source, options)
    try {
      const range = sourceOf(file)
      const archive = new PMTiles(range, new SharedPromiseCache(100, true, unpacked), unpacked)
      const damaged = (error: unknown) => {
        if (error instanceof Error && error.name === 'FetchRefused') throw error
        throw new BasemapRefused({ code: 'NOT_PMTILES', source }, { cause: error })
      }
      const header = await archive.getHeader().catch(damaged)
      const metadata = (await archive.getMetadata().catch(damaged)) as Readonly<Record<string, unknown>>
      const { attribution, vector_layers: listed } = metadata
      const layers = Array.isArray(listed) ? (listed as { id?: unknown }[]).map(({ id }) => id) : []
      if (header.tileType !== TileType.Mvt || !['roads', 'water'].every((id) => layers.includes(id)))
        throw new BasemapRefused({ code: 'NOT_STREETS', source })
      if (![Compression.Gzip, Compression.None].includes(header.tileCompression))
        throw new BasemapRefused({ code: 'COMPRESSION', source })
      const all = [...places].flatMap((place) => split(boxAround(place, marginMetres)))
      if (all.length === 0) throw new BasemapRefused({ code: 'NO_PLACES', source })
      const boxes = all.filter(
        ([west, south, east, north]) =>
          west < header.maxLon && east > header.minLon && south < header.maxLat && north > header.minLat,
      )
      if (boxes.length === 0) throw new BasemapRefused({ code: 'ELSEWHERE', source })
      const maxZoom = Math.min(options.maxZoom ?? mostZoom, header.maxZoom)
      const wanted = await entriesOf(range, header, wantedIds(boxes, header, maxZoom))
      const distinct = new Map(wanted.map(({ offset, length }) => [offset, length]))
      const corners = boxes.flatMap(([west, south, east, north]) => [
        { longitude: Math.max(west, header.minLon), latitude: Math.max(south, header.minLat) },
        { longitude: Math.min(east, header.maxLon), latitude: Math.min(north, header.maxLat) },
      ])
      const { rangeBytes = defaultRangeBytes } = options
      return new StreetExtract(
        { file, header, metadata, wanted, rangeBytes },
        {
          source: file.name,
          tiles: wanted.length,
          bytes: [...distinct.values()].reduce((sum, length) => sum + length, 0),
          minZoom: header.minZoom,
          maxZoom,
          bounds: extentOf(corners) ?? [-180, -90, 180, 90],
          attribution: typeof attribution === 'string' ? attribution : undefined,
        },
      )
    } catch (error) {
      await file[Symbol.asyncDispose]()
      throw error
    }
  }

  /**
   * Writes the tiles into one archive, which takes the place of an earlier one at once. What was read stays beside it until then
   * (`.part`), so that a second call goes on where the first was interrupted.
   *
   * @throws FetchRefused; errors of the system
   */
  async write(out: string, onProgress?: (progress: ExtractProgress) => void): Promise<void> {
    const { file, header, metadata, wanted, rangeBytes } = this.#opened
    const part = `${out}.part`
    const pieces = piecesOf(wanted, rangeBytes)
    const of = pieces.reduce((sum, { length }) => sum + length, 0)
    const key = createHash('sha256')
      .update(JSON.stringify([file.name, file.version, file.size, pieces]))
      .digest('hex')
    if ((await readFile(`${part}.key`, 'utf8').catch(() => '')) !== key) {
      await rm(part, { force: true })
      await writeFile(`${part}.key`, key)
    }
    const data = await open(part, 'a+')
    try {
      let { size: done } = await data.stat()
      let at = 0
      for (const { offset, length } of pieces) {
        const end = at + length
        // A piece that was cut off is read again from where it ends.
        while (done < end) {
          const from = Math.max(0, done - at)
          const bytes = await file.read(header.tileDataOffset + offset + from, length - from)
          if (bytes.length === 0) throw new BasemapRefused({ code: 'CUT_OFF', source: file.name })
          await data.appendFile(bytes)
          done += bytes.length
          onProgress?.({ bytes: done, of })
        }
        at = end
      }
      await data.sync()
      const isPacked = header.tileCompression === Compression.Gzip
      const places = placesOf(pieces, wanted)
      await rm(`${out}.new`, { force: true })
      await writeArchive(
        `${out}.new`,
        places.values().map(({ id, offset, length }) => {
          const bytes = Buffer.alloc(length)
          readSync(data.fd, bytes, 0, length, offset)
          return {
            id,
            bytes: isPacked ? gunzipSync(bytes, { maxOutputLength: mostTile }) : bytes,
            mayRepeat: true,
          }
        }),
        { ...this.plan, metadata },
      )
    } finally {
      await data.close()
    }
    await rename(`${out}.new`, out)
    for (const old of [part, `${part}.key`]) await rm(old, { force: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.file[Symbol.asyncDispose]()
  }
}

/** A tile or directory is a few hundred kilobytes at most; one of more is an attack. */
const mostTile = 20_000_000

const unpacked = (data: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> =>
  Promise.resolve().then(() =>
    compression === Compression.Gzip
      ? new Uint8Array(gunzipSync(data, { maxOutputLength: mostTile })).buffer
      : data,
  )

/** Where wanted tiles are in the archive, by ascending id; a directory is read once. */
async function entriesOf(source: Source, header: Header, ids: readonly number[]): Promise<Wanted[]> {
  const cache = new SharedPromiseCache(100, true, unpacked)
  const found: Wanted[] = []
  for (const id of ids) {
    let { rootDirectoryOffset: offset, rootDirectoryLength: length } = header
    for (let depth = 0; depth < 4; depth++) {
      const entry = findTile(await cache.getDirectory(source, offset, length, header), id)
      if (entry === null) break
      if (entry.runLength > 0) {
        found.push({ id, offset: entry.offset, length: entry.length })
        break
      }
      offset = header.leafDirectoryOffset + entry.offset
      length = entry.length
    }
  }
  return found
}

/** Ranges of the data that have all wanted tiles, in the order of the archive. */
function piecesOf(wanted: readonly Wanted[], most: number): Piece[] {
  const pieces: { offset: number; length: number }[] = []
  for (const { offset, length } of wanted.toSorted((one, other) => one.offset - other.offset)) {
    const last = pieces.at(-1)
    const end = last === undefined ? -1 : last.offset + last.length
    if (last !== undefined && offset - end <= mostGap && offset + length - last.offset <= most)
      last.length = Math.max(last.length, offset + length - last.offset)
    else pieces.push({ offset, length })
  }
  return pieces
}

function placesOf(pieces: readonly Piece[], wanted: readonly Wanted[]): Wanted[] {
  const starts: number[] = []
  let at = 0
  for (const { length } of pieces) {
    starts.push(at)
    at += length
  }
  const byOffset = new Map<number, number>()
  let index = 0
  for (const { offset } of wanted.toSorted((one, other) => one.offset - other.offset)) {
    while (offset >= (pieces[index]?.offset ?? 0) + (pieces[index]?.length ?? 0)) index += 1
    byOffset.set(offset, (starts[index] ?? 0) + offset - (pieces[index]?.offset ?? 0))
  }
  return wanted.map((tile) => ({ ...tile, offset: byOffset.get(tile.offset) ?? 0 }))
}

/** Why no streets are taken from an archive. */
export const basemapRefusals = {
  MISSING: 'There is no such file.',
  NOT_PMTILES: 'It is no PMTiles archive of version 3, or it is damaged.',
  NOT_STREETS: 'It has no street tiles in the schema of Protomaps, with the layers roads and water.',
  COMPRESSION: 'Its tiles are compressed by something else than gzip.',
  NO_PLACES: 'The registry has no fountains yet: import or add some first.',
  ELSEWHERE: 'It has no tiles around the fountains: take an archive of their area.',
  CUT_OFF: 'It ends before its tiles do.',
} as const

export type BasemapRefusalCode = keyof typeof basemapRefusals

/** An archive from which no streets are taken: `code` says why. */
export class BasemapRefused extends Error {
  override readonly name = 'BasemapRefused'
  readonly code: BasemapRefusalCode
  readonly source: string

  constructor(
    { code, source }: { readonly code: BasemapRefusalCode; readonly source: string },
    options?: ErrorOptions,
  ) {
    super(`${source}: ${basemapRefusals[code]}`, options)
    this.code = code
    this.source = source
  }
}
