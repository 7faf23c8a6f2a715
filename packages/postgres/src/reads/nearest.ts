import { sql, type RawBuilder } from 'kysely'
import {
  boxAround,
  distanceMetres,
  everywhere,
  few,
  isNarrowed,
  lastMetres,
  longestNearest,
  nearest,
  nearestByPieces,
  type Near,
  type PlaceAnswer,
  type PlaceQuestion,
  type Stretch,
  type WaypointFilter,
} from '@openfountain/core/engine'
import { waypointBounds, placeCounts } from './bounds.ts'
import { build, real, whole, wholes, type Statements } from '../connection/statement.ts'
import { filtered, shapeOf, valuesOf, type Choice } from './waypoint-filter.ts'
import type { PlaceRow, WaypointReads } from './waypoints.ts'

type Nearest = WaypointFilter & { readonly near: Near }

/** A search for the nearest with a limit. */
type Around = Nearest & { readonly limit: number }

interface Found {
  readonly id: number
  readonly metres: number
}

/** The most waypoints of a box that are all looked at and sorted. */
const mostSorted = 10 * few

/** How many times as many places as are wanted a circle has in which a filter is tried. */
const timesWanted = 4

/** The most places of a circle in which a filter is tried. */
const mostTried = 2 * few

/** How many places are read together: each question takes a round trip. */
const atOnce = 500

/** More than are wanted are read, since PostgreSQL's sines differ from JavaScript's in the last digit. */
const spare = 32
/** By how much, in metres, that could change a distance. */
const tolerance = 0.001

/** The circles that are looked at around a place; with a filter those between them, too, so that one has neither too few nor too many. */
const circleMetres = {
  all: [1000, 4000, 16_000, lastMetres],
  filtered: [1000, 2000, 4000, 8000, 16_000, 32_000, lastMetres],
}

/** An angle in degrees, 0 when it is less than a tenth of a micrometre: PostgreSQL refuses what underflows. */
const angle = (degrees: RawBuilder<unknown>): RawBuilder<number> =>
  sql`case when abs(${degrees}) < 1e-12 then 0 else ${degrees} end`
const halfSine = (degrees: RawBuilder<unknown>) => sql`sin(radians(${angle(degrees)}) / 2)`
const cosine = (degrees: RawBuilder<unknown>) => sql`cos(radians(${angle(degrees)}))`

/** The square of half the chord to a place, which is greater where the distance is. */
const chord = sql<number>`power(${halfSine(sql`(latitude - ${real('latitude')})`)}, 2)
  + ${cosine(real('latitude'))} * ${cosine(sql`latitude`)}
    * power(${halfSine(sql`(longitude - ${real('longitude')})`)}, 2)`

