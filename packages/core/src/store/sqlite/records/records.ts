import { sql, type RawBuilder } from 'kysely'
import type { Waypoint } from '../../../schemas/waypoint.ts'
import type { Box } from '../../../schemas/filter.ts'
import type { WaypointPlace } from '../../../schemas/place.ts'
import type { SourceState } from '../../../schemas/source.ts'
import { storageError } from '../connection/failure.ts'
import { placeColumns } from '../../../fields/place.ts'
import { fieldNames } from '../../../fields/waypoint.ts'
import { placeIn, waypointOf } from '../../rows.ts'
import { limitParam, param, type Statements } from '../connection/statement.ts'
import type { Value } from '../../value.ts'
import { boxCondition, boxValues } from '../nouns/waypoints.ts'

/** What a registry knows about a waypoint besides its own fields. */
export interface RecordSurroundings {
  /** The time of the latest log entry, review or import of the waypoint. */
  readonly lastConfirmed: string
  /** When a source last listed it; absent when no source ever did. */
  readonly lastListed?: string | undefined
  /** The state in the newest listing that has one; absent when no source says that it gives no water. */
  readonly state?: SourceState | undefined
  /** Where its position lies; absent when no place is known there. */
  readonly place?: WaypointPlace | undefined
  /** The number of live reviews. */
  readonly reviewCount: number
  /** Mean rating of live reviews, to two decimals; absent without reviews. */
  readonly rating?: number | undefined
  /** The sources that list it, by id; empty when it was contributed here. */
  readonly sources: readonly RecordSource[]
}

/** A source that lists a waypoint, with its own id of it. */
export interface RecordSource {
  readonly sourceId: number
  readonly ref?: string | undefined
}

/** A waypoint with its reviews' figures and its sources, as exports write it. */
export interface WaypointRecord extends Waypoint, RecordSurroundings {}

/** Which records to read: those that match all given members. */
export interface RecordChoice {
  readonly bbox?: Box | undefined
  readonly region?: string | undefined
  /** Only waypoints with these ids. */
  readonly ids?: readonly number[] | undefined
}

/** The columns after the requested ones: id, the last edit, the place, and a source with its reference and its last listing. */
const trailing = [
  'w.id',
  'w.updatedAt',
  ...placeColumns.map(([column]) => `w.${column}`),
  's.sourceId',
  's.ref',
  's.lastSeen',
  's.state',
].map((column) => sql.ref(column))

/** Where the columns of a source begin, after the requested ones. */
const ofSource = trailing.length - 4

function placeOf(row: readonly Value[], from: number): WaypointPlace | undefined {
  const [country = null, subdivision = null, placeName = null] = row.slice(from) as (string | null)[]
  return placeIn({ country, subdivision, placeName })
}

/** The requested columns of a waypoint, with its surroundings. @internal */
export interface GatheredRow extends RecordSurroundings {
  readonly id: number
  readonly columns: readonly Value[]
}

/** Waypoints that are read at a time, which is faster than one by one. */
const chunk = 1000

/**
 * Live waypoints by id with the given columns. Reviews are read in the same order and merged here; the database would
 * search them for each waypoint.
 *
 * @param columns expressions over the waypoint `w`
 * @param shape maps a row to the result
 * @internal
 */
export function* gatheredRows<Shape>(
  statements: Statements,
  columns: readonly RawBuilder<unknown>[],
  choice: RecordChoice,
  shape: (row: GatheredRow) => Shape,
): Generator<Shape> {
  const width = columns.length
  const reviewsOf = reviewFigures(statements)
  let current: Gathering | undefined
  try {
    for (const rows of rowsOf(statements, columns, choice)) {
      for (const row of rows) {
        const id = row[width] as number
        if (current?.id !== id) {
          if (current) yield shape(ordered(current))
          const [, reviewCount, rating, latest] = reviewsOf(id)
          const lastConfirmed = later(row[width + 1] as string, latest)
          const place = placeOf(row, width + 2)
          current = { id, columns: row, lastConfirmed, place, reviewCount, rating, sources: [] }
        }
        if (row[width + ofSource] !== null)
          addListing(current, row.slice(width + ofSource) as unknown as Listing)
      }
    }
    if (current) yield shape(ordered(current))
  } catch (error) {
    throw storageError(error)
  } finally {
    reviewsOf.end()
  }
}

interface Gathering extends GatheredRow {
  lastConfirmed: string
  lastListed?: string
  state?: SourceState
  /** The listing that the state is from. */
  stateListing?: Listing
  readonly sources: RecordSource[]
}

type Listing = readonly [sourceId: number, ref: string | null, lastSeen: string, state: SourceState | null]

