import { sql, type Kysely } from 'kysely'

/** Drops an index that every create updated: only verifying sums the ledger by user, and can sort it then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop index xpLedgerByUser').execute(db)
}
