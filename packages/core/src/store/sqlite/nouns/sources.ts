import { sql } from 'kysely'
import { namesOf } from '../../../fields/field.ts'
import { listingFields, sourceTerms } from '../../../fields/source.ts'
import type { Source, WaypointSource } from '../../../schemas/source.ts'
import { reading, sourceOf } from '../../rows.ts'
import { few } from '../../few.ts'
import type { Origin } from '../../answers.ts'
import { build, param, type Statements } from '../connection/statement.ts'

const waypointSourceOf = reading<WaypointSource>({ ...sourceTerms, ...listingFields })

/** Reads sources on one connection. */
export function sourceReads(statements: Statements) {
  const bare = () =>
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
  const all = () =>
    bare().select((eb) =>
      eb
        .selectFrom('listings')
        .innerJoin('waypoints', 'waypoints.id', 'listings.waypointId')
        .select((inner) => inner.fn.count<number>('waypointId').distinct().as('n'))
        .whereRef('listings.sourceId', '=', 'sources.id')
        .where('waypoints.deletedAt', 'is', null)
        .as('waypoints'),
    )
  const bareList = statements.prepare(bare)
  const list = statements.prepare(all)
  const byId = statements.prepare(() => all().where('id', '=', param<number>('id')))
  const byName = statements.prepare(() => all().where('name', '=', param<string>('name')))
  const ofWaypoint = statements.prepare(() =>
    build
      .selectFrom('listings')
      .innerJoin('sources', 'sources.id', 'listings.sourceId')
      .select([
        ...namesOf(sourceTerms).map((name) => `sources.${name}` as const),
        ...namesOf(listingFields).map((name) => `listings.${name}` as const),
      ])
      .where('waypointId', '=', param<number>('id'))
      .orderBy('listings.id'),
  )
  const origins = statements.prepare(() =>
    build
      .selectFrom('listings')
      .innerJoin('sources', 'sources.id', 'listings.sourceId')
      .select(['waypointId', 'sourceId', 'name', 'license', 'url', 'attribution'])
      .where(sql<boolean>`waypointId in (select value from json_each(${param('ids')}))`),
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
  const someRecords = statements.prepare(() =>
    build
      .selectFrom(
        build
          .selectFrom('listings')
          .select('id')
          .limit(sql.lit(few + 1))
          .as('rows'),
      )
      .select(({ fn }) => fn.countAll<number>().as('n')),
  )
  type Row = ReturnType<typeof list.all>[number]

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
    list: (): Source[] => list.all().map(publishedSource),
    /** The list with the number of waypoints of each source, which is not counted. */
    listWith: (waypointsOf: (id: number) => number): Source[] =>
      bareList.all().map((row) => publishedSource({ ...row, waypoints: waypointsOf(row.id) })),
    /** Whether the list counts at most `few` records. */
    isShort: (): boolean => (someRecords.get()?.n ?? 0) <= few,
    byId(id: number): Source | undefined {
      const row = byId.get({ id })
      return row && publishedSource(row)
    },
    byName(name: string): Source | undefined {
      const row = byName.get({ name })
      return row && publishedSource(row)
    },
    origins: (ids: readonly number[]): Origin[] => origins.all({ ids: JSON.stringify(ids) }),
    licenses: (): string[] => licenses.all().map(({ license }) => license),
    ofWaypoint: (id: number): WaypointSource[] => ofWaypoint.all({ id }).map(waypointSourceOf),
  }
}
export type SourceReads = ReturnType<typeof sourceReads>
