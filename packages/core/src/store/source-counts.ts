import { sql, type RawBuilder } from 'kysely'
import type { Changes } from '../log/nouns.ts'
import { isAmong } from './sql/expressions.ts'
import { query, whole, wholes } from './sql/query.ts'

/** The number of live waypoints of each source: a column of the sources, updated by every write. */

/** The number of live waypoints of each source, for the sources matching a condition. */
export const countsOfSources = (
  condition: RawBuilder<unknown>,
): RawBuilder<{ sourceId: number; n: number }> =>
  sql`select r."sourceId", count(distinct r."waypointId") as n
    from records r join waypoints w on w.id = r."waypointId"
    where w."deletedAt" is null and ${condition} group by r."sourceId"`

const counting = (sign: '+' | '-') =>
  query(
    () => sql`update sources set waypoints = sources.waypoints ${sql.raw(sign)} counted.n
      from (${countsOfSources(isAmong(sql.ref('r.waypointId'), wholes('ids')))}) as counted
      where counted."sourceId" = sources.id`,
  )

/** Statements that change the counts: waypoints no longer counted, waypoints counted again, or a number of new ones. */
export const sourceCounting = {
  without: counting('-'),
  with: counting('+'),
  more: query(() => sql`update sources set waypoints = waypoints + ${whole('n')} where id = ${whole('id')}`),
}

/** The change of the counts by a changeset. */
export interface CountChange {
  /** Waypoints that were there before, which are counted anew. */
  readonly old: { readonly ids: readonly number[] } | undefined
  /** How many new waypoints there are of each source. */
  readonly more: readonly { readonly id: number; readonly n: number }[]
}

export function countChange({ waypoint = [], record = [] }: Changes): CountChange {
  const isNew = new Map<number, boolean>()
  const ids = new Set<number>()
  for (const { before, after } of waypoint) {
    if (before === undefined) isNew.set(after.id, after.deletedAt === undefined)
    else if ((before.deletedAt === undefined) !== (after.deletedAt === undefined)) ids.add(after.id)
  }
  const ofNew = new Map<number, Set<number>>()
  for (const { before, after } of record) {
    const { sourceId, waypointId } = after
    if (before?.waypointId === waypointId) continue
    for (const id of [before?.waypointId, waypointId]) if (id !== undefined && !isNew.has(id)) ids.add(id)
    if (isNew.get(waypointId) !== true) continue
    const listed = ofNew.get(sourceId)
    if (listed === undefined) ofNew.set(sourceId, new Set([waypointId]))
    else listed.add(waypointId)
  }
  return {
    old: ids.size === 0 ? undefined : { ids: [...ids] },
    more: Array.from(ofNew, ([id, { size }]) => ({ id, n: size })),
  }
}