const later = (one: string, other: string): string => (other > one ? other : one)

function addListing(row: Gathering, listing: Listing): void {
  const [sourceId, ref, lastSeen, state] = listing
  row.sources.push(ref === null ? { sourceId } : { sourceId, ref })
  row.lastConfirmed = later(row.lastConfirmed, lastSeen)
  row.lastListed = later(row.lastListed ?? '', lastSeen)
  if (state === null || (row.stateListing && !isNewer(listing, row.stateListing))) return
  row.state = state
  row.stateListing = listing
}

/** Of two listings at the same time, the one with the higher id of the source counts as newer. */
function isNewer([source, , at]: Listing, [otherSource, , otherAt]: Listing): boolean {
  return at === otherAt ? source >= otherSource : at > otherAt
}

/** Sorts the sources of one row here, so that the database does not have to sort all rows. */
function ordered(row: Gathering): Gathering {
  if (row.sources.length > 1) row.sources.sort((a, b) => a.sourceId - b.sourceId)
  return row
}

/** The rows in chunks, one row for each source of a waypoint; the rows of a waypoint follow each other. */
function* rowsOf(
  statements: Statements,
  columns: readonly RawBuilder<unknown>[],
  { bbox, region, ids }: RecordChoice,
): Generator<readonly (readonly Value[])[]> {
  const within = [
    sql`deletedAt is null`,
    ...(bbox ? [boxCondition(bbox)] : []),
    ...(region === undefined ? [] : [sql`region = ${param('region')}`]),
    ...(ids === undefined ? [] : [sql`id in (select value from json_each(${param('ids')}))`]),
  ]
  const selected = sql.join([...columns, ...trailing])
  const statement = statements.columns(sql`select ${selected}
    from (select * from waypoints where id > ${param('after')} and ${sql.join(within, sql` and `)}
      order by id limit ${limitParam('limit')}) w
    left join listings s on s.waypointId = w.id
    order by w.id`)
  const values = {
    ...(bbox && boxValues(statements, bbox)),
    ...(region !== undefined && { region }),
    ...(ids !== undefined && { ids: JSON.stringify(ids) }),
  }
  // In chunks, the box or the ids would be searched again for each chunk.
  if (bbox !== undefined || ids !== undefined) {
    for (const row of statement.iterate({ ...values, after: 0, limit: -1 })) yield [row]
    return
  }
  for (let after = 0; ;) {
    const rows = statement.all({ ...values, after, limit: chunk })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last[columns.length] as number
  }
}

type ReviewFigures = readonly [bubblerId: number, count: number, rating: number | undefined, latest: string]

const unreviewed: ReviewFigures = [0, 0, undefined, '']

/** Returns a function that returns the figures of reviews for ascending ids. */
function reviewFigures(statements: Statements): ((id: number) => ReviewFigures) & { end(): void } {
  const figures = statements
    .columns<[number, number, number, string]>(sql`
      select bubblerId, count(*), round(avg(rating), 2), max(createdAt)
      from reviews where deletedAt is null group by bubblerId order by bubblerId`)
    .iterate()
  let next = figures.next()
  const reviewsOf = (id: number): ReviewFigures => {
    while (!next.done && next.value[0] < id) next = figures.next()
    return next.done || next.value[0] > id ? unreviewed : next.value
  }
  return Object.assign(reviewsOf, { end: () => void figures.return?.() })
}

/** Records on one connection. @internal */
export function recordReads(statements: Statements) {
  const columns = fieldNames.map((column) => sql.ref(`w.${column}`))
  return {
    /** Whole records by id. */
    records: (choice: RecordChoice): Generator<WaypointRecord> =>
      gatheredRows(statements, columns, choice, recordOf),
  }
}

function recordOf(row: GatheredRow): WaypointRecord {
  const { lastConfirmed, reviewCount, sources } = row
  const waypoint = waypointOf(storedOf(row.columns))
  return Object.assign(waypoint, { lastConfirmed, reviewCount, sources }, optionalSurroundings(row))
}

/** The optional members of a row, without undefined ones. @internal */
export function optionalSurroundings({
  lastListed,
  state,
  place,
  rating,
}: RecordSurroundings): Partial<RecordSurroundings> {
  return {
    ...(lastListed !== undefined && { lastListed }),
    ...(state !== undefined && { state }),
    ...(place !== undefined && { place }),
    ...(rating !== undefined && { rating }),
  }
}

type Stored = Parameters<typeof waypointOf>[0]

function storedOf(columns: readonly Value[]): Stored {
  const row: Record<string, Value | undefined> = {}
  for (const [index, name] of fieldNames.entries()) row[name] = columns[index]
  return row as Stored
}
