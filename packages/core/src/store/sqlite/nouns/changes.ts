import { sql } from 'kysely'
import {
  genesis,
  type Action,
  type HistoryEntry,
  type LogEntry,
  type SealedEntry,
} from '../../../log/entry.ts'
import { few } from '../search/bounds.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { Values } from '../connection/value.ts'

/** Which log entries a list returns. */
export interface ChangeFilter {
  readonly bubblerId?: number | undefined
  readonly userId?: string | undefined
  readonly action?: Action | undefined
  readonly order: 'asc' | 'desc'
  readonly after: number
}

/** The conditions of a list of entries; each has its own index. The most selective ones come first. */
const conditions = ['bubblerId', 'userId', 'action'] as const
type Condition = (typeof conditions)[number]

/** How many entries to count at most, to find out which of two conditions is more selective. */
const many = 50_000

/** A log entry with its user and waypoint, for single reads and the recent feed. */
export interface DescribedRow {
  readonly entry: LogEntry
  readonly user: { id: string; name: string; xp: number }
  readonly waypoint: { id: number; name: string; latitude: number; longitude: number }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Reads the change log on one connection. */
export function changeReads(statements: Statements) {
  const entries = () =>
    build
      .selectFrom('changes')
      .leftJoin('redactions', 'redactions.changeId', 'changes.id')
      .select([
        'changes.id',
        'bubblerId',
        'userId',
        'action',
        'changes.changes',
        'timestamp',
        'salt',
        'digest',
        'hash',
        'redactions.reason as redactionReason',
        'redactions.fields as redactedFields',
        'redactions.at as redactedAt',
      ])
  const after = statements.prepare(() =>
    entries()
      .where('changes.id', '>', param<number>('after'))
      .orderBy('changes.id')
      .limit(param<number>('limit')),
  )
  const before = statements.prepare(() =>
    entries()
      .where('changes.id', '>', param<number>('after'))
      .where('changes.id', '<=', param<number>('last'))
      .orderBy('changes.id', 'desc')
      .limit(param<number>('limit')),
  )
  const described = () =>
    entries()
      .innerJoin('users', 'users.id', 'changes.userId')
      .innerJoin('waypoints', 'waypoints.id', 'changes.bubblerId')
      .select([
        'users.name as userName',
        'users.xp as userXp',
        'waypoints.name as waypointName',
        'waypoints.latitude as latitude',
        'waypoints.longitude as longitude',
      ])
  const byId = statements.prepare(() => described().where('changes.id', '=', param<number>('id')))
  const recent = statements.prepare(() =>
    described().orderBy('changes.id', 'desc').limit(param<number>('limit')),
  )
  const hashBefore = statements.prepare(() =>
    build
      .selectFrom('changes')
      .select('hash')
      .where('id', '<', param<number>('id'))
      .orderBy('id', 'desc')
      .limit(1),
  )
  const head = statements.prepare(() =>
    build.selectFrom('state').select(['headId', 'headHash', 'headTimestamp']),
  )
  const history = statements.prepare(() =>
    build
      .selectFrom('changes')
      .select(['id', 'bubblerId', 'userId', 'action', 'timestamp'])
      .where('bubblerId', '=', param<number>('id'))
      .orderBy('id'),
  )
  const historyText = statements.prepare(() =>
    build
      .selectFrom('changes')
      .select(
        sql<
          string | null
        >`group_concat('{"id":' || id || ',"bubblerId":' || bubblerId || ',"userId":' || json_quote(userId)
          || ',"action":"' || action || '","timestamp":"' || timestamp || '"}', ',' order by id)`.as('text'),
      )
      .where('bubblerId', '=', param<number>('id')),
  )

  const values = (filter: ChangeFilter): Values => ({ ...filter })

  /** The number of entries that match one condition, counted in its index up to `most` + 1. */
  function countUpTo(most: number, condition: Condition, filter: ChangeFilter): number {
    const counting = statements.shaped(`some changes: ${condition}`, () =>
      build
        .selectFrom(
          build
            .selectFrom('changes')
            .select('id')
            .where(condition, '=', param<never>(condition))
            .where('id', '>', param<number>('after'))
            .limit(param<number>('limit'))
            .as('rows'),
        )
        .select(({ fn }) => fn.countAll<number>().as('n')),
    )
    return counting.get({ ...values(filter), limit: most + 1 })?.n ?? 0
  }

  const given = (filter: ChangeFilter): Condition[] =>
    conditions.filter((condition) => filter[condition] !== undefined)

  /** The condition whose index is used: one that few entries match, or else the one that the fewest match. */
  function leading(filter: ChangeFilter): Condition | undefined {
    const all = given(filter)
    if (all.length < 2) return all[0]
    const isFew = all.find((condition) => countUpTo(few, condition, filter) <= few)
    if (isFew !== undefined) return isFew
    const counts = new Map(all.map((condition) => [condition, countUpTo(many, condition, filter)]))
    return all.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))[0]
  }

  /** The conditions of a filter; the unary plus keeps SQLite from using another index than the leading one's. */
  function narrowed(filter: ChangeFilter) {
    const lead = leading(filter)
    const all = given(filter)
    const where = all.map((condition) =>
      condition === lead
        ? sql<boolean>`${sql.ref(condition)} = ${param(condition)}`
        : sql<boolean>`+${sql.ref(condition)} = ${param(condition)}`,
    )
    return {
      shape: [lead, ...all].join(' '),
      where: [sql<boolean>`changes.id > ${param('after')}`, ...where],
    }
  }

  type Row = ReturnType<typeof after.all>[number]
  type Described = ReturnType<typeof recent.all>[number]

  function entryOf(row: Row): LogEntry {
    const { redactionReason: reason, redactedAt: timestamp } = row
    return {
      id: row.id,
      bubblerId: row.bubblerId,
      userId: row.userId,
      action: row.action,
      changes: JSON.parse(row.changes) as Record<string, unknown>,
      timestamp: row.timestamp,
      ...(reason !== null &&
        timestamp !== null && {
          redacted: { reason, timestamp, fields: JSON.parse(row.redactedFields ?? '[]') as string[] },
        }),
    }
  }

  /** A page of the whole log. Ids have no gaps, so that the offset is computed instead of skipped. */
  function page(filter: ChangeFilter & { readonly limit: number; readonly offset: number }): LogEntry[] {
    const { order, limit, offset } = filter
    if (order === 'asc') return after.all({ after: filter.after + offset, limit }).map(entryOf)
    const last = (head.get()?.headId ?? 0) - offset
    return before.all({ after: filter.after, last, limit }).map(entryOf)
  }

  function sealedOf(row: Row, previousHash: string): SealedEntry {
    return {
      ...entryOf(row),
      salt: row.salt === null ? null : hex(row.salt),
      digest: hex(row.digest),
      hash: hex(row.hash),
      previousHash,
    }
  }

  function describedOf(row: Described): DescribedRow {
    return {
      entry: entryOf(row),
      user: { id: row.userId, name: row.userName, xp: row.userXp },
      waypoint: {
        id: row.bubblerId,
        name: row.waypointName,
        latitude: row.latitude,
        longitude: row.longitude,
      },
    }
  }

  function seal(rows: readonly Row[]): SealedEntry[] {
    const [first] = rows
    if (first === undefined) return []
    const before = hashBefore.get({ id: first.id })
    let previousHash = before === undefined ? genesis : hex(before.hash)
    return rows.map((row) => {
      const sealed = sealedOf(row, previousHash)
      previousHash = sealed.hash
      return sealed
    })
  }

  return {
    head() {
      const row = head.get()
      if (row === undefined) throw new Error('the row of the table state is missing')
      const { headId: id, headTimestamp: timestamp } = row
      return { id, hash: hex(row.headHash), ...(timestamp !== null && { timestamp }) }
    },
    get(id: number): DescribedRow | undefined {
      const row = byId.get({ id })
      return row && describedOf(row)
    },
    recent: (limit: number): DescribedRow[] => recent.all({ limit }).map(describedOf),
    list(filter: ChangeFilter & { readonly limit: number; readonly offset: number }): LogEntry[] {
      if (given(filter).length === 0) return page(filter)
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`changes: ${filter.order} ${shape}`, () =>
        where
          .reduce((query, condition) => query.where(condition), entries())
          .orderBy('changes.id', filter.order)
          .limit(param<number>('limit'))
          .offset(param<number>('offset')),
      )
      return statement.all({ ...filter }).map(entryOf)
    },
    count(filter: ChangeFilter): number {
      // Ids of the log have no gaps.
      if (given(filter).length === 0) return Math.max(0, this.head().id - filter.after)
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`count of changes: ${shape}`, () =>
        where
          .reduce((query, condition) => query.where(condition), build.selectFrom('changes'))
          .select(({ fn }) => fn.countAll<number>().as('n')),
      )
      return statement.get(values(filter))?.n ?? 0
    },
    /** Whether a list and its count read at most `few` entries, or as many as the list returns. */
    isBounded(filter: ChangeFilter): boolean {
      const all = given(filter)
      return all.length === 0 || all.some((condition) => countUpTo(few, condition, filter) <= few)
    },
    /** Entries after an id with their seals, in the log's order. */
    sealed: (afterId: number, limit: number): SealedEntry[] => seal(after.all({ after: afterId, limit })),
    /** A waypoint's log without the changes, oldest first. */
    history: (id: number): HistoryEntry[] => history.all({ id }),
    /** A waypoint's log as the text of a JSON array. */
    historyText: (id: number): string => `[${historyText.get({ id })?.text ?? ''}]`,
  }
}
export type ChangeReads = ReturnType<typeof changeReads>
