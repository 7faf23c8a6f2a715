import { sql, type Kysely } from 'kysely'

/** New waypoints wait to be indexed by their ids alone, without a row of their own for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table state add column indexedTo integer not null default 0').execute(db)
  await sql.raw('update state set indexedTo = lastWaypointId').execute(db)
}
