import { truncate } from 'node:fs/promises'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature, Geometry } from 'geojson'
import { zxyToTileId } from 'pmtiles'
import {
  type ArchiveDescription,
  type Tile,
  writeArchive,
} from '../../../packages/exchange/src/export/tiles/archive.ts'
import { square } from '@openfountain/testing/site/town'

/** West, south, east, north of the street map of the fictional town; the village in the east is beyond it. */
export const townBounds = [13.1, 55.66, 13.28, 55.75] as const

export const lake = { latitude: 55.7105, longitude: 13.2 }

type Drawn = readonly [layer: string, feature: Feature]
type Metres = readonly (readonly [east: number, north: number])[]
type Properties = Readonly<Record<string, string | number>>
type Shape = Exclude<Geometry['type'], 'GeometryCollection'>

function drawn(layer: string, type: Shape, metres: Metres, properties: Properties): Drawn {
  const at = metres.map(([x, y]) => [square.longitude + x / 62_700, square.latitude + y / 111_300])
  const coordinates = type === 'Point' ? at[0] : type === 'LineString' ? at : [at]
  const geometry = { type, coordinates } as Geometry
  return [layer, { type: 'Feature', geometry, properties: { ...properties } }]
}

function block(layer: string, kind: string, [x, y]: Metres[number], [toX, toY]: Metres[number]): Drawn {
  const corners = [x, x, toX, toX, x].map(
    (east, corner) => [east, [toY, y, y, toY, toY][corner] ?? y] as const,
  )
  return drawn(layer, 'Polygon', corners, { kind })
}

function drawTown(): Drawn[] {
  const steps = Array.from({ length: 21 }, (_, step) => (step - 10) * 120)
  const streets = steps.flatMap((at, step) => {
    const kind = step % 5 === 0 ? 'major_road' : 'minor_road'
    const names = { name: `Gata ${step}`, 'name:de': `Straße ${step}` }
    const properties = { kind, kind_detail: kind, min_zoom: 12, ...names }
    const street = (from: Metres[number], to: Metres[number]) =>
      drawn('roads', 'LineString', [from, to], properties)
    return [street([at - 40, -1200], [at + 40, 1200]), street([-1200, at], [1200, at + 30])]
  })
  const isPark = (x: number, y: number) => x > 120 && x < 1000 && y > 240 && y < 1000
  const houses = steps.flatMap((x) =>
    steps
      .filter((y) => !isPark(x, y))
      .map((y) => block('buildings', 'building', [x - 90, y - 90], [x - 50, y - 55])),
  )
  const place = { kind: 'locality', name: 'Lindköping', 'name:de': 'Lindenau', min_zoom: 7 }
  return [
    block('earth', 'earth', [-5643, -5008.5], [5643, 5008.5]),
    block('landuse', 'park', [150, 250], [1000, 1000]),
    block('water', 'lake', [350, 400], [900, 850]),
    ...streets,
    ...houses,
    drawn('places', 'Point', [[0, -40]], { ...place, population_rank: 9 }),
  ]
}

const layerNames = ['boundaries', 'buildings', 'earth', 'landuse', 'places', 'pois', 'roads', 'water']
/** How the archive is described; Protomaps' is longer. */
const vector_layers = layerNames.map((id) => ({ id, fields: { kind: 'String', name: 'String' } }))
const metadata = { name: 'Town for tests', version: '4.0.0', vector_layers }

interface StreetTilesOptions extends Partial<ArchiveDescription> {
  /** The length of the file, longer than its tiles by empty space that takes none on the disk. */
  readonly bytes?: number
}

/** Writes the street map of the town as a PMTiles archive in Protomaps' schema. */
export async function writeStreetTiles(
  path: string,
  { bytes, ...description }: StreetTilesOptions = {},
): Promise<void> {
  const layers = new Map<string, Feature[]>()
  for (const [layer, one] of drawTown()) layers.set(layer, [...(layers.get(layer) ?? []), one])
  const how = { maxZoom: 15, indexMaxZoom: 5, extent: 4096, buffer: 64 }
  const indexes = [...layers].map(
    ([layer, features]) => [layer, new GeoJSONVT({ type: 'FeatureCollection', features }, how)] as const,
  )
  const maxZoom = description.maxZoom ?? 15
  const written: Tile[] = []
  for (let zoom = 0; zoom <= maxZoom; zoom += 1) {
    const tiles = tilesIn(zoom).toSorted((one, other) => one.id - other.id)
    for (const { id, x, y } of tiles) {
      const found = indexes.flatMap(([layer, index]) => {
        const tile = index.getTile(zoom, x, y)
        return tile ? [[layer, tile] as const] : []
      })
      const bytes = fromGeojsonVt(Object.fromEntries(found), { version: 2, extent: 4096 })
      written.push({ id, bytes, mayRepeat: false })
    }
  }
  await writeArchive(path, written, { minZoom: 0, maxZoom, bounds: townBounds, metadata, ...description })
  if (bytes !== undefined) await truncate(path, bytes)
}

function tilesIn(zoom: number): { id: number; x: number; y: number }[] {
  const [west, south, far, top] = townBounds
  const side = 2 ** zoom
  const column = (longitude: number) => Math.floor(((longitude + 180) / 360) * side)
  const row = (latitude: number) =>
    Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * side)
  const tiles = []
  for (let x = column(west); x <= column(far); x += 1) {
    for (let y = row(top); y <= row(south); y += 1) tiles.push({ id: zxyToTileId(zoom, x, y), x, y })
  }
  return tiles
}
