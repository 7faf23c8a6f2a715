import { sql, type Kysely } from 'kysely'

/** Indexes for pages of the log by action and of users by age, which scanned all rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index changesByAction on changes (action, id)').execute(db)
  // With the action in the index, one user's entries with one action are counted without reading them.
  await sql.raw('drop index changesByUser').execute(db)
  await sql.raw('create index changesByUser on changes (userId, id, action)').execute(db)
  await sql.raw('create index usersByAge on users (createdAt, id)').execute(db)
}
