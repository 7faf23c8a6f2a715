import { sql, type RawBuilder } from 'kysely'
import type { Box, WaypointFilter } from '../../../schemas/filter.ts'
import { pages } from '../../../rules.ts'
import type { WaypointPlace } from '../../../schemas/place.ts'
import type { Waypoint } from '../../../schemas/waypoint.ts'
import type { PositionedPlace, StoredDossier } from '../../reads.ts'
import { cellsOf, everywhere, type Stretch } from '../../../places/z-order.ts'
import { placesAreIndexed } from '../connection/deferred-indexes.ts'
import { listingFields, sourceTerms } from '../../../fields/source.ts'
import { placeColumns } from '../../../fields/place.ts'
import { fieldNames, waypointFields } from '../../../fields/waypoint.ts'
import { placeIn, waypointOf } from '../../rows.ts'
import { unindexedConditions, unindexedShape, unindexedValues } from '../../unindexed.ts'
import { joinedText, nounText } from './noun-text.ts'
import { build, limitParam, param, type Statement, type Statements } from '../connection/statement.ts'
import type { Schema } from '../schema.ts'
import type { Values } from '../../value.ts'

/** Waypoints in a chunk of a long list: enough to be fast, few enough to yield often. */
export const chunkSize = 1000

/**
 * The entries about a waypoint. `subjectId` has no type of its own: without the plus, SQLite would convert every one of
 * them to compare it with an integer column, and use no index.
 */
const itsEntries = sql`entries where subject = 'waypoint' and subjectId = +waypoints.id`

/** The end of the log of a waypoint without the changes, oldest first, as JSON objects joined by commas. */
const logText: RawBuilder<string> = sql<string>`coalesce((
  select group_concat('{"id":' || id || ',"bubblerId":' || subjectId || ',"userId":' || json_quote(by)
    || ',"action":"' || action || '","timestamp":"' || at || '"}', ',' order by id)
  from (select * from ${itsEntries} order by id desc limit ${sql.lit(pages.logs.max)})), '')`

/** The sources of a waypoint, oldest first, as JSON objects joined by commas. */
const sourcesText: RawBuilder<string> = sql<string>`coalesce((
  select group_concat(${joinedText({ sources: sourceTerms, listings: listingFields })}, ',' order by listings.id)
  from listings join sources on sources.id = listings.sourceId
  where waypointId = waypoints.id), '')`

const waypointText = nounText(waypointFields)

const placeNames = placeColumns.map(([column]) => column)

/** The place of a waypoint as a member of a JSON object with a comma before it; nothing when none is known. */
const placeText: RawBuilder<string> = sql<string>`iif(coalesce(${sql.join(placeNames.map((name) => sql.ref(name)))}) is null, '',
  ',"place":{' || substr(concat(${sql.join(
    placeColumns.map(
      ([column, member]) =>
        sql`${sql.lit(`,"${member}":`)} || nullif(json_quote(${sql.ref(column)}), 'null')`,
    ),
  )}), 2) || '}')`

/** A waypoint with its place, the end of its log and its sources as the text of a JSON object that is not closed yet. */
const dossierText: RawBuilder<string> = sql<string>`'{"waypoint":' || ${waypointText} || ${placeText}
  || ',"logs":[' || ${logText} || '],"sources":[' || ${sourcesText} || ']'`

/**
 * Live waypoints in the stretches of `cellsOf`, bound as `cells`: those in a box, and some outside it. SQLite keeps the
 * order of a cross join, and reads only the index.
 */
export const inCells = sql`json_each(${param('cells')}) as stretch cross join waypoints as placed
  where placed.cell >= stretch.value ->> 0 and placed.cell <= stretch.value ->> 1`

const betweenParallels = sql`latitude between ${param('south')} and ${param('north')}`
const betweenMeridians = sql`longitude between ${param('west')} and ${param('east')}`
/** A box across the antimeridian consists of two ranges of longitude. */
const acrossAntimeridian = sql`(longitude >= ${param('west')} or longitude <= ${param('east')})`

function exactly([west, , east]: Box): RawBuilder<boolean> {
  return sql<boolean>`${west > east ? acrossAntimeridian : betweenMeridians} and ${betweenParallels}`
}

/** Whether a waypoint lies in a box: by its cell first, then exactly. */
export function boxCondition(box: Box): RawBuilder<boolean> {
  return sql<boolean>`id in (select placed.id from ${inCells}) and ${exactly(box)}`
}

