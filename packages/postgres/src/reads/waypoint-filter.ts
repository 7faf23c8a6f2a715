import { sql, type RawBuilder } from 'kysely'
import { filterTokens } from '../search/columns.ts'
import {
  cellsOf,
  unindexedConditions,
  unindexedShape,
  unindexedValues,
  type Box,
  type WaypointFilter,
} from '@openfountain/core/engine'
import {
  build,
  real,
  text,
  tokens,
  whole,
  wholes,
  type Schema,
  type Values,
} from '../connection/statement.ts'

/** A filter, and how what it leaves is found. */
export interface Choice extends WaypointFilter {
  /** The ids to which it is narrowed, ascending, when they are known and few. */
  readonly among?: readonly number[] | undefined
  /** Whether its box is looked through by the index of cells. Default false: by id. */
  readonly isByCell?: boolean | undefined
}

/** The members that a choice has, which determine its SQL. */
export function shapeOf({
  bbox,
  amenity,
  region,
  country,
  subdivision,
  approved,
  verified,
  status,
  updatedSince,
  among,
  isByCell,
  ...others
}: Choice): string {
  return [
    bbox && (bbox[0] > bbox[2] ? 'split' : 'bbox'),
    amenity && amenity.length > 0 && 'amenity',
    region !== undefined && 'region',
    country !== undefined && 'country',
    subdivision !== undefined && 'subdivision',
    approved !== undefined && 'approved',
    verified !== undefined && 'verified',
    status !== undefined && (status === 'unconfirmed' ? 'unconfirmed' : 'status'),
    updatedSince !== undefined && 'updatedSince',
    among !== undefined && 'among',
    isByCell === true && 'by cell',
    unindexedShape(others),
  ]
    .filter(Boolean)
    .join(' ')
}

export function valuesOf(choice: Choice): Values {
  const {
    bbox,
    amenity = [],
    region,
    country,
    subdivision,
    approved,
    verified,
    status,
    updatedSince,
    among,
    after = 0,
    limit,
  } = choice
  const [west, south, east, north] = bbox ?? []
  return {
    west,
    south,
    east,
    north,
    region,
    country,
    subdivision,
    status,
    updatedSince,
    among,
    amenity: JSON.stringify(amenity),
    filterTokens: filterTokens(choice),
    ...(bbox && stretchValues(bbox)),
    approved: approved === true ? 1 : 0,
    verified: verified === true ? 1 : 0,
    after,
    limit: limit ?? null,
    ...unindexedValues(choice),
  }
}

const column = (name: string): RawBuilder<never> => sql`${sql.ref(`waypoints.${name}`)}`

const betweenParallels = sql`${column('latitude')} between ${real('south')} and ${real('north')}`
const betweenMeridians = sql`${column('longitude')} between ${real('west')} and ${real('east')}`
/** A box across the antimeridian consists of two ranges of longitude. */
const acrossAntimeridian = sql`(${column('longitude')} >= ${real('west')} or ${column('longitude')} <= ${real('east')})`

function exactly([west, , east]: Box): RawBuilder<boolean> {
  return sql<boolean>`${west > east ? acrossAntimeridian : betweenMeridians} and ${betweenParallels}`
}

/** The conditions of a choice, except for its ids. Tokens are hashes, so that what they propose is looked at. */
function conditionsOf({
  bbox,
  amenity = [],
  region,
  country,
  subdivision,
  approved,
  verified,
  status,
  updatedSince,
  isByCell,
  ...others
}: Choice) {
  const isByToken =
    isByCell !== true && (amenity.length > 0 || approved !== undefined || verified !== undefined)
  const conditions = [sql<boolean>`${column('deletedAt')} is null`]
  if (bbox !== undefined) conditions.push(exactly(bbox))
  // Where cells say which few are looked at, the index of tokens would be read from its beginning to its end for each.
  if (isByToken) conditions.push(sql<boolean>`${column('searchTokens')} @> ${tokens('filterTokens')}`)
  // PostgreSQL would expect that an operator of JSON leaves one in a hundred of those that have the tokens.
  if (amenity.length > 0)
    conditions.push(sql<boolean>`coalesce(${column('amenities')}::jsonb @> ${text('amenity')}::jsonb, false)`)
  if (region !== undefined)
    conditions.push(sql<boolean>`coalesce(${column('region')}, ${column('placeName')}) = ${text('region')}`)
  if (country !== undefined) conditions.push(sql<boolean>`${column('country')} = ${text('country')}`)
  if (subdivision !== undefined)
    conditions.push(sql<boolean>`${column('subdivision')} = ${text('subdivision')}`)
  if (approved !== undefined) conditions.push(sql<boolean>`${column('approved')} = ${whole('approved')}`)
  if (verified !== undefined) conditions.push(sql<boolean>`${column('verified')} = ${whole('verified')}`)
  if (status !== undefined) conditions.push(inState(status))
  if (updatedSince !== undefined)
    conditions.push(sql<boolean>`${column('updatedAt')} >= ${text('updatedSince')}`)
  return [...conditions, ...unindexedConditions(others, text)]
}

/** Of a waypoint without a state, nothing is known. */
function inState(status: NonNullable<Choice['status']>): RawBuilder<boolean> {
  return status === 'unconfirmed'
    ? sql<boolean>`not exists (select 1 from statuses s where s.id = ${column('id')} and s.state <> 'unconfirmed')`
    : sql<boolean>`exists (select 1 from statuses s where s.id = ${column('id')} and s.state = ${text('status')})`
}

/** The live waypoints of a choice, by id. */
export function filtered(choice: Choice) {
  const conditions = [...conditionsOf(choice), sql<boolean>`waypoints.id > ${whole('after')}`]
  if (choice.among !== undefined) conditions.push(sql<boolean>`waypoints.id = any(${wholes('among')})`)
  const query = build
    .selectFrom(choice.isByCell === true ? inCells(conditions).as('waypoints') : 'waypoints')
    .orderBy('waypoints.id')
    .limit(whole('limit'))
  if (choice.isByCell === true) return query
  return conditions.reduce((narrowed, condition) => narrowed.where(condition), query)
}

/**
 * The waypoints in some stretches of the curve, bound as `firsts` and `lasts`, in any order. The offset keeps PostgreSQL
 * from joining in another order: for each stretch the index of cells is read.
 */
function inCells(conditions: readonly RawBuilder<boolean>[]): RawBuilder<Schema['waypoints']> {
  return sql`(select placed.* from unnest(${wholes('firsts')}, ${wholes('lasts')}) as stretch (first, last)
    cross join lateral (select * from waypoints
      where waypoints.cell between stretch.first and stretch.last and ${sql.join(conditions, sql` and `)} offset 0) as placed)`
}

/** The values of the stretches in which a box lies: each place is in one of them. */
export function stretchValues(box: Box): {
  readonly firsts: readonly number[]
  readonly lasts: readonly number[]
} {
  const [firsts, lasts]: [number[], number[]] = [[], []]
  // The two halves of a box across the antimeridian may have stretches in common.
  for (const [first, last] of cellsOf(box).toSorted((one, other) => one[0] - other[0])) {
    const before = lasts.at(-1)
    if (before !== undefined && first <= before) lasts[lasts.length - 1] = Math.max(before, last)
    else {
      firsts.push(first)
      lasts.push(last)
    }
  }
  return { firsts, lasts }
}
