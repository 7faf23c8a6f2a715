import { addProtocol, type RequestParameters } from 'maplibre-gl'
import { PMTiles } from 'pmtiles'
import type { BaseMap } from './basemap.ts'
import type { RangeSource } from './range-source.ts'

type Answer = Promise<{ data: ArrayBuffer }>

/** Lets the map's styles name the bundled base map as `base://ZOOM/X/Y`. */
export function serveBaseMap(base: BaseMap): void {
  addProtocol('base', async (request, stop): Answer => {
    const [zoom, x, y] = placeOf(request)
    return { data: await base.tile(zoom, x, y, stop.signal) }
  })
}

/** Lets the map's styles name the tiles of fountains as `fountains://ZOOM/X/Y`. */
export function serveTiles(archive: PMTiles): void {
  addProtocol('fountains', async (request, stop): Answer => {
    const [zoom, x, y] = placeOf(request)
    const tile = await archive.getZxy(zoom, x, y, stop.signal)
    return { data: tile?.data ?? new ArrayBuffer(0) }
  })
}

/**
 * Opens the archive of tiles, or gives undefined when this host does not give parts of files or cannot be reached.
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
  const [zoom = NaN, x = NaN, y = NaN] = url.slice(url.indexOf('://') + 3).split('/').map(Number)
  return [zoom, x, y]
}
