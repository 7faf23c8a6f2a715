import Flatbush from 'flatbush'
import { metresInDegree, offset, squeezeAt, type Offset } from '../drawing/plan.ts'
import { rankOf } from '../status/stage.ts'
import type { Waypoint } from './records.ts'

export interface Neighbour extends Offset {
  readonly waypoint: Waypoint
}

/** The nearest waypoints by `nearest(of, howMany)`, within 5 km, without itself; unusable ones and then private ones are last. */
export function neighbourhood(
  waypoints: readonly Waypoint[],
): (of: Waypoint, most: number) => readonly Neighbour[] {
  if (waypoints.length === 0) return () => []
  const index = new Flatbush(waypoints.length)
  for (const { longitude, latitude } of waypoints) index.add(longitude, latitude, longitude, latitude)
  index.finish()
  return (of, most) => {
    for (const reach of [400, 1500, 5000]) {
      const y = reach / metresInDegree
      const x = y / squeezeAt(of)
      const found = index
        .search(of.longitude - x, of.latitude - y, of.longitude + x, of.latitude + y)
        .flatMap((at) => {
          const waypoint = waypoints[at]
          return waypoint && waypoint.id !== of.id ? [{ waypoint, ...offset(of, waypoint) }] : []
        })
        .filter(({ distanceMetres }) => distanceMetres <= reach)
      if (found.filter(({ waypoint }) => rankOf(waypoint) === 0).length >= most || reach === 5000) {
        return found
          .toSorted((a, b) => rankOf(a.waypoint) - rankOf(b.waypoint) || a.distanceMetres - b.distanceMetres)
          .slice(0, most)
      }
    }
    return []
  }
}
