import { sql } from 'kysely'
import type { Waypoint } from '../waypoint.ts'
import type { Box } from '../filter.ts'
import { waypointColumns, waypointOf } from './rows.ts'
import { build, param, type Statements } from './statement.ts'
import { boxCondition, boxValues } from './waypointReads.ts'

/** A waypoint with what is known around it, as exports write it. */
export interface WaypointRecord extends Waypoint {
  /** When somebody last said that it is there: the latest log entry, review or import that names it. */
  readonly lastConfirmed: string
  /** Live reviews. */
  readonly reviewCount: number
  /** Mean rating of live reviews, to two decimals; absent without reviews. */
  readonly rating?: number
  /** Sources that list it, by id; empty when it was contributed here. */
  readonly sources: readonly { readonly sourceId: number; readonly ref?: string }[]
}

/** Records on one connection. @internal */
export function recordReads(statements: Statements) {
  const records = (bbox: Box | undefined, region: string | undefined) =>
    statements.shaped(
      `records: ${bbox && bbox[0] > bbox[2]} ${bbox !== undefined} ${region !== undefined}`,
      () => {
        let query = build
          .selectFrom('waypoints')
          .select(waypointColumns)
          .select([
            sql<string>`max(updatedAt,
            coalesce((select max(createdAt) from reviews where bubblerId = waypoints.id and deletedAt is null), ''),
            coalesce((select max(lastSeen) from sourceRecords where waypointId = waypoints.id), ''))`.as(
              'lastConfirmed',
            ),
            sql<number>`(select count(*) from reviews where bubblerId = waypoints.id and deletedAt is null)`.as(
              'reviewCount',
            ),
            sql<
              number | null
            >`(select round(avg(rating), 2) from reviews where bubblerId = waypoints.id and deletedAt is null)`.as(
              'rating',
            ),
            sql<string | null>`(select json_group_array(json_array(sourceId, ref) order by sourceRecords.id)
            from sourceRecords where waypointId = waypoints.id)`.as('sources'),
          ])
          .where('deletedAt', 'is', null)
          .orderBy('id')
        if (bbox) query = query.where(boxCondition(bbox))
        if (region !== undefined) query = query.where('region', '=', param<string>('region'))
        return query
      },
    )

  return {
    *records({
      bbox,
      region,
    }: {
      bbox?: Box | undefined
      region?: string | undefined
    }): Generator<WaypointRecord> {
      const values = { ...(bbox && boxValues(bbox)), ...(region !== undefined && { region }) }
      for (const row of records(bbox, region).iterate(values)) {
        const sources = JSON.parse(row.sources ?? '[]') as [number, string | null][]
        yield {
          ...waypointOf(row),
          lastConfirmed: row.lastConfirmed,
          reviewCount: row.reviewCount,
          ...(row.rating !== null && { rating: row.rating }),
          sources: sources.map(([sourceId, ref]) => ({ sourceId, ...(ref !== null && { ref }) })),
        }
      }
    },
  }
}
