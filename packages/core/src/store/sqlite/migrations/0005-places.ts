import { sql, type Kysely } from 'kysely'
import { cellOf } from '../../../places/z-order.ts'

const chunk = 5000

/**
 * Places are found by an index of cells on a curve instead of an R*Tree, which wrote four pages for every create.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('drop table waypointPosition').execute(db)
  await sql.raw('alter table waypoints add column cell integer').execute(db)
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; latitude: number; longitude: number }>`
      select id, latitude, longitude from waypoints where id > ${after} and deletedAt is null
      order by id limit ${sql.lit(chunk)}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) break
    const cells = JSON.stringify(rows.map((row) => [row.id, cellOf(row)]))
    await sql`update waypoints set cell = given.value ->> 1 from json_each(${cells}) as given
      where waypoints.id = given.value ->> 0`.execute(db)
    after = last.id
  }
  await sql.raw('create index waypointsByCell on waypoints (cell) where cell is not null').execute(db)
}
