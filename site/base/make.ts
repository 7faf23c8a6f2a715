import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { geoArea, geoEquirectangular, geoStream } from 'd3-geo'
import type { GeoJSON, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson'
import { zxyToTileId } from 'pmtiles'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { writeArchive, type Tile } from '../../packages/exchange/src/export/tiles/archive.ts'

/**
 * Makes the base map of every site from Natural Earth (public domain), as world-atlas has it: `base.pmtiles` with the layers
 * `land` and `border`, and `coasts.json.br` for the drawings of pages. Run it when world-atlas has changed:
 * `node --conditions=openfountain-source site/base/make.ts`.
 */

/** Detail of a Natural Earth drawing: for maps at 1 : 110, 50 or 10 million. */
export type Detail = '110m' | '50m' | '10m'

/** The level of detail of each zoom's tiles; the last zoom is magnified beyond. */
const detailOfZoom: readonly Detail[] = ['110m', '110m', '50m', '50m', '50m', '10m', '10m']
const extent = 4096

const read = createRequire(import.meta.url)
const topology = (name: string): Topology<{ land: GeometryCollection; countries: GeometryCollection }> =>
  JSON.parse(readFileSync(read.resolve(`world-atlas/${name}.json`), 'utf8'))

/** All land, cut at the antimeridian, so that no ring runs across the whole map. */
export function land(detail: Detail): MultiPolygon {
  const atlas = topology(`land-${detail}`)
  const polygons = feature(atlas, atlas.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates
      : geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : [],
  )
  const coordinates = polygons.flatMap((rings) =>
    parts(flatten(inward({ type: 'Polygon', coordinates: rings }))),
  )
  return { type: 'MultiPolygon', coordinates }
}

/** The lines between countries, without coasts. */
export function borders(detail: Detail): MultiLineString {
  const atlas = topology(`countries-${detail}`)
  const lines = mesh(atlas, atlas.objects.countries, (one, other) => one !== other)
  return { type: 'MultiLineString', coordinates: flatten(lines) }
}

/**
 * On the globe the order of a ring's points decides which side is inside. Some of the smallest islands have the wrong
 * order after rounding and would cover the whole earth; no island covers half of it.
 */
function inward(polygon: Polygon): Polygon {
  if (geoArea(polygon) < 2 * Math.PI) return polygon
  return { type: 'Polygon', coordinates: polygon.coordinates.map((ring) => ring.toReversed()) }
}

/** Rings or lines as longitude and latitude, cut where they cross the antimeridian. */
function flatten(shape: GeoJSON): Position[][] {
  const found: Position[][] = []
  let current: Position[] = []
  let closed = false
  const degrees = geoEquirectangular()
    .scale(180 / Math.PI)
    .translate([0, 0])
    .precision(0)
    .reflectY(true)
  geoStream(
    shape,
    degrees.stream({
      point: (x, y) => void current.push([x, y]),
      lineStart: () => void (current = []),
      lineEnd() {
        const [first] = current
        if (first && closed) current.push([...first])
        if (current.length > (closed ? 3 : 1)) found.push(current)
      },
      polygonStart: () => void (closed = true),
      polygonEnd: () => void (closed = false),
    }),
  )
  return found
}

/** The parts of a polygon that was cut. Its holes are in the largest: no lake is in what the antimeridian cuts off. */
function parts(rings: readonly Position[][]): Position[][][] {
  const bySize = rings.toSorted((one, other) => Math.abs(area(one)) - Math.abs(area(other)))
  const sign = Math.sign(area(bySize.at(-1) ?? []))
  const [outer, holes] = [true, false].map((isOuter) =>
    bySize.filter((ring) => (Math.sign(area(ring)) === sign) === isOuter),
  ) as [Position[][], Position[][]]
  return outer.map((ring, place) => (place === outer.length - 1 ? [ring, ...holes] : [ring]))
}

/** Twice the signed area of a ring, in square degrees. */
function area(ring: readonly Position[]): number {
  let sum = 0
  for (const [place, [x = 0, y = 0]] of ring.entries()) {
    const [fromX = 0, fromY = 0] = ring.at(place - 1) ?? []
    sum += fromX * y - x * fromY
  }
  return sum
}

/** The tiles with land or borders, by ascending id. */
function* tiles(): Iterable<Tile> {
  // geojson-vt keeps all points at its deepest zoom, the one that is magnified.
  const options = { maxZoom: detailOfZoom.length - 1, indexMaxZoom: 4, tolerance: 2.5, extent, buffer: 64 }
  const drawn = (geometry: MultiPolygon | MultiLineString) =>
    new GeoJSONVT({ type: 'Feature', properties: {}, geometry }, options)
  let layers: { readonly land: GeoJSONVT; readonly border: GeoJSONVT } | undefined
  for (const [zoom, detail] of detailOfZoom.entries()) {
    if (layers === undefined || detail !== detailOfZoom[zoom - 1])
      layers = { land: drawn(land(detail)), border: drawn(borders(detail)) }
    const side = 2 ** zoom
    const places = Array.from(
      { length: side * side },
      (_, place) => [place % side, Math.floor(place / side)] as const,
    )
    const byId = places
      .map(([x, y]) => ({ id: zxyToTileId(zoom, x, y), x, y }))
      .toSorted((a, b) => a.id - b.id)
    for (const { id, x, y } of byId) {
      const shown = Object.entries(layers).flatMap(([name, index]) => {
        const tile = index.getTile(zoom, x, y)
        return tile && tile.features.length > 0 ? [[name, tile] as const] : []
      })
      if (shown.length === 0) continue
      yield { id, bytes: fromGeojsonVt(Object.fromEntries(shown), { version: 2, extent }), mayRepeat: true }
    }
  }
}

/** The coasts at a level of detail, as longitude, latitude, longitude … without the repeated last place. */
const coasts = (detail: Detail): number[][] =>
  land(detail)
    .coordinates.flat()
    .map((ring) =>
      ring
        .slice(0, -1)
        .flat()
        .map((value) => Math.round(value * 1e5) / 1e5),
    )

if (import.meta.main) {
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  await rm(file('base.pmtiles'), { force: true })
  await writeArchive(file('base.pmtiles'), tiles(), {
    minZoom: 0,
    maxZoom: detailOfZoom.length - 1,
    bounds: [-180, -85, 180, 85],
    metadata: {
      name: 'Land and borders',
      attribution: 'Natural Earth',
      vector_layers: ['land', 'border'].map((id) => ({ id, fields: {} })),
    },
  })
  const text = JSON.stringify({ coarse: coasts('110m'), fine: coasts('50m') })
  await writeFile(file('coasts.json.br'), brotliCompressSync(text))
}
