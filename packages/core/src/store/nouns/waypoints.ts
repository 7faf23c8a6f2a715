import { sql, type RawBuilder } from 'kysely'
import { placeColumns } from '../../fields/place.ts'
import { listingFields, sourceTerms } from '../../fields/source.ts'
import { waypointFields } from '../../fields/waypoint.ts'
import { extent, type Found, isNarrowed, nearest, type PlaceReads } from '../../places/nearest.ts'
import { pages } from '../../rules.ts'
import type { WaypointPlace } from '../../schemas/place.ts'
import type { Box, Near, WaypointFilter, Waypoint } from '../../schemas/waypoint.ts'
import type { PositionedPlace, StoredDossier } from '../answers.ts'
import { placeIn, publicColumns, shownName, waypointOf } from '../rows.ts'
import {
  asId,
  asSubject,
  greater,
  isAmong,
  quotedText,
  build,
  byShape,
  differing,
  paged,
  query,
  type Query,
  type QueryOptions,
  type Reading,
  rowCount,
  Stream,
  type Streaming,
  text,
  texts,
  whole,
  wholes,
} from '../sql/query.ts'
import { history, logEntryText } from './changes.ts'
import { entryReads } from './entries.ts'
import { nounText } from './noun-text.ts'
import { combinedOrigins, origins, originsText, sourcesOf } from './sources.ts'
import {
  filtered,
  inCells,
  isIndexed,
  shapeOf,
  stretchValues,
  valuesOf,
  type Choice,
  type StretchValues,
} from './waypoint-filter.ts'

/** Waypoints in a chunk of a long list: enough to be fast, few enough to yield often. */
const chunkSize = 1000

/** The most waypoints of a box, or changed since a time, that an index reads before other conditions: more would be read in vain. */
const mostInBox = { alone: 5000, filtered: 20_000, share: 1 / 8 }
const fewIds = 2000
/** The most combinations of amenities that are searched for the requested ones. */
const fewCombinations = 1000

const id = sql.ref('waypoints.id')
const itsEntries = sql`entries where subject = 'waypoint' and "subjectId" = ${asSubject(id)}`

/** The end of the log of a waypoint without the changes, oldest first, as JSON objects joined by commas. */
const logText: RawBuilder<string> = sql`coalesce((select string_agg(${logEntryText}, ',' order by id)
  from (select id, "subjectId", "by", action, at from ${itsEntries} order by id desc
    limit ${sql.lit(pages.logs.max)}) as log), '')`

/** The sources of a waypoint, oldest first, as JSON objects joined by commas. */
const sourcesText: RawBuilder<string> = sql`coalesce((
  select string_agg(${nounText({ sources: sourceTerms, listings: listingFields })}, ',' order by listings.id)
  from listings join sources on sources.id = listings."sourceId"
  where listings."waypointId" = ${id}), '')`

/** The label of a waypoint without a name in place of it, and the member that says so. */
const labelled = { name: shownName }
const nameIsMadeText = sql`case when ${sql.ref('waypoints.label')} is null then '' else ',"nameIsMade":true' end`

const waypointText = nounText({ waypoints: waypointFields }, { last: nameIsMadeText, columns: labelled })

const placeNames = placeColumns.map(([column]) => column)

/** The place of a waypoint as a member of a JSON object with a comma before it; nothing when none is known. */
const placeText: RawBuilder<string> = sql`case when coalesce(${sql.join(placeNames.map((name) => sql.ref(name)))}) is null
  then '' else ',"place":{' || substr(${sql.join(
    placeColumns.map(([column, member]) => {
      const value = sql.ref<string>(column)
      return sql`case when ${value} is null then '' else ${sql.lit(`,"${member}":`)} || ${quotedText(value)} end`
    }),
    sql` || `,
  )}, 2) || '}' end`

const one = () => build.selectFrom('waypoints').where('id', '=', whole('id')).where('deletedAt', 'is', null)
const byId = query(() => one().select(publicColumns)).map(waypointOf)
const some = () =>
  build
    .selectFrom('waypoints')
    .where(isAmong(id, wholes('ids')))
    .where('deletedAt', 'is', null)
