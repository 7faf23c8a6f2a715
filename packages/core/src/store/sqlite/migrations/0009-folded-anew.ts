import { sql, type Kysely } from 'kysely'
import { fold, spaceCjk, wordsOf } from '../../../search/letters.ts'

const chunk = 5000

/** Shorter words are completed by the prefixes of the index. */
const completedFrom = 4

interface Row {
  readonly id: number
  readonly name: string
  readonly description: string | null
  readonly region: string | null
  readonly deletedAt: string | null
}

/**
 * Names and words were stored in an older folding of letters, in which searches no longer find some of them (Hangul,
 * kana with voicing marks, vowels of Bengali and Tamil, a final sigma). They are folded and indexed again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows: affected } = await sql`select 1 from waypoints
    where name glob '*[^ -~]*' or description glob '*[^ -~]*' or region glob '*[^ -~]*' limit 1`.execute(db)
  if (affected.length === 0) return
  for (const index of ['waypointWords', 'waypointNames'])
    await sql.raw(`insert into ${index} (${index}) values ('delete-all')`).execute(db)
  await sql.raw('delete from searchWords').execute(db)
  for (let after = 0; ;) {
    const { rows } = await sql<Row>`select id, name, description, region, deletedAt from waypoints
      where id > ${after} order by id limit ${sql.lit(chunk)}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) break
    await foldAnew(db, rows)
    after = last.id
  }
  await sql.raw('delete from searchBacklog').execute(db)
  await sql.raw('update state set indexedTo = lastWaypointId').execute(db)
}

async function foldAnew(db: Kysely<unknown>, rows: readonly Row[]): Promise<void> {
  const names = JSON.stringify(rows.map(({ id, name }) => [id, fold(name)]))
  await sql`update waypoints set foldedName = given.value ->> 1 from json_each(${names}) as given
    where waypoints.id = given.value ->> 0 and foldedName <> given.value ->> 1`.execute(db)
  const live = rows
    .filter(({ deletedAt }) => deletedAt === null)
    .map(
      ({ id, name, description, region }) =>
        [id, fold(name), fold(description ?? ''), fold(region ?? '')] as const,
    )
  const spaced = JSON.stringify(live.map(([id, ...texts]) => [id, ...texts.map(spaceCjk)]))
  await sql`insert into waypointWords (rowid, name, description, region)
    select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${spaced})`.execute(db)
  await sql`insert into waypointNames (rowid, name)
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(live)})`.execute(db)
  const words = new Set(live.flatMap(([, ...texts]) => texts.flatMap((text) => wordsOf(text, completedFrom))))
  await sql`insert or ignore into searchWords (word)
    select value from json_each(${JSON.stringify([...words])})`.execute(db)
}
