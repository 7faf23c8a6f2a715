import type { WaypointRecord } from '../snapshot.ts'
import { tagsOf } from './tags.ts'

/** Points of a map layer, with the tags of each. */
export interface Points {
  readonly count: number
  /** Web Mercator, 0 at the antimeridian to 1, by index. */
  readonly x: Float64Array
  /** Web Mercator, 0 at about 85.05° north to 1, by index. */
  readonly y: Float64Array
  /** Degrees: west, south, east, north of all points. */
  readonly bounds: readonly [number, number, number, number]
  readonly tags: readonly ReturnType<typeof tagsOf>[]
}

/** The points of waypoints. @param onPoint called with each */
export async function gatherPoints(
  waypoints: Iterable<WaypointRecord>,
  onPoint: () => void,
): Promise<Points> {
  const xs: number[] = []
  const ys: number[] = []
  const tags = []
  let [west, south, east, north] = [180, 90, -180, -90]
  for (const waypoint of waypoints) {
    const { longitude, latitude } = waypoint
    xs.push(mercatorX(longitude))
    ys.push(mercatorY(latitude))
    tags.push(tagsOf(waypoint))
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
    onPoint()
    if (tags.length % 1000 === 0) await new Promise(setImmediate)
  }
  const bounds = tags.length === 0 ? ([-180, -85, 180, 85] as const) : ([west, south, east, north] as const)
  return { count: tags.length, x: new Float64Array(xs), y: new Float64Array(ys), bounds, tags }
}

const mercatorX = (longitude: number): number => longitude / 360 + 0.5

/** Latitudes beyond the square of Web Mercator are moved to its edge. */
function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return Math.min(Math.max(y, 0), 1)
}
