import type { RequestParameters } from 'maplibre-gl'
import { addProtocol } from '#engine'
import { PMTiles } from 'pmtiles'
import type { RangeSource } from './range-source.ts'

type TileResponse = Promise<{ data: ArrayBuffer }>

/** A cache of recent tiles: MapLibre requests the deepest ones again at every zoom beyond them. */
class TileCache {
  readonly #limit = 48
  readonly #tiles = new Map<string, Promise<ArrayBuffer>>()

  async get(key: string, read: () => Promise<ArrayBuffer>): TileResponse {
    const tile = this.#tiles.get(key) ?? this.#keep(key, read())
    // The buffer is transferred to the worker, so it gets a copy.
    return { data: (await tile).slice(0) }
  }

  #keep(key: string, tile: Promise<ArrayBuffer>): Promise<ArrayBuffer> {
    this.#tiles.set(key, tile)
    tile.catch(() => this.#tiles.delete(key))
    const [oldest] = this.#tiles.keys()
    if (this.#tiles.size > this.#limit && oldest !== undefined) this.#tiles.delete(oldest)
    return tile
  }
}

/** Registers the protocol `SCHEME://ZOOM/X/Y` of an archive of tiles. */
export function serveTiles(archive: PMTiles, scheme: string): void {
  const cache = new TileCache()
  addProtocol(scheme, async (request): TileResponse => {
    const [zoom, x, y] = placeOf(request)
    return cache.get(`${zoom}/${x}/${y}`, async () => {
      const tile = await archive.getZxy(zoom, x, y)
      return tile?.data ?? new ArrayBuffer(0)
    })
  })
}

/**
 * Opens the archive of tiles, or returns undefined when the host does not support range requests or cannot be reached.
 */
export async function openTiles(source: RangeSource): Promise<PMTiles | undefined> {
  const archive = new PMTiles(source)
  try {
    await archive.getHeader()
    return archive
  } catch {
    return undefined
  }
}

function placeOf({ url }: RequestParameters): [zoom: number, x: number, y: number] {
  const [zoom = NaN, x = NaN, y = NaN] = url
    .slice(url.indexOf('://') + 3)
    .split('/')
    .map(Number)
  return [zoom, x, y]
}
