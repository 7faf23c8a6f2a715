import { sql } from 'kysely'
import { namesOf } from '../../fields/field.ts'
import { listingFields, sourceTerms } from '../../fields/source.ts'
import type { Source, WaypointSource } from '../../schemas/source.ts'
import type { Origin } from '../answers.ts'
import { reading, sourceOf, type Row } from '../rows.ts'
import { isAmong } from '../sql/expressions.ts'
import { build, query, text, whole, wholes } from '../sql/query.ts'
import type { Reading } from '../sql/reading.ts'

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
const licenses = query(() =>
  build
    .selectFrom('sources')
    .select('license')
    .distinct()
    .where((eb) => eb.exists(eb.selectFrom('listings').select('id').whereRef('sourceId', '=', 'sources.id')))
    .orderBy('license'),
)
const listings = () => build.selectFrom('listings').innerJoin('sources', 'sources.id', 'listings.sourceId')
const ofWaypoint = query(() =>
  listings()
    .select([
      ...namesOf(sourceTerms).map((name) => `sources.${name}` as const),
      ...namesOf(listingFields).map((name) => `listings.${name}` as const),
    ])
    .where('waypointId', '=', whole('id'))
    .orderBy('listings.id'),
)
const ofWaypoints = query(() =>
  listings()
    .select(['waypointId', 'sourceId', 'name', 'license', 'url', 'attribution'])
    .where(isAmong(sql.ref('listings.waypointId'), wholes('ids'))),
)

function publishedSource(row: Row<'sources'> & { readonly lastImport: string | null }): Source {
  const { waypoints, lastImport, published } = row
  return {
    ...sourceOf(row),
    waypoints,
    ...(lastImport !== null && { lastImport }),
    ...(published !== null && { published }),
  }
}

/** The sources of a waypoint, oldest first. */
export function* sourcesOf(id: number): Reading<WaypointSource[]> {
  return (yield* ofWaypoint.all({ id })).map(waypointSourceOf)
}

/** The sources of some waypoints, in any order. */
export const origins = (ids: readonly number[]): Reading<Origin[]> => ofWaypoints.all({ ids })

/** Reads sources. */
export const sourceReads = {
  *list(): Reading<Source[]> {
    return (yield* list.all()).map(publishedSource)
  },
  /** The licences of sources that list or listed a waypoint, each once. */
  *licenses(): Reading<string[]> {
    return (yield* licenses.all()).map(({ license }) => license)
  },
  *byId(id: number): Reading<Source | undefined> {
    const row = yield* byId.get({ id })
    return row && publishedSource(row)
  },
  *byName(name: string): Reading<Source | undefined> {
    const row = yield* byName.get({ name })
    return row && publishedSource(row)
  },
}
