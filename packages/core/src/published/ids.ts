import type { Registry } from '../registry.ts'
import type { WaypointFilterInput } from '../schemas/filter.ts'

/** The ids of the waypoints that a filter leaves, in its order; undefined for a filter that leaves all. */
export async function idsIn(registry: Registry, filter: WaypointFilterInput): Promise<number[] | undefined> {
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  const ids: number[] = []
  for await (const { id } of registry.waypoints.each(filter)) ids.push(id)
  return ids
}
