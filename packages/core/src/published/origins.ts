import type { Source } from '../schemas/source.ts'
import type { Statistics } from '../schemas/statistics.ts'
import type { WaypointRecord } from '../snapshot.ts'

export interface OriginCounts {
  /** The sources that the waypoints name, with how many name them, by ascending id. */
  readonly sources: readonly Source[]
  /** Waypoints that were contributed to the registry itself. */
  readonly contributed: number
}

/** Counts waypoints by source, in one pass that yields to the event loop now and then. */
export async function countOrigins(
  records: Iterable<Pick<WaypointRecord, 'sources'>>,
  sources: readonly Source[],
): Promise<OriginCounts> {
  const counts = new Map<number, number>()
  let contributed = 0
  let seen = 0
  for (const record of records) {
    if (record.sources.length === 0) contributed += 1
    for (const id of new Set(record.sources.map(({ sourceId }) => sourceId)))
      counts.set(id, (counts.get(id) ?? 0) + 1)
    seen += 1
    if (seen % 1000 === 0) await new Promise(setImmediate)
  }
  const named = sources.flatMap((source) => {
    const waypoints = counts.get(source.id)
    return waypoints === undefined ? [] : [{ ...source, waypoints }]
  })
  return { sources: named, contributed }
}

/** Whether it may have contributions, by counts alone: a registry whose one source has every waypoint has none. */
export function mayHaveContributions(
  { totalWaypoints, totalReviews }: Pick<Statistics, 'totalWaypoints' | 'totalReviews'>,
  sources: readonly Source[],
): boolean {
  const [first, ...others] = sources.filter(({ waypoints }) => waypoints > 0)
  if (first === undefined || others.length > 0) return true
  return first.waypoints < totalWaypoints || totalReviews > 0
}
