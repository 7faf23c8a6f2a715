import { sql, type RawBuilder } from 'kysely'
import type { CreditedSource } from '../../attribution.ts'
import { harvestFields } from '../../fields/harvest.ts'
import { namesOf } from '../../fields/field.ts'
import { listingFields, sourceTerms } from '../../fields/source.ts'
import type { Schedule, StoredHarvest } from '../../log/nouns.ts'
import { harvesting } from '../../rules.ts'
import type { Harvest, Harvesting } from '../../schemas/harvest.ts'
import type { Source, WaypointSource } from '../../schemas/source.ts'
import type { Origin } from '../answers.ts'
import { reading, sourceOf, storing, type Row } from '../rows.ts'
import {
  build,
  differing,
  isAmong,
  query,
  type Reading,
  rowCount,
  text,
  together,
  whole,
  wholes,
} from '../sql/query.ts'

const waypointSourceOf = reading<WaypointSource>({ ...sourceTerms, ...listingFields })

const all = () =>
  build
    .selectFrom('sources')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('imports')
        .select((inner) => inner.fn.max('finishedAt').as('at'))
        .whereRef('imports.sourceId', '=', 'sources.id')
        .as('lastImport'),
    )
    .orderBy('id')
const list = query(all)
const byId = query(() => all().where('id', '=', whole('id')))
const byName = query(() => all().where('name', '=', text('name')))
const licenses = query<{ license: string }>(
  () => sql`select distinct license from sources
    where exists (select 1 from listings where "sourceId" = sources.id) order by license`,
).map(({ license }) => license)
const ofWaypoint = query(() =>
  build
    .selectFrom('listings')
    .innerJoin('sources', 'sources.id', 'listings.sourceId')
    .select([
      ...namesOf(sourceTerms).map((name) => `sources.${name}` as const),
      ...namesOf(listingFields).map((name) => `listings.${name}` as const),
    ])
    .where('waypointId', '=', whole('id'))
    .orderBy('listings.id'),
).map(waypointSourceOf)
const listings = query<{ waypointId: number; sourceId: number }>(
  () =>
    sql`select "waypointId", "sourceId" from listings where ${isAmong(sql.ref('waypointId'), wholes('ids'))}`,
)
export const originsText = (waypointId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(select ${joinedIds} from records r where r."waypointId" = ${waypointId})`
// The index has them in this order.
const joinedIds = differing<string | null>({
  sqlite: sql`group_concat("sourceId")`,
  postgres: sql`string_agg("sourceId"::text, ',' order by "sourceId")`,
})
const combinations = query<{ ids: string }>(
  () =>
    sql`select distinct ids from (select ${joinedIds} as ids from records group by "waypointId") as combined`,
).map(({ ids }) => ids)
const credited = query<Origin['source']>(
  () =>
    sql`select id, name, license, url, attribution from sources where ${isAmong(sql.ref('id'), wholes('ids'))}`,
)

const scheduled = query(() => build.selectFrom('schedules').selectAll().orderBy('id')).map((row) =>
  storing.schedule.from(row as never),
)
const latest = query<Row<'harvests'>>(
  () => sql`select * from (select *, row_number() over (partition by "sourceId" order by "startedAt" desc) as place
      from harvests) as ranked where place <= ${sql.lit(harvesting.shown)} order by "startedAt" desc`,
)
const everyHarvest = () =>
  build.selectFrom('harvests').selectAll().orderBy('startedAt', 'desc').orderBy('id').limit(rowCount('limit'))
const stored = (row: Row<'harvests'>): StoredHarvest => storing.harvest.from(row as never)
const recent = query(everyHarvest).map(stored)
const recentOf = query(() => everyHarvest().where('sourceId', '=', whole('sourceId'))).map(stored)
const harvestOf = reading<Harvest>(harvestFields)

type SourceRow = Row<'sources'> & { readonly lastImport: string | null }

function* published(rows: readonly SourceRow[]): Reading<Source[]> {
  if (rows.length === 0) return []
  const [schedulesFound, harvestsFound] = yield* together(scheduled.all(), latest.all())
  const bySource = Map.groupBy(harvestsFound, ({ sourceId }) => sourceId)
  const found = new Map(schedulesFound.map((schedule) => [schedule.id, schedule]))
  return rows.map((row) => {
    const schedule = found.get(row.id)
    const list = (bySource.get(row.id) ?? []).map(harvestOf)
    if (schedule === undefined && list.length === 0) return publishedSource(row)
    const { every = 'never', checkedAt, nextAt, staleSince } = schedule ?? {}
    const harvesting: Harvesting = { every, checkedAt, nextAt, staleSince, harvests: list }
    return { ...publishedSource(row), harvesting }
  })
}

function publishedSource(row: SourceRow): Source {
  const { waypoints, lastImport, published } = row
  return {
    ...sourceOf(row),
    waypoints,
    lastImport: lastImport ?? undefined,
    published: published ?? undefined,
  }
}

export const sourcesOf = (id: number): Reading<WaypointSource[]> => ofWaypoint.all({ id })

/** The sources of some waypoints, in any order: each source is read once, since few list very many. */
export function* origins(ids: readonly number[]): Reading<Origin[]> {
  const listed = yield* listings.all({ ids })
  const found = yield* credited.all({ ids: [...new Set(listed.map(({ sourceId }) => sourceId))] })
  const byId = new Map(found.map((source) => [source.id, source]))
  return listed.flatMap(({ waypointId, sourceId }) => {
    const source = byId.get(sourceId)
    return source === undefined ? [] : { waypointId, source }
  })
}

/** Each combination of sources that a waypoint has, by their ids as in `originsText`. */
export function* combinedOrigins(): Reading<Map<string, CreditedSource[]>> {
  const found = yield* combinations.all()
  const numbers = (ids: string) => ids.split(',').map(Number)
  const sources = yield* credited.all({ ids: [...new Set(found.flatMap(numbers))] })
  const byId = new Map(sources.map((source) => [source.id, source]))
  return new Map(found.map((ids) => [ids, numbers(ids).flatMap((id) => byId.get(id) ?? [])]))
}

export const sourceReads = {
  *list(): Reading<Source[]> {
    return yield* published(yield* list.all())
  },
  /** The licences of sources that list or listed a waypoint, each once. */
  licenses: (): Reading<string[]> => licenses.all(),
  *byId(id: number): Reading<Source | undefined> {
    return (yield* published(yield* byId.all({ id })))[0]
  },
  *byName(name: string): Reading<Source | undefined> {
    return (yield* published(yield* byName.all({ name })))[0]
  },
  schedules: (): Reading<Schedule[]> => scheduled.all(),
  /** The newest first. */
  harvests: (sourceId: number | undefined, limit: number): Reading<StoredHarvest[]> =>
    sourceId === undefined ? recent.all({ limit }) : recentOf.all({ sourceId, limit }),
}
