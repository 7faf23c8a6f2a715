import { sql } from 'kysely'
import {
  boxAround,
  few,
  isUnindexed,
  isNarrowed,
  lastMetres,
  longestNearest,
  type Box,
  type Near,
  type WaypointFilter,
} from '@openfountain/core/engine'
import { build, text, whole, wholes, type Statements } from '../connection/statement.ts'
import { stretchValues } from './waypoint-filter.ts'

/** The most waypoints among which the nearest are found quickly from everywhere. */
const small = 20 * few

/**
 * Counts the places in the cells of a box, up to `most` + 1. Their order makes sure that the index is read: PostgreSQL would
 * expect to find the first few sooner in the table.
 */
export function placeCounts(statements: Statements) {
  const counting = statements.written<{ readonly n: number }>(
    () => sql`select count(*) as n from (
      select 1 from unnest(${wholes('firsts')}, ${wholes('lasts')}) as stretch (first, last)
        cross join lateral (select 1 from waypoints
          where waypoints.cell between stretch.first and stretch.last order by waypoints.cell limit ${whole('limit')}) as placed
        limit ${whole('limit')}) as inside`,
  )
  return async (box: Box, most: number): Promise<number> =>
    (await counting.get({ ...stretchValues(box), limit: most + 1 }))?.n ?? 0
}

/** Decides which lists of waypoints read few rows. */
export function waypointBounds(statements: Statements) {
  const countIn = placeCounts(statements)
  const newest = statements.prepare(() => build.selectFrom('state').select('lastWaypointId as id'))
  const live = () => build.selectFrom('waypoints').select('id').where('deletedAt', 'is', null)
  const counted = (rows: ReturnType<typeof live>) =>
    build.selectFrom(rows.limit(whole('limit')).as('rows')).select(({ fn }) => fn.countAll<number>().as('n'))
  const between = statements.prepare(() =>
    counted(live().where('id', '>', whole('after')).where('id', '<=', whole('last'))),
  )
  const ofRegion = statements.prepare(() =>
    counted(
      live()
        .where(sql<boolean>`coalesce("region", "placeName") = ${text('region')}`)
        .where('id', '>', whole('after')),
    ),
  )
  const updated = statements.prepare(() =>
    counted(build.selectFrom('waypoints').select('id').where('updatedAt', '>=', text('since'))),
  )
  const areFew = (found: { n: number } | undefined): boolean => (found?.n ?? 0) <= few

  /** Whether the next waypoints by id are found without skipping many tombstones. */
  async function isDense(after: number, limit: number, last: number): Promise<boolean> {
    const n = (await between.get({ after, last: after + limit + few, limit }))?.n ?? 0
    return n >= limit || after + limit + few >= last
  }

  /** Whether the nearest are found by growing a circle: elsewhere hundreds of pieces of the globe are counted. */
  async function isPeopled(near: Near, limit: number): Promise<boolean> {
    if (near.radius !== undefined && near.radius <= lastMetres) return true
    return (await countIn(boxAround(near, lastMetres), limit)) >= limit
  }

  /**
   * Whether a list reads a bounded number of rows: at most `few`, or as many as it returns. It depends on what the
   * indexes contain, which is counted up to `few`.
   */
  return async function isBounded(filter: WaypointFilter): Promise<boolean> {
    const { near, bbox, amenity, region, country, subdivision, approved, verified } = filter
    const { status, updatedSince, after = 0, limit } = filter
    const last = (await newest.get())?.id ?? 0
    if (last <= few) return true
    const hasOthers = amenity !== undefined || approved !== undefined || verified !== undefined
    const isFiltered = hasOthers || isUnindexed(filter) || country !== undefined || subdivision !== undefined
    if (near !== undefined && !isNarrowed(filter) && limit !== undefined && limit <= longestNearest)
      return last <= small || isPeopled(near, limit)
    const box = near?.radius === undefined ? bbox : boxAround(near, near.radius)
    if (box !== undefined) return (await countIn(box, few)) <= few
    if (last - after <= few) return true
    if (updatedSince !== undefined) return areFew(await updated.get({ since: updatedSince, limit: few + 1 }))
    if (region !== undefined) {
      if (near === undefined && !isFiltered && status === undefined && limit !== undefined) return true
      return areFew(await ofRegion.get({ region, after, limit: few + 1 }))
    }
    if (isUnindexed(filter)) return false
    if (isFiltered !== hasOthers) {
      const isNextOfPlace = near === undefined && !hasOthers && status === undefined && limit !== undefined
      return isNextOfPlace && (country === undefined || subdivision === undefined)
    }
    // Those with a state are found by it, but for the many of which nothing is known.
    const isByState = status !== undefined && status !== 'unconfirmed'
    const isNext = near === undefined && !isFiltered && limit !== undefined
    return isByState ? isNext : isNext && status === undefined && isDense(after, limit, last)
  }
}
