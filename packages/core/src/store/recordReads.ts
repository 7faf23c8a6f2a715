import { sql, type RawBuilder } from 'kysely'
import type { Waypoint } from '../waypoint.ts'
import type { Box } from '../filter.ts'
import { waypointColumns, waypointOf } from './rows.ts'
import type { Schema } from './schema.ts'
import { param, type Statements } from './statement.ts'
import { boxCondition, boxValues } from './waypointReads.ts'

/** What is known around a waypoint, and only counts with it. */
export interface RecordSurroundings {
  /** When somebody last said that it is there: the latest log entry, review or import that names it. */
  readonly lastConfirmed: string
  /** Live reviews. */
  readonly reviewCount: number
  /** Mean rating of live reviews, to two decimals; absent without reviews. */
  readonly rating?: number
  /** Sources that list it, by id; empty when it was contributed here. */
  readonly sources: readonly { readonly sourceId: number; readonly ref?: string }[]
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

type Leading = [
  id: number,
  updatedAt: string,
  linkId: number | null,
  sourceId: number | null,
  ref: string | null,
  lastSeen: string | null,
]
type ReviewRow = [bubblerId: number, count: number, rating: number, latest: string]

/** A row's own columns beside what was gathered around it. */
export interface GatheredRecord<Columns extends readonly unknown[]> extends RecordSurroundings {
  readonly id: number
  readonly columns: Columns
}

/**
 * Live waypoints by id with the columns of choice, as arrays. Reviews are read beside them in the same order
 * and joined here: the database would do that with one search for each waypoint and figure.
 *
 * @param columns expressions over the waypoint `w`
 */
export function* gatheredRecords<Columns extends readonly unknown[]>(
  statements: Statements,
  columns: RawBuilder<unknown>,
  { bbox, region, ids }: RecordChoice,
): Generator<GatheredRecord<Columns>> {
  const within = [
    sql`deletedAt is null`,
    ...(bbox ? [boxCondition(bbox)] : []),
    ...(region === undefined ? [] : [sql`region = ${param('region')}`]),
    ...(ids === undefined ? [] : [sql`id in (select value from json_each(${param('ids')}))`]),
  ]
  const query = sql`
    select w.id, w.updatedAt, s.id, s.sourceId, s.ref, s.lastSeen, ${columns}
    from (select * from waypoints where ${sql.join(within, sql` and `)}) w
    left join sourceRecords s on s.waypointId = w.id
    order by w.id`
  const values = {
    ...(bbox && boxValues(bbox)),
    ...(region !== undefined && { region }),
    ...(ids !== undefined && { ids: JSON.stringify(ids) }),
  }
  const reviews = statements.columns<ReviewRow>(sql`
    select bubblerId, count(*), round(avg(rating), 2), max(createdAt)
    from reviews where deletedAt is null group by bubblerId order by bubblerId`)
  let review = reviews.next()
  let current: Gathering<Columns> | undefined
  try {
    for (const row of statements.columns<[...Leading, ...Columns]>(query, values)) {
      const [id, updatedAt, linkId, sourceId, ref, lastSeen, ...own] = row
      if (current?.id !== id) {
        if (current) yield finished(current)
        while (!review.done && review.value[0] < id) review = reviews.next()
        const [, reviewCount, rating, latest] =
          !review.done && review.value[0] === id ? review.value : unreviewed
        const lastConfirmed = latest > updatedAt ? latest : updatedAt
        current = { id, columns: own, lastConfirmed, reviewCount, sources: [], links: [] }
        if (rating !== undefined) current.rating = rating
      }
      if (linkId === null || sourceId === null) continue
      current.links.push(linkId)
      current.sources.push(ref === null ? { sourceId } : { sourceId, ref })
      if (lastSeen !== null && lastSeen > current.lastConfirmed) current.lastConfirmed = lastSeen
    }
    if (current) yield finished(current)
  } finally {
    reviews.return(undefined)
  }
}

const unreviewed: readonly [number, number, undefined, string] = [0, 0, undefined, '']

type Gathering<Columns extends readonly unknown[]> = {
  -readonly [Member in keyof GatheredRecord<Columns>]: GatheredRecord<Columns>[Member]
} & { sources: { sourceId: number; ref?: string }[]; links: number[] }

/** The first source first, whichever that is by name of the index that was read. */
function finished<Columns extends readonly unknown[]>(given: Gathering<Columns>): GatheredRecord<Columns> {
  const { links, sources } = given
  if (links.length > 1) {
    const order = links.map((link, place) => ({ link, place })).toSorted((a, b) => a.link - b.link)
    given.sources = order.flatMap(({ place }) => sources[place] ?? [])
  }
  return given
}

type WaypointValues = {
  [Place in keyof typeof waypointColumns]: Schema['waypoints'][(typeof waypointColumns)[Place]]
}

/** Records on one connection. */
export function recordReads(statements: Statements) {
  return {
    /** Whole records by id. */
    *records(choice: RecordChoice): Generator<WaypointRecord> {
      const columns = sql.join(waypointColumns.map((column) => sql.ref(`w.${column}`)))
      for (const record of gatheredRecords<WaypointValues>(statements, columns, choice)) {
        const { lastConfirmed, reviewCount, rating, sources } = record
        const waypoint: WaypointRecord = Object.assign(waypointOf(rowOf(record.columns)), {
          lastConfirmed,
          reviewCount,
          ...(rating !== undefined && { rating }),
          sources,
        })
        yield waypoint
      }
    },
  }
}

function rowOf(values: WaypointValues): Parameters<typeof waypointOf>[0] {
  const [id, name, latitude, longitude, description, amenities, image, maintainer, region, ...rest] = values
  const [approved, verified, addedByUserId, createdAt, updatedAt] = rest
  return {
    id,
    name,
    latitude,
    longitude,
    description,
    amenities,
    image,
    maintainer,
    region,
    approved,
    verified,
    addedByUserId,
    createdAt,
    updatedAt,
  }
}
