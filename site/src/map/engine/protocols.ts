import { addProtocol } from '#engine'
import { PMTiles } from 'pmtiles'
import { remembered } from '../../remembered.ts'
import type { RangeSource } from './range-source.ts'

/** Tiles that are remembered: MapLibre requests the deepest ones again at every zoom beyond them. */
const tilesRemembered = 48

/** Registers the protocol `SCHEME://ZOOM/X/Y` of an archive of tiles. @returns reads a tile ahead of the map */
export function serveTiles(archive: PMTiles, scheme: string): (place: string) => Promise<ArrayBuffer> {
  const read = remembered(async (place) => {
    const [zoom = NaN, x = NaN, y = NaN] = place.split('/').map(Number)
    const tile = await archive.getZxy(zoom, x, y)
    return tile?.data ?? new ArrayBuffer(0)
  }, tilesRemembered)
  // The buffer is transferred to the worker, so it gets a copy.
  addProtocol(scheme, async ({ url }) => ({ data: (await read(url.slice(scheme.length + 3))).slice(0) }))
  return read
}

/** Opens the archive of tiles; undefined when the host has no range requests or cannot be reached. */
export async function openTiles(source: RangeSource): Promise<PMTiles | undefined> {
  const archive = new PMTiles(source)
  try {
    await archive.getHeader()
    return archive
  } catch {
    return undefined
  }
}
