import { setTimeout as wait } from 'node:timers/promises'
import type { DatabaseError } from 'pg'
import type { Leftover } from '@openfountain/core/engine'
import type { Session } from './connection/session.ts'
import type { Sessions } from './connection/sessions.ts'

const withTexts = [
  'users',
  'sources',
  'areas',
  'reviews',
  'photos',
  'reports',
  'doubts',
  'secrets',
  'records',
  'waypoints',
  'entries',
]

/** Samples of the columns' values, stored by ANALYZE for the planner. */
const statistics = 'pg_catalog.pg_statistic'

/** Up to this size a table is written anew, in bytes: in about a second, during which nobody can read it. */
const rewrittenUpTo = 128 * 1024 * 1024
/** The wait for readers of a table, in milliseconds; later users have to wait as well. */
const lockTimeout = 1000
/** How long between two tries, in milliseconds. */
const pause = 200

type Result = 'rewritten' | 'large' | 'in use' | 'seen' | 'refused'

const remedies: Readonly<Record<Exclude<Result, 'rewritten'>, (tables: string) => Leftover>> = {
  large: (tables) => ({
    place: `free space of the tables ${tables}`,
    remedy: `run VACUUM FULL ${tables} when a pause of all reads and writes is possible`,
  }),
  'in use': (tables) => ({
    place: `free space of the tables ${tables}, which somebody keeps reading`,
    remedy: 'end that session, as pg_stat_activity shows it, and erase again',
  }),
  refused: (tables) => ({
    place: `replaced rows of ${tables}, which this user may not vacuum`,
    remedy: `run VACUUM FULL ${tables} as a superuser, or make this user the owner of the database`,
  }),
  seen: (tables) => ({
    place: `rows of the tables ${tables} that are replaced, but that a running transaction, a prepared one or a standby may still read`,
    remedy:
      'end it, as backend_xmin in pg_stat_activity and xmin in pg_replication_slots show it, and erase again',
  }),
}

/** Rewrites tables without replaced rows; large ones are only vacuumed. @returns places where data remains, such as the server's log */
export async function rewrite(sessions: Sessions): Promise<readonly Leftover[]> {
  return sessions.during('long', async (session) => {
    await session.command(`set lock_timeout = ${lockTimeout}`)
    // A standby reports every ten seconds which rows it still reads.
    const until = performance.now() + 2 * sessions.patience
    const all = withTexts.map((name) => `"${name}"`)
    // First, so that its replaced statistics age together with the rows of the tables.
    const results: (readonly [table: string, result: Result])[] = []
    const isAnalyzed = await analyzed(session, all, until)
    if (!isAnalyzed) results.push([statistics, 'in use'])
    for (const table of [...all, statistics]) results.push([table, await rewritten(session, table, until)])
    const lasting = (['large', 'in use', 'refused', 'seen'] as const).flatMap((result) => {
      const tables = results.filter((each) => each[1] === result).map(([table]) => table)
      return tables.length === 0 ? [] : [remedies[result](tables.join(', '))]
    })
    return [...lasting, ...(await keptBySlots(session)), await inLog(session), ...(await inMessages(session))]
  })
}

/** Makes the planner's statistics anew. @returns whether it could */
async function analyzed(session: Session, tables: readonly string[], until: number): Promise<boolean> {
  while ((await vacuumed(session, `analyze ${tables.join(', ')}`)) === 'in use') {
    if (performance.now() > until) return false
    await wait(pause)
  }
  return true
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
    if (kept === 'refused') return kept
    if (kept === 0) return isSmall ? 'rewritten' : 'large'
    if (performance.now() > until) return kept === 'in use' ? kept : 'seen'
    await wait(pause)
  }
}

/** @returns the number of replaced rows that stay, because somebody may still read them */
async function vacuumed(session: Session, command: string): Promise<number | 'in use' | 'refused'> {
  let kept = 0
  let isRefused = false
  // "3 dead row versions cannot be removed yet", in the language of the server.
  const onNotice = ({ detail = '', code }: Pick<DatabaseError, 'detail' | 'code'>): void => {
    // A warning: the table was skipped.
    isRefused ||= code?.startsWith('01') === true
    kept += Number(/^(\d+) /.exec(detail)?.[1] ?? 0)
  }
  session.client.on('notice', onNotice)
  try {
    await session.command(command)
    return isRefused ? 'refused' : kept
  } catch (error) {
    // lock_not_available
    if (error instanceof Error && 'code' in error && error.code === '55P03') return 'in use'
    throw error
  } finally {
    session.client.off('notice', onNotice)
  }
}

/** Slots whose standby is away: they keep the log for it, however long that takes. */
async function keptBySlots(session: Session): Promise<readonly Leftover[]> {
  const slots = await session.query<{ name: string }>(
    `select slot_name::text as "name" from pg_replication_slots
      where not active and restart_lsn is not null and not temporary order by 1`,
  )
  if (slots.length === 0) return []
  const names = slots.map(({ name }) => name).join(', ')
  return [
    {
      place: `the write-ahead log that is kept for replication slots nobody uses (${names})`,
      remedy: 'start their standbys, or remove them with pg_drop_replication_slot(), and erase again',
    },
  ]
}

async function inLog(session: Session): Promise<Leftover> {
  const standbys = await session.query<{ name: string | null }>(
    // Without the right to see the statistics of others, no names are visible.
    'select application_name as "name" from pg_stat_replication order by 1',
  )
  const [settings] = await session.query<{ archive: string; most: string; kept: string }>(
    `select current_setting('archive_mode') as "archive", current_setting('max_wal_size') as "most",
      current_setting('wal_keep_size') as "kept"`,
  )
  const names = standbys.flatMap(({ name }) => name ?? [])
  const named = names.length === standbys.length ? names.join(', ') : String(standbys.length)
  const isArchived = settings?.archive !== 'off'
  const where = [
    'the write-ahead log of the database server',
    ...(standbys.length === 0 ? [] : [`that of its standbys (${named})`]),
    ...(isArchived ? ['its archive'] : []),
  ]
  const amount =
    settings?.kept === '0' ? settings.most : `${settings?.most ?? ''} and ${settings?.kept ?? ''}`
  return {
    place: where.join(', '),
    remedy: `it is overwritten once some ${amount} more was written, which takes as long as that takes; pg_switch_wal() and CHECKPOINT, on standbys too, hasten it. ${isArchived ? 'Archives, base' : 'Base'} backups and dumps from before have it until you remove them`,
    isPassing: true,
  }
}

/** The settings by which the server writes the values of statements into its messages. */
const valuesInMessages = `select name from pg_settings
  where (name = 'log_statement' and setting in ('mod', 'all')
      or name in ('log_min_duration_statement', 'log_min_duration_sample') and setting <> '-1')
    and current_setting('log_parameter_max_length') <> '0'
  or name = 'log_parameter_max_length_on_error' and setting <> '0'
  order by name`

/** Traces in the messages that the server logs. */
async function inMessages(session: Session): Promise<readonly Leftover[]> {
  const found = await session.query<{ name: string }>(valuesInMessages)
  if (found.length === 0) return []
  return [
    {
      place: `the messages that the database server logs (${found.map(({ name }) => name).join(', ')})`,
      remedy: 'remove those from before, and set log_parameter_max_length and …_on_error to 0',
      isPassing: true,
    },
  ]
}
