import { sql, type RawBuilder } from 'kysely'
import {
  fieldNames,
  listingFields,
  placeColumns,
  sourceTerms,
  waypointFields,
} from '@openfountain/core/fields'
import { pages as pageSizes } from '@openfountain/core/rules'
import {
  isNarrowed,
  placeIn,
  waypointOf,
  type PositionedPlace,
  type StoredDossier,
  type Stretch,
  type Waypoint,
  type WaypointFilter,
  type WaypointPlace,
} from '@openfountain/core/engine'
import { placeCounts } from './bounds.ts'
import { logEntryText } from './log-text.ts'
import { nounText, quoted } from './noun-text.ts'
import { build, text, whole, type Statement, type Statements, type Values } from '../connection/statement.ts'
import { filtered, shapeOf, valuesOf, type Choice } from './waypoint-filter.ts'

/** Waypoints in a chunk of a long list: enough to be fast, few enough to yield often. */
const chunkSize = 1000

/**
 * The most waypoints in a box, and changes since a time, that an index finds before the other conditions are looked at. Where
 * there are other conditions, more of those that are read by id would be in vain.
 */
const mostInBox = { alone: 5000, filtered: 20_000 }
const fewUpdated = 2000

const itsEntries = sql`entries where subject = 'waypoint' and "subjectId" = waypoints.id::text`

/** The end of the log of a waypoint, oldest first, as JSON objects joined by commas. */
const logText: RawBuilder<string> = sql`coalesce((select string_agg(${logEntryText}, ',' order by id)
  from (select id, "subjectId", by, action, at from ${itsEntries} order by id desc
    limit ${sql.lit(pageSizes.logs.max)}) as log), '')`

/** The sources of a waypoint, oldest first, as JSON objects joined by commas. */
const sourcesText: RawBuilder<string> = sql`coalesce((
  select string_agg(${nounText({ sources: sourceTerms, listings: listingFields })}, ',' order by listings.id)
  from listings join sources on sources.id = listings."sourceId"
  where listings."waypointId" = waypoints.id), '')`

const waypointText = nounText({ waypoints: waypointFields })

const placeNames = placeColumns.map(([column]) => column)

/** The place of a waypoint as a member of a JSON object with a comma before it; nothing when none is known. */
const placeText: RawBuilder<string> = sql`case when coalesce(${sql.join(placeNames.map((name) => sql.ref(name)))}) is null
  then '' else ',"place":{' || substr(concat(${sql.join(
    placeColumns.map(
      ([column, member]) => sql`${sql.lit(`,"${member}":`)} || ${quoted(sql.ref<string>(column))}`,
    ),
  )}), 2) || '}' end`

/** A waypoint with its place, the end of its log and its sources as the text of a JSON object that is not closed yet. */
const dossierText: RawBuilder<string> = sql`'{"waypoint":' || ${waypointText} || ${placeText}
  || ',"logs":[' || ${logText} || '],"sources":[' || ${sourcesText} || ']'`

export interface PlaceRow {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
}

