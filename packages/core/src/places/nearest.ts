import { isUnindexed } from '../store/unindexed.ts'
import type { Box, Near, WaypointFilter } from '../schemas/filter.ts'
import {
  boxAround,
  distanceMetres,
  distanceToBoxMetres,
  earthRadiusMetres,
  isInside,
  type Place,
} from './geodesy.ts'
import { insertSorted } from './sorted.ts'
import { boxOf, globe, isCell, quarters, stretchOf, type Piece, type Stretch } from './z-order.ts'

/**
 * The waypoints nearest to a place. The search knows no engine: it yields what it wants to know of the places, gets the
 * answer, and returns what it found.
 */

/** The number of nearest places that are found without reading many more. */
export const longestNearest = 256

/** A circle with more places than this, or than `fewTimes` the wanted number, is too large to measure all. */
const crowd = 96
const fewTimes = 3
/** A piece of the globe with more places than this is divided into four, by default. */
const handful = 48
/** With a selective filter, scanning all places once is faster than searching more pieces than this. */
const manyPieces = 64
const firstMetres = 1000
/** The largest circle that is tried before the whole globe is searched piece by piece; the smallest is `firstMetres`. */
export const lastMetres = 64_000
/** How many places are read at a time when all are measured. */
const someAtATime = 5000
/** The distance from the middle of a square to its corner in halves of its side, rounded up. */
const toCorner = 1.5
const halfWayRoundMetres = Math.PI * earthRadiusMetres

/** A waypoint with its distance. */
export interface Found {
  readonly id: number
  readonly metres: number
}

export interface PlaceOfWaypoint extends Place {
  readonly id: number
}

/** What the search wants to know. */
export type PlaceQuestion =
  /** The number of live waypoints in a box or a stretch of the curve, counted up to `most` + 1. */
  | {
      readonly ask: 'count'
      readonly of: { readonly box: Box } | { readonly stretch: Stretch }
      readonly most: number
    }
  /** The places that a filter leaves, by id; in one stretch of the curve in any order. */
  | { readonly ask: 'places'; readonly filter: WaypointFilter; readonly stretch?: Stretch }
  /** Whether a filter leaves few places, so that reading them all is fast. */
  | { readonly ask: 'isFew'; readonly filter: WaypointFilter }
  /** Whether there is an index of places. */
  | { readonly ask: 'isIndexed' }

export type PlaceAnswer = number | boolean | readonly PlaceOfWaypoint[]

type Searching<Result> = Generator<PlaceQuestion, Result, PlaceAnswer>

function* count(of: { box: Box } | { stretch: Stretch }, most: number): Searching<number> {
  return Number(yield { ask: 'count', of, most })
}

