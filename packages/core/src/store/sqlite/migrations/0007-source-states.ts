import { sql, type Kysely } from 'kysely'

/** The state of a waypoint at its source, stored with the source's values. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sourceRecords add column state text').execute(db)
}
