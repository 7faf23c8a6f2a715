import { invalid } from '../errors.ts'
import { routes } from '../rules.ts'
import { boxAround, distanceMetres, earthRadiusMetres, type Place } from './geodesy.ts'

/** Longitude and latitude in degrees of WGS 84. */
export type RoutePoint = readonly [longitude: number, latitude: number]

type Box = readonly [west: number, south: number, east: number, north: number]
type Vector = readonly [x: number, y: number, z: number]

const placeOf = ([longitude, latitude]: RoutePoint): Place => ({ latitude, longitude })
const radians = (degrees: number): number => (degrees * Math.PI) / 180

function vectorOf({ latitude, longitude }: Place): Vector {
  const [north, east] = [radians(latitude), radians(longitude)]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}
const dot = (one: Vector, other: Vector): number => one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x]
const length = (vector: Vector): number => Math.sqrt(dot(vector, vector))

/** Where a place lies beside a great circle's arc: metres from its start, and metres to its nearest point. */
function beside(place: Place, [start, end]: readonly [Place, Place]): { along: number; off: number } {
  const [a, b, p] = [vectorOf(start), vectorOf(end), vectorOf(place)]
  const normal = cross(a, b)
  const size = length(normal)
  const metres = distanceMetres(start, end)
  if (size > 0) {
    const before = dot(cross(normal, a), p)
    const after = dot(cross(b, normal), p)
    if (before > 0 && after > 0)
      return {
        along: earthRadiusMetres * Math.atan2(before / size, dot(a, p)),
        off: Math.abs(earthRadiusMetres * Math.asin(Math.min(1, Math.max(-1, dot(normal, p) / size)))),
      }
  }
  const [toStart, toEnd] = [distanceMetres(start, place), distanceMetres(end, place)]
  return toEnd < toStart ? { along: metres, off: toEnd } : { along: 0, off: toStart }
}

/** A stretch of a route, short enough to be searched as one box. */
export interface Leg {
  /** Metres from the start of the route to that of the stretch. */
  readonly from: number
  readonly places: readonly Place[]
  /** Everything within the distance of it: west beyond east crosses the antimeridian. */
  readonly box: Box
}

/** Metres of a stretch, and those of a step: within longer ones a great circle leaves the box of its ends. */
const legMetres = 10_000
const stepMetres = 5000
const legPlaces = 64

/** The latitude beyond which everything around the pole is searched. */
const steep = 88

const wrapped = (longitude: number): number => ((((longitude + 180) % 360) + 360) % 360) - 180

function boxOf(places: readonly Place[], within: number): Box {
  const [{ longitude: origin } = { longitude: 0 }] = places
  const easts = places.map(({ longitude }) => wrapped(longitude - origin))
  const norths = places.map(({ latitude }) => latitude)
  const [south, north] = [Math.min(...norths), Math.max(...norths)]
  // Near a pole a great circle leaves the parallels of its ends.
  if (north > steep) return [-180, south - 1, 180, 90]
  if (south < -steep) return [-180, -90, 180, north + 1]
  const steepest = Math.abs(south) > Math.abs(north) ? south : north
  // Between two places a great circle may run a few metres nearer to the pole.
  const [west, below, east, above] = boxAround({ latitude: steepest, longitude: 0 }, within * 1.01 + 20)
  const [bottom, top] = [Math.max(-90, south - (steepest - below)), Math.min(90, north + (above - steepest))]
  const [first, last] = [Math.min(...easts) + west, Math.max(...easts) + east]
  return last - first >= 360
    ? [-180, bottom, 180, top]
    : [wrapped(origin + first), bottom, wrapped(origin + last), top]
}

/** Places at equal steps of a great circle, without its start. */
function steps(start: Place, end: Place, metres: number): Place[] {
  const count = Math.max(1, Math.ceil(metres / stepMetres))
  const [a, b] = [vectorOf(start), vectorOf(end)]
  const angle = metres / earthRadiusMetres
  return Array.from({ length: count }, (_, index) => {
    if (index === count - 1) return end
    const part = (index + 1) / count
    const [one, other] = [Math.sin((1 - part) * angle), Math.sin(part * angle)]
    const [x, y, z] = [one * a[0] + other * b[0], one * a[1] + other * b[1], one * a[2] + other * b[2]]
    return {
      latitude: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI,
      longitude: (Math.atan2(y, x) * 180) / Math.PI,
    }
  })
}

