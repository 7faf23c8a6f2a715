import { sql } from 'kysely'
import {
  nearest,
  nearestByPieces,
  type Found,
  type PlaceAnswer,
  type PlaceOfWaypoint,
  type PlaceQuestion,
} from '../../../places/nearest.ts'
import type { Stretch } from '../../../places/z-order.ts'
import type { Near, WaypointFilter } from '../../../schemas/filter.ts'
import { placesAreIndexed } from '../connection/deferred-indexes.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'
import type { WaypointReads } from '../nouns/waypoints.ts'
import { placeCounts, waypointBounds } from './bounds.ts'

/** Finds waypoints near a place, nearest first: answers what the search asks. */
export function nearestPlaces(statements: Statements, reads: WaypointReads) {
  const countIn = placeCounts(statements)
  const isBounded = waypointBounds(statements)
  const ofPiece = () =>
    build
      .selectFrom('waypoints')
      .where('cell', '>=', param<number>('first'))
      .where('cell', '<=', param<number>('last'))
  const countPiece = statements.prepare(() =>
    build
      .selectFrom(
        ofPiece()
          .select(sql`1`.as('one'))
          .limit(limitParam('limit'))
          .as('inside'),
      )
      .select(sql<number>`count(*)`.as('n')),
  )
  const inPiece = statements.prepare(() => ofPiece().select(['id', 'latitude', 'longitude']))

  function inStretch(filter: WaypointFilter, [first, last]: Stretch): PlaceOfWaypoint[] {
    const isAll = Object.values(filter).every((each) => each === undefined)
    return isAll ? inPiece.all({ first, last }) : reads.placesInStretch(filter, [first, last])
  }

  function answer(question: PlaceQuestion): PlaceAnswer {
    switch (question.ask) {
      case 'count': {
        const { of, most } = question
        if ('box' in of) return countIn(of.box, most)
        const [first, last] = of.stretch
        return countPiece.get({ first, last, limit: most + 1 })?.n ?? 0
      }
      case 'places':
        return question.stretch === undefined
          ? reads.places(question.filter)
          : inStretch(question.filter, question.stretch)
      case 'isFew':
        return isBounded(question.filter)
      case 'isIndexed':
        return placesAreIndexed(statements)
    }
  }

  function found<Result>(searching: Generator<PlaceQuestion, Result, PlaceAnswer>): Result {
    for (let next = searching.next(); ; next = searching.next(answer(next.value)))
      if (next.done === true) return next.value
  }

  return {
    near: (filter: WaypointFilter & { readonly near: Near }): Found[] => found(nearest(filter)),
    /** The nearest of a filter that leaves many places; undefined when it leaves few around. */
    byPieces: (filter: WaypointFilter & { readonly near: Near; readonly limit: number }) =>
      found(nearestByPieces(filter)),
  }
}
