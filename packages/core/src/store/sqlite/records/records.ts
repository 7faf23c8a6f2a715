import { sql, type RawBuilder } from 'kysely'
import type { Waypoint } from '../../../schemas/waypoint.ts'
import type { Box } from '../../../schemas/filter.ts'
import type { SourceState } from '../../../schemas/source.ts'
import { storageError } from '../connection/failure.ts'
import { waypointColumns, waypointOf } from '../writing/rows.ts'
import { param, type Statements } from '../connection/statement.ts'
import type { Value } from '../connection/value.ts'
import { boxCondition, boxValues } from '../nouns/waypoints.ts'

/** What is known around a waypoint, and only counts with it. */
export interface RecordSurroundings {
  /** When somebody last said that it is there: the latest log entry, review or import that names it. */
  readonly lastConfirmed: string
  /** When a source last listed it; absent when none ever did. */
  readonly lastListed?: string | undefined
  /** What the newest listing that says so says of its state; absent when none says that it gives no water. */
  readonly state?: SourceState | undefined
  /** Live reviews. */
  readonly reviewCount: number
  /** Mean rating of live reviews, to two decimals; absent without reviews. */
  readonly rating?: number | undefined
  /** Sources that list it, by id of the source; empty when it was contributed here. */
  readonly sources: readonly RecordSource[]
}

/** A source that lists a waypoint, and what it calls it. */
export interface RecordSource {
  readonly sourceId: number
  readonly ref?: string | undefined
}

/** A waypoint with what is known around it, as exports write it. */
export interface WaypointRecord extends Waypoint, RecordSurroundings {}

/** Which records. */
export interface RecordChoice {
  readonly bbox?: Box | undefined
  readonly region?: string | undefined
  /** Only waypoints with these ids. */
  readonly ids?: readonly number[] | undefined
}

/** After the columns that were asked for: id, the last edit, and a source with its reference and its last listing. */
const trailing = ['w.id', 'w.updatedAt', 's.sourceId', 's.ref', 's.lastSeen', 's.state'].map((column) =>
  sql.ref(column),
)

/** A waypoint's own columns, with what was gathered around it. @internal */
export interface GatheredRow extends RecordSurroundings {
  readonly id: number
  readonly columns: readonly Value[]
}

/** Waypoints that are read at a time; an array of them costs less than a call for each. */
const chunk = 1000

/**
 * Live waypoints by id with the columns of choice. Reviews are read beside them in the same order and joined
 * here; the database would do that with a search for each waypoint and figure.
 *
 * @param columns expressions over the waypoint `w`
 * @param shape makes of a row what is answered
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
          current = { id, columns: row, lastConfirmed, reviewCount, rating, sources: [] }
        }
        if (row[width + 2] !== null) addListing(current, row.slice(width + 2) as unknown as Listing)
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
  /** The listing that says the state. */
  told?: Listing
  readonly sources: RecordSource[]
}

type Listing = readonly [sourceId: number, ref: string | null, lastSeen: string, state: SourceState | null]

const later = (one: string, other: string): string => (other > one ? other : one)

function addListing(row: Gathering, listing: Listing): void {
  const [sourceId, ref, lastSeen, state] = listing
  row.sources.push(ref === null ? { sourceId } : { sourceId, ref })
  row.lastConfirmed = later(row.lastConfirmed, lastSeen)
  row.lastListed = later(row.lastListed ?? '', lastSeen)
  if (state === null || (row.told && !isNewer(listing, row.told))) return
  row.state = state
  row.told = listing
}

/** Of two listings at the same time, as of two files of one run, the later source's counts. */
function isNewer([source, , at]: Listing, [otherSource, , otherAt]: Listing): boolean {
  return at === otherAt ? source >= otherSource : at > otherAt
}

/** Ordering by source here spares the database a sorting of everything. */
function ordered(row: Gathering): Gathering {
  if (row.sources.length > 1) row.sources.sort((a, b) => a.sourceId - b.sourceId)
  return row
}

/** The rows in pieces, one row for each source of a waypoint; a waypoint's rows stand together. */
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
      order by id limit ${param('limit')}) w
    left join sourceRecords s on s.waypointId = w.id
    order by w.id`)
  const values = {
    ...(bbox && boxValues(statements, bbox)),
    ...(region !== undefined && { region }),
    ...(ids !== undefined && { ids: JSON.stringify(ids) }),
  }
  // What finds a place or an id would be found anew for each piece.
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

/** Answers the figures of reviews for ascending ids. */
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
  const columns = waypointColumns.map((column) => sql.ref(`w.${column}`))
  return {
    /** Whole records by id. */
    records: (choice: RecordChoice): Generator<WaypointRecord> =>
      gatheredRows(statements, columns, choice, recordOf),
  }
}

function recordOf(row: GatheredRow): WaypointRecord {
  const { lastConfirmed, reviewCount, sources } = row
  const waypoint = waypointOf(storedOf(row.columns as StoredColumns))
  return Object.assign(waypoint, { lastConfirmed, reviewCount, sources }, optionalSurroundings(row))
}

/** What is known around few waypoints, without members for what is not known. @internal */
export function optionalSurroundings({
  lastListed,
  state,
  rating,
}: RecordSurroundings): Partial<RecordSurroundings> {
  return {
    ...(lastListed !== undefined && { lastListed }),
    ...(state !== undefined && { state }),
    ...(rating !== undefined && { rating }),
  }
}

type Stored = Parameters<typeof waypointOf>[0]
type ColumnsOf<Names extends readonly (keyof Stored)[]> = { [Place in keyof Names]: Stored[Names[Place]] }
type StoredColumns = ColumnsOf<typeof waypointColumns>

function storedOf(columns: StoredColumns): Stored {
  return {
    id: columns[0],
    name: columns[1],
    latitude: columns[2],
    longitude: columns[3],
    description: columns[4],
    amenities: columns[5],
    image: columns[6],
    maintainer: columns[7],
    region: columns[8],
    approved: columns[9],
    verified: columns[10],
    addedByUserId: columns[11],
    createdAt: columns[12],
    updatedAt: columns[13],
  }
}