const byIds = query(() => some().select(publicColumns))
const textsByIds = query(() => some().select(['id', waypointText.as('text')]))
const dossierById = query(() =>
  one().select([
    sql<string>`${waypointText} || ${placeText}`.as('waypoint'),
    logText.as('logs'),
    sourcesText.as('sources'),
    sql<number>`(select count(*) from ${itsEntries})`.as('logsTotal'),
    'version',
    // A join with the table would make the statement ten times slower on SQLite.
    sql<string>`(select origin from state)`.as('origin'),
    sql<string>`(select ${greater(sql.ref('changedAt'), sql.ref('headAt'))} from state)`.as('lastWrite'),
    sql<string | null>`(select facts from statuses where statuses.id = ${id})`.as('facts'),
  ]),
)
const versionById = query(() => one().select('version'))
const placeById = query(() => one().select(placeNames)).map(placeIn)
const positions = query(() =>
  paged(
    build
      .selectFrom('waypoints')
      .select(['id', 'latitude', 'longitude', 'name', 'amenities', 'label', ...placeNames])
      .where('deletedAt', 'is', null),
    'id',
  ),
).map(({ amenities, ...row }) => ({
  ...row,
  amenities: JSON.parse(amenities) as string[],
  place: placeIn(row),
}))
const merged = query<{ mergedInto: number | null }>(
  () => sql`select "mergedInto" from waypoints where id = ${whole('id')} and "deletedAt" is not null`,
)
/** The first ids that an index finds, one more than are few. */
const ids = (condition: RawBuilder<unknown>) =>
  query<{ id: number }>(() => sql`select id from waypoints where ${condition} limit ${sql.lit(fewIds + 1)}`)
const isLive = sql`${sql.ref('deletedAt')} is null`
const changedIds = query<{ id: number }>(
  () => sql`select ${asId(sql.ref('subjectId'))} as id from entries
    where subject = 'waypoint' and id > ${whole('after')} order by entries.id limit ${sql.lit(fewIds + 1)}`,
)
const unapprovedIds = ids(sql`approved = 0 and ${isLive}`)
const verifiedIds = ids(sql`verified = 1 and ${isLive}`)
const idsOfAmenities = ids(sql`${isAmong(sql.ref('amenities'), texts('combinations'))} and ${isLive}`)
const combinations = query<{ amenities: string | null }>(
  () => sql`with recursive combination (amenities) as (
      select min(amenities) from waypoints where ${isLive}
      union all
      select (select min(amenities) from waypoints where amenities > combination.amenities and ${isLive})
      from combination where combination.amenities is not null)
    select amenities from combination limit ${sql.lit(fewCombinations + 1)}`,
)

/** Filters by more than ids are planned for their values: some match everything, some nothing. */
const planned = (shape: string): QueryOptions => ({
  isPlannedForValues: !['', 'among', 'bbox by cell'].includes(shape),
})
const rows = byShape(shapeOf, (choice) => filtered(choice).select(publicColumns), planned)
const waypointTexts = byShape(
  shapeOf,
  (choice) => filtered(choice).select(['waypoints.id', waypointText.as('text')]),
  planned,
)
/** The members of terms by the combination of sources, as JSON text. */
type Joined = Choice & { readonly terms?: string | undefined }
const itsOrigins = originsText(id)
const textWithTerms = nounText(
  { waypoints: waypointFields },
  {
    last: sql`${nameIsMadeText} || ${differing<string>({
      sqlite: sql`coalesce(json_extract(${text('terms')}, '$."' || ${itsOrigins} || '"'), '')`,
      postgres: sql`coalesce(${text('terms')}::jsonb ->> ${itsOrigins}, '')`,
    })}`,
    columns: labelled,
  },
)
/** The texts of a chunk, each after a comma: text in UTF-8, where the driver would otherwise make a string of each. */
const joinedTexts = byShape<Joined, { text: Uint8Array | string | null; found: number; last: number | null }>(
  (choice) => `${shapeOf(choice)}${choice.terms === undefined ? '' : ' with terms'}`,
  // SQLite joins rows as a limited selection yields them; sorting them again takes a quarter longer.
  (choice) =>
    sql`select ${differing({
      sqlite: sql`cast(',' || group_concat(text) as blob)`,
      postgres: sql`',' || string_agg(text, ',' order by id)`,
    })} as text, count(*) as found, max(id) as last from (${filtered(choice).select([
      'waypoints.id',
      (choice.terms === undefined ? waypointText : textWithTerms).as('text'),
    ])}) as listed`,
  (shape) => planned(shape.replace(/ with terms$/u, '')),
)
/** Places in the order of ids where there is a limit, otherwise in any. */
const places = byShape(
  (choice: Choice) => `${shapeOf(choice)}${choice.limit === undefined ? '' : ' by id'}`,
  (choice) => {
    const rows = filtered(choice).select(['waypoints.id', 'latitude', 'longitude'])
    return choice.limit === undefined ? rows.clearOrderBy() : rows
  },
  (shape) => planned(shape.replace(/ by id$/u, '')),
)
/** The number of waypoints that a filter leaves, counted up to its limit. */
const counted = byShape(
  shapeOf,
  (choice) =>
    sql<{
      n: number
    }>`select count(*) as n from (${filtered(choice).clearOrderBy().select('waypoints.id')}) as found`,
  planned,
)
/** Their order makes sure that PostgreSQL reads the index: it would expect to find the first few sooner in the table. */
const inside = query<{ n: number }>(
  () =>
    sql`select count(*) as n from (select 1 from ${differing({
      sqlite: inCells,
      postgres: sql`unnest(${wholes('firsts')}, ${wholes('lasts')}) as stretch (first, last)
      cross join lateral (select 1 from waypoints
        where cell between stretch.first and stretch.last order by cell limit ${rowCount('limit')}) as placed`,
    })} limit ${rowCount('limit')}) as inside`,
)
const insideEach = query<{ n: number }>(
  () =>
    sql`select (select count(*) from (select 1 from waypoints where cell between stretch.first and stretch.last
      order by cell limit ${rowCount('limit')}) as placed) as n
    from ${differing({
      sqlite: sql`(select one.key as place, one.value as first, other.value as last from json_each(${wholes('firsts')}) as one
        join json_each(${wholes('lasts')}) as other on other.key = one.key) as stretch`,
      postgres: sql`unnest(${wholes('firsts')}, ${wholes('lasts')}) with ordinality as stretch (first, last, place)`,
    })} order by place`,
)