/** The most changes since a time that are found by the index of updates instead of scanning all waypoints. */
const fewUpdated = 2000

/** A filter; `among` has the ids to which it is narrowed as a JSON array, when they are known and few. */
export interface Choice extends WaypointFilter {
  readonly among?: string
}

/** The members that a choice has, which determine its SQL. */
function shapeOf(choice: Choice): string {
  const { bbox, amenity, region, country, subdivision, approved, verified, status, updatedSince, among } =
    choice
  return [
    bbox && (bbox[0] > bbox[2] ? 'split' : 'bbox'),
    amenity && `amenity${amenity.length}`,
    region !== undefined && 'region',
    country !== undefined && 'country',
    subdivision !== undefined && 'subdivision',
    approved !== undefined && 'approved',
    verified !== undefined && 'verified',
    status !== undefined && (status === 'unconfirmed' ? 'unconfirmed' : 'status'),
    updatedSince !== undefined && 'updatedSince',
    among !== undefined && 'among',
    unindexedShape(choice),
  ]
    .filter(Boolean)
    .join(' ')
}

/** The values of a box for `boxCondition`. Without the index of places, all waypoints are scanned once. */
export function boxValues(statements: Statements, box: Box): Values {
  const [west, south, east, north] = box
  const cells = placesAreIndexed(statements) ? cellsOf(box) : [everywhere]
  return { west, south, east, north, cells: JSON.stringify(cells) }
}

function valuesOf(statements: Statements, choice: Choice): Values {
  const { bbox, amenity, region, country, subdivision, approved, verified } = choice
  const { status, updatedSince, among, after = 0, limit } = choice
  return {
    ...(bbox && boxValues(statements, bbox)),
    ...Object.fromEntries((amenity ?? []).map((each, index) => [`amenity${index}`, each])),
    ...(region !== undefined && { region }),
    ...(country !== undefined && { country }),
    ...(subdivision !== undefined && { subdivision }),
    ...(approved !== undefined && { approved: approved ? 1 : 0 }),
    ...(verified !== undefined && { verified: verified ? 1 : 0 }),
    ...(status !== undefined && { status }),
    ...(updatedSince !== undefined && { updatedSince }),
    ...(among !== undefined && { among }),
    ...unindexedValues(choice),
    after,
    limit: limit ?? -1,
  }
}

/** The conditions of a choice, except for its box and ids. */
function conditionsOf(choice: Choice) {
  const { bbox, amenity, region, country, subdivision, approved, verified, status, updatedSince, among } =
    choice
  const conditions = [...(amenity ?? []).keys()].map(
    (index) =>
      sql<boolean>`exists (select 1 from json_each(amenities) where value = ${param(`amenity${index}`)})`,
  )
  if (region !== undefined) conditions.push(sql<boolean>`coalesce(region, placeName) = ${param('region')}`)
  // SQLite does not know that a country has very many, and a box or some ids few.
  const unlessFew = bbox === undefined && among === undefined ? sql`` : sql`+`
  if (country !== undefined) conditions.push(sql<boolean>`${unlessFew}country = ${param('country')}`)
  if (subdivision !== undefined)
    conditions.push(sql<boolean>`${unlessFew}subdivision = ${param('subdivision')}`)
  if (approved !== undefined) conditions.push(sql<boolean>`approved = ${param('approved')}`)
  if (verified !== undefined) conditions.push(sql<boolean>`verified = ${param('verified')}`)
  if (status !== undefined) conditions.push(inState(status))
  if (updatedSince !== undefined) conditions.push(sql<boolean>`updatedAt >= ${param('updatedSince')}`)
  conditions.push(...unindexedConditions(choice, param))
  if (among !== undefined)
    conditions.push(sql<boolean>`id in (select value from json_each(${param('among')}))`)
  return conditions
}

/** Of a waypoint without a state, nothing is known. */
function inState(status: NonNullable<Choice['status']>): RawBuilder<boolean> {
  return status === 'unconfirmed'
    ? sql<boolean>`not exists (select 1 from statuses s where s.id = waypoints.id and s.state <> 'unconfirmed')`
    : sql<boolean>`exists (select 1 from statuses s where s.id = waypoints.id and s.state = ${param('status')})`
}

/**
 * The waypoints that are in a state, by id: found by the index of states, in its order. SQLite keeps the order of a cross
 * join.
 */
