import { isAmong, type QueryValues, rowCount, texts } from '../sql/query.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Box, Waypoint } from '../../schemas/waypoint.ts'
import type { WaypointPlace } from '../../schemas/place.ts'
import type { RecordChoice, WaypointRecord } from '../record.ts'
import { placeColumns } from '../../fields/place.ts'
import { fieldNames, waypointFields } from '../../fields/waypoint.ts'
import { osmObjectIn, type ListedObject } from '../../published/osm-object.ts'
import { placeIn, readingInOrder } from '../rows.ts'
import { param, stateFunction, type Statements } from './connection/connection.ts'
import type { Value } from '../tables.ts'
import { conditionsOf, isUsableIn, valuesOf } from '../nouns/waypoint-filter.ts'
import { statusOf, type Status, type StatusFacts } from '../../status.ts'

/** Columns of the place, the label and the facts for the status, after those of the waypoint. */
const trailing = [...placeColumns.map(([column]) => `w.${column}`), 'w.label', 'k.facts']
const ofListing = ['s.sourceId', 's.ref', 's.listedOn', 's.updated', 's.tags', 's.checked', 's.id']
const selected = [...fieldNames.map((name) => `w.${name}`), ...trailing, ...ofListing].map(sql.ref)
const idColumn = fieldNames.indexOf('id')
const placeColumn = fieldNames.length
const listingColumn = placeColumn + trailing.length

type Row = readonly Value[]
type Text = string | null
type ListingRow = [number, Text, Text, Text, Text, Text, number]

interface Listing extends ListedObject, Readonly<Record<'listedOn' | 'updated' | 'checked', Text>> {
  readonly sourceId: number
  readonly id: number
}

const waypointOf = readingInOrder<Waypoint>(waypointFields)

/** Waypoints that are read at a time, which is faster than one by one. */
const chunk = 1000

/** Live waypoints by id. Reviews are read in the same order and merged here; the database would search them for each waypoint. */
function* recordsOf(statements: Statements, choice: RecordChoice): Generator<WaypointRecord> {
  const reviewsOf = reviewFigures(statements, choice.ids)
  const statusOn = statusesOn(choice.day)
  const remembered = statements.columns<[string]>(sql`select "values" from records where id = ${param('id')}`)
  // Reading them of all records takes a third longer.
  const valuesOf = (listings: readonly Listing[]) =>
    choice.hasValues === true || listings.some(({ tags }) => tags !== null)
      ? listings.map(({ id }) => remembered.get({ id })?.[0] ?? '{}')
      : undefined
  const recordOf = (rows: readonly [Row, ...Row[]]): WaypointRecord => {
    const [row] = rows
    const [, reviewCount, rating] = reviewsOf(row[idColumn] as number)
    const { state, since: stateSince, lastConfirmed } = statusOn(row[listingColumn - 1] as string | null)
    const label = row[listingColumn - 2] as string | null
    return {
      ...waypointOf(row),
      ...(label !== null && { name: label, nameIsMade: true as const }),
      state,
      stateSince,
      lastConfirmed,
      place: placeOf(row),
      reviewCount,
      rating,
      ...listedBy(rows, valuesOf),
    }
  }
  let rows: [Row, ...Row[]] | undefined
  try {
    for (const some of rowsOf(statements, choice))
      for (const row of some) {
        if (rows?.[0][idColumn] === row[idColumn]) rows?.push(row)
        else {
          if (rows) yield recordOf(rows)
          rows = [row]
        }
      }
    if (rows) yield recordOf(rows)
  } finally {
    reviewsOf.end()
  }
}

function placeOf(row: Row): WaypointPlace | undefined {
  const [country, subdivision, placeName] = row.slice(placeColumn, listingColumn) as [Text, Text, Text]
  return placeIn({ country, subdivision, placeName })
}

