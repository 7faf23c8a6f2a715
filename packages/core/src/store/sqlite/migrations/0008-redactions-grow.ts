import { sql, type Kysely } from 'kysely'

/** An entry may be redacted again: its record gains fields, and never loses one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop trigger redactions_refuses_update').execute(db)
  await sql
    .raw(
      `create trigger redactions_refuses_update before update on redactions
        when not (
          new.changeId = old.changeId
          and not exists (
            select 1 from json_each(old.fields) o
            where not exists (select 1 from json_each(new.fields) n where n.value = o.value)
          )
        )
        begin select raise(abort, 'redactions only gain fields'); end`,
    )
    .execute(db)
}
