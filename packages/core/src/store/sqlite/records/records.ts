import { rowCount } from '../../sql/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Box } from '../../../schemas/filter.ts'
import type { WaypointPlace } from '../../../schemas/place.ts'
import type { Status } from '../../../status.ts'
import { storageError } from '../connection/failure.ts'
import { placeColumns } from '../../../fields/place.ts'
import { fieldNames } from '../../../fields/waypoint.ts'
import { isOsmObject, osmObjectIn, type ListedObject } from '../../../published/osm-object.ts'
import { placeIn, waypointOf } from '../../rows.ts'
import { param, type Statements } from '../connection/statement.ts'
import type { Value, Values } from '../../value.ts'
import type { RecordChoice, RecordSource, RecordSurroundings, WaypointRecord } from './record.ts'
import { boxCondition, boxValues } from '../../nouns/waypoint-filter.ts'
import { statusColumns, statusesOn } from './states.ts'

/**
 * The columns after the requested ones: id, the place, and what is known of the state. Those of a source come behind them.
 */
const trailing = ['w.id', ...placeColumns.map(([column]) => `w.${column}`), 'k.facts'].map((column) =>
  sql.ref(column),
)

/** The columns of a source, after those. */
const ofListing = [
  sql.ref('s.sourceId'),
  sql.ref('s.ref'),
  sql.ref('s.listedOn'),
  sql.ref('s.updated'),
  sql.ref('s.tags'),
]

function placeOf(row: readonly Value[], from: number): WaypointPlace | undefined {
  const [country = null, subdivision = null, placeName = null] = row.slice(from) as (string | null)[]
  return placeIn({ country, subdivision, placeName })
}

/** The requested columns of a waypoint, with its surroundings. */
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
 */