/** The records of a waypoint's sources by their ids: sorted here, so that the database need not sort all rows. */
function listedBy(
  rows: readonly Row[],
  valuesOf: (listings: readonly Listing[]) => readonly string[] | undefined,
) {
  if (rows[0]?.[listingColumn] === null) return { sources: [] }
  const listings = rows.map(listingIn)
  if (listings.length > 1) listings.sort((one, other) => one.sourceId - other.sourceId)
  return {
    sources: listings.map(({ sourceId, ref }) => (ref === null ? { sourceId } : { sourceId, ref })),
    lastListed: latest(listings.map(({ listedOn }) => listedOn)),
    sourceUpdated: latest(listings.map(({ updated }) => updated)),
    sourceChecked: latest(listings.map(({ checked }) => checked)),
    sourceValues: valuesOf(listings),
    ...osmObjectIn(listings),
  }
}

function listingIn(row: Row): Listing {
  const [sourceId, ref, listedOn, updated, tags, checked, id] = row.slice(listingColumn) as ListingRow
  return { sourceId, ref, listedOn, updated, tags, checked, id }
}

const latest = (days: readonly (string | null)[]): string | undefined =>
  days.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one)) ?? undefined

function liveWithin({ ids, status, usable, isStated = false, day, ...filter }: RecordChoice): {
  readonly within: RawBuilder<unknown>
  readonly values: QueryValues
} {
  const facts = sql`(select facts from statuses where statuses.id = waypoints.id)`
  // Most waypoints have no facts, and cost no call.
  const state = sql`iif(${facts} is null, 'unconfirmed', ${sql.raw(stateFunction)}(${facts}, ${param('day')}))`
  const all = [
    sql`"deletedAt" is null`,
    ...conditionsOf(filter),
    ...(isStated ? [sql`${facts} is not null`] : []),
    ...(status === undefined ? [] : [isAmong(state, texts('status'))]),
    ...(usable === undefined ? [] : [usable ? isUsableIn(state) : sql`not ${isUsableIn(state)}`]),
    ...(ids === undefined ? [] : [sql`id in (select value from json_each(${param('ids')}))`]),
  ]
  return {
    within: sql.join(all, sql` and `),
    values: { ...valuesOf(filter), day, ...(status && { status }), ...(ids && { ids }) },
  }
}

/** The rows in chunks, one row for each source of a waypoint; the rows of a waypoint follow each other. */
function* rowsOf(statements: Statements, choice: RecordChoice): Generator<readonly Row[]> {
  const { within, values } = liveWithin(choice)
  // Rows come in the order of ids by themselves, without being sorted.
  const statement = statements.columns(sql`select ${sql.join(selected)}
    from waypoints w not indexed
    left join statuses k on k.id = w.id
    left join listings s on s.waypointId = w.id
    where w.id in (select id from waypoints where id > ${param('after')} and ${within}
      order by id limit ${rowCount('limit')})
    order by w.id`)
  // In chunks, the box or the ids would be searched again for each chunk.
  if (choice.bbox !== undefined || choice.ids !== undefined) {
    for (const row of statement.iterate({ ...values, after: 0, limit: -1 })) yield [row]
    return
  }
  for (let after = 0; ;) {
    const rows = statement.all({ ...values, after, limit: chunk })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last[idColumn] as number
  }
}

function extentOf(statements: Statements, choice: RecordChoice): Box | undefined {
  const { within, values } = liveWithin(choice)
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

export const recordReads = (statements: Statements) => ({
  extent: (choice: RecordChoice) => extentOf(statements, choice),
  records: (choice: RecordChoice) => recordsOf(statements, choice),
})

/** Returns a function that gives the status on a day from condensed facts as JSON text; null when nothing is known. */
function statusesOn(day: string): (facts: string | null) => Status {
  const unknown = statusOf({}, day)
  let last: { readonly facts: string; readonly status: Status } | undefined
  return (facts) => {
    if (facts === null) return unknown
    if (last?.facts !== facts) last = { facts, status: statusOf(JSON.parse(facts) as StatusFacts, day) }
    return last.status
  }
}
