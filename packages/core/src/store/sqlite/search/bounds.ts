import { sql } from 'kysely'
import type { Box, Near, WaypointFilter } from '../../../schemas/filter.ts'
import { boxAround } from '../../../places/geodesy.ts'
import { isNarrowed, lastMetres, longestNearest } from '../../../places/nearest.ts'
import { cellsOf } from '../../../places/z-order.ts'
import { few } from '../../few.ts'
import { isUnindexed } from '../../unindexed.ts'
import { deferredIndexesExist } from '../connection/deferred-indexes.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'
import { inCells } from '../nouns/waypoints.ts'

/** The most waypoints among which the nearest are found quickly from everywhere. */
const small = 20 * few

/** Counts the places in the cells of a box, up to `most` + 1. Needs the index of places. */
export function placeCounts(statements: Statements) {
  const counting = statements.prepare(() =>
    build
      .selectFrom(sql`(select 1 from ${inCells} limit ${limitParam('limit')})`.as('inside'))
      .select(sql<number>`count(*)`.as('n')),
  )
  return (box: Box, most: number): number =>
    counting.get({ cells: JSON.stringify(cellsOf(box)), limit: most + 1 })?.n ?? 0
}

/** Decides which lists of waypoints read few rows. */
export function waypointBounds(statements: Statements) {
  const countIn = placeCounts(statements)
  const newest = statements.prepare(() => build.selectFrom('state').select('lastWaypointId as id'))
  const live = () => build.selectFrom('waypoints').select('id').where('deletedAt', 'is', null)
  const counted = (rows: ReturnType<typeof live>) =>
    build
      .selectFrom(rows.limit(limitParam('limit')).as('rows'))
      .select(({ fn }) => fn.countAll<number>().as('n'))
  const between = statements.prepare(() =>
    counted(live().where('id', '>', param<number>('after')).where('id', '<=', param<number>('last'))),
  )
  const ofRegion = statements.prepare(() =>
    counted(
      live()
        .where(sql<boolean>`coalesce(region, placeName) = ${param('region')}`)
        .where('id', '>', param<number>('after')),
    ),
  )
  const updated = statements.prepare(() =>
    counted(build.selectFrom('waypoints').select('id').where('updatedAt', '>=', param<string>('since'))),
  )
  const areFew = (found: { n: number } | undefined): boolean => (found?.n ?? 0) <= few

  /** Whether the next waypoints by id are found without skipping many tombstones. */
  function isDense(after: number, limit: number, last: number): boolean {
    const n = between.get({ after, last: after + limit + few, limit })?.n ?? 0
    return n >= limit || after + limit + few >= last
  }

  /** Whether the nearest are found by growing a circle: elsewhere hundreds of pieces of the globe are counted. */
  function isPeopled(near: Near, limit: number): boolean {
    if (near.radius !== undefined && near.radius <= lastMetres) return true
    return countIn(boxAround(near, lastMetres), limit) >= limit
  }

  /**
   * Whether a list reads a bounded number of rows: at most `few`, or as many as it returns. It depends on what the
   * indexes contain, which is counted up to `few`.
   */
  return function isBounded(filter: WaypointFilter): boolean {
    const { near, bbox, amenity, region, country, subdivision, approved, verified } = filter
    const { status, updatedSince, after = 0, limit } = filter
    const last = newest.get()?.id ?? 0
    if (last <= few) return true
    const indexed = deferredIndexesExist(statements)
    const isFiltered = amenity !== undefined || approved !== undefined || verified !== undefined
    const filtered = isFiltered || isUnindexed(filter) || country !== undefined || subdivision !== undefined
    if (near !== undefined && !isNarrowed(filter) && limit !== undefined && limit <= longestNearest)
      return indexed && (last <= small || isPeopled(near, limit))
    // A box is always searched completely, whatever the other conditions.
    const box = near?.radius === undefined ? bbox : boxAround(near, near.radius)
    if (box !== undefined) return indexed && countIn(box, few) <= few
    if (last - after <= few) return true
    if (updatedSince !== undefined) return areFew(updated.get({ since: updatedSince, limit: few + 1 }))
    if (region !== undefined) {
      if (indexed && near === undefined && !filtered && status === undefined && limit !== undefined)
        return true
      return indexed && areFew(ofRegion.get({ region, after, limit: few + 1 }))
    }
    if (isUnindexed(filter)) return false
    if (filtered !== isFiltered) {
      const isNextOfPlace = near === undefined && !isFiltered && status === undefined && limit !== undefined
      return isNextOfPlace && (country === undefined || subdivision === undefined)
    }
    // Those with a state are found by it, but for the many of which nothing is known.
    const isByState = status !== undefined && status !== 'unconfirmed'
    const isNext = near === undefined && !filtered && limit !== undefined
    return isByState ? isNext : isNext && status === undefined && isDense(after, limit, last)
  }
}