export function* gatheredRows<Shape>(
  statements: Statements,
  columns: readonly RawBuilder<unknown>[],
  choice: RecordChoice,
  shape: (row: GatheredRow) => Shape,
): Generator<Shape> {
  const width = columns.length
  const reviewsOf = reviewFigures(statements, choice.ids)
  const statusOn = statusesOn(choice.day)
  let current: Gathering | undefined
  try {
    for (const rows of rowsOf(statements, columns, choice)) {
      for (const row of rows) {
        const id = row[width] as number
        if (current?.id !== id) {
          if (current) yield shape(ordered(current))
          const [, reviewCount, rating] = reviewsOf(id)
          const place = placeOf(row, width + 1)
          const status = surroundingsOf(statusOn(row[width + trailing.length - 1] as string | null))
          current = { id, columns: row, ...status, place, reviewCount, rating, sources: [], objects: [] }
        }
        const source = row.slice(width + trailing.length) as unknown as Listing
        if (source[0] !== null) addListing(current, source)
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
  lastListed?: string
  sourceUpdated?: string
  readonly sources: RecordSource[]
  /** The objects of OpenStreetMap that sources name. */
  readonly objects: (ListedObject & { readonly sourceId: number })[]
}

type Listing = readonly [
  sourceId: number,
  ref: string | null,
  listedOn: string,
  updated: string | null,
  tags: string | null,
]

const later = (one: string, other: string): string => (other > one ? other : one)

function surroundingsOf({ state, since, lastConfirmed }: Status) {
  return { state, stateSince: since, lastConfirmed }
}

function addListing(row: Gathering, [sourceId, ref, listed, updated, tags]: Listing): void {
  row.sources.push(ref === null ? { sourceId } : { sourceId, ref })
  if (isOsmObject({ ref, tags })) row.objects.push({ sourceId, ref, tags })
  row.lastListed = later(row.lastListed ?? '', listed)
  if (updated !== null) row.sourceUpdated = later(row.sourceUpdated ?? '', updated)
}

/** Sorts the sources of one row here, so that the database does not have to sort all rows. */
function ordered(row: Gathering): Gathering {
  if (row.sources.length > 1) row.sources.sort((a, b) => a.sourceId - b.sourceId)
  if (row.objects.length === 0) return row
  if (row.objects.length > 1) row.objects.sort((a, b) => a.sourceId - b.sourceId)
  return Object.assign(row, osmObjectIn(row.objects))
}

/** The conditions of a choice on a table of waypoints, without those of its box and its ids, and their values. */
export function chosenBy(
  statements: Statements,
  { region, country, subdivision, state, isStated = false, day }: RecordChoice,
  table: RawBuilder<unknown>,
): { readonly conditions: RawBuilder<unknown>[]; readonly values: Values } {
  const given = Object.entries({ region, country, subdivision }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const conditions = given.map(([name]) => {
    const column = sql`${table}.${sql.ref(name)}`
    // A region is what was given, else the name of the place around the waypoint.
    return name === 'region'
      ? sql`coalesce(${column}, ${table}."placeName") = ${param(name)}`
      : sql`${column} = ${param(name)}`
  })
  const facts = sql`(select facts from statuses where statuses.id = ${table}.id)`
  if (isStated) conditions.push(sql`${facts} is not null`)
  if (state !== undefined)
    conditions.push(sql`${statusColumns(statements, day, facts).state} = ${param('state')}`)
  return { conditions, values: { ...Object.fromEntries(given), ...(state !== undefined && { state }) } }
}

/** The condition of a choice on the table of waypoints, and its values. */
function liveWithin(
  statements: Statements,
  choice: RecordChoice,
): { readonly within: RawBuilder<unknown>; readonly values: Values } {
  const { bbox, ids } = choice
  const { conditions, values } = chosenBy(statements, choice, sql.table('waypoints'))
  const all = [
    sql`deletedAt is null`,
    ...(bbox ? [boxCondition(bbox)] : []),
    ...conditions,
    ...(ids === undefined ? [] : [sql`id in (select value from json_each(${param('ids')}))`]),
  ]
  return {
    within: sql.join(all, sql` and `),
    values: {
      ...(bbox && boxValues(bbox)),
      ...values,
      ...(ids !== undefined && { ids: JSON.stringify(ids) }),
    },
  }
}

/** The rows in chunks, one row for each source of a waypoint; the rows of a waypoint follow each other. */
function* rowsOf(
  statements: Statements,
  columns: readonly RawBuilder<unknown>[],
  choice: RecordChoice,
): Generator<readonly (readonly Value[])[]> {
  const { bbox, ids } = choice
  const { within, values } = liveWithin(statements, choice)
  const selected = sql.join([...columns, ...trailing, ...ofListing])
  const statement = statements.columns(sql`select ${selected}
    from (select * from waypoints where id > ${param('after')} and ${within}
      order by id limit ${rowCount('limit')}) w
    left join statuses k on k.id = w.id
    left join listings s on s.waypointId = w.id
    order by w.id`)
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

function extentOf(statements: Statements, choice: RecordChoice): Box | undefined {
  const { within, values } = liveWithin(statements, choice)
  const { region, country, subdivision } = choice
  // In the order of an index of all of them, rows are all over the file.
  const isByPlace = (region ?? country ?? subdivision) !== undefined
  const query = sql`select min(longitude), min(latitude), max(longitude), max(latitude)
    from waypoints ${isByPlace ? sql`` : sql`not indexed`} where ${within}`
  const [box] = statements.columns<[...Box] | [null, null, null, null]>(query).all(values)
  return box === undefined || box[0] === null ? undefined : box
}

type ReviewFigures = readonly [bubblerId: number, count: number, rating: number | undefined]

const unreviewed: ReviewFigures = [0, 0, undefined]

/** Returns a function that returns the figures of reviews for ascending ids. */
function reviewFigures(
  statements: Statements,
  ids: readonly number[] | undefined,
): ((id: number) => ReviewFigures) & { end(): void } {
  const figures = statements
    .columns<[number, number, number]>(sql`
      select bubblerId, count(*), round(avg(rating), 2)
      from reviews where deletedAt is null
        ${ids ? sql`and bubblerId in (select value from json_each(${param('ids')}))` : sql``}
      group by bubblerId order by bubblerId`)
    .iterate(ids ? { ids: JSON.stringify(ids) } : {})
  let next = figures.next()
  const reviewsOf = (id: number): ReviewFigures => {
    while (!next.done && next.value[0] < id) next = figures.next()
    return next.done || next.value[0] > id ? unreviewed : next.value
  }
  return Object.assign(reviewsOf, { end: () => void figures.return?.() })
}

/** Records on one connection. */
export function recordReads(statements: Statements) {
  const columns = fieldNames.map((column) => sql.ref(`w.${column}`))
  return {
    /** The box around the positions of a choice. */
    extent: (choice: RecordChoice) => extentOf(statements, choice),
    /** Whole records by id. */
    records: (choice: RecordChoice): Generator<WaypointRecord> =>
      gatheredRows(statements, columns, choice, recordOf),
  }
}

function recordOf(row: GatheredRow): WaypointRecord {
  const { state, reviewCount, sources } = row
  const waypoint = waypointOf(storedOf(row.columns))
  return Object.assign(waypoint, { state, reviewCount, sources }, optionalSurroundings(row))
}

/** The optional members of a row, without undefined ones. */
export function optionalSurroundings({
  stateSince,
  lastConfirmed,
  lastListed,
  sourceUpdated,
  place,
  rating,
  osmType,
  osmId,
  osmObjectTags,
}: RecordSurroundings): Partial<RecordSurroundings> {
  return {
    ...(stateSince !== undefined && { stateSince }),
    ...(lastConfirmed !== undefined && { lastConfirmed }),
    ...(lastListed !== undefined && { lastListed }),
    ...(sourceUpdated !== undefined && { sourceUpdated }),
    ...(place !== undefined && { place }),
    ...(rating !== undefined && { rating }),
    ...(osmType !== undefined && { osmType, osmId }),
    ...(osmObjectTags !== undefined && { osmObjectTags }),
  }
}

type Stored = Parameters<typeof waypointOf>[0]

function storedOf(columns: readonly Value[]): Stored {
  const row: Record<string, Value | undefined> = {}
  for (const [index, name] of fieldNames.entries()) row[name] = columns[index]
  return row as Stored
}
