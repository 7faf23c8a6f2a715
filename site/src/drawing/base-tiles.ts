import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { VectorTile, type VectorTileLayer } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { PMTiles } from 'pmtiles'

/** A place on the map as shares of the world in Web Mercator, from the north-west. */
export type WorldPoint = readonly [x: number, y: number]

interface Line {
  readonly points: readonly WorldPoint[]
  readonly bounds: readonly [west: number, north: number, east: number, south: number]
}

export type Layer = 'land' | 'lake' | 'river'

/** The shapes of a layer in a part of the base map: each has one or several lines of points. */
export type BaseShapes = (layer: Layer) => readonly (readonly WorldPoint[])[][]
type Tile = (layer: Layer) => readonly Line[][]

const deepestZoom = 6
/** The widest span of tiles of one zoom: wider pictures have coarser tiles. */
const mostTiles = 3

let bytes: Buffer | undefined
const archive = new PMTiles(
  {
    getKey: () => 'base',
    getBytes: (offset, length) => {
      bytes ??= readFileSync(new URL('../../base/base.pmtiles', import.meta.url))
      return Promise.resolve({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer })
    },
  },
  undefined,
  // Everything in it is packed; streams take twice the time of small tiles.
  (data) => Promise.resolve(new Uint8Array(gunzipSync(data)).buffer),
)
const known = new Map<string, Promise<Tile>>()

/** The shapes of the bundled base map in a part of the world, which may reach beyond the antimeridian. */
export async function baseShapes([west, north]: WorldPoint, [east, south]: WorldPoint): Promise<BaseShapes> {
  const zoom = Math.max(0, Math.min(deepestZoom, Math.floor(Math.log2(mostTiles / (east - west)))))
  const side = 2 ** zoom
  const wanted: Promise<Tile>[] = []
  for (let x = Math.floor(west * side); x <= Math.floor(east * side); x += 1)
    for (let y = Math.max(0, Math.floor(north * side)); y <= Math.min(side - 1, south * side); y += 1) {
      const key = `${zoom} ${x} ${y}`
      const tile = known.get(key) ?? readTile(zoom, x, y)
      known.set(key, tile)
      wanted.push(tile)
    }
  const all = await Promise.all(wanted)
  // Shapes outside have no part in those inside, since rings are closed.
  const isSeen = ({ bounds }: Line): boolean =>
    bounds[0] < east && bounds[1] < south && bounds[2] > west && bounds[3] > north
  return (layer) =>
    all.flatMap((tile) => tile(layer).map((lines) => lines.filter(isSeen).map(({ points }) => points)))
}

/** @param x may be beyond the antimeridian */
async function readTile(zoom: number, x: number, y: number): Promise<Tile> {
  const side = 2 ** zoom
  const found = await archive.getZxy(zoom, ((x % side) + side) % side, y)
  const { layers } = found ? new VectorTile(new PbfReader(found.data)) : { layers: {} }
  const shapesOf = (layer: VectorTileLayer | undefined): Line[][] => {
    if (!layer) return []
    const place = (at: { x: number; y: number }): WorldPoint => [
      (x + at.x / layer.extent) / side,
      (y + at.y / layer.extent) / side,
    ]
    return Array.from({ length: layer.length }, (_, index) =>
      layer
        .feature(index)
        .loadGeometry()
        .map((line) => boundedLine(line.map(place))),
    )
  }
  const read: Partial<Record<Layer, Line[][]>> = {}
  // Rivers are read by few.
  return (layer) => (read[layer] ??= shapesOf(layers[layer]))
}

function boundedLine(points: readonly WorldPoint[]): Line {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of points) {
    west = Math.min(west, x)
    north = Math.min(north, y)
    east = Math.max(east, x)
    south = Math.max(south, y)
  }
  return { points, bounds: [west, north, east, south] }
}
