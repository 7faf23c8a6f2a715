import { sql } from 'kysely'
import { listingFields, namesOf, sourceTerms } from '@openfountain/core/fields'
import { reading, sourceOf, type Origin, type Source, type WaypointSource } from '@openfountain/core/engine'
import { build, text, whole, wholes } from '@openfountain/core/engine'
import { type Statements } from '../connection/statement.ts'

const waypointSourceOf = reading<WaypointSource>({ ...sourceTerms, ...listingFields })

/** Reads sources. */
export function sourceReads(statements: Statements) {
  const all = () =>
    build
      .selectFrom('sources')
      .selectAll('sources')
      .select((eb) => [
        eb
          .selectFrom('imports')
          .select((inner) => inner.fn.max('finishedAt').as('at'))
          .whereRef('imports.sourceId', '=', 'sources.id')
          .as('lastImport'),
        // All that it lists but for tombstones, which are few: both by indexes alone.
        sql<number>`(select count(*) from (select distinct "waypointId", "sourceId" from records
            where records."sourceId" = sources.id) as listed)
          - (select count(distinct gone.id) from waypoints gone join records on records."waypointId" = gone.id
            where gone."deletedAt" is not null and records."sourceId" = sources.id)`.as('waypoints'),
      ])
      .orderBy('id')
  const list = statements.prepare(all)
  const version = statements.prepare(() => build.selectFrom('state').select(['origin', 'revision']))
  /** The list that was counted last, with the version of the registry that was read before it. */
  let counted:
    | { readonly origin: string; readonly revision: number; readonly rows: Promise<Row[]> }
    | undefined
  const byId = statements.prepare(() => all().where('id', '=', whole('id')))
  const byName = statements.prepare(() => all().where('name', '=', text('name')))
  const ofWaypoint = statements.prepare(() =>
    build
      .selectFrom('listings')
      .innerJoin('sources', 'sources.id', 'listings.sourceId')
      .select([
        ...namesOf(sourceTerms).map((name) => `sources.${name}` as const),
        ...namesOf(listingFields).map((name) => `listings.${name}` as const),
      ])
      .where('waypointId', '=', whole('id'))
      .orderBy('listings.id'),
  )
  const origins = statements.prepare(() =>
    build
      .selectFrom('listings')
      .innerJoin('sources', 'sources.id', 'listings.sourceId')
      .select(['waypointId', 'sourceId', 'name', 'license', 'url', 'attribution'])
      .where(sql<boolean>`listings."waypointId" = any(${wholes('ids')})`),
  )
  const licenses = statements.prepare(() =>
    build
      .selectFrom('sources')
      .select('license')
      .distinct()
      .where((eb) =>
        eb.exists(eb.selectFrom('listings').select('id').whereRef('sourceId', '=', 'sources.id')),
      )
      .orderBy('license'),
  )
  type Row = Awaited<ReturnType<typeof list.all>>[number]

  function publishedSource(row: Row): Source {
    const { waypoints, lastImport, published } = row
    return {
      ...sourceOf(row),
      waypoints: waypoints ?? 0,
      ...(lastImport && { lastImport }),
      ...(published && { published }),
    }
  }

  return {
    async list(): Promise<Source[]> {
      const { origin = '', revision = 0 } = (await version.get()) ?? {}
      if (counted?.origin !== origin || counted.revision !== revision) {
        const rows = list.all()
        counted = { origin, revision, rows }
        // What failed is tried again.
        rows.catch(() => (counted = undefined))
      }
      return (await counted.rows).map(publishedSource)
    },
    async byId(id: number): Promise<Source | undefined> {
      const row = await byId.get({ id })
      return row && publishedSource(row)
    },
    async byName(name: string): Promise<Source | undefined> {
      const row = await byName.get({ name })
      return row && publishedSource(row)
    },
    origins: (ids: readonly number[]): Promise<Origin[]> => origins.all({ ids }),
    licenses: async (): Promise<string[]> => (await licenses.all()).map(({ license }) => license),
    ofWaypoint: async (id: number): Promise<WaypointSource[]> =>
      (await ofWaypoint.all({ id })).map(waypointSourceOf),
  }
}
