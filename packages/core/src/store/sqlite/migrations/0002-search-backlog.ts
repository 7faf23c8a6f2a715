import { sql, type Kysely } from 'kysely'

/**
 * Texts wait here to be indexed a few dozen at a time: FTS5 writes a segment for each transaction, which made it
 * the most expensive part of a single create.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table searchBacklog (
    waypointId integer primary key references waypoints (id),
    indexed integer not null check (indexed in (0, 1))
  ) strict`)
    .execute(db)
}
