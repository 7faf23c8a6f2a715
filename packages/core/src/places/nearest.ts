import type { Box, Near, WaypointFilter } from '../schemas/waypoint.ts'
import type { Reading } from '../store/sql/query.ts'
import {
  boxAround,
  boxOf,
  distanceMetres,
  distanceToBoxMetres,
  earthRadiusMetres,
  globe,
  holds,
  isCell,
  isInside,
  type Piece,
  type Place,
  piecesAround,
  quarters,
  type Stretch,
  stretchOf,
} from './geodesy.ts'

/** The number of nearest places that are found without reading many more. */
const longestNearest = 256

/** A piece of the globe with more places than this is divided into four. */
const handful = 48
/** A filter that leaves at most this number is looked through as a whole. */
const fewMatching = 4000
/** When a filter matches fewer places than this, all its matches are read. */
const manyRead = 10_000
const halfWayRoundMetres = Math.PI * earthRadiusMetres

export interface Found {
  readonly id: number
  readonly metres: number
}

interface PlaceOfWaypoint extends Place {
  readonly id: number
}

export interface PlaceReads {
  /** Whether there is an index of places. */
  isIndexed(): Reading<boolean>
  /** The number of live waypoints in each of some stretches of the curve, counted up to `most` + 1. */
  countEach(stretches: readonly Stretch[], most: number): Reading<number[]>
  /** The same filter with the results of indexes, for reading it in several steps. */
  narrowed(filter: WaypointFilter): Reading<WaypointFilter>
  isMore(filter: WaypointFilter, than: number): Reading<boolean>
  /** The places of a filter, or those in one stretch of the curve; by id when the filter has a limit. */
  places(filter: WaypointFilter, stretch?: Stretch): Reading<PlaceOfWaypoint[]>
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

/**
 * The nearest places without a radius: pieces of the globe by their distance, skipping empty ones and dividing crowded
 * ones into four, until enough places are nearer than the next piece (Hjaltason and Samet 1999, "Distance browsing in
 * spatial databases", with a quadtree that exists only as stretches of the curve).
 *
 * With a filter, pieces grow with the number of places read.
 *
 * @returns undefined when a filter leaves too little of `manyRead` places
 */
function* pieceByPiece(
  reads: PlaceReads,
  near: Near,
  wanted: number,
  most: number,
  filter?: Sifted,
): Reading<Found[] | undefined> {
  let read = 0
  const room = () => (filter === undefined ? handful : Math.max(handful, wanted, read))
  function* counted(all: readonly Piece[]): Reading<Counted[]> {
    const counts = yield* reads.countEach(all.map(stretchOf), room())
    return all.map((piece, index) => ({
      piece,
      inside: counts[index] ?? 0,
      metres: distanceToBoxMetres(near, boxOf(piece)),
    }))
  }
  // Around the place, pieces are divided in one read. The nearest is last.
  const around = yield* counted(piecesAround(near))
  const divided = new Set(
    around.filter(({ piece, inside }) => inside > room() && !isCell(piece) && holds(piece, near)),
  )
  const waiting = around
    .filter((each) => each.inside > 0 && each.piece.level <= divided.size && !divided.has(each))
    .toSorted((one, other) => other.metres - one.metres)
  let found: Found[] = []
  for (;;) {
    const next = waiting.pop()
    if (next === undefined || next.metres > (found[wanted - 1]?.metres ?? most)) return found
    if (next.inside > room() && !isCell(next.piece)) {
      waiting.push(...(yield* counted(quarters(next.piece))).filter(({ inside }) => inside > 0))
      waiting.sort((one, other) => other.metres - one.metres)
    } else if (next.inside > 0) {
      if (filter !== undefined && read > manyRead) return undefined
      read += next.inside
      const more = yield* reads.places(filter?.choice ?? {}, stretchOf(next.piece))
      const inside = filter === undefined ? more : more.filter(filter.accepts)
      found = best([...found, ...inside.map(measured(near))], wanted, most)
    }
  }
}

interface Sifted {
  readonly choice: WaypointFilter
  readonly accepts: (place: Place) => boolean
}

/** Searches one box: that of the radius, or else that of the filter. */
function* sifted(reads: PlaceReads, filter: WaypointFilter & { readonly near: Near }): Reading<Sifted> {
  const { near, bbox, limit: _limit, ...rest } = filter
  const searched = near.radius === undefined ? bbox : boxAround(near, near.radius)
  return {
    choice: yield* reads.narrowed({ ...rest, bbox: searched }),
    accepts: (place) => bbox === undefined || isInside(bbox, place),
  }
}

interface Counted {
  readonly piece: Piece
  readonly inside: number
  readonly metres: number
}

/** Whether a filter asks for more than a place. The registry's own licence is part of one that is asked for. */
export const isNarrowed = ({
  near: _near,
  limit: _limit,
  isOwnLicense: _isOwn,
  after = 0,
  ...rest
}: WaypointFilter): boolean => after > 0 || Object.values(rest).some((each) => each !== undefined)

/** Waypoints by distance, then by id; all of them when neither radius nor limit is given. */
export function* nearest(
  filter: WaypointFilter & { readonly near: Near },
  reads: PlaceReads,
): Reading<Found[]> {
  const { near: place, limit, ...rest } = filter
  const most = place.radius ?? halfWayRoundMetres
  const isAll = limit === undefined || limit > longestNearest
  // Without the index, all places are read.
  const isWhole = isAll || !(yield* reads.isIndexed())
  if (isWhole || isNarrowed(rest)) {
    const wanted = limit ?? Number.POSITIVE_INFINITY
    const given = yield* sifted(reads, filter)
    const nearestOf = (places: readonly PlaceOfWaypoint[]): Found[] =>
      best(places.filter(given.accepts).map(measured(place)), wanted, most)
    const found =
      !isWhole && (yield* reads.isMore(given.choice, fewMatching))
        ? yield* pieceByPiece(reads, place, wanted, most, given)
        : undefined
    return found ?? nearestOf(yield* reads.places(given.choice))
  }
  return (yield* pieceByPiece(reads, place, limit, most)) ?? []
}

/** The pieces at which an extent is left as it is: some 600 metres wide at the equator. */
const finestLevel = 16
const mostEdges = 256

/** A box with all live waypoints, which are at most 600 metres from each of its sides; undefined without any. */
export function* extent({
  isIndexed,
  countEach,
}: Pick<PlaceReads, 'isIndexed' | 'countEach'>): Reading<Box | undefined> {
  let edges = [globe]
  if (!(yield* isIndexed())) return boxOf(globe)
  for (let level = 0; level < finestLevel && edges.length <= mostEdges; level++) {
    const pieces = edges.flatMap(quarters)
    const counts = yield* countEach(pieces.map(stretchOf), 0)
    const occupied = pieces.filter((_, place) => (counts[place] ?? 0) > 0)
    if (occupied.length === 0) return undefined
    const [columns, rows] = [occupied.map(({ column }) => column), occupied.map(({ row }) => row)]
    const [left, right] = [Math.min(...columns), Math.max(...columns)]
    const [bottom, top] = [Math.min(...rows), Math.max(...rows)]
    edges = occupied.filter(
      ({ column, row }) => column === left || column === right || row === bottom || row === top,
    )
  }
  const boxes = edges.map(boxOf)
  return [
    Math.min(...boxes.map(([west]) => west)),
    Math.min(...boxes.map(([, south]) => south)),
    Math.max(...boxes.map(([, , east]) => east)),
    Math.max(...boxes.map(([, , , north]) => north)),
  ]
}
