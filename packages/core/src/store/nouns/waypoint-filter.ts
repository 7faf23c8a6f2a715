import { sql, type RawBuilder } from 'kysely'
import { forEachCompared } from '../../fields/waypoint.ts'
import { cellsOf, everywhere } from '../../places/geodesy.ts'
import type { Box, WaypointFilter } from '../../schemas/waypoint.ts'
import { shownName, type Row } from '../rows.ts'
import {
  byOthers,
  hasAll,
  hasText,
  isAmong,
  build,
  differing,
  query,
  type Reading,
  type QueryValues,
  real,
  rowCount,
  text,
  texts,
  whole,
  wholes,
} from '../sql/query.ts'

/** A filter, narrowed to few ids or combinations where possible. */
export interface Choice extends WaypointFilter {
  /** The ids to which it is narrowed, ascending, when there are few. */
  readonly among?: readonly number[] | undefined
  /** The combinations of amenities that have all of its amenities, when they are known. */
  readonly combinations?: readonly string[] | undefined
  /** Whether its box is searched by the index of cells. Default false: by id. */
  readonly isByCell?: boolean | undefined
}

const column = (name: string): RawBuilder<never> => sql`${sql.ref(`waypoints.${name}`)}`

/** The waypoints in stretches of the curve, which have the ends `firsts` and `lasts`. The index of cells is read for each. */
export const inCells = differing<{ id: number; cell: number }>({
  // SQLite keeps the order of a cross join, and makes an index of a materialized table.
  sqlite: sql`json_each(${wholes('firsts')}) as first cross join
    (with ends as materialized (select key, value from json_each(${wholes('lasts')})) select * from ends) as last
    on last.key = first.key cross join waypoints as placed
    on placed.cell >= first.value and placed.cell <= last.value`,
  // The offset prevents PostgreSQL from using another order.
  postgres: sql`unnest(${wholes('firsts')}, ${wholes('lasts')}) as stretch (first, last)
    cross join lateral (select * from waypoints where cell between stretch.first and stretch.last offset 0) as placed`,
})

const betweenParallels = sql`${column('latitude')} between ${real('south')} and ${real('north')}`
const betweenMeridians = sql`${column('longitude')} between ${real('west')} and ${real('east')}`
/** A box across the antimeridian consists of two ranges of longitude. */
const acrossAntimeridian = sql`(${column('longitude')} >= ${real('west')} or ${column('longitude')} <= ${real('east')})`

const isInBox = ([west, , east]: Box): RawBuilder<boolean> =>
  sql`${west > east ? acrossAntimeridian : betweenMeridians} and ${betweenParallels}`

/** Whether a waypoint lies in a box: by its cell first, then exactly. */
export const boxCondition = (box: Box): RawBuilder<boolean> =>
  sql`${column('id')} in (select placed.id from ${inCells}) and ${isInBox(box)}`

/** The ends of stretches of the curve, of which no two have a cell in common. */
export interface StretchValues {
  readonly firsts: readonly number[]
  readonly lasts: readonly number[]
}

/** The stretches in which boxes lie: each place is in one of them. @param most pieces of a box */
export function stretchValues(boxes: readonly Box[], most?: number): StretchValues {
  const [firsts, lasts]: [number[], number[]] = [[], []]
  const all = boxes.flatMap((box) => cellsOf(box, most))
  // Boxes, as well as the two halves of one across the antimeridian, may have stretches in common.
  for (const [first, last] of all.toSorted((one, other) => one[0] - other[0])) {
    const before = lasts.at(-1)
    if (before !== undefined && first <= before) lasts[lasts.length - 1] = Math.max(before, last)
    else {
      firsts.push(first)
      lasts.push(last)
    }
  }
  return { firsts, lasts }
}

/** The one stretch in which everything lies, where there is no index of cells. */
export const everywhereValues: StretchValues = { firsts: [everywhere[0]], lasts: [everywhere[1]] }

const placeIndexes = query<{ n: number }>(() =>
  differing({
    sqlite: sql`select count(*) as n from sqlite_schema where name = 'waypointsByCell'`,
    postgres: sql`select 1 as n`,
  }),
)

export function* isIndexed(): Reading<boolean> {
  return (yield* placeIndexes.get())?.n === 1
}

export function boxValues(box: Box): QueryValues {
  const [west, south, east, north] = box
  return { west, south, east, north, ...stretchValues([box]) }
}

const itsSources = sql`records r join sources s on s.id = r."sourceId" where r."waypointId" = ${column('id')}`
const fromSource = (name: string, value: RawBuilder<string>): RawBuilder<boolean> =>
  sql`exists (select 1 from ${itsSources} and s.${sql.ref(name)} = ${value})`

