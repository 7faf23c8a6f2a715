import type { Registry } from '../registry.ts'
import type { WaypointFilterInput } from '../schemas/waypoint.ts'
import type { Snapshot, WaypointRecord } from '../snapshot.ts'

/** The ids of the waypoints that a filter leaves, in its order; undefined for a filter that leaves all. */
export async function idsIn(registry: Registry, filter: WaypointFilterInput): Promise<number[] | undefined> {
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  const ids: number[] = []
  for await (const { id } of registry.waypoints.each(filter)) ids.push(id)
  return ids
}

const atATime = 1000

/** Records by ascending id, of which only some are in memory at a time. Deleted ones are left out. */
export function* recordsInOrder(snapshot: Snapshot, ids: readonly number[]): Generator<WaypointRecord> {
  for (let start = 0; start < ids.length; start += atATime) {
    const part = ids.slice(start, start + atATime)
    const found = new Map(Array.from(snapshot.records({ ids: part }), (record) => [record.id, record]))
    for (const id of part) {
      const record = found.get(id)
      if (record !== undefined) yield record
    }
  }
}
