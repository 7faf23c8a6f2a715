import { sql } from 'kysely'
import { actions, entryFields, type Action, type HistoryEntry, type LogEntry } from '../../../log/entry.ts'
import type { ChangeFilter, DescribedRow } from '../../changes.ts'
import type { Paging } from '../../reads.ts'
import { few } from '../search/bounds.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { Values } from '../connection/value.ts'

/** The conditions of a list, each with its column. The most selective ones come first. */
const columns = { bubblerId: 'subjectId', userId: 'by', action: 'action' } as const
type Condition = keyof typeof columns
const conditions = Object.keys(columns) as Condition[]

/** How many entries to count at most, to find out which of two conditions is more selective. */
const many = 50_000

/** The fields of a waypoint in an entry, without those of the entry itself. */
function changesOf(fields: string): Record<string, unknown> {
  const all = JSON.parse(fields) as Record<string, unknown>
  for (const name of entryFields) delete all[name]
  return all
}

/** Why and when fields were redacted, in one for all redactions of an entry. */
function redactionOf(redactions: string | null): LogEntry['redacted'] {
  if (redactions === null) return undefined
  const all = JSON.parse(redactions) as { at: string; fields: { names: string[]; reason?: string } }[]
  const last = all.at(-1)
  if (last === undefined) return undefined
  const names = all.flatMap(({ fields }) => fields.names).filter((name) => !entryFields.has(name))
  if (names.length === 0) return undefined
  const reasons = all.flatMap(({ fields }) => fields.reason ?? [])
  return { reason: [...new Set(reasons)].join('; '), timestamp: last.at, fields: [...new Set(names)] }
}

