import Flatbush from 'flatbush'
import { isUsable } from '@openfountain/core/status'
import { kindOf } from '@openfountain/core/vocabulary'
import type { WaypointRecord } from '../snapshot.ts'
import type { Tags } from './vector-tile.ts'

export interface MapPoint {
  readonly x: number
  /** Web Mercator, 0 at about 85.05° north to 1. */
  readonly y: number
  readonly weight: number
  readonly usable: number
  readonly tags: Tags
}

/** The point of a waypoint. A name that was made for it is no tag, and neither is a state that nobody knows. */
export function pointOf(record: WaypointRecord): MapPoint {
  const { id, name, nameIsMade, verified, approved, state, drinkable, access, amenities, region, rating } =
    record
  const kind = kindOf(amenities)
  const tags = {
    id,
    ...(nameIsMade !== true && { name }),
    verified,
    approved,
    ...(state !== 'unconfirmed' && { state }),
    ...(drinkable !== undefined && { drinkable }),
    ...(access !== undefined && { access }),
    ...(kind !== undefined && { kind }),
    ...(amenities.length > 0 && { amenities: amenities.join(';') }),
    ...(region !== undefined && { region }),
    ...(rating !== undefined && { rating }),
  }
  return {
    x: record.longitude / 360 + 0.5,
    y: mercatorY(record.latitude),
    weight: 1,
    usable: isUsable(record) ? 1 : 0,
    tags,
  }
}

/** Latitudes beyond the square of Web Mercator are moved to its edge. */
function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const y = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  return Math.min(Math.max(y, 0), 1)
}

/**
 * Merges points that are closer than `radius` (in widths of the world) into clusters at their weighted mean. Greedy in the
 * order of the points, like https://github.com/mapbox/supercluster.
 */
export function clustered(points: readonly MapPoint[], radius: number): MapPoint[] {
  if (points.length === 0) return []
  const index = new Flatbush(points.length)
  for (const { x, y } of points) index.add(x, y, x, y)
  index.finish()
  const taken = new Uint8Array(points.length)
  const level: MapPoint[] = []
  for (const [place, point] of points.entries()) {
    if (taken[place] === 1) continue
    taken[place] = 1
    const { x, y } = point
    const isNear = (other: number): boolean => {
      if (taken[other] === 1) return false
      const { x: left, y: top } = points[other] ?? point
      return (left - x) * (left - x) + (top - y) * (top - y) < radius * radius
    }
    const near = index.search(x - radius, y - radius, x + radius, y + radius, isNear)
    if (near.length === 0) {
      level.push(point)
      continue
    }
    for (const other of near) taken[other] = 1
    const members = near.toSorted((one, other) => one - other).flatMap((other) => points[other] ?? [])
    level.push(clusterOf([point, ...members]))
  }
  return level
}

function clusterOf(points: readonly MapPoint[]): MapPoint {
  const sum = (value: (point: MapPoint) => number) => points.reduce((total, point) => total + value(point), 0)
  const weight = sum((point) => point.weight)
  const usable = sum((point) => point.usable)
  return {
    x: sum((point) => point.x * point.weight) / weight,
    y: sum((point) => point.y * point.weight) / weight,
    weight,
    usable,
    tags: { cluster: true, point_count: weight, ...(usable < weight && { usable_count: usable }) },
  }
}