const byState = sql<Schema['waypoints'] & { place: number }>`(select waypoints.*, statuses.id as place
  from statuses cross join waypoints on waypoints.id = statuses.id
  where statuses.state = ${param('status')} and statuses.id > ${param('after')} order by statuses.id)`

function filtered(choice: Choice) {
  const { bbox, region, among, status } = choice
  const isByState =
    status !== undefined && status !== 'unconfirmed' && (bbox ?? region ?? among) === undefined
  const { status: _found, ...others } = choice
  if (isByState)
    return conditionsOf(others).reduce(
      (narrowed, condition) => narrowed.where(condition),
      build
        .selectFrom(byState.as('waypoints'))
        .where('deletedAt', 'is', null)
        .orderBy('place')
        .limit(limitParam('limit')),
    ) as unknown as ReturnType<typeof filteredById>
  return filteredById(choice)
}

function filteredById(choice: Choice) {
  const query = build
    .selectFrom('waypoints')
    .where('deletedAt', 'is', null)
    .where('id', '>', param<number>('after'))
    .orderBy('id')
    .limit(limitParam('limit'))
  const { bbox } = choice
  const conditions = [...(bbox ? [boxCondition(bbox)] : []), ...conditionsOf(choice)]
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query)
}

/** The waypoints of a choice in one stretch of cells, found by the index of cells. */
function inStretch(choice: Choice) {
  const stretch = sql`(select * from waypoints indexed by waypointsByCell
    where cell >= ${param('first')} and cell <= ${param('last')})`
  const { bbox } = choice
  const conditions = [...(bbox ? [exactly(bbox)] : []), ...conditionsOf(choice)]
  return conditions.reduce(
    (narrowed, condition) => narrowed.where(condition),
    build
      .selectFrom(stretch.as('waypoints'))
      .where(sql<boolean>`+id > ${param('after')}`)
      .select([
        sql<number>`id`.as('id'),
        sql<number>`latitude`.as('latitude'),
        sql<number>`longitude`.as('longitude'),
      ]),
  )
}