const itsState = (condition: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`exists (select 1 from statuses s where s.id = ${column('id')} and ${condition})`

/** Of a waypoint without a state, nothing is known: it is unconfirmed. */
const inStates = (states: readonly string[]): RawBuilder<boolean> => {
  const isListed = isAmong(sql`s.state`, texts('status'))
  return states.includes('unconfirmed') ? sql`not ${itsState(sql`not ${isListed}`)}` : itsState(isListed)
}

const mayBeUsed = sql`coalesce(${column('access')}, '') <> 'private' and coalesce(${column('drinkable')}, '') <> 'no'`
const isUsable = sql<boolean>`(not ${itsState(sql`s.state in ('broken', 'off', 'gone')`)} and ${mayBeUsed})`
/** The same of a waypoint in a state. */
export const isUsableIn = (state: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${state} not in ('broken', 'off', 'gone') and ${mayBeUsed})`

/** Members of a choice that are compared with a column, with how. */
const conditions: {
  readonly [Name in keyof Choice]?: (choice: Choice) => RawBuilder<boolean>
} = {
  ...forEachCompared((name) => () => sql`${column(name)} = ${text(name)}`),
  name: () => sql`${shownName} = ${text('name')}`,
  id: () => sql`${column('id')} = ${whole('id')}`,
  bbox: ({ bbox = [0, 0, 0, 0] }) => isInBox(bbox),
  // A text in a text is found many times sooner than a member of an array.
  amenity: ({ amenity = [] }) =>
    sql`${sql.join(
      amenity.map((_, index) => hasText(column('amenities'), text(`amenity${index}`))),
      sql` and `,
    )} and ${hasAll(column('amenities'), text('amenity'))}`,
  region: () => sql`coalesce(${column('region')}, ${column('placeName')}) = ${text('region')}`,
  // A country has very many, and a box or some ids few.
  country: (choice) => sql`${unlessFew(choice, column('country'))} = ${text('country')}`,
  subdivision: (choice) => sql`${unlessFew(choice, column('subdivision'))} = ${text('subdivision')}`,
  approved: () => sql`${column('approved')} = ${whole('approved')}`,
  verified: () => sql`${column('verified')} = ${whole('verified')}`,
  status: ({ status = [] }) => inStates(status),
  usable: ({ usable }) => (usable === true ? isUsable : sql<boolean>`not ${isUsable}`),
  updatedSince: () => sql`${column('updatedAt')} >= ${text('updatedSince')}`,
  updatedUntil: () => sql`${column('updatedAt')} <= ${text('updatedUntil')}`,
  keeper: () => sql`((${column('isAttested')} = 1 and ${isAmong(column('maintainer'), texts('keptNames'))})
    or exists (select 1 from records r where r."waypointId" = ${column('id')} and r."missingSince" is null
      and ${isAmong(sql`r."sourceId"`, wholes('keptSources'))}))`,
  source: () => fromSource('name', text('source')),
  license: ({ isOwnLicense }) =>
    isOwnLicense === true
      ? sql`(${fromSource('license', text('license'))} or not exists (select 1 from ${itsSources}))`
      : fromSource('license', text('license')),
  among: () => isAmong(column('id'), wholes('among')),
  combinations: (choice) =>
    isAmong(
      isByCombination(choice) ? column('amenities') : byOthers(column('amenities')),
      texts('combinations'),
    ),
}
const conditionNames = Object.keys(conditions) as (keyof typeof conditions)[]

/** The index is read for all combinations; the first few are found faster by id, and those of a place by its cell. */
const isByCombination = ({ combinations, limit, isByCell }: Choice): boolean =>
  combinations !== undefined && limit === undefined && isByCell !== true

const unlessFew = ({ bbox, among }: Choice, of: RawBuilder<unknown>): RawBuilder<unknown> =>
  bbox === undefined && among === undefined ? of : byOthers(of)

const namesIn = (choice: Choice) =>
  conditionNames.filter((name) => (name === 'amenity' ? choice.amenity?.[0] : choice[name]) !== undefined)

export const conditionsOf = (choice: Choice): readonly RawBuilder<boolean>[] =>
  namesIn(choice).flatMap((name) =>
    name === 'bbox' && choice.bbox ? boxCondition(choice.bbox) : (conditions[name]?.(choice) ?? []),
  )

/** The members that a choice has, which determine its SQL. */
export function shapeOf(choice: Choice): string {
  const { amenity = [], bbox, status, usable, isOwnLicense, isByCell } = choice
  return [
    ...(amenity.length > 1 ? [amenity.length] : []),
    ...namesIn(choice),
    ...(bbox !== undefined && bbox[0] > bbox[2] ? ['split'] : []),
    ...(status?.includes('unconfirmed') === true ? ['unconfirmed'] : []),
    ...(usable === false ? ['not'] : []),
    ...(isOwnLicense === true ? ['own'] : []),
    ...(isByCell === true ? ['by cell'] : []),
    ...(isByCombination(choice) ? ['all'] : []),
  ].join(' ')
}

const noLimit = Number.MAX_SAFE_INTEGER

export function valuesOf(choice: Choice): QueryValues {
  const { bbox, near: _near, isByCell: _isByCell, isOwnLicense: _isOwn, usable: _usable, ...others } = choice
  const { amenity = [], approved, verified, after = 0, limit = noLimit } = choice
  return {
    ...others,
    ...(bbox && boxValues(bbox)),
    amenity: JSON.stringify(amenity),
    ...Object.fromEntries(amenity.map((each, index) => [`amenity${index}`, JSON.stringify(each)])),
    approved: approved === true ? 1 : 0,
    verified: verified === true ? 1 : 0,
    after,
    limit,
  }
}

export function filtered(choice: Choice) {
  const table =
    choice.isByCell === true
      ? sql<Row<'waypoints'>>`(select placed.* from ${inCells})`.as('waypoints')
      : ('waypoints' as const)
  return namesIn(choice).reduce(
    (query, name) => query.where(sql<boolean>`${conditions[name]?.(choice)}`),
    build
      .selectFrom(table as 'waypoints')
      .where(sql<boolean>`${column('deletedAt')} is null`)
      .where('waypoints.id', '>', whole('after'))
      .orderBy('waypoints.id')
      .limit(rowCount('limit')),
  )
}
