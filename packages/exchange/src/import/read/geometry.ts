import type { RefusedReason } from '../reasons.ts'

/** A position in the file's own coordinate system: x (longitude or easting), y (latitude or northing). */
export type Position = readonly [x: number, y: number]

export interface Geometry {
  readonly type: string
  readonly coordinates?: unknown
  readonly geometries?: unknown
}

/** Where a geometry or a row is, or why that is not known. */
export type Representative = { readonly position: Position } | { readonly reason: RefusedReason }

/**
 * The point that stands for a geometry: a Point itself (heights are ignored), the only point of a
 * MultiPoint, the middle of a line's length, the centroid of a polygon's outer ring when it lies inside, else
 * the middle of the ring's widest inner stretch at that latitude. Of several parts the largest counts.
 */
export function representative(geometry: Geometry | null | undefined): Representative {
  if (geometry === null || geometry === undefined) return { reason: { code: 'NO_GEOMETRY' } }
  const { type, coordinates } = geometry
  switch (type) {
    case 'Point':
      return at(position(coordinates), type)
    case 'MultiPoint': {
      const points = positions(coordinates)
      if (points.length > 1) return { reason: { code: 'SEVERAL_POINTS', points: points.length } }
      return at(points[0])
    }
    case 'LineString':
      return middle(positions(coordinates))
    case 'MultiLineString':
      return middle(longest(lists(coordinates).map(positions), lineLength))
    case 'Polygon':
      return inside(positions(lists(coordinates)[0]))
    case 'MultiPolygon':
      return inside(
        longest(
          lists(coordinates).map((polygon) => positions(lists(polygon)[0])),
          ringArea,
        ),
      )
    case 'GeometryCollection': {
      const [only, second] = lists(geometry.geometries)
      if (only === undefined) return { reason: { code: 'EMPTY_GEOMETRY' } }
      if (second !== undefined) return { reason: { code: 'SEVERAL_GEOMETRIES' } }
      return representative(only as unknown as Geometry)
    }
    default:
      return { reason: { code: 'UNKNOWN_GEOMETRY', type: JSON.stringify(type ?? null).slice(0, 60) } }
  }
}

export const isGeometry = (value: unknown): value is Geometry =>
  typeof value === 'object' && value !== null && typeof (value as Geometry).type === 'string'

const at = (found: Position | undefined, type?: string): Representative =>
  found === undefined ? { reason: { code: 'EMPTY_GEOMETRY', ...(type && { type }) } } : { position: found }

function position(value: unknown): Position | undefined {
  if (!Array.isArray(value)) return undefined
  const [x, y] = value as unknown[]
  if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(x) || !Number.isFinite(y))
    return undefined
  return [x, y]
}

const positions = (value: unknown): Position[] =>
  lists(value)
    .map(position)
    .filter((found) => found !== undefined)

const lists = (value: unknown): unknown[][] => (Array.isArray(value) ? (value as unknown[][]) : [])

function longest(
  parts: readonly Position[][],
  measure: (part: readonly Position[]) => number,
): readonly Position[] {
  return parts.toSorted((one, other) => measure(other) - measure(one))[0] ?? []
}

const lengthOf = ([from, to]: readonly [Position, Position]): number =>
  Math.hypot(to[0] - from[0], to[1] - from[1])

const lineLength = (line: readonly Position[]): number =>
  pairs(line).reduce((sum, pair) => sum + lengthOf(pair), 0)

function middle(line: readonly Position[]): Representative {
  const half = lineLength(line) / 2
  let walked = 0
  for (const [from, to] of pairs(line)) {
    const step = lengthOf([from, to])
    if (step > 0 && walked + step >= half) {
      const share = (half - walked) / step
      return { position: [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share] }
    }
    walked += step
  }
  return at(line[0])
}

function ringArea(ring: readonly Position[]): number {
  const [origin] = ring
  if (origin === undefined) return 0
  let twice = 0
  for (const [from, to] of pairs(ring)) {
    twice += (from[0] - origin[0]) * (to[1] - origin[1]) - (to[0] - origin[0]) * (from[1] - origin[1])
  }
  return Math.abs(twice) / 2
}

/** Coordinates are taken relative to the first corner: rounding errors would exceed a fountain's square metre. */
function inside(ring: readonly Position[]): Representative {
  const [origin] = ring
  if (origin === undefined) return { reason: { code: 'EMPTY_GEOMETRY' } }
  let twice = 0
  let x = 0
  let y = 0
  for (const [from, to] of pairs(ring)) {
    const [ax, ay] = [from[0] - origin[0], from[1] - origin[1]]
    const [bx, by] = [to[0] - origin[0], to[1] - origin[1]]
    const cross = ax * by - bx * ay
    twice += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  if (twice === 0) return middle(ring)
  const centroid: Position = [origin[0] + x / (3 * twice), origin[1] + y / (3 * twice)]
  return { position: contains(ring, centroid) ? centroid : widest(ring, centroid) }
}

const contains = (ring: readonly Position[], point: Position): boolean =>
  crossings(ring, point[1]).filter((x) => x > point[0]).length % 2 === 1

function widest(ring: readonly Position[], centroid: Position): Position {
  const xs = crossings(ring, centroid[1])
  const stretches = pairs(xs).filter((_, index) => index % 2 === 0)
  const [best] = stretches.toSorted((a, b) => b[1] - b[0] - (a[1] - a[0]))
  return best === undefined ? centroid : [(best[0] + best[1]) / 2, centroid[1]]
}

const crossings = (ring: readonly Position[], y: number): number[] =>
  pairs(ring)
    .filter(([from, to]) => from[1] > y !== to[1] > y)
    .map(([from, to]) => from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]))
    .toSorted((a, b) => a - b)

const pairs = <Item>(line: readonly Item[]): (readonly [Item, Item])[] =>
  line.slice(1).map((to, index) => [line[index] ?? to, to])