/** The stretches of a route with everything within a distance. @throws RegistryError INVALID_INPUT for one that is too long */
export function legsOf(route: readonly RoutePoint[], within: number): Leg[] {
  const legs: Leg[] = []
  const [first, ...others] = route.map(placeOf)
  if (first === undefined) throw invalid('route', 'has no points')
  let [places, from, metres, last] = [[first], 0, 0, first]
  const close = (): void => void legs.push({ from, places, box: boxOf(places, within) })
  for (const place of others) {
    const distance = distanceMetres(last, place)
    if (metres + distance > routes.metres)
      throw invalid('route', `must be at most ${routes.metres / 1000} km long`)
    for (const step of steps(last, place, distance)) {
      metres += distanceMetres(places.at(-1) ?? last, step)
      places.push(step)
      if (metres - from < legMetres && places.length < legPlaces) continue
      close()
      ;[places, from] = [[step], metres]
    }
    last = place
  }
  if (places.length > 1 || legs.length === 0) close()
  return legs
}

/** Where a place lies along a stretch: metres from the start of the route, and metres to its nearest point. */
export function alongLeg({ from, places }: Leg, place: Place): { along: number; off: number } {
  const [only = place] = places
  let best = { along: from, off: distanceMetres(only, place) }
  let start = from
  for (const [index, end] of places.entries()) {
    const before = places[index - 1]
    if (before === undefined) continue
    const { along, off } = beside(place, [before, end])
    if (off < best.off) best = { along: start + along, off }
    start += distanceMetres(before, end)
  }
  return best
}

function polyline(text: string): RoutePoint[] {
  const points: RoutePoint[] = []
  let [at, latitude, longitude] = [0, 0, 0]
  const next = (): number => {
    let [value, factor, chunk] = [0, 1, 32]
    while (chunk >= 32) {
      chunk = text.charCodeAt(at++) - 63
      if (!(chunk >= 0 && chunk < 64) || factor > 2 ** 35) throw invalid('polyline', 'is no encoded polyline')
      value += (chunk % 32) * factor
      factor *= 32
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
  while (at < text.length) {
    latitude += next()
    longitude += next()
    points.push([longitude / 1e5, latitude / 1e5])
  }
  return points
}

const trackPoint = /<(?:\w+:)?(trk|rte)pt\b([^>]*)>/gu
const attribute = (text: string, name: string): number =>
  Number(new RegExp(`\\b${name}\\s*=\\s*["']\\s*([-+.\\deE]+)\\s*["']`, 'u').exec(text)?.[1] ?? Number.NaN)

/** The points of a GPX file in its order: those of its tracks, or else of its routes. */
function gpx(text: string): RoutePoint[] {
  const found = [...text.matchAll(trackPoint)].map(
    ([, kind, attributes = '']) =>
      [kind, [attribute(attributes, 'lon'), attribute(attributes, 'lat')] as const] as const,
  )
  const tracks = found.filter(([kind]) => kind === 'trk')
  return (tracks.length > 0 ? tracks : found).map(([, point]) => point)
}

function pointsIn(given: unknown): readonly unknown[] {
  if (typeof given !== 'object' || given === null) return []
  const { type, coordinates, geometry, features, polyline: encoded } = given as Record<string, unknown>
  if (typeof encoded === 'string') return polyline(encoded)
  if (type === 'LineString' && Array.isArray(coordinates)) return coordinates
  if (type === 'MultiLineString' && Array.isArray(coordinates)) return coordinates.flat()
  if (type === 'Feature') return pointsIn(geometry)
  return Array.isArray(features) ? features.flatMap(pointsIn) : []
}

/** The points of GPX, of GeoJSON of lines, or of a `{ polyline }` with five digits. @throws RegistryError INVALID_INPUT */
export function routeIn(given: unknown): RoutePoint[] {
  const points = typeof given === 'string' ? gpx(given) : pointsIn(given)
  if (points.length === 0)
    throw invalid(
      'route',
      'must be GPX with a track or a route, a GeoJSON LineString, or an encoded polyline',
    )
  if (points.length > routes.points) throw invalid('route', `must have at most ${routes.points} points`)
  return points.map((point, index) => {
    const [longitude, latitude]: readonly unknown[] = Array.isArray(point) ? point : []
    const isOnEarth =
      typeof longitude === 'number' &&
      typeof latitude === 'number' &&
      Math.abs(longitude) <= 180 &&
      Math.abs(latitude) <= 90
    if (!isOnEarth) throw invalid(`route.${index}`, 'must be a longitude and a latitude in degrees')
    return [longitude, latitude]
  })
}
