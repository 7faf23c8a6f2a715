import { sql } from 'kysely'
import type { Box, Near, WaypointFilter } from '../filter.ts'
import { boxAround, distanceMetres, distanceToBoxMetres, earthRadiusMetres } from '../geodesy.ts'
import { build, param, type Statements } from './statement.ts'
import type { WaypointReads } from './waypointReads.ts'

/** A circle with more places in it than this is too large to look at one by one. */
const crowd = 512
/** A piece of the globe with more places in it than this is cut in four. */
const handful = 48
/** The circles that are tried before the whole globe is searched square by square. */
const firstMetres = 1000
const lastMetres = 64_000
const halfWayRoundMetres = Math.PI * earthRadiusMetres
/** A square this small, in degrees, is taken as it is: everything in it stands on one spot. */
const spot = 1e-6

interface Found {
  readonly id: number
  readonly metres: number
}

/** The globe in eight squares of 90 degrees. */
const globe: readonly Box[] = [-180, -90, 0, 90].flatMap((west): Box[] => [
  [west, -90, west + 90, 0],
  [west, 0, west + 90, 90],
])

/** A square in two across its longer side, so that pieces near the poles stay as wide as they are high. */
function halves([west, south, east, north]: Box): Box[] {
  const x = (west + east) / 2
  const y = (south + north) / 2
  const wide = (east - west) * Math.cos((y * Math.PI) / 180)
  return wide > north - south
    ? [
        [west, south, x, north],
        [x, south, east, north],
      ]
    : [
        [west, south, east, y],
        [west, y, east, north],
      ]
}

const byDistance = (a: Found, b: Found): number => a.metres - b.metres || a.id - b.id

/** Finds what is near a place, nearest first. */
export function nearest(statements: Statements, reads: WaypointReads) {
  const counting = (split: boolean) =>
    statements.shaped(`crowd: ${split}`, () => {
      const box = build
        .selectFrom('waypointPosition')
        .select('id')
        .where('south', '<=', param<number>('north'))
        .where('north', '>=', param<number>('south'))
        .limit(param<number>('limit'))
      const west = box.where('east', '>=', param<number>('west'))
      const east = split ? west.clearLimit() : west.where('west', '<=', param<number>('east'))
      const other = box.clearLimit().where('west', '<=', param<number>('east'))
      return build
        .selectFrom((split ? east.unionAll(other).limit(param<number>('limit')) : east).as('inside'))
        .select(sql<number>`count(*)`.as('n'))
    })

  /** How many places a box holds, counted no further than one more than `most`. */
  function countIn([west, south, east, north]: Box, most: number): number {
    return counting(west > east).get({ west, south, east, north, limit: most + 1 })?.n ?? 0
  }

  function placesIn(near: Near, bbox: Box, filter: WaypointFilter): Found[] {
    return reads
      .places({ ...filter, limit: undefined, bbox })
      .map((place) => ({ id: place.id, metres: distanceMetres(near, place) }))
  }

  function within(near: Near, metres: number, filter: WaypointFilter): Found[] {
    return placesIn(near, boxAround(near, metres), filter)
      .filter((place) => place.metres <= metres)
      .toSorted(byDistance)
  }

  /**
   * The nearest where they stand close by: a circle that holds enough places but no crowd, grown from a kilometre,
   * then halved between the last that held too few and the first that held too many. Undefined where there are
   * too few all around, or where only the corners of the circle's box made them enough.
   */
  function closeBy(near: Near, wanted: number, most: number): Found[] | undefined {
    const count = (metres: number) => countIn(boxAround(near, metres), crowd)
    const furthest = Math.min(most, lastMetres)
    let few = 0
    let enough = Math.min(firstMetres, furthest)
    let inside = count(enough)
    while (inside < wanted && enough < furthest) {
      few = enough
      enough = Math.min(furthest, enough * 4)
      inside = count(enough)
    }
    for (let step = 0; step < 24 && inside > crowd; step++) {
      const middle = (few + enough) / 2
      const between = count(middle)
      if (between < wanted) few = middle
      else [enough, inside] = [middle, between]
    }
    const found = inside < wanted && enough < most ? [] : within(near, enough, {})
    return found.length >= wanted || enough === most ? found.slice(0, wanted) : undefined
  }

  /**
   * The nearest wherever they stand: squares of the globe by their distance, empty ones left out and crowded ones
   * cut in four, until enough places are nearer than the next square (Hjaltason and Samet 1999, "Distance browsing
   * in spatial databases", with a quadtree that exists only as queries).
   */
  function squareBySquare(near: Near, wanted: number, most: number): Found[] {
    const distant = (box: Box) => ({ box, metres: distanceToBoxMetres(near, box) })
    const squares = globe.map(distant)
    const found = new Map<number, Found>()
    let nearestFound: Found[] = []
    for (;;) {
      squares.sort((a, b) => b.metres - a.metres)
      const next = squares.pop()
      const bound = nearestFound[wanted - 1]?.metres ?? most
      if (next === undefined || next.metres > bound) break
      const count = countIn(next.box, handful)
      if (count === 0) continue
      if (count > handful && next.box[2] - next.box[0] > spot)
        squares.push(...halves(next.box).flatMap(halves).map(distant))
      else {
        for (const place of placesIn(near, next.box, {})) if (place.metres <= most) found.set(place.id, place)
        nearestFound = [...found.values()].toSorted(byDistance).slice(0, wanted)
      }
    }
    return nearestFound
  }

  /** @returns ids by distance, then by id; all of them when neither radius nor limit is given */
  return function near(filter: WaypointFilter & { readonly near: Near }): Found[] {
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
    return closeBy(place, limit, most) ?? squareBySquare(place, limit, most)
  }
}
