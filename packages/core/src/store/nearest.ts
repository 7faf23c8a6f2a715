import { sql } from 'kysely'
import type { Near, WaypointFilter } from '../filter.ts'
import { boxAround, distanceMetres, earthRadiusMetres } from '../geodesy.ts'
import { build, param, type Statements } from './statement.ts'
import type { WaypointReads } from './waypointReads.ts'

/** A circle with more places in it than this is too large to look at one by one. */
const crowd = 512
const firstMetres = 1000
const halfWayRoundMetres = Math.PI * earthRadiusMetres

/** Finds what is near a place, nearest first. */
export function nearest(statements: Statements, reads: WaypointReads) {
  const counting = (split: boolean) =>
    statements.shaped(`crowd: ${split}`, () => {
      const box = build
        .selectFrom('waypointPosition')
        .select('id')
        .where('south', '<=', param<number>('north'))
        .where('north', '>=', param<number>('south'))
        .limit(crowd + 1)
      const west = box.where('east', '>=', param<number>('west'))
      const east = split ? west.clearLimit() : west.where('west', '<=', param<number>('east'))
      const other = box.clearLimit().where('west', '<=', param<number>('east'))
      return build
        .selectFrom((split ? east.unionAll(other).limit(crowd + 1) : east).as('inside'))
        .select(sql<number>`count(*)`.as('n'))
    })

  /** How many places a circle's box holds, counted no further than a crowd. */
  function countAround(near: Near, metres: number): number {
    const [west, south, east, north] = boxAround(near, metres)
    return counting(west > east).get({ west, south, east, north })?.n ?? 0
  }

  function within(near: Near, metres: number, filter: WaypointFilter) {
    return reads
      .places({ ...filter, limit: undefined, bbox: boxAround(near, metres) })
      .map((place) => ({ id: place.id, metres: distanceMetres(near, place) }))
      .filter((place) => place.metres <= metres)
      .toSorted((a, b) => a.metres - b.metres || a.id - b.id)
  }

  /**
   * A radius whose circle holds enough places but no crowd: grown from a kilometre, then halved between the
   * last that held too few and the first that held too many, so that no step looks at more than a crowd.
   */
  function radiusFor(near: Near, wanted: number, most: number): number {
    let few = 0
    let enough = firstMetres
    while (enough < most && countAround(near, enough) < wanted) {
      few = enough
      enough = Math.min(most, enough * 4)
    }
    for (let step = 0; step < 24 && countAround(near, enough) > crowd; step++) {
      const middle = (few + enough) / 2
      if (countAround(near, middle) < wanted) few = middle
      else enough = middle
    }
    return enough
  }

  /** @returns ids by distance, then by id; all of them when neither radius nor limit is given */
  return function near(filter: WaypointFilter & { readonly near: Near }): { id: number; metres: number }[] {
    const { near: place, limit, bbox, ...rest } = filter
    const most = place.radius ?? halfWayRoundMetres
    const narrowed =
      bbox ?? rest.amenity ?? rest.region ?? rest.approved ?? rest.verified ?? rest.updatedSince ?? rest.after
    if (limit === undefined || limit > crowd / 2 || narrowed !== undefined) {
      const places =
        bbox === undefined ? undefined : new Set(reads.places({ ...rest, bbox }).map(({ id }) => id))
      const found = within(place, most, rest).filter(({ id }) => places?.has(id) ?? true)
      return limit === undefined ? found : found.slice(0, limit)
    }
    let metres = radiusFor(place, limit, most)
    let found = within(place, metres, rest)
    while (found.length < limit && metres < most) {
      // The box holds enough, its circle may not: the circle around the box does.
      metres = Math.min(most, metres * 2)
      found = within(place, metres, rest)
    }
    return found.slice(0, limit)
  }
}