/** Reads live waypoints. */
export function waypointReads(statements: Statements) {
  const countIn = placeCounts(statements)
  const one = () => build.selectFrom('waypoints').where('id', '=', whole('id')).where('deletedAt', 'is', null)
  const byId = statements.prepare(() => one().select(fieldNames))
  const textById = statements.prepare(() => one().select(waypointText.as('text')))
  const dossierById = statements.prepare(() =>
    one().select([
      dossierText.as('text'),
      sql<number>`(select count(*) from ${itsEntries})`.as('logsTotal'),
      'version',
      sql<string>`(select origin from state)`.as('origin'),
      sql<string>`(select greatest("changedAt", "headAt") from state)`.as('lastWrite'),
      sql<string | null>`(select facts from statuses where statuses.id = waypoints.id)`.as('facts'),
    ]),
  )
  const placeById = statements.prepare(() => one().select(placeNames))
  const positions = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select(['id', 'latitude', 'longitude', ...placeNames])
      .where('deletedAt', 'is', null)
      .where('id', '>', whole('after'))
      .orderBy('id')
      .limit(whole('limit')),
  )
  const merged = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('mergedInto')
      .where('id', '=', whole('id'))
      .where('deletedAt', 'is not', null),
  )
  const updatedIds = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('id')
      .where('updatedAt', '>=', text('updatedSince'))
      .limit(sql.lit(fewUpdated + 1)),
  )

  /** What is filtered by more than ids is planned for its values: some leave everything, some nothing. */
  const planned = (shape: string) => ({ forValues: !['', 'among', 'bbox by cell'].includes(shape) })
  const rows = (choice: Choice) => {
    const shape = shapeOf(choice)
    return statements.shaped(`waypoints: ${shape}`, () => filtered(choice).select(fieldNames), planned(shape))
  }
  const texts = (choice: Choice) => {
    const shape = shapeOf(choice)
    return statements.shaped(
      `waypoint texts: ${shape}`,
      () => filtered(choice).select(['waypoints.id', waypointText.as('text')]),
      planned(shape),
    )
  }
  const pages = (choice: Choice) => {
    const shape = shapeOf(choice)
    return statements.shaped(
      `waypoint pages: ${shape}`,
      () =>
        build
          .selectFrom(
            filtered(choice)
              .select(['waypoints.id', waypointText.as('text')])
              .as('page'),
          )
          .select([
            sql<string | null>`string_agg(text, ',' order by id)`.as('text'),
            sql<number>`max(id)`.as('last'),
            sql<number>`count(*)`.as('n'),
          ]),
      planned(shape),
    )
  }
  const places = (choice: Choice) => {
    const shape = shapeOf(choice)
    return statements.shaped(
      `places: ${shape}`,
      () => filtered(choice).select(['waypoints.id', 'latitude', 'longitude']),
      planned(shape),
    )
  }
  /** How a filter is best looked through: by the cells of a box with few places, or the ids of those that changed of late. */
  async function narrowed(filter: WaypointFilter): Promise<Choice> {
    const { bbox, updatedSince } = filter
    if (updatedSince !== undefined) {
      const ids = (await updatedIds.all({ updatedSince })).map(({ id }) => id)
      if (ids.length <= fewUpdated) return { ...filter, among: ids.toSorted((a, b) => a - b) }
    }
    const most = isNarrowed({ ...filter, bbox: undefined }) ? mostInBox.filtered : mostInBox.alone
    if (bbox === undefined || (await countIn(bbox, most)) > most) return filter
    const byCell = { ...filter, isByCell: true }
    if (filter.limit !== undefined && filter.limit <= chunkSize) return byCell
    const found = await places(byCell).all(valuesOf(byCell))
    return { ...filter, among: found.map(({ id }) => id) }
  }

  /** The steps in which a long list is read, by id: nothing is kept open between them. */
  async function* steps(
    filter: WaypointFilter,
    read: (choice: Choice, values: Values) => Promise<{ readonly count: number; readonly last: number }>,
  ): AsyncGenerator<void> {
    const choice = await narrowed(filter)
    let left = filter.limit ?? Number.POSITIVE_INFINITY
    let after = filter.after ?? 0
    let among = choice.among?.filter((id) => id > after)
    while (left > 0 && among?.length !== 0) {
      const limit = Math.min(left, chunkSize)
      const some = among?.slice(0, chunkSize)
      among = among?.slice(chunkSize)
      const step = { ...choice, after, limit, ...(some && { among: some }) }
      const { count, last } = await read(step, valuesOf(step))
      if (count > 0) yield
      if (among === undefined && count < limit) return
      left -= count
      after = last
    }
  }

  async function* chunks<Row extends { readonly id: number }>(
    filter: WaypointFilter,
    statement: (choice: Choice) => Statement<Row>,
  ): AsyncGenerator<Row[]> {
    let page: Row[] = []
    const read = async (choice: Choice, values: Values) => {
      page = await statement(choice).all(values)
      return { count: page.length, last: page.at(-1)?.id ?? choice.after ?? 0 }
    }
    for await (const _ of steps(filter, read)) yield page
  }

  return {
    async get(id: number): Promise<Waypoint | undefined> {
      const row = await byId.get({ id })
      return row && waypointOf(row)
    },
    text: async (id: number): Promise<string | undefined> => (await textById.get({ id }))?.text,
    async dossier(id: number): Promise<StoredDossier | undefined> {
      const found = await dossierById.get({ id })
      return found && { ...found, text: `${found.text},"logsTotal":${found.logsTotal}}` }
    },
    async place(id: number): Promise<WaypointPlace | undefined> {
      const row = await placeById.get({ id })
      return row && placeIn(row)
    },
    async positions(after: number, limit: number): Promise<PositionedPlace[]> {
      const found = await positions.all({ after, limit })
      return found.map(({ id, latitude, longitude, ...row }) => ({
        id,
        latitude,
        longitude,
        place: placeIn(row),
      }))
    },
    mergedInto: async (id: number): Promise<number | undefined> =>
      (await merged.get({ id }))?.mergedInto ?? undefined,
    async *chunks(filter: WaypointFilter): AsyncGenerator<Waypoint[]> {
      for await (const page of chunks(filter, rows)) yield page.map(waypointOf)
    },
    async *textChunks(filter: WaypointFilter): AsyncGenerator<string[]> {
      for await (const page of chunks(filter, texts)) yield page.map((row) => row.text)
    },
    async *pages(filter: WaypointFilter, opening: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const encoder = new TextEncoder()
      let start = opening
      let page = ''
      const read = async (choice: Choice, values: Values) => {
        const { n = 0, last = 0, text: joined = '' } = (await pages(choice).get(values)) ?? {}
        page = joined ?? ''
        return { count: n, last: n === 0 ? (choice.after ?? 0) : last }
      }
      for await (const _ of steps(filter, read)) {
        yield encoder.encode(start + page)
        start = ','
      }
    },
    /** Ids and positions of all waypoints in a stretch of the curve, in any order and without a limit. */
    placesInStretch: (filter: WaypointFilter, [first, last]: Stretch): Promise<PlaceRow[]> => {
      const choice = { ...filter, isByCell: true }
      return places(choice).all({ ...valuesOf(choice), firsts: [first], lasts: [last] })
    },
    /** Ids and positions, by id. */
    async places(filter: WaypointFilter): Promise<PlaceRow[]> {
      const { bbox, updatedSince } = filter
      const isByCell = bbox !== undefined && (await countIn(bbox, mostInBox.alone)) <= mostInBox.alone
      const choice = isByCell
        ? { ...filter, isByCell }
        : updatedSince === undefined
          ? filter
          : await narrowed(filter)
      return places(choice).all(valuesOf(choice))
    },
  }
}
export type WaypointReads = ReturnType<typeof waypointReads>
