import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { GeoJSONVT, type GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { BaseMapIndex } from '../engine/basemap.ts'
import { borders, type Detail, land } from './landform.ts'

/** The level of detail of each zoom's tiles; the last zoom is magnified beyond. */
const detailOfZoom: readonly Detail[] = ['110m', '110m', '50m', '50m', '50m', '10m', '10m']

const extent = 4096

/**
 * Draws the bundled base map into a new folder: `ZOOM-X-Y.mvt` (gzipped vector tiles with the layers `land` and
 * `border`) for every tile with a coast or a border, `land.mvt` for those that are all land, and `index.json`, which
 * maps tiles to files. The result is the same on every machine; it is 2,150 files and takes some seconds, therefore it
 * is drawn once (`basemap-cache.ts`).
 */
export async function drawBaseMap(to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const zooms: string[] = []
  let fullWritten = false
  let drawing: { readonly detail: Detail; readonly tiles: Drawing } | undefined
  for (const [zoom, detail] of detailOfZoom.entries()) {
    if (drawing?.detail !== detail) drawing = { detail, tiles: tilesOf(detail) }
    const { tiles } = drawing
    let kinds = ''
    for (let y = 0; y < 2 ** zoom; y += 1) {
      const writes: Promise<void>[] = []
      for (let x = 0; x < 2 ** zoom; x += 1) {
        const tile = { land: tiles.land.getTile(zoom, x, y), border: tiles.border.getTile(zoom, x, y) }
        const kind = kindOf(tile.land, tile.border)
        kinds += kind
        if (kind === dry && !fullWritten) {
          await writeFile(join(to, 'land.mvt'), encode(tile.land, null))
          fullWritten = true
        }
        if (kind !== drawn) continue
        writes.push(writeFile(join(to, `${zoom}-${x}-${y}.mvt`), encode(tile.land, tile.border)))
      }
      await Promise.all(writes)
    }
    zooms.push(kinds)
  }
  const index: BaseMapIndex = { zooms }
  await writeFile(join(to, 'index.json'), JSON.stringify(index))
}

const [water, dry, drawn] = ['0', '1', '2'] as const

interface Drawing {
  readonly land: GeoJSONVT
  readonly border: GeoJSONVT
}

function tilesOf(detail: Detail): Drawing {
  // geojson-vt keeps all points at its deepest zoom, the one that is magnified.
  const options = { maxZoom: detailOfZoom.length - 1, indexMaxZoom: 4, tolerance: 2.5, extent, buffer: 64 }
  return {
    land: new GeoJSONVT(land(detail), options),
    border: new GeoJSONVT(borders(detail), options),
  }
}

type Tile = GeoJSONVTTile | null

function kindOf(landTile: Tile, borderTile: Tile): typeof water | typeof dry | typeof drawn {
  const borderless = !borderTile || borderTile.features.length === 0
  if (!landTile || landTile.features.length === 0) return borderless ? water : drawn
  return borderless && isFull(landTile) ? dry : drawn
}

/** Whether land covers the tile and its margin, so that no coast is visible in it. */
function isFull(tile: GeoJSONVTTile): boolean {
  const features: readonly { geometry: unknown }[] = tile.features
  const rings = features.flatMap(({ geometry }) => geometry as readonly (readonly [number, number])[][])
  const [ring] = rings
  return (
    rings.length === 1 &&
    ring !== undefined &&
    ring.length <= 6 &&
    ring.every((corner) => corner.every((at) => at <= 0 || at >= extent))
  )
}

function encode(landTile: Tile, borderTile: Tile): Uint8Array {
  const layers = { ...(landTile && { land: landTile }), ...(borderTile && { border: borderTile }) }
  return gzipSync(fromGeojsonVt(layers, { version: 2, extent }), { level: 9 })
}
