import { sql, type Kysely } from 'kysely'

/** New waypoints that are not indexed yet are known by their ids, without a row for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table state add column indexedTo integer not null default 0').execute(db)
  await sql.raw('update state set indexedTo = lastWaypointId').execute(db)
}
