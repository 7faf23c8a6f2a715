import { statements } from '../migrations/0001-registry.ts'
import type { Session } from '../connection/session.ts'

/** Indexes that cost a row more than the row itself while rows come singly: the first import drops them, and makes them at its end. */
const names = ['waypointsBySearch', 'waypointsByName', 'waypointsByRegion'] as const

/** The lock of processes that import into an empty registry, so that others do not make the indexes meanwhile. */
const lock = 0x6f66_6978

const memory = '256MB'

const statementOf = (name: string): string => {
  const made = statements().find((statement) => statement.includes(`create index "${name}"`))
  if (made === undefined) throw new Error(`there is no index ${name}`)
  return made.trim().replace('create index', 'create index concurrently if not exists')
}

const making = lock + 1

const importing = new WeakSet<Session>()

/** Dropped unless somebody is reading all waypoints: an import does not wait for that. */
const drop = `do $$
  declare before text := current_setting('lock_timeout');
  begin
    set local lock_timeout = '200ms';
    drop index if exists ${names.map((name) => `"${name}"`).join(', ')};
    perform set_config('lock_timeout', before, true);
  exception when lock_not_available then null;
  end $$`

export async function deferIndexes(session: Session): Promise<void> {
  if (importing.has(session)) return
  importing.add(session)
  await session.query(`select pg_advisory_lock_shared(${lock})`)
  await session.command(drop)
}

/** Ends the deferral by `deferIndexes`, once the indexes are there again. */
export async function endDeferring(session: Session): Promise<void> {
  if (!importing.delete(session)) return
  await session.query(`select pg_advisory_unlock_shared(${lock})`)
}

/** The deferred indexes that are not there, or were not finished. */
async function missing(session: Session): Promise<string[]> {
  const found = await session.query<{ name: string }>(
    `select relname as "name" from pg_index join pg_class on pg_class.oid = indexrelid
      where indisvalid and relname = any ($1::text[]) and pg_table_is_visible(indexrelid)`,
    [names],
  )
  const there = new Set(found.map(({ name }) => name))
  return names.filter((name) => !there.has(name))
}

/** Whether indexes are missing that no running import is going to make. */
export async function areMissing(session: Session): Promise<boolean> {
  if ((await missing(session)).length === 0) return false
  const [row] = await session.query<{ isFree: boolean }>(
    `select pg_try_advisory_lock(${lock}) and pg_advisory_unlock(${lock}) as "isFree"`,
  )
  return row?.isFree === true
}

/** Makes missing deferred indexes on a session of its own, in one of several processes; an unfinished one is made again. */
export async function makeDeferredIndexes(session: Session): Promise<void> {
  const [row] = await session.query<{ isMine: boolean }>(`select pg_try_advisory_lock(${making}) as "isMine"`)
  if (row?.isMine !== true) return
  await session.command(`set maintenance_work_mem = '${memory}'`)
  for (const name of await missing(session)) {
    await session.command(`drop index concurrently if exists "${name}"`)
    await session.command(statementOf(name))
  }
  await session.query(`select pg_advisory_unlock(${making})`)
}
