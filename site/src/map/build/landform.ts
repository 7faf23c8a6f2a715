import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { geoArea, geoEquirectangular, geoStream } from 'd3-geo'
import type { Feature, GeoJSON, MultiLineString, MultiPolygon, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** Detail of a Natural Earth drawing: for maps at 1 : 110, 50 or 10 million. */
export type Detail = '110m' | '50m' | '10m'

const read = createRequire(import.meta.url)

function topology(name: string): Topology<{ land: GeometryCollection; countries: GeometryCollection }> {
  return JSON.parse(readFileSync(read.resolve(`world-atlas/${name}.json`), 'utf8'))
}

/**
 * All land, cut at the antimeridian, so that no ring runs across the whole map. From Natural Earth (public
 * domain) through world-atlas.
 */
export function land(detail: Detail): Feature<MultiPolygon> {
  const atlas = topology(`land-${detail}`)
  const coordinates = feature(atlas, atlas.objects.land)
    .features.flatMap(({ geometry }) =>
      geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : [],
    )
    .flatMap((polygon) => polygons(flatten(inward({ type: 'Polygon', coordinates: polygon }))))
  return { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates } }
}

/**
 * On the globe the order of a ring's points decides which side is inside. Some of the smallest islands have the wrong
 * order after rounding and would cover the whole earth; no island covers half of it.
 */
function inward(polygon: Polygon): Polygon {
  if (geoArea(polygon) < 2 * Math.PI) return polygon
  return { type: 'Polygon', coordinates: polygon.coordinates.map((ring) => ring.toReversed()) }
}

/** The lines between countries, without coasts. */
export function borders(detail: Detail): Feature<MultiLineString> {
  const atlas = topology(`countries-${detail}`)
  const lines = mesh(atlas, atlas.objects.countries, (one, other) => one !== other)
  return {
    type: 'Feature',
    properties: {},
    geometry: { type: 'MultiLineString', coordinates: flatten(lines) },
  }
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

/** Groups rings into polygons: a ring inside an odd number of others is a hole of the smallest of them. */
function polygons(rings: readonly Position[][]): Position[][][] {
  const sized = rings.map((ring) => ({ ring, area: Math.abs(area(ring)), box: boxOf(ring) }))
  const around = sized.map(({ ring, area: size, box }) =>
    sized
      .filter((other) => other.area > size && encloses(other.box, box) && contains(other.ring, ring[0]))
      .toSorted((a, b) => a.area - b.area),
  )
  const outer = new Map<Position[], Position[][]>()
  sized.forEach(({ ring }, place) => {
    if ((around[place]?.length ?? 0) % 2 === 0) outer.set(ring, [ring])
  })
  sized.forEach(({ ring }, place) => {
    const [parent] = around[place] ?? []
    if (parent && !outer.has(ring)) outer.get(parent.ring)?.push(ring)
  })
  return [...outer.values()]
}

type Box = readonly [west: number, south: number, east: number, north: number]

function boxOf(ring: readonly Position[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x = 0, y = 0] of ring) {
    west = Math.min(west, x)
    east = Math.max(east, x)
    south = Math.min(south, y)
    north = Math.max(north, y)
  }
  return [west, south, east, north]
}

function encloses(outer: Box, inner: Box): boolean {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3]
}

function area(ring: readonly Position[]): number {
  let sum = 0
  for (let place = 1; place < ring.length; place += 1) {
    const [fromX = 0, fromY = 0] = ring[place - 1] ?? []
    const [toX = 0, toY = 0] = ring[place] ?? []
    sum += fromX * toY - toX * fromY
  }
  return sum / 2
}

/** Whether a point is in a ring, by the even-odd rule. */
function contains(ring: readonly Position[], point: Position | undefined): boolean {
  const [x = 0, y = 0] = point ?? []
  let inside = false
  for (let place = 1; place < ring.length; place += 1) {
    const [fromX = 0, fromY = 0] = ring[place - 1] ?? []
    const [toX = 0, toY = 0] = ring[place] ?? []
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) inside = !inside
  }
  return inside
}