function* places(filter: WaypointFilter, stretch?: Stretch): Searching<readonly PlaceOfWaypoint[]> {
  const found = yield { ask: 'places', filter, ...(stretch && { stretch }) }
  return Array.isArray(found) ? found : []
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

function* within(near: Near, metres: number): Searching<Found[]> {
  const inside = yield* places({ bbox: boxAround(near, metres) })
  return inside
    .map(measured(near))
    .filter((place) => place.metres <= metres)
    .toSorted(byDistance)
}

/** All that a filter leaves. One box is looked through: that of the radius, or else that of the filter. */
function* chosen({
  near,
  bbox,
  limit: _limit,
  ...rest
}: WaypointFilter & { readonly near: Near }): Searching<Found[]> {
  const { radius } = near
  const searched = radius === undefined ? bbox : boxAround(near, radius)
  const found = yield* places({ ...rest, ...(searched && { bbox: searched }) })
  return (bbox === undefined ? found : found.filter((place) => isInside(bbox, place)))
    .map(measured(near))
    .filter(({ metres }) => radius === undefined || metres <= radius)
    .toSorted(byDistance)
}

/**
 * The nearest in dense areas: searches a circle whose box has enough places but not too many, growing from a
 * kilometre, then bisecting between the last with too few and the first with too many. When only the corners of the
 * box had enough, the circle around the box is taken. Undefined when the largest circle has too few.
 */
function* closeBy(near: Near, wanted: number, most: number): Searching<Found[] | undefined> {
  const plenty = Math.max(crowd, wanted * fewTimes)
  const around = (metres: number) => count({ box: boxAround(near, metres) }, plenty)
  const furthest = Math.min(most, lastMetres)
  let few = 0
  let enough = Math.min(firstMetres, furthest)
  let inside = yield* around(enough)
  while (inside < wanted && enough < furthest) {
    few = enough
    enough = Math.min(furthest, enough * 4)
    inside = yield* around(enough)
  }
  if (inside < wanted && enough < most) return undefined
  for (let step = 0; step < 24 && inside > plenty; step++) {
    const middle = (few + enough) / 2
    const between = yield* around(middle)
    if (between < wanted) few = middle
    else [enough, inside] = [middle, between]
  }
  for (const metres of [enough, Math.min(most, enough * toCorner)]) {
    const found = yield* within(near, metres)
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
function* pieceByPiece(
  near: Near,
  wanted: number,
  most: number,
  {
    filter,
    atOnce = handful,
  }: { readonly filter?: WaypointFilter; readonly atOnce?: number | undefined } = {},
): Searching<Found[] | undefined> {
  let pieces = 0
  const distant = (piece: Piece) => ({ piece, metres: distanceToBoxMetres(near, boxOf(piece)) })
  // The nearest is last.
  const waiting = [distant(globe)]
  let found: Found[] = []
  for (;;) {
    const next = waiting.pop()
    if (next === undefined || next.metres > (found[wanted - 1]?.metres ?? most)) return found
    const stretch = stretchOf(next.piece)
    const inside = yield* count({ stretch }, atOnce)
    if (inside > atOnce && !isCell(next.piece)) {
      for (const quarter of quarters(next.piece))
        insertSorted(waiting, distant(quarter), (one, other) => one.metres > other.metres)
    } else if (inside > 0) {
      pieces++
      if (filter !== undefined && pieces > manyPieces) return undefined
      const more = yield* places(filter ?? {}, stretch)
      found = best([...found, ...more.map(measured(near))], wanted, most)
    }
  }
}

/** The nearest while the index of places does not exist: scans all of them in chunks. */
function* throughAll(near: Near, wanted: number, most: number): Searching<Found[]> {
  let found: Found[] = []
  for (let after = 0; ;) {
    const some = yield* places({ after, limit: someAtATime })
    found = best([...found, ...some.map(measured(near))], wanted, most)
    const last = some.at(-1)
    if (last === undefined) return found
    after = last.id
  }
}

/**
 * The nearest that a filter leaves, as `nearest` finds them piece by piece; undefined when it leaves too few places
 * around, or when there is no index of places.
 *
 * @param atOnce how many places a piece has at most that is read as a whole: more where a question takes long
 */
export function* nearestByPieces(
  filter: WaypointFilter & { readonly near: Near; readonly limit: number },
  atOnce?: number,
): Searching<Found[] | undefined> {
  const { near, limit, ...rest } = filter
  if ((yield { ask: 'isIndexed' }) !== true) return undefined
  return yield* pieceByPiece(near, limit, near.radius ?? halfWayRoundMetres, { filter: rest, atOnce })
}

/** Whether a filter asks for more than a place. */
export function isNarrowed({ after = 0, bbox, amenity, region, ...rest }: WaypointFilter): boolean {
  const { country, subdivision, approved, verified, status, updatedSince } = rest
  const place = region ?? country ?? subdivision
  return (
    isUnindexed(rest) ||
    (bbox ?? amenity ?? place ?? approved ?? verified ?? status ?? updatedSince) !== undefined ||
    after > 0
  )
}

/** Waypoints by distance, then by id; all of them when neither radius nor limit is given. */
export function* nearest(
  filter: WaypointFilter & { readonly near: Near },
  atOnce?: number,
): Searching<Found[]> {
  const { near: place, limit } = filter
  const most = place.radius ?? halfWayRoundMetres
  if (limit === undefined || limit > longestNearest) return (yield* chosen(filter)).slice(0, limit)
  if (isNarrowed(filter)) {
    const isFew = (yield { ask: 'isFew', filter }) === true
    const found = isFew ? undefined : yield* nearestByPieces({ ...filter, limit }, atOnce)
    return found ?? (yield* chosen(filter)).slice(0, limit)
  }
  if ((yield { ask: 'isIndexed' }) !== true) return yield* throughAll(place, limit, most)
  return (yield* closeBy(place, limit, most)) ?? (yield* pieceByPiece(place, limit, most, { atOnce })) ?? []
}