/** Reads actions on waypoints on one connection: the log as the API has it. */
export function changeReads(statements: Statements) {
  const logged = () => build.selectFrom('entries').where(sql<boolean>`entries.subject = 'waypoint'`)
  const redactions = sql<string | null>`iif(entries.commitments is null, null, (
    select json_group_array(json_object('at', r.at, 'fields', json(r.fields)) order by r.id)
    from entries r where r.subject <> 'waypoint' and r.subject = 'entry' and r.subjectId = +entries.id))`
  const entries = () =>
    logged().select(['entries.id', 'subjectId', 'by', 'action', 'fields', 'at', redactions.as('redactions')])
  const described = () =>
    entries()
      .innerJoin('users', 'users.id', 'entries.by')
      .innerJoin('waypoints', 'waypoints.id', sql<number>`entries.subjectId` as never)
      .select([
        'users.name as userName',
        'users.xp as userXp',
        'waypoints.name as waypointName',
        'waypoints.latitude as latitude',
        'waypoints.longitude as longitude',
      ])
  const byId = statements.prepare(() => described().where('entries.id', '=', param<number>('id')))
  const recent = statements.prepare(() =>
    described().orderBy('entries.id', 'desc').limit(param<number>('limit')),
  )
  const totals = statements.prepare(() => build.selectFrom('state').select(['size', 'actions']))
  // The last full tile before the wanted action, from which few entries are left to skip.
  const tileBefore = statements.prepare(() =>
    build
      .selectFrom('tiles')
      .select(['place', 'actions'])
      .where('level', '=', 0)
      .where('actions', '<=', param<number>('actions'))
      .orderBy('actions', 'desc')
      .orderBy('place', 'desc')
      .limit(1),
  )
  const upwards = statements.prepare(() =>
    entries()
      .where('entries.id', '>', param<number>('from'))
      .orderBy('entries.id')
      .limit(param<number>('limit'))
      .offset(param<number>('offset')),
  )
  const countTo = statements.prepare(() =>
    logged()
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('entries.id', '>', param<number>('from'))
      .where('entries.id', '<=', param<number>('to')),
  )
  const ofUserCounts = statements.prepare(() =>
    build.selectFrom('users').select('actions as counts').where('id', '=', param<string>('userId')),
  )
  const ofAllCounts = statements.prepare(() => build.selectFrom('state').select('actionCounts as counts'))
  const history = statements.prepare(() =>
    logged()
      .select(['id', 'subjectId', 'by', 'action', 'at'])
      .where('subjectId', '=', param<number>('id'))
      .orderBy('id'),
  )
  const historyText = statements.prepare(() =>
    logged()
      .select(
        sql<
          string | null
        >`group_concat('{"id":' || id || ',"bubblerId":' || subjectId || ',"userId":' || json_quote(by)
          || ',"action":"' || action || '","timestamp":"' || at || '"}', ',' order by id)`.as('text'),
      )
      .where('subjectId', '=', param<number>('id')),
  )

  type Row = ReturnType<typeof upwards.all>[number]
  type Described = ReturnType<typeof recent.all>[number]

  function entryOf(row: Row): LogEntry {
    const redacted = redactionOf(row.redactions)
    return {
      id: row.id,
      bubblerId: row.subjectId as number,
      userId: row.by,
      action: row.action as Action,
      changes: changesOf(row.fields),
      timestamp: row.at,
      ...(redacted && { redacted }),
    }
  }

  function describedOf(row: Described): DescribedRow {
    return {
      entry: entryOf(row),
      user: { id: row.by, name: row.userName, xp: row.userXp },
      waypoint: {
        id: row.subjectId as number,
        name: row.waypointName,
        latitude: row.latitude,
        longitude: row.longitude,
      },
    }
  }

  /** The number of actions up to an entry. */
  function actionsTo(id: number): number {
    const tile = Math.floor(id / 256)
    const before = tile === 0 ? 0 : (tileAt.get({ place: tile - 1 })?.actions ?? 0)
    return before + (countTo.get({ from: tile * 256, to: id })?.n ?? 0)
  }
  const tileAt = statements.prepare(() =>
    build
      .selectFrom('tiles')
      .select('actions')
      .where('level', '=', 0)
      .where('place', '=', param<number>('place')),
  )

  /** The actions from the nth on, counted from 0 over the whole log. */
  function fromNth(nth: number, limit: number): LogEntry[] {
    if (limit <= 0) return []
    const tile = tileBefore.get({ actions: nth })
    const from = tile === undefined ? 0 : (tile.place + 1) * 256
    return upwards.all({ from, limit, offset: nth - (tile?.actions ?? 0) }).map(entryOf)
  }

  /** A page of the whole log. The offset is computed from the tiles instead of skipped. */
  function page({ order, after, limit, offset }: ChangeFilter & Paging): LogEntry[] {
    const all = totals.get()?.actions ?? 0
    const before = actionsTo(after)
    if (order === 'asc') return fromNth(before + offset, limit)
    const end = all - offset
    const start = Math.max(before, end - limit)
    return fromNth(start, end - start).toReversed()
  }

  const values = ({ bubblerId, userId, action, after }: ChangeFilter): Values => ({
    ...(bubblerId !== undefined && { bubblerId }),
    ...(userId !== undefined && { userId }),
    ...(action !== undefined && { action }),
    after,
  })

  /** The number of entries that match one condition, counted in its index up to `most` + 1. */
  function countUpTo(most: number, condition: Condition, filter: ChangeFilter): number {
    const counting = statements.shaped(`some changes: ${condition}`, () =>
      build
        .selectFrom(
          logged()
            .select('id')
            .where(columns[condition], '=', param<never>(condition))
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
    // A user and an action are in one index together.
    if (filter.bubblerId === undefined) return 'userId'
    const found = new Map(all.map((condition) => [condition, countUpTo(many, condition, filter)]))
    return all.toSorted((a, b) => (found.get(a) ?? 0) - (found.get(b) ?? 0))[0]
  }

  /** The conditions of a filter; the unary plus keeps SQLite from using another index than the leading one's. */
  function narrowed(filter: ChangeFilter) {
    const lead = leading(filter)
    const all = given(filter)
    const isTogether = lead === 'userId'
    const where = all.map((condition) => {
      const column = sql.ref(`entries.${columns[condition]}`)
      const isIndexed = condition === lead || (isTogether && condition === 'action')
      return isIndexed
        ? sql<boolean>`${column} = ${param(condition)}`
        : sql<boolean>`+${column} = ${param(condition)}`
    })
    return {
      shape: [lead, ...all].join(' '),
      where: [sql<boolean>`entries.id > ${param('after')}`, ...where],
    }
  }

  /** The number of a user's actions, or of everybody's, from the counts that every write updates. */
  function counted({ userId, action }: ChangeFilter): number {
    const row = userId === undefined ? ofAllCounts.get() : ofUserCounts.get({ userId })
    const counts = JSON.parse(row?.counts ?? '{}') as Partial<Record<Action, number>>
    if (action !== undefined) return counts[action] ?? 0
    return Object.values(counts).reduce((sum, n) => sum + n, 0)
  }

  /**
   * A user's actions. The index has them by action and then by id, so that the first few of each action are merged;
   * one query over all of them would sort everything that a user ever did.
   */
  function ofUser(filter: ChangeFilter & Paging): LogEntry[] {
    const { order, limit, offset } = filter
    const statement = statements.shaped(`changes of a user: ${order}`, () => {
      const direction = order === 'asc' ? sql`asc` : sql`desc`
      const each = actions.map(
        (action) => sql`select * from (select id from entries
          where by = ${param('userId')} and subject = 'waypoint' and action = ${sql.lit(action)}
          and id > ${param('after')} order by id ${direction} limit ${param('most')})`,
      )
      return entries()
        .where('entries.id', 'in', sql<number>`(${sql.join(each, sql` union all `)})` as never)
        .orderBy('entries.id', order)
        .limit(param<number>('limit'))
        .offset(param<number>('offset'))
    })
    return statement.all({ ...values(filter), limit, offset, most: limit + offset }).map(entryOf)
  }

  return {
    get(id: number): DescribedRow | undefined {
      const row = byId.get({ id })
      return row && describedOf(row)
    },
    recent: (limit: number): DescribedRow[] => recent.all({ limit }).map(describedOf),
    list(filter: ChangeFilter & Paging): LogEntry[] {
      if (given(filter).length === 0) return page(filter)
      if (given(filter).join(' ') === 'userId') return ofUser(filter)
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`changes: ${filter.order} ${shape}`, () =>
        where
          .reduce((query, condition) => query.where(condition), entries())
          .orderBy('entries.id', filter.order)
          .limit(param<number>('limit'))
          .offset(param<number>('offset')),
      )
      const { limit, offset } = filter
      return statement.all({ ...values(filter), limit, offset }).map(entryOf)
    },
    count(filter: ChangeFilter): number {
      const isCounted = filter.bubblerId === undefined
      if (given(filter).length === 0)
        return Math.max(0, (totals.get()?.actions ?? 0) - actionsTo(filter.after))
      if (isCounted && filter.after === 0) return counted(filter)
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`count of changes: ${shape}`, () =>
        where
          .reduce((query, condition) => query.where(condition), logged())
          .select(({ fn }) => fn.countAll<number>().as('n')),
      )
      return statement.get(values(filter))?.n ?? 0
    },
    /** Whether a list and its count read at most `few` entries, or as many as the list returns. */
    isBounded(filter: ChangeFilter & Partial<Paging>): boolean {
      const all = given(filter)
      if (all.length === 0) return true
      if (all.some((condition) => countUpTo(few, condition, filter) <= few)) return true
      // One index has these together, and the total is counted already.
      const isTogether = all.length === 1 || filter.userId !== undefined
      return isTogether && filter.bubblerId === undefined && filter.after === 0 && (filter.offset ?? 0) <= few
    },
    /** A waypoint's log without the changes, oldest first. */
    history: (id: number): HistoryEntry[] =>
      history.all({ id }).map(({ subjectId, by, action, at, ...row }) => ({
        id: row.id,
        bubblerId: subjectId as number,
        userId: by,
        action: action as Action,
        timestamp: at,
      })),
    /** A waypoint's log as the text of a JSON array. */
    historyText: (id: number): string => `[${historyText.get({ id })?.text ?? ''}]`,
  }
}
export type ChangeReads = ReturnType<typeof changeReads>
