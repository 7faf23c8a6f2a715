import type { Leftover } from '@openfountain/core/engine'
import type { Sessions } from './connection/sessions.ts'

/** Tables that have texts of people; the largest last. */
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

/** Up to this size a table is written anew, in bytes: in about a second, during which nobody else can read it. */
const rewrittenUpTo = 128 * 1024 * 1024
/** How long to wait for those who read a table before others have to wait behind, in milliseconds. */
const lockTimeout = 2000

/**
 * Removes what was deleted or replaced from the tables' files, and returns where it may still be. Large tables are vacuumed
 * alone, which leaves it in free space until that is written again.
 */
export async function rewrite(sessions: Sessions): Promise<readonly Leftover[]> {
  const session = await sessions.patiently(() => sessions.open('long'))
  try {
    await session.command(`set lock_timeout = ${lockTimeout}`)
    const leftovers: Leftover[] = []
    const kept: string[] = []
    for (const table of withTexts) {
      const [found] = await session.query<{ bytes: number }>(
        'select pg_total_relation_size($1::regclass) as "bytes"',
        [`"${table}"`],
      )
      const isSmall = (found?.bytes ?? 0) <= rewrittenUpTo
      if (isSmall && (await rewritten(() => session.command(`vacuum full "${table}"`)))) continue
      await session.command(`vacuum "${table}"`)
      kept.push(`"${table}"`)
    }
    if (kept.length > 0)
      leftovers.push({
        place: `free space of the tables ${kept.join(', ')}`,
        remedy: `run VACUUM FULL ${kept.join(', ')} when a pause of all reads and writes is possible`,
      })
    return [...leftovers, ...(await inServers())]
  } finally {
    await session.close()
  }

  async function inServers(): Promise<Leftover[]> {
    const standbys = await session.query<{ name: string }>(
      'select application_name as "name" from pg_stat_replication order by 1',
      [],
    )
    const [archive] = await session.query<{ mode: string }>(
      `select current_setting('archive_mode') as "mode"`,
      [],
    )
    const where = [
      'the write-ahead log of the database server',
      ...(standbys.length === 0
        ? []
        : [`that of its standbys (${standbys.map(({ name }) => name).join(', ')})`]),
      ...(archive?.mode === 'off' ? [] : ['the archive of that log']),
    ]
    return [
      {
        place: where.join(', '),
        remedy:
          'it is overwritten in the course of writing: run CHECKPOINT and pg_switch_wal() on the server to hasten that, and remove archives and base backups that are older than this',
      },
    ]
  }
}

async function rewritten(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    // lock_not_available: somebody reads it for long.
    if (error instanceof Error && 'code' in error && error.code === '55P03') return false
    throw error
  }
}
