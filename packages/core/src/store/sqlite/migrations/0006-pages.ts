import { sql, type Kysely } from 'kysely'

/** Pages of the log by action, and of users by age, came from going through all rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('create index changesByAction on changes (action, id)').execute(db)
  // With the action in it, what one user did in one way is counted without reading the entries.
  await sql.raw('drop index changesByUser').execute(db)
  await sql.raw('create index changesByUser on changes (userId, id, action)').execute(db)
  await sql.raw('create index usersByAge on users (createdAt, id)').execute(db)
}
