import { sql, type Kysely } from 'kysely'

/** Only verifying adds the ledger up by user, and sorts it then: every create paid for that order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index xpLedgerByUser').execute(db)
}