const total = query(() => build.selectFrom('state').select('waypoints'))

function* countIn(of: StretchValues, most: number): Reading<number> {
  return (yield* inside.get({ ...of, limit: most + 1 }))?.n ?? 0
}

/** The combinations with some amenities; undefined when there are too many to tell. */
function* combinationsWith(wanted: readonly string[]): Reading<string[] | undefined> {
  const all = yield* combinations.all()
  if (all.length > fewCombinations) return undefined
  return all.flatMap(({ amenities }) => {
    if (amenities === null) return []
    const known = new Set(JSON.parse(amenities) as string[])
    return wanted.every((each) => known.has(each)) ? [amenities] : []
  })
}

/** A filter by the few ids that an index finds for one of its members, or by the combinations of its amenities. */
function* byIndexes(filter: WaypointFilter): Reading<Choice> {
  const { updatedSince, amenity = [], approved, verified } = filter
  const readings = [
    ...(updatedSince === undefined
      ? []
      : [changedIds.all({ after: yield* entryReads.idBefore(updatedSince) })]),
    ...(approved === false ? [unapprovedIds.all()] : []),
    ...(verified === true ? [verifiedIds.all()] : []),
  ]
  for (const reading of readings) {
    const found = yield* reading
    if (found.length <= fewIds) return { ...filter, among: ascending(found) }
  }
  const some = amenity.length === 0 ? undefined : yield* combinationsWith(amenity)
  if (some === undefined) return filter
  const found = yield* idsOfAmenities.all({ combinations: some })
  const { amenity: _amenity, ...rest } = filter
  return { ...rest, ...(found.length > fewIds ? { combinations: some } : { among: ascending(found) }) }
}

const ascending = (found: readonly { readonly id: number }[]): number[] =>
  [...new Set(found.map((row) => row.id))].toSorted((a, b) => a - b)

/** The best access path for a filter: by few ids, or by the cells of a box with few places. */
function* narrowed(filter: WaypointFilter): Reading<Choice> {
  const { bbox } = filter
  const choice = yield* byIndexes(filter)
  if (choice.among !== undefined) return choice
  if (bbox === undefined || !(yield* isIndexed())) return choice
  const isFiltered = isNarrowed({ ...filter, bbox: undefined, after: undefined })
  const all = (yield* total.get())?.waypoints ?? 0
  const most = Math.min(isFiltered ? mostInBox.filtered : mostInBox.alone, Math.ceil(all * mostInBox.share))
  if ((yield* countIn(stretchValues([bbox]), most)) > most) return choice
  return { ...choice, isByCell: true }
}

/** The same for a list read in chunks: the contents of a box are read once. */
function* narrowedForChunks(filter: WaypointFilter): Reading<Choice> {
  const choice = yield* narrowed(filter)
  if (choice.isByCell !== true || (filter.limit ?? Number.POSITIVE_INFINITY) <= chunkSize) return choice
  const { limit: _limit, ...all } = choice
  return { ...choice, isByCell: false, among: ascending(yield* places(all).all(valuesOf(all))) }
}

interface Chunk<Part> {
  readonly part: Part
  readonly found: number
  readonly last: number | undefined
}

