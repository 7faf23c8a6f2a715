import { setTimeout as wait } from 'node:timers/promises'
import type { Leftover } from '@openfountain/core/engine'
import type { Session } from './connection/session.ts'
import type { Sessions } from './connection/sessions.ts'

/** Tables that have texts of people, and secrets. */
const withTexts = [
  'users',
  'sources',
  'areas',
  'reviews',
  'reports',
  'secrets',
  'records',
  'waypoints',
  'entries',
]

/** Up to this size a table is written anew, in bytes: in about a second, during which nobody can read it. */
const rewrittenUpTo = 128 * 1024 * 1024
/** How long to wait for those who read a table, in milliseconds; whoever comes after has to wait as well. */
const lockTimeout = 1000
/** How long between two tries, in milliseconds. */
const pause = 200

/** How a table came out of it. */
type Result = 'rewritten' | 'large' | 'in use' | 'seen'

const remedies: Readonly<Record<Exclude<Result, 'rewritten'>, (tables: string) => Leftover>> = {
  large: (tables) => ({
    place: `free space of the tables ${tables}`,
    remedy: `run VACUUM FULL ${tables} when a pause of all reads and writes is possible`,
  }),
  'in use': (tables) => ({
    place: `free space of the tables ${tables}, which somebody keeps reading`,
    remedy: 'end that session, as pg_stat_activity shows it, and erase again',
  }),
  seen: (tables) => ({
    place: `rows of the tables ${tables} that are replaced, but that a running transaction, a prepared one or a standby may still read`,
    remedy:
      'end it, as backend_xmin in pg_stat_activity and xmin in pg_replication_slots show it, and erase again',
  }),
}

/**
 * Removes what was deleted or replaced from the files of the tables, which are written anew. Large tables are vacuumed alone,
 * which leaves it in free space. It waits a while for those who read.
 *
 * @returns where it still is; in the server's own log it is always, until that is overwritten
 */
export async function rewrite(sessions: Sessions): Promise<readonly Leftover[]> {
  const session = await sessions.patiently(() => sessions.open('long'))
  try {
    await session.command(`set lock_timeout = ${lockTimeout}`)
    const until = performance.now() + sessions.patience
    const results: (readonly [table: string, result: Result])[] = []
    for (const table of withTexts) results.push([`"${table}"`, await rewritten(session, `"${table}"`, until)])
    const lasting = (['large', 'in use', 'seen'] as const).flatMap((result) => {
      const tables = results.filter((each) => each[1] === result).map(([table]) => table)
      return tables.length === 0 ? [] : [remedies[result](tables.join(', '))]
    })
    return [...lasting, await inLog(session)]
  } finally {
    await session.close()
  }
}

/** @param until when it is tried for the last time, as `performance.now` has it */
async function rewritten(session: Session, table: string, until: number): Promise<Result> {
  const [found] = await session.query<{ bytes: number }>(
    'select pg_total_relation_size($1::text::regclass) as "bytes"',
    [table],
  )
  const isSmall = (found?.bytes ?? 0) <= rewrittenUpTo
  for (;;) {
    const kept = await vacuumed(session, `vacuum (${isSmall ? 'full, ' : ''}verbose) ${table}`)
    if (kept === 0) return isSmall ? 'rewritten' : 'large'
    if (performance.now() > until) return kept === undefined ? 'in use' : 'seen'
    await wait(pause)
  }
}

/** @returns how many replaced rows had to be kept, because somebody may still read them; undefined when it is in use */
async function vacuumed(session: Session, command: string): Promise<number | undefined> {
  let kept = 0
  // "3 dead row versions cannot be removed yet", in the language of the server.
  const onNotice = ({ detail = '' }: { readonly detail?: string | undefined }): void => {
    kept += Number(/^(\d+) /.exec(detail)?.[1] ?? 0)
  }
  session.client.on('notice', onNotice)
  try {
    await session.command(command)
    return kept
  } catch (error) {
    // lock_not_available
    if (error instanceof Error && 'code' in error && error.code === '55P03') return undefined
    throw error
  } finally {
    session.client.off('notice', onNotice)
  }
}

/** What the log of the server, its standbys and its archive have of it. */
async function inLog(session: Session): Promise<Leftover> {
  const standbys = await session.query<{ name: string }>(
    'select application_name as "name" from pg_stat_replication order by 1',
    [],
  )
  const [archive] = await session.query<{ mode: string }>(
    `select current_setting('archive_mode') as "mode"`,
    [],
  )
  const isArchived = archive?.mode !== 'off'
  const where = [
    'the write-ahead log of the database server',
    ...(standbys.length === 0
      ? []
      : [`that of its standbys (${standbys.map(({ name }) => name).join(', ')})`]),
    ...(isArchived ? ['its archive'] : []),
  ]
  const remedy = 'it is overwritten in the course of writing; CHECKPOINT and pg_switch_wal() hasten that'
  return {
    place: where.join(', '),
    remedy: isArchived ? `${remedy}, and archives and base backups from before are to be removed` : remedy,
    isPassing: true,
  }
}
