import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { geoArea, geoEquirectangular, geoStream } from 'd3-geo'
import type {
  Feature,
  GeoJSON,
  Geometry,
  MultiLineString,
  MultiPolygon,
  Point,
  Polygon,
  Position,
} from 'geojson'
import { zxyToTileId } from 'pmtiles'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { writeArchive, type Tile } from '../../packages/exchange/src/export/tiles/archive.ts'
import { namesOf } from '../src/naming.ts'
import { bundledGazetteer } from '../src/places/gazetteer.ts'

/**
 * Makes the base map of every site from Natural Earth (public domain): `base.pmtiles` with the layers `land` and `border`, as
 * world-atlas has them, `lake`, `river` and `town`, also for the drawings of pages. Run it when one of them has changed,
 * with the folder of the files ne_10m_….geojson:
 * `node --conditions=openfountain-source site/base/make.ts natural-earth`.
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

/** Some of the smallest islands have the wrong order after rounding and would cover the whole earth; no island covers half of it. */
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

type Properties = Readonly<Record<string, string | number | null>>
type Drawn<Shape extends Geometry = Geometry> = Feature<Shape, Properties>

/** The features of a file of Natural Earth. */
function naturalEarth<Shape extends Geometry>(folder: string, name: string): Drawn<Shape>[] {
  const text = readFileSync(path.join(folder, `ne_10m_${name}.geojson`), 'utf8')
  return (JSON.parse(text) as { features: Drawn<Shape>[] }).features
}

/** Its tiles have 256 points a side, those of the map 512: what is drawn from zoom 4 on there is in tiles of zoom 3. */
const firstZoom = ({ properties }: Drawn): number => Math.max(0, Number(properties['min_zoom']) - 1)

/** Lakes and rivers without their names, which are in English alone. */
const unnamed = ({ geometry, ...drawn }: Drawn): Drawn => ({
  type: 'Feature',
  geometry,
  properties: { min_zoom: drawn.properties['min_zoom'] ?? 0 },
})

/** Towns with their local name, country, rank (0 is the largest) and the names that differ in the site's languages. */
async function towns(folder: string): Promise<Drawn[]> {
  const gazetteer = await bundledGazetteer()
  return naturalEarth<Point>(folder, 'populated_places').map(({ geometry, properties }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    const english = new Set<unknown>([properties['NAME'], properties['NAME_EN']])
    const country = String(properties['ISO_A2'])
    const near = gazetteer.townAt({ latitude, longitude }, country, String(properties['NAME']))
    const isSame = near !== undefined && namesOf(near).some((each) => english.has(each))
    // Some towns of Natural Earth lie in their lake.
    const at = isSame ? gazetteer.townsOf(country).find(({ town }) => town === near) : undefined
    const name = isSame ? near.name : String(properties['NAME'])
    const names = {
      ...Object.fromEntries(
        ['de', 'en', 'es', 'fr'].map((tag) => [tag, properties[`NAME_${tag.toUpperCase()}`]]),
      ),
      it: isSame ? near.names?.['it'] : undefined,
    }
    const others = Object.entries(names).filter(([, each]) => each && each !== name)
    const { SCALERANK: rank, min_zoom } = properties
    return {
      type: 'Feature',
      geometry: at ? { type: 'Point', coordinates: [at.longitude, at.latitude] } : geometry,
      properties: { name, country, rank, min_zoom, ...Object.fromEntries(others) } as Properties,
    }
  })
}

/** The tiles in which anything is drawn, by ascending id. */
function* tiles(folder: string, places: readonly Drawn[]): Iterable<Tile> {
  // geojson-vt keeps all points at its deepest zoom, the one that is magnified.
  const deepest = detailOfZoom.length - 1
  const options = { maxZoom: deepest, indexMaxZoom: 4, tolerance: 2.5, extent, buffer: 64 }
  const drawn = (features: readonly Drawn[]) =>
    new GeoJSONVT({ type: 'FeatureCollection', features: [...features] }, options)
  const shape = (geometry: MultiPolygon | MultiLineString): Drawn => ({
    type: 'Feature',
    properties: {},
    geometry,
  })
  const byZoom = {
    lake: [...naturalEarth(folder, 'lakes'), ...naturalEarth(folder, 'lakes_europe')].map(unnamed),
    river: naturalEarth(folder, 'rivers_lake_centerlines').map(unnamed),
    town: places,
  }
  for (const [zoom, detail] of detailOfZoom.entries()) {
    const from = Object.entries(byZoom).map(([name, all]) => {
      const shown = all.filter((each) => zoom === deepest || firstZoom(each) <= zoom)
      const plain = shown.map(({ properties: { min_zoom: _zoom, ...properties }, ...each }) => ({
        ...each,
        properties,
      }))
      return [name, drawn(plain)] as const
    })
    const layers = {
      land: drawn([shape(land(detail))]),
      border: drawn([shape(borders(detail))]),
      ...Object.fromEntries(from),
    }
    const side = 2 ** zoom
    const squares = Array.from(
      { length: side * side },
      (_, place) => [place % side, Math.floor(place / side)] as const,
    )
    const byId = squares
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

if (import.meta.main) {
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))
  await rm(file('base.pmtiles'), { force: true })
  const [folder = ''] = process.argv.slice(2)
  await writeArchive(file('base.pmtiles'), tiles(folder, await towns(folder)), {
    minZoom: 0,
    maxZoom: detailOfZoom.length - 1,
    bounds: [-180, -85, 180, 85],
    metadata: {
      name: 'Land, lakes, rivers, borders and towns',
      attribution: 'Natural Earth',
      vector_layers: ['land', 'border', 'lake', 'river', 'town'].map((id) => ({ id, fields: {} })),
    },
  })
}
