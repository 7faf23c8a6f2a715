import { sql, type RawBuilder } from 'kysely'
import type { WaypointFilter } from '../schemas/filter.ts'

/** What a filter asks of waypoints that no index and no column in memory has, in the SQL of both engines. */

/** The members of a filter for which a text is compared. */
const names = ['drinkable', 'maintainer', 'source', 'license'] as const
type Name = (typeof names)[number]

/** The texts that a filter gives, by their names. */
export function unindexedValues(filter: WaypointFilter): Partial<Record<Name, string>> {
  return Object.fromEntries(
    names.flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])),
  )
}

/** Whether a filter has any of them. */
export const isUnindexed = (filter: WaypointFilter): boolean =>
  names.some((name) => filter[name] !== undefined)

/** Their part of the shape of a statement; empty for none. */
export const unindexedShape = (filter: WaypointFilter): string =>
  [...Object.keys(unindexedValues(filter)), ...(filter.isOwnLicense === true ? ['own'] : [])].join(' ')

const id = sql`${sql.ref('waypoints.id')}`
const itsSources = sql`${sql.table('records')} r join ${sql.table('sources')} s on s.${sql.ref('id')} = r.${sql.ref('sourceId')}
  where r.${sql.ref('waypointId')} = ${id}`

/** @param given the placeholder of a text by its name */
export function unindexedConditions(
  filter: WaypointFilter,
  given: (name: Name) => RawBuilder<string>,
): RawBuilder<boolean>[] {
  const fromSource = (column: string, name: Name) =>
    sql`exists (select 1 from ${itsSources} and s.${sql.ref(column)} = ${given(name)})`
  const conditions: Readonly<Record<Name, RawBuilder<unknown>>> = {
    drinkable: sql`${sql.ref('waypoints.drinkable')} = ${given('drinkable')}`,
    maintainer: sql`${sql.ref('waypoints.maintainer')} = ${given('maintainer')}`,
    source: fromSource('name', 'source'),
    license:
      filter.isOwnLicense === true
        ? sql`(${fromSource('license', 'license')} or not exists (select 1 from ${itsSources}))`
        : fromSource('license', 'license'),
  }
  return names.flatMap((name) => (filter[name] === undefined ? [] : [sql<boolean>`${conditions[name]}`]))
}
