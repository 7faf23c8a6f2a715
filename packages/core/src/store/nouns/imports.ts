import { sql } from 'kysely'
import type { MergeBase, Progress, RecordState, RunState } from '../../log/nouns.ts'
import { boxAround, distanceMetres, type Place } from '../../places/geodesy.ts'
import { farthest, type Comparable } from '../../places/match-score.ts'
import { storing, type Row } from '../rows.ts'
import {
  isLookedUpIn,
  build,
  query,
  type Reading,
  rowCount,
  shaped,
  texts,
  whole,
  wholes,
} from '../sql/query.ts'
import { everywhereValues, inCells, isIndexed, stretchValues } from './waypoint-filter.ts'

export interface RunWithProgress {
  readonly run: RunState
  readonly progress: Progress
}

const countsOf = ({ progress }: RunWithProgress): Readonly<Record<string, number>> =>
  JSON.parse(progress.counts) as Record<string, number>

export const isUndoing = (run: RunWithProgress): boolean => countsOf(run)['undoes'] !== undefined

/** The runs in force, oldest first: not undone, or with their undoing undone. */
export function runsInForce(runs: readonly RunWithProgress[]): RunWithProgress[] {
  const undone = new Set<number>()
  for (const each of runs.toReversed()) {
    const { undoes } = countsOf(each)
    if (undoes !== undefined && !undone.has(each.run.id)) undone.add(undoes)
  }
  return runs.filter(({ run }) => !undone.has(run.id))
}

/** The imports among the runs in force, oldest first. */
export function undoable(runs: readonly RunWithProgress[]): RunWithProgress[] {
  return runsInForce(runs).filter((each) => !isUndoing(each))
}

export interface Neighbour extends Comparable {
  readonly id: number
  readonly metres: number
  /** The reference under which the source of the import lists it. */
  readonly ref?: string
}

/** Records of live waypoints, by whether their source lists them. */
export interface RecordCounts {
  readonly listed: number
  /** Marked as no longer listed. */
  readonly marked: number
}

export interface Counted {
  readonly runId?: number | undefined
  readonly waypointIds?: readonly number[] | undefined
}

/** Pieces that the box around a row is cut into: a piece that is looked up costs as much as some waypoints beside the box. */
const fewPieces = 8
const cityMetres = 28_000
/** The height in degrees of the bands for finding neighbours: no less than their distance. */
const bandDegrees = farthest / 111_000
const bandOf = (latitude: number): number => Math.floor(latitude / bandDegrees)

export const recordRowsOf = query(() =>
  build
    .selectFrom('records')
    .selectAll()
    .where('sourceId', '=', whole('sourceId'))
    .where(isLookedUpIn(sql.ref('ref'), texts('refs')))
    .orderBy('ref'),
)
const unseen = query<{ id: number }>(
  () => sql`select id from records where "sourceId" = ${whole('sourceId')} and "seenIn" <> ${whole('runId')}
    and id > ${whole('after')} order by id limit ${rowCount('limit')}`,
).map(({ id }) => id)
const imports = () => build.selectFrom('imports').selectAll()
const last = shaped(
  (isFinished: boolean) => sql<Row<'imports'>>`select * from imports where "sourceId" = ${whole('sourceId')}
    and "finishedAt" is ${isFinished ? sql`not ` : sql``}null order by id desc limit 1`,
)
const counted = shaped(
  (isUnseen: boolean, isOfSome: boolean) => sql<{ n: number; marked: number }>`
    select count(*) as n, count("missingSince") as marked
    from records join waypoints on waypoints.id = records."waypointId"
    where "sourceId" = ${whole('sourceId')} and "deletedAt" is null
      ${isUnseen ? sql`and "seenIn" <> ${whole('runId')}` : sql``}
      ${isOfSome ? sql`and ${isLookedUpIn(sql.ref('records.waypointId'), wholes('waypointIds'))}` : sql``}`,
)
/** A reference that is not derived from a place. */
const ownRef = query<{ ref: string }>(
  () => sql`select ref from records
    where "sourceId" = ${whole('sourceId')} and substr(ref, 1, 6) <> 'place:' limit ${sql.lit(1)}`,
)
const newest = query(() => build.selectFrom('waypoints').select((eb) => eb.fn.max('id').as('id')))
const placed = query<
  Pick<Row<'waypoints'>, 'id' | 'latitude' | 'longitude' | 'name' | 'amenities'> & { ref: string | null }