const chunkOf = <Found extends { readonly id: number }, Part>(
  statement: (choice: Choice) => Query<Found>,
  partOf: (row: Found) => Part,
) =>
  function* (choice: Choice): Reading<Chunk<Part[]>> {
    const found = yield* statement(choice).all(valuesOf(choice))
    return { part: found.map(partOf), found: found.length, last: found.at(-1)?.id }
  }

const utf8 = new TextEncoder()

function* joinedChunk(choice: Joined): Reading<Chunk<Uint8Array>> {
  const { text, found = 0, last } = (yield* joinedTexts(choice).get(valuesOf(choice))) ?? {}
  return { part: text instanceof Uint8Array ? text : utf8.encode(text ?? ''), found, last: last ?? undefined }
}

/** A long list by id, in chunks of at most `chunkSize`: nothing is kept open between them. */
function* chunks<Part>(
  filter: WaypointFilter,
  read: (choice: Choice) => Reading<Chunk<Part>>,
): Streaming<Part> {
  const choice = yield* narrowedForChunks(filter)
  let left = filter.limit ?? Number.POSITIVE_INFINITY
  let after = filter.after ?? 0
  let among = choice.among?.filter((each) => each > after)
  while (left > 0 && among?.length !== 0) {
    const limit = Math.min(left, chunkSize)
    const some = among?.slice(0, chunkSize)
    among = among?.slice(chunkSize)
    const step = { ...choice, after, limit, ...(some && { among: some }) }
    const { part, found, last } = yield* read(step)
    if (found > 0) yield { piece: part }
    if (among === undefined && found < limit) return
    left -= found
    after = last ?? after
  }
}

const placeReads: PlaceReads = {
  isIndexed,
  *countEach(stretches, most) {
    const [firsts, lasts] = [stretches.map(([first]) => first), stretches.map(([, last]) => last)]
    return (yield* insideEach.all({ firsts, lasts, limit: most + 1 })).map(({ n }) => n)
  },
  narrowed,
  *isMore(choice, than) {
    return ((yield* counted(choice).get(valuesOf({ ...choice, limit: than + 1 })))?.n ?? 0) > than
  },
  *places(filter, stretch) {
    const choice: Choice = stretch === undefined ? filter : { ...filter, isByCell: true }
    const values = valuesOf(choice)
    return yield* places(choice).all(
      stretch === undefined ? values : { ...values, firsts: [stretch[0]], lasts: [stretch[1]] },
    )
  },
}

function inOrder<Row extends { readonly id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((each) => found.get(each) ?? [])
}

export const waypointReads = {
  get: (ofId: number): Reading<Waypoint | undefined> => byId.get({ id: ofId }),
  *some(ids: readonly number[]): Reading<Waypoint[]> {
    return inOrder(ids, yield* byIds.all({ ids })).map(waypointOf)
  },
  *texts(ids: readonly number[]): Reading<string[]> {
    return inOrder(ids, yield* textsByIds.all({ ids })).map(({ text }) => text)
  },
  dossier: (ofId: number): Reading<StoredDossier | undefined> => dossierById.get({ id: ofId }),
  *version(ofId: number): Reading<number | undefined> {
    return (yield* versionById.get({ id: ofId }))?.version
  },
  place: (ofId: number): Reading<WaypointPlace | undefined> => placeById.get({ id: ofId }),
  positions: (after: number, limit: number): Reading<PositionedPlace[]> => positions.all({ after, limit }),
  *mergedInto(ofId: number): Reading<number | undefined> {
    return (yield* merged.get({ id: ofId }))?.mergedInto ?? undefined
  },
  /** By id, in chunks of at most a thousand. */
  chunks: new Stream((filter: WaypointFilter): Streaming<Waypoint[]> =>
    chunks(filter, chunkOf(rows, waypointOf)),
  ),
  /** JSON texts by id, in chunks of at most a thousand. */
  textChunks: new Stream((filter: WaypointFilter): Streaming<string[]> =>
    chunks(
      filter,
      chunkOf(waypointTexts, (row) => row.text),
    ),
  ),
  /** The same in UTF-8, each text after a comma, with further members by the combination of its sources (`combinedOrigins`). */
  joinedChunks: new Stream((filter: WaypointFilter, terms: string | undefined): Streaming<Uint8Array> =>
    chunks(filter, (choice) => joinedChunk({ ...choice, terms })),
  ),
  near: (filter: WaypointFilter & { readonly near: Near }): Reading<Found[]> => nearest(filter, placeReads),
  extent: (): Reading<Box | undefined> => extent(placeReads),
  *count(filter: WaypointFilter): Reading<number> {
    const choice = yield* narrowed(filter)
    return (yield* counted(choice).get(valuesOf(choice)))?.n ?? 0
  },
  sources: sourcesOf,
  origins,
  combinedOrigins,
  history,
}