/** Finds waypoints near a place, nearest first. */
export function nearestPlaces(statements: Statements, reads: WaypointReads) {
  const countIn = placeCounts(statements)
  const isBounded = waypointBounds(statements)
  const countPieces = statements.written<{ readonly first: number; readonly n: number }>(
    () => sql`select piece.first, (select count(*) from (select 1 from waypoints
        where waypoints.cell between piece.first and piece.last order by waypoints.cell limit ${whole('limit')}) as inside) as n
      from unnest(${wholes('firsts')}, ${wholes('lasts')}) as piece (first, last)`,
  )

  /** Counts the places in pieces of the globe: with a piece, the three others of the four into which one was divided. */
  function pieceCounts() {
    const known = new Map<string, number>()
    return async ([first, last]: Stretch, most: number): Promise<number> => {
      const size = last - first + 1
      const name = (start: number) => `${start} ${size} ${most}`
      if (!known.has(name(first))) {
        const all = 4 * size
        const start = everywhere[0] + Math.floor((first - everywhere[0]) / all) * all
        const firsts =
          start + all > everywhere[1] + 1 ? [first] : [0, 1, 2, 3].map((each) => start + each * size)
        const lasts = firsts.map((each) => each + size - 1)
        for (const piece of await countPieces.all({ firsts, lasts, limit: most + 1 }))
          known.set(name(piece.first), piece.n)
      }
      return known.get(name(first)) ?? 0
    }
  }
  const counted = (filter: WaypointFilter) =>
    statements.shaped(
      `some places: ${shapeOf(filter)}`,
      () =>
        build
          .selectFrom(filtered(filter).clearOrderBy().select('waypoints.id').as('some'))
          .select(({ fn }) => fn.countAll<number>().as('n')),
      { forValues: true },
    )
  const closest = (filter: Choice) =>
    statements.shaped(
      `closest places: ${shapeOf(filter)}`,
      () =>
        filtered(filter)
          .clearOrderBy()
          .select(['waypoints.id', 'latitude', 'longitude'])
          .orderBy(chord)
          .orderBy('waypoints.id'),
      { forValues: true },
    )

  async function answer(
    question: PlaceQuestion,
    isFew: boolean,
    countPiece: ReturnType<typeof pieceCounts>,
  ): Promise<PlaceAnswer> {
    switch (question.ask) {
      case 'count': {
        const { of, most } = question
        if ('box' in of) return countIn(of.box, most)
        return countPiece(of.stretch, most)
      }
      case 'places':
        return question.stretch === undefined
          ? reads.places(question.filter)
          : reads.placesInStretch(question.filter, question.stretch)
      case 'isFew':
        return isFew
      case 'isIndexed':
        return true
    }
  }

  async function found<Result>(
    searching: Generator<PlaceQuestion, Result, PlaceAnswer>,
    isFew = false,
  ): Promise<Result> {
    const countPiece = pieceCounts()
    for (let next = searching.next(); ;) {
      if (next.done === true) return next.value
      next = searching.next(await answer(next.value, isFew, countPiece))
    }
  }

  /** The nearest of many, which PostgreSQL sorts; undefined when it cannot tell which of the last ones are nearer. */
  async function sorted(choice: Choice, near: Near, limit: number): Promise<Found[] | undefined> {
    const rows: PlaceRow[] = await closest(choice).all({
      ...valuesOf({ ...choice, limit: limit + spare }),
      latitude: near.latitude,
      longitude: near.longitude,
    })
    const measured = rows.map((place) => ({ id: place.id, metres: distanceMetres(near, place) }))
    const reach = near.radius ?? Number.POSITIVE_INFINITY
    const all = measured
      .filter(({ metres }) => metres <= reach)
      .toSorted((one, other) => one.metres - other.metres || one.id - other.id)
    const beyond = measured.at(-1)?.metres ?? 0
    const isComplete =
      rows.length < limit + spare || beyond - Math.min(all[limit - 1]?.metres ?? reach, reach) > tolerance
    return isComplete ? all.slice(0, limit) : undefined
  }

  /**
   * The nearest where there are many: in the smallest of some circles that has enough; undefined when none has. With a filter
   * a circle has some times as many places, of which it leaves enough or the next circle is looked at.
   */
  async function closeBy({ near, limit, ...rest }: Around): Promise<Found[] | undefined> {
    const { radius = Number.POSITIVE_INFINITY } = near
    const isFiltered = isNarrowed(rest)
    const circles = [
      ...circleMetres[isFiltered ? 'filtered' : 'all'].filter((metres) => metres < radius),
      ...(radius <= lastMetres ? [radius] : []),
    ]
    const wanted = isFiltered ? limit * timesWanted : limit
    const most = isFiltered ? mostTried : limit
    const counts = await Promise.all(circles.map((metres) => countIn(boxAround(near, metres), most)))
    for (const [index, metres] of circles.entries()) {
      const inside = counts[index] ?? 0
      if (inside > mostTried && isFiltered) return undefined
      if (inside < wanted && metres !== radius) continue
      const choice = { ...rest, bbox: boxAround(near, metres), isByCell: true }
      const nearest = await sorted(choice, { ...near, radius: metres }, limit)
      if (nearest === undefined || nearest.length === limit || metres === radius) return nearest
    }
    return undefined
  }

  return {
    async near(filter: Nearest): Promise<readonly { readonly id: number }[]> {
      const { near, limit, ...rest } = filter
      if (limit === undefined || limit > longestNearest) return found(nearest(filter))
      const short = { ...rest, near, limit }
      const close = rest.bbox === undefined ? await closeBy(short) : undefined
      if (close !== undefined) return close
      if (!isNarrowed(filter)) return found(nearest(filter, atOnce))
      // One box is looked through: that of the radius, or else that of the filter.
      const box = near.radius === undefined ? rest.bbox : boxAround(near, near.radius)
      const isByCell = box !== undefined && (await countIn(box, mostSorted)) <= mostSorted
      const choice = { ...rest, ...(box && { bbox: box }), isByCell }
      if (!isByCell) {
        const some = await counted(choice).get(valuesOf({ ...choice, limit: few + 1 }))
        const around = (some?.n ?? 0) <= few ? undefined : await found(nearestByPieces(short, atOnce))
        if (around !== undefined) return around
      }
      // It sorts what is in one box; that of the filter besides a radius is looked at in JavaScript.
      const hasOneBox = rest.bbox === undefined || near.radius === undefined
      const closestOnes = hasOneBox ? await sorted(choice, near, limit) : undefined
      return closestOnes ?? found(nearest(short), true)
    },
    isBounded,
  }
}
