import { sql } from 'kysely'
import { genesis, type Action, type HistoryEntry, type LogEntry, type SealedEntry } from '../change.ts'
import { build, param, type Statements } from './statement.ts'

/** Which log entries a list answers. */
export interface ChangeFilter {
  readonly bubblerId?: number | undefined
  readonly userId?: string | undefined
  readonly action?: Action | undefined
  readonly order: 'asc' | 'desc'
  readonly after: number
}

/** A log entry with the row it concerns, as single reads and the recent feed answer it. */
export interface DescribedRow {
  readonly entry: LogEntry
  readonly user: { id: string; name: string; xp: number }
  readonly waypoint: { id: number; name: string; latitude: number; longitude: number }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The change log on one connection. */
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

  const narrowed = ({ bubblerId, userId, action, order }: ChangeFilter) => ({
    shape: [order, bubblerId !== undefined, userId !== undefined, action !== undefined].join(' '),
    where: () => {
      let query = entries().where('changes.id', '>', param<number>('after'))
      if (bubblerId !== undefined) query = query.where('bubblerId', '=', param<number>('bubblerId'))
      if (userId !== undefined) query = query.where('userId', '=', param<string>('userId'))
      if (action !== undefined) query = query.where('action', '=', param<Action>('action'))
      return query
    },
  })

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
      if (row === undefined) throw new Error('the registry has lost its state')
      const { headId: id, headTimestamp: timestamp } = row
      return { id, hash: hex(row.headHash), ...(timestamp !== null && { timestamp }) }
    },
    get(id: number): DescribedRow | undefined {
      const row = byId.get({ id })
      return row && describedOf(row)
    },
    recent: (limit: number): DescribedRow[] => recent.all({ limit }).map(describedOf),
    list(filter: ChangeFilter & { readonly limit: number; readonly offset: number }): LogEntry[] {
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`changes: ${shape}`, () =>
        where()
          .orderBy('changes.id', filter.order)
          .limit(param<number>('limit'))
          .offset(param<number>('offset')),
      )
      return statement.all({ ...filter }).map(entryOf)
    },
    count(filter: ChangeFilter): number {
      const { bubblerId, userId, action } = filter
      if (bubblerId === undefined && userId === undefined && action === undefined) {
        // Ids of the log have no gaps.
        return Math.max(0, this.head().id - filter.after)
      }
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`count of changes: ${shape}`, () =>
        where()
          .clearSelect()
          .select(({ fn }) => fn.countAll<number>().as('n')),
      )
      return statement.get({ ...filter })?.n ?? 0
    },
    /** Entries after an id with their seals, in the log's order. */
    sealed: (afterId: number, limit: number): SealedEntry[] => seal(after.all({ after: afterId, limit })),
    /** A waypoint's log without what changed, oldest first. */
    history: (id: number): HistoryEntry[] => history.all({ id }),
    /** A waypoint's log as the text of a JSON array. */
    historyText: (id: number): string => `[${historyText.get({ id })?.text ?? ''}]`,
  }
}
export type ChangeReads = ReturnType<typeof changeReads>
