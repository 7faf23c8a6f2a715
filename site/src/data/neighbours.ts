import Flatbush from 'flatbush'
import { isDry } from '../status/stage.ts'
import type { Waypoint } from './records.ts'

/** A waypoint near another. */
export interface Neighbour {
  readonly waypoint: Waypoint
  readonly distanceMetres: number
  /** Metres to the east and to the north of the other. */
  readonly east: number
  readonly north: number
}

/** Mean metres in a degree of latitude (IUGG mean radius, 6,371,008.8 m). */
const metresInDegree = 111_195.08

/**
 * Finds the nearest of the given waypoints: `nearest(of, howMany)`, without the waypoint itself, within 5 km. Waypoints
 * without water, as of the export, come last.
 */
export function neighbourhood(
  waypoints: readonly Waypoint[],
): (of: Waypoint, most: number) => readonly Neighbour[] {
  if (waypoints.length === 0) return () => []
  const index = new Flatbush(waypoints.length)
  for (const { longitude, latitude } of waypoints) index.add(longitude, latitude, longitude, latitude)
  index.finish()
  return (of, most) => {
    const squeeze = Math.max(0.01, Math.cos((of.latitude * Math.PI) / 180))
    for (const reach of [400, 1500, 5000]) {
      const y = reach / metresInDegree
      const x = y / squeeze
      const found = index
        .search(of.longitude - x, of.latitude - y, of.longitude + x, of.latitude + y)
        .flatMap((at) => {
          const waypoint = waypoints[at]
          return waypoint && waypoint.id !== of.id ? [measured(of, waypoint, squeeze)] : []
        })
        .filter(({ distanceMetres }) => distanceMetres <= reach)
      // A dense city has thousands within the widest circle; the narrowest circle with enough is exact.
      if (found.filter(givesWater).length >= most || reach === 5000) {
        return found
          .toSorted(
            (a, b) => Number(givesWater(b)) - Number(givesWater(a)) || a.distanceMetres - b.distanceMetres,
          )
          .slice(0, most)
      }
    }
    return []
  }
}

const givesWater = ({ waypoint }: Neighbour): boolean => !isDry(waypoint.state ?? undefined)

/** On a plane around the first waypoint: within 0.1% at 5 km. */
function measured(of: Waypoint, waypoint: Waypoint, squeeze: number): Neighbour {
  const east = (waypoint.longitude - of.longitude) * metresInDegree * squeeze
  const north = (waypoint.latitude - of.latitude) * metresInDegree
  return { waypoint, east, north, distanceMetres: Math.hypot(east, north) }
}
