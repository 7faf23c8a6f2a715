import { sql } from 'kysely'
import type { Near, WaypointFilter } from '../../../schemas/filter.ts'
import {
  boxAround,
  distanceMetres,
  distanceToBoxMetres,
  earthRadiusMetres,
  isInside,
  type Place,
} from '../../../places/geodesy.ts'
import { boxOf, globe, isCell, quarters, stretchOf, type Piece } from '../../../places/z-order.ts'
import { longestNearest, placeCounts, waypointBounds } from './bounds.ts'
import { placesAreIndexed } from '../connection/deferred-indexes.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { WaypointReads } from '../nouns/waypoints.ts'

/** A circle with more places than this, or than `fewTimes` the wanted number, is too large to measure all. */
const crowd = 96
const fewTimes = 3
/** A piece of the globe with more places than this is divided into four. */
const handful = 48
/** With a selective filter, scanning all places once is faster than searching more pieces than this. */
const manyPieces = 64
/** The smallest and the largest circle that are tried before the whole globe is searched piece by piece. */
const firstMetres = 1000
const lastMetres = 64_000
/** How many places are read at a time when all are measured. */
const someAtATime = 5000
/** The distance from the middle of a square to its corner in halves of its side, rounded up. */
const toCorner = 1.5
const halfWayRoundMetres = Math.PI * earthRadiusMetres

interface Found {
  readonly id: number
  readonly metres: number
}

const measured =
  (near: Near) =>
  ({ id, latitude, longitude }: Place & { readonly id: number }): Found => ({
    id,
    metres: distanceMetres(near, { latitude, longitude }),
  })

const byDistance = (a: Found, b: Found): number => a.metres - b.metres || a.id - b.id

function best(places: readonly Found[], wanted: number, most: number): Found[] {
  return places
    .filter(({ metres }) => metres <= most)
    .toSorted(byDistance)
    .slice(0, wanted)
}

/** Finds waypoints near a place, nearest first. */
export function nearest(statements: Statements, reads: WaypointReads) {
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
          .limit(param<number>('limit'))
          .as('inside'),
      )
      .select(sql<number>`count(*)`.as('n')),
  )
  const inPiece = statements.prepare(() => ofPiece().select(['id', 'latitude', 'longitude']))

  function within(near: Near, metres: number): Found[] {
    return reads
      .places({ bbox: boxAround(near, metres) })
      .map(measured(near))
      .filter((place) => place.metres <= metres)
      .toSorted(byDistance)
  }

  /** All that a filter leaves. One box is looked through: that of the radius, or else that of the filter. */
  function chosen({ near, bbox, limit: _limit, ...rest }: WaypointFilter & { readonly near: Near }): Found[] {
    const { radius } = near
    const searched = radius === undefined ? bbox : boxAround(near, radius)
    const places = reads.places({ ...rest, ...(searched && { bbox: searched }) })
    return (bbox === undefined ? places : places.filter((place) => isInside(bbox, place)))
      .map(measured(near))
      .filter(({ metres }) => radius === undefined || metres <= radius)
      .toSorted(byDistance)
  }

  /**
   * The nearest in dense areas: searches a circle whose box has enough places but not too many, growing from a
   * kilometre, then bisecting between the last with too few and the first with too many. When only the corners of the
   * box had enough, the circle around the box is taken. Undefined when the largest circle has too few.
   */
  function closeBy(near: Near, wanted: number, most: number): Found[] | undefined {
    const plenty = Math.max(crowd, wanted * fewTimes)
    const count = (metres: number) => countIn(boxAround(near, metres), plenty)
    const furthest = Math.min(most, lastMetres)
    let few = 0
    let enough = Math.min(firstMetres, furthest)
    let inside = count(enough)
    while (inside < wanted && enough < furthest) {
      few = enough
      enough = Math.min(furthest, enough * 4)
      inside = count(enough)
    }
    if (inside < wanted && enough < most) return undefined
    for (let step = 0; step < 24 && inside > plenty; step++) {
      const middle = (few + enough) / 2
      const between = count(middle)
      if (between < wanted) few = middle
      else [enough, inside] = [middle, between]
    }
    for (const metres of [enough, Math.min(most, enough * toCorner)]) {
      const found = within(near, metres)
      if (found.length >= wanted || metres === most) return found.slice(0, wanted)
    }
    return undefined
  }

  /**
   * The nearest anywhere: pieces of the globe by their distance, skipping empty ones and dividing crowded ones into
   * four, until enough places are nearer than the next piece (Hjaltason and Samet 1999, "Distance browsing in
   * spatial databases", with a quadtree that exists only as stretches of the curve).
   *
   * @returns undefined when a filter leaves too few places in the first `manyPieces`
   */
  function pieceByPiece(
    near: Near,
    wanted: number,
    most: number,
    filter?: WaypointFilter,
  ): Found[] | undefined {
    let pieces = 0
    const distant = (piece: Piece) => ({ piece, metres: distanceToBoxMetres(near, boxOf(piece)) })
    const waiting = [distant(globe)]
    let found: Found[] = []
    for (;;) {
      waiting.sort((a, b) => b.metres - a.metres)
      const next = waiting.pop()
      if (next === undefined || next.metres > (found[wanted - 1]?.metres ?? most)) return found
      const [first, last] = stretchOf(next.piece)
      const inside = countPiece.get({ first, last, limit: handful + 1 })?.n ?? 0
      if (inside > handful && !isCell(next.piece)) waiting.push(...quarters(next.piece).map(distant))
      else if (inside > 0) {
        pieces++
        if (filter !== undefined && pieces > manyPieces) return undefined
        const places = filter ? reads.placesInStretch(filter, [first, last]) : inPiece.all({ first, last })
        found = best([...found, ...places.map(measured(near))], wanted, most)
      }
    }
  }

  /** The nearest while the index of places does not exist: scans all of them in chunks. */
  function throughAll(near: Near, wanted: number, most: number): Found[] {
    let found: Found[] = []
    for (let after = 0; ;) {
      const places = reads.places({ after, limit: someAtATime })
      found = best([...found, ...places.map(measured(near))], wanted, most)
      const last = places.at(-1)
      if (last === undefined) return found
      after = last.id
    }
  }

  /** @returns ids by distance, then by id; all of them when neither radius nor limit is given */
  return function near(filter: WaypointFilter & { readonly near: Near }): Found[] {
    const { near: place, limit, bbox, ...rest } = filter
    const most = place.radius ?? halfWayRoundMetres
    const narrowed =
      bbox ?? rest.amenity ?? rest.region ?? rest.approved ?? rest.verified ?? rest.updatedSince
    if (limit === undefined || limit > longestNearest) return chosen(filter).slice(0, limit)
    if (narrowed !== undefined || (rest.after ?? 0) > 0) {
      if (isBounded(filter) || !placesAreIndexed(statements)) return chosen(filter).slice(0, limit)
      return pieceByPiece(place, limit, most, { ...rest, bbox }) ?? chosen(filter).slice(0, limit)
    }
    if (!placesAreIndexed(statements)) return throughAll(place, limit, most)
    return closeBy(place, limit, most) ?? pieceByPiece(place, limit, most) ?? []
  }
}