/** Reads live waypoints on one connection. */
export function waypointReads(statements: Statements) {
  const byId = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(fieldNames)
      .where('id', '=', param<number>('id'))
      .where('deletedAt', 'is', null),
  )
  const textById = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(waypointText.as('text'))
      .where('id', '=', param<number>('id'))
      .where('deletedAt', 'is', null),
  )
  const dossierById = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select([
        dossierText.as('text'),
        sql<number>`(select count(*) from ${itsEntries})`.as('logsTotal'),
        'version',
        // A join with the table would make the statement ten times slower (benchmark row by-id).
        sql<string>`(select origin from state)`.as('origin'),
        sql<string>`(select max(changedAt, coalesce(headAt, '')) from state)`.as('lastWrite'),
        sql<string | null>`(select facts from statuses where statuses.id = waypoints.id)`.as('facts'),
      ])
      .where('id', '=', param<number>('id'))
      .where('deletedAt', 'is', null),
  )
  const placeById = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(placeNames)
      .where('id', '=', param<number>('id'))
      .where('deletedAt', 'is', null),
  )
  const positions = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(['id', 'latitude', 'longitude', ...placeNames])
      .where('deletedAt', 'is', null)
      .where('id', '>', param<number>('after'))
      .orderBy('id')
      .limit(limitParam('limit')),
  )
  const merged = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('mergedInto')
      .where('id', '=', param<number>('id'))
      .where('deletedAt', 'is not', null),
  )
  const updatedIds = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('id')
      .where('updatedAt', '>=', param<string>('updatedSince'))
      .limit(sql.lit(fewUpdated + 1)),
  )
  // SQLite would scan all waypoints by id, since it does not know how few of them changed.
  function chosen(filter: Choice): Choice {
    const { updatedSince, among } = filter
    if (updatedSince === undefined || among !== undefined) return filter
    const ids = updatedIds.all({ updatedSince }).map(({ id }) => id)
    return ids.length > fewUpdated ? filter : { ...filter, among: JSON.stringify(ids) }
  }
  const rows = (filter: Choice) =>
    statements.shaped(`waypoints: ${shapeOf(filter)}`, () => filtered(filter).select(fieldNames))
  const texts = (filter: Choice) =>
    statements.shaped(`waypoint texts: ${shapeOf(filter)}`, () =>
      filtered(filter).select(['id', waypointText.as('text')]),
    )
  const pages = (filter: Choice) =>
    statements.shaped(`waypoint pages: ${shapeOf(filter)}`, () =>
      build
        .selectFrom(
          filtered(filter)
            .select(['id', waypointText.as('text')])
            .as('page'),
        )
        .select([
          sql<Uint8Array<ArrayBuffer> | null>`cast(${param('start')} || group_concat(text, ',' order by id) as blob)`.as(
            'bytes',
          ),
          sql<number>`max(id)`.as('last'),
          sql<number>`count(*)`.as('n'),
        ]),
    )
  const places = (filter: Choice) =>
    statements.shaped(`places: ${shapeOf(filter)}`, () =>
      filtered(filter).select(['id', 'latitude', 'longitude']),
    )

  /** Pages by id, so that a long list never holds the connection. */
  function* chunks<Row extends { id: number }>(statement: Statement<Row>, filter: Choice): Generator<Row[]> {
    let left = filter.limit ?? Number.POSITIVE_INFINITY
    let after = filter.after ?? 0
    while (left > 0) {
      const limit = Math.min(left, chunkSize)
      const page = statement.all(valuesOf(statements, { ...filter, after, limit }))
      if (page.length > 0) yield page
      const last = page.at(-1)
      if (last === undefined || page.length < limit) return
      left -= page.length
      after = last.id
    }
  }

  return {
    get(id: number): Waypoint | undefined {
      const row = byId.get({ id })
      return row && waypointOf(row)
    },
    /** JSON text of a waypoint. */
    text(id: number): string | undefined {
      return textById.get({ id })?.text
    },
    dossier(id: number): StoredDossier | undefined {
      const found = dossierById.get({ id })
      return found && { ...found, text: `${found.text},"logsTotal":${found.logsTotal}}` }
    },
    place(id: number): WaypointPlace | undefined {
      const row = placeById.get({ id })
      return row && placeIn(row)
    },
    positions(after: number, limit: number): PositionedPlace[] {
      return positions
        .all({ after, limit })
        .map(({ id, latitude, longitude, ...row }) => ({ id, latitude, longitude, place: placeIn(row) }))
    },
    /** The waypoint that a tombstone was merged into. */
    mergedInto: (id: number): number | undefined => merged.get({ id })?.mergedInto ?? undefined,
    /** By id, in chunks of at most `chunkSize`. */
    *chunks(filter: Choice): Generator<Waypoint[]> {
      const choice = chosen(filter)
      for (const page of chunks(rows(choice), choice)) yield page.map(waypointOf)
    },
    /** JSON texts by id, in chunks of at most `chunkSize`. */
    *textChunks(filter: Choice): Generator<string[]> {
      const choice = chosen(filter)
      for (const page of chunks(texts(choice), choice)) yield page.map(({ text }) => text)
    },
    /**
     * `opening` and the JSON texts by id, joined by commas, as UTF-8, in pieces of at most `chunkSize`, built by SQLite,
     * which is faster than joining texts in JavaScript. No piece when there are no waypoints.
     */
    *pages(filter: Choice, opening: string): Generator<Uint8Array<ArrayBuffer>> {
      const choice = chosen(filter)
      let left = filter.limit ?? Number.POSITIVE_INFINITY
      let after = filter.after ?? 0
      let start = opening
      while (left > 0) {
        const limit = Math.min(left, chunkSize)
        const page = pages(choice).get({ ...valuesOf(statements, { ...choice, after, limit }), start })
        if (!page?.bytes) return
        yield page.bytes
        if (page.n < limit) return
        left -= page.n
        after = page.last
        start = ','
      }
    },
    /** Ids and positions of all waypoints in a stretch of the curve, unordered and without a limit. */
    placesInStretch(
      filter: WaypointFilter,
      [first, last]: Stretch,
    ): {
      id: number
      latitude: number
      longitude: number
    }[] {
      const statement = statements.shaped(`stretch: ${shapeOf(filter)}`, () => inStretch(filter))
      return statement.all({ ...valuesOf(statements, filter), first, last })
    },
    /** Ids and positions, by id. */
    places(filter: WaypointFilter): { id: number; latitude: number; longitude: number }[] {
      const choice = chosen(filter)
      return places(choice).all(valuesOf(statements, choice))
    },
  }
}
export type WaypointReads = ReturnType<typeof waypointReads>
