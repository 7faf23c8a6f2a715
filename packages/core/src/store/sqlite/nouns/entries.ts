import { sql } from 'kysely'
import type { Loss } from '../../../erasures.ts'
import type { Head, StoredEntry } from '../../../log/entry.ts'
import type { LogState } from '../../../log/script.ts'
import { Frontier, type TreeReads } from '../../../log/tree.ts'
import type { OpenHole } from '../../reads.ts'
import { storedEntryOf } from '../../rows.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'

/** A hash in lower-case hexadecimal. */
const hexOf = (column: string) => sql<string>`lower(hex(${sql.ref(column)}))`

/** Reads the log and its tree on one connection: entries of all kinds. */
export function entryReads(statements: Statements) {
  const entries = () => build.selectFrom('entries').selectAll()
  const after = statements.prepare(() =>
    entries().where('id', '>', param<number>('after')).orderBy('id').limit(limitParam('limit')),
  )
  const byId = statements.prepare(() => entries().where('id', '=', param<number>('id')))
  // In the order of the index of users.
  const by = statements.prepare(() =>
    entries()
      .where('by', '=', param<string>('userId'))
      .where(sql<boolean>`(subject, action, id) > (${param('subject')}, ${param('action')}, ${param('id')})`)
      .orderBy('subject')
      .orderBy('action')
      .orderBy('id')
      .limit(limitParam('limit')),
  )
  // A partial index is used where its condition is written out.
  const about = statements.prepare(() =>
    entries()
      .where(sql<boolean>`subject <> 'waypoint'`)
      .where('subject', '=', 'user')
      .where('subjectId', '=', param<string>('userId'))
      .where('id', '>', param<number>('after'))
      .orderBy('id')
      .limit(limitParam('limit')),
  )
  const state = statements.prepare(() =>
    build.selectFrom('state').select(['size', hexOf('peaks').as('peaks'), 'headAt', 'origin']),
  )
  const leaves = statements.prepare(() =>
    build
      .selectFrom('entries')
      .select(hexOf('leaf').as('leaf'))
      .where('id', '>', param<number>('from'))
      .orderBy('id')
      .limit(limitParam('count')),
  )
  const tiles = statements.prepare(() =>
    build
      .selectFrom('tiles')
      .select(hexOf('root').as('root'))
      .where('level', '=', param<number>('level'))
      .where('place', '>=', param<number>('from'))
      .orderBy('place')
      .limit(limitParam('count')),
  )
  const time = statements.prepare(() =>
    build.selectFrom('entries').select('at').where('id', '=', param<number>('id')),
  )
  const before = statements.prepare(() =>
    build
      .selectFrom('entries')
      .select('id')
      .where('at', '<', param<string>('at'))
      .orderBy('id', 'desc')
      .limit(sql.lit(1)),
  )
  const lost = statements.prepare(() =>
    build
      .selectFrom('entries')
      .select(['id', 'leaf', sql<string>`commitments`.as('commitments')])
      // Those that lost fields are found by the entries that redact them, since they are few.
      .where('id', 'in', (where) =>
        where
          .selectFrom('entries as redactions')
          .where(sql<boolean>`redactions.subject <> 'waypoint'`)
          .where('redactions.subject', '=', 'entry')
          .select(sql<number>`redactions.subjectId`.as('lost')),
      )
      .where('commitments', 'is not', null)
      .orderBy('id'),
  )
  // By the partial index, whose condition is written out.
  const redactions = statements.columns<[number]>(
    sql`select count(*) from entries where subject <> 'waypoint' and subject = 'entry'`,
  )
  const whole = statements.prepare(() =>
    build.selectFrom('state').selectAll().select(hexOf('peaks').as('hexPeaks')),
  )
  // Partial indexes are used where their conditions are written out.
  const later = sql`l.subjectId = e.subjectId and l.id > e.id and json_type(l.fields, '$.' || c.key) is not null`
  const openHoles = sql`
    select e.id, e.subject, e.subjectId, c.key, not iif(e.subject = 'waypoint',
        exists (select 1 from entries l where l.subject = 'waypoint' and ${later}),
        exists (select 1 from entries l where l.subject <> 'waypoint' and l.subject = e.subject and ${later}))
      from entries e, json_each(e.commitments) c
      where e.seed is null and not exists (
        select 1 from entries r, json_each(r.fields, '$.names') n
          where r.subject <> 'waypoint' and r.subject = 'entry' and r.subjectId = +e.id and n.value = c.key)
      order by e.id`

  const tree: TreeReads = {
    leaves: async (from, count) => leaves.all({ from, count }).map(({ leaf }) => leaf),
    tiles: async (level, from, count) => tiles.all({ level, from, count }).map(({ root }) => root),
  }

  function known() {
    const row = state.get()
    if (row === undefined) throw new Error('the row of the table state is missing')
    return row
  }

  return {
    tree,
    head(): Head {
      const { size, peaks, headAt } = known()
      return {
        id: size,
        hash: new Frontier(size, peaks).root(),
        ...(headAt !== null && { timestamp: headAt }),
      }
    },
    /** Which line of history this is. */
    origin: (): string => known().origin,
    /** The time of an entry. */
    timeOf: (id: number): string | undefined => time.get({ id })?.at,
    /** The newest entry before a time, ISO 8601 in UTC; 0 when there is none. */
    idBefore: (at: string): number => before.get({ at })?.id ?? 0,
    /** The leaf hashes of all entries, oldest first. */
    *leaves(): Generator<string> {
      for (let from = 0, read = 1; read > 0; from += read) {
        const page = leaves.all({ from, count: 1000 })
        for (const { leaf } of page) yield leaf
        read = page.length
      }
    },
    get(id: number): StoredEntry | undefined {
      const row = byId.get({ id })
      return row && storedEntryOf(row)
    },
    /** Every field that an entry lost, by id. */
    losses: (): Loss[] =>
      lost.all().flatMap(({ id, leaf, commitments }) =>
        Object.keys(JSON.parse(commitments) as object).map((field) => ({
          id,
          leaf: Buffer.from(leaf).toString('hex'),
          field,
        })),
      ),
    /** How many entries say that others lost fields. */
    redactions: (): number => redactions.all({})[0]?.[0] ?? 0,
    /** Entries after an id, oldest first. */
    after: (id: number, limit: number): StoredEntry[] => after.all({ after: id, limit }).map(storedEntryOf),
    /** Entries by one user, by subject, action and id, after such a place. */
    by: (
      userId: string,
      { subject, action, id }: { readonly subject: string; readonly action: string; readonly id: number },
      limit: number,
    ): StoredEntry[] => by.all({ userId, subject, action, id, limit }).map(storedEntryOf),
    /** Entries about a user, after an id, oldest first. */
    aboutUser: (userId: string, after: number, limit: number): StoredEntry[] =>
      about.all({ userId, after, limit }).map(storedEntryOf),
    /** Fields that entries lost, although no redaction names them. */
    openHoles: (): OpenHole[] =>
      statements
        .columns<[number, OpenHole['subject'], number | string, string, number]>(openHoles)
        .all({})
        .map(([id, subject, subjectId, field, isLast]) => ({
          id,
          subject,
          subjectId,
          field,
          isLast: isLast === 1,
        })),
    /** What new entries must continue. */
    state(): Omit<LogState, 'totals'> {
      const row = whole.get()
      if (row === undefined) throw new Error('the row of the table state is missing')
      const last = {
        waypoint: row.lastWaypointId,
        review: row.lastReviewId,
        area: row.lastAreaId,
        source: row.lastSourceId,
        import: row.lastImportId,
      }
      return { size: row.size, peaks: row.hexPeaks, last, ...(row.headAt !== null && { headAt: row.headAt }) }
    },
  }
}
export type EntryReads = ReturnType<typeof entryReads>
