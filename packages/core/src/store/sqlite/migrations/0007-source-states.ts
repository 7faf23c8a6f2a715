import { sql, type Kysely } from 'kysely'

/** What a source says of the state of a waypoint stands beside the fields that it told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sourceRecords add column state text').execute(db)
}