>(
  () => sql`select id, latitude, longitude, name, amenities, (select ref from records
      where "waypointId" = waypoints.id and "sourceId" = ${whole('sourceId')} order by records.id limit 1) as ref
    from (select placed.* from ${inCells}) as waypoints
    where "deletedAt" is null and id <= ${whole('newest')}`,
)
/** Whether any waypoint is in some stretches. */
const inhabited = query<{ n: number }>(() => sql`select 1 as n from ${inCells} limit 1`)
const runOf = (row: Row<'imports'>): RunWithProgress => ({
  run: storing.import.from(row as never),
  progress: storing.progress.from(row),
})
const every = query(() => imports().orderBy('id')).map(runOf)
const ofSource = query(() => imports().where('sourceId', '=', whole('sourceId')).orderBy('id')).map(runOf)

export const importReads = {
  /** The existing records of a source with these references, with their values at the last import. */
  byRefs: (
    sourceId: number,
    refs: readonly string[],
  ): Reading<{ readonly record: RecordState; readonly base: MergeBase }[]> =>
    recordRowsOf
      .map((row) => ({ record: storing.record.from(row), base: storing.base.from(row) }))
      .all({ sourceId, refs }),
  /** Ids of the records of a source that a run did not see, ascending. */
  unseen: (sourceId: number, runId: number, after: number, limit: number): Reading<number[]> =>
    unseen.all({ sourceId, runId, after, limit }),
  last: (sourceId: number, isFinished: boolean): Reading<RunWithProgress | undefined> =>
    last(isFinished).map(runOf).get({ sourceId }),
  /** A source's records of live waypoints: all, those that a run did not see, or those of some waypoints. */
  *counted(sourceId: number, { runId, waypointIds }: Counted = {}): Reading<RecordCounts> {
    const statement = counted(runId !== undefined, waypointIds !== undefined)
    const { n = 0, marked = 0 } = (yield* statement.get({ sourceId, runId, waypointIds })) ?? {}
    return { listed: Number(n) - Number(marked), marked: Number(marked) }
  },
  *hasReferences(sourceId: number): Reading<boolean> {
    return (yield* ownRef.get({ sourceId })) !== undefined
  },
  *newestWaypoint(): Reading<number> {
    return (yield* newest.get())?.id ?? 0
  },
  /** The live waypoints around each of some places, nearest first, up to the distance of matches. @param newest the greatest id */
  *near(
    places: readonly Place[],
    { newest, sourceId = 0 }: { readonly newest: number; readonly sourceId?: number | undefined },
  ): Reading<Neighbour[][]> {
    if (newest === 0 || places.length === 0) return places.map(() => [])
    const boxes = places.map((place) => boxAround(place, farthest))
    const stretches = (yield* isIndexed()) ? stretchValues(boxes, fewPieces) : everywhereValues
    const bands = Map.groupBy(yield* placed.all({ ...stretches, newest, sourceId }), ({ latitude }) =>
      bandOf(latitude),
    )
    return places.map((place) => {
      const band = bandOf(place.latitude)
      return [band - 1, band, band + 1]
        .flatMap((each) => bands.get(each) ?? [])
        .map((row) => ({ row, metres: distanceMetres(place, row) }))
        .filter(({ metres }) => metres <= farthest)
        .toSorted((one, other) => one.metres - other.metres || one.row.id - other.row.id)
        .map(({ row: { id, name, amenities, ref }, metres }) => ({
          id,
          name,
          amenities: JSON.parse(amenities) as string[],
          metres,
          ref: ref ?? undefined,
        }))
    })
  },
  /** How many of some places are about as near to a waypoint as a city is large. */
  *closeToKnown(places: readonly Place[]): Reading<number> {
    // Without the index, during the first import, nothing is known.
    if (!(yield* isIndexed())) return places.length
    let close = 0
    for (const place of places)
      if (
        (yield* inhabited.get({ ...stretchValues([boxAround(place, cityMetres)], fewPieces) })) !== undefined
      )
        close += 1
    return close
  },
  /** Of one source, or all, oldest first. */
  list: (sourceId?: number): Reading<RunWithProgress[]> =>
    sourceId === undefined ? every.all() : ofSource.all({ sourceId }),
}
