import { sql, type RawBuilder } from 'kysely'
import { actions, type Action, type HistoryEntry, type LogEntry } from '../../../log/entry.ts'
import type { ChangeFilter, DescribedRow } from '../../changes.ts'
import type { Paging } from '../../reads.ts'
import { actionPlaces } from './action-places.ts'
import { few } from '../../few.ts'
import { describedRowOf, logEntryOf } from '../../logged.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'
import type { Values } from '../../value.ts'

/** The conditions of a list, each with its column. The most selective ones come first. */
const columns = { bubblerId: 'subjectId', userId: 'by', action: 'action' } as const
type Condition = keyof typeof columns
const conditions = Object.keys(columns) as Condition[]

/** How many entries to count at most, to find out which of two conditions is more selective. */
const many = 50_000

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
        'users.isModerator as isModerator',
        'waypoints.name as waypointName',
        'waypoints.latitude as latitude',
        'waypoints.longitude as longitude',
      ])
  /**
   * The ids of the first `most` of each action, by the indexes that have actions before ids: among them are the first
   * `most` of all, however many other entries come between.
   */
  function firstOfEach(condition: RawBuilder<unknown>, order: 'asc' | 'desc') {
    const each = actions.map(
      (action) => sql`select * from (select id from entries
        where ${condition} and subject = 'waypoint' and action = ${sql.lit(action)}
        and id > ${param('after')} order by id ${order === 'asc' ? sql`asc` : sql`desc`} limit ${limitParam('most')})`,
    )
    return sql<number>`(${sql.join(each, sql` union all `)})` as never
  }
  const byId = statements.prepare(() => described().where('entries.id', '=', param<number>('id')))
  const recent = statements.prepare(() =>
    described()
      .where('entries.id', 'in', firstOfEach(sql`true`, 'desc'))
      .orderBy('entries.id', 'desc')
      .limit(limitParam('limit')),
  )
  const withIds = (order: 'asc' | 'desc') =>
    statements.shaped(`changes with ids: ${order}`, () =>
      entries()
        .where('entries.id', 'in', sql<number>`(select value from json_each(${param('ids')}))` as never)
        .orderBy('entries.id', order),
    )
  const places = actionPlaces(statements)
  const upwards = statements.prepare(() =>
    entries()
      .where('entries.id', '>', param<number>('from'))
      .orderBy('entries.id')
      .limit(limitParam('limit'))
      .offset(limitParam('offset')),
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

  /** The actions from the nth on, counted from 0 over the whole log. */
  function fromNth(nth: number, limit: number): LogEntry[] {
    if (limit <= 0) return []
    return upwards.all({ ...places.of(nth), limit }).map(logEntryOf)
  }

  /** A page of the whole log. The offset is computed from the tiles instead of skipped. */
  function page(filter: ChangeFilter & Paging): LogEntry[] {
    const { order, offset, limit } = filter
    const { start, end } = places.stretch(filter)
    if (offset <= few && !places.isDense({ start, end }))
      return firstOnes(`changes: ${order}`, sql`true`, { ...filter, most: limit + offset })
    const entries = fromNth(start, end - start)
    return order === 'asc' ? entries : entries.toReversed()
  }

  /** A page of what `firstOfEach` finds. */
  function firstOnes(
    shape: string,
    condition: RawBuilder<unknown>,
    filter: ChangeFilter & Paging & { most: number },
  ): LogEntry[] {
    const { order, limit, offset, most } = filter
    const statement = statements.shaped(shape, () =>
      entries()
        .where('entries.id', 'in', firstOfEach(condition, order))
        .orderBy('entries.id', order)
        .limit(limitParam('limit'))
        .offset(limitParam('offset')),
    )
    return statement.all({ ...values(filter), limit, offset, most }).map(logEntryOf)
  }

  const values = ({ bubblerId, userId, action, after }: ChangeFilter): Values => ({
    ...(bubblerId !== undefined && { bubblerId }),
    ...(userId !== undefined && { userId }),
    ...(action !== undefined && { action }),
    after,
  })

  /**
   * The number of entries that match one condition, counted in its index up to `most` + 1. The index of users has ids
   * after actions, so that each action is counted.
   */
  function countUpTo(most: number, condition: Condition, filter: ChangeFilter): number {
    const counting = statements.shaped(`some changes: ${condition}`, () => {
      const matching = sql`subject = 'waypoint' and ${sql.ref(columns[condition])} = ${param(condition)}
        and id > ${param('after')}`
      const counts =
        condition === 'userId'
          ? actions.map(
              (action) => sql`select * from (select id from entries where ${matching}
                and action = ${sql.lit(action)} limit ${limitParam('limit')})`,
            )
          : [sql`select id from entries where ${matching}`]
      const rows = sql`(select * from (${sql.join(counts, sql` union all `)}) limit ${limitParam('limit')})`
      return build.selectFrom(rows.as('rows')).select(({ fn }) => fn.countAll<number>().as('n'))
    })
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
    const condition = sql`by = ${param('userId')}`
    return firstOnes(`changes of a user: ${order}`, condition, { ...filter, most: limit + offset })
  }

  return {
    get(id: number): DescribedRow | undefined {
      const row = byId.get({ id })
      return row && describedRowOf(row)
    },
    recent: (limit: number): DescribedRow[] =>
      recent.all({ after: 0, limit, most: limit }).map(describedRowOf),
    list(filter: ChangeFilter & Paging): LogEntry[] {
      if (given(filter).length === 0) return page(filter)
      if (given(filter).join(' ') === 'userId') return ofUser(filter)
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`changes: ${filter.order} ${shape}`, () =>
        where
          .reduce((query, condition) => query.where(condition), entries())
          .orderBy('entries.id', filter.order)
          .limit(limitParam('limit'))
          .offset(limitParam('offset')),
      )
      const { limit, offset } = filter
      return statement.all({ ...values(filter), limit, offset }).map(logEntryOf)
    },
    count(filter: ChangeFilter): number {
      const isCounted = filter.bubblerId === undefined
      if (given(filter).length === 0) return places.after(filter.after)
      if (isCounted && filter.after === 0) return counted(filter)
      const { shape, where } = narrowed(filter)
      const statement = statements.shaped(`count of changes: ${shape}`, () =>
        where
          .reduce((query, condition) => query.where(condition), logged())
          .select(({ fn }) => fn.countAll<number>().as('n')),
      )
      return statement.get(values(filter))?.n ?? 0
    },
    /** The actions with these ids. */
    withIds: (ids: readonly number[], order: 'asc' | 'desc'): LogEntry[] =>
      withIds(order)
        .all({ ids: JSON.stringify(ids) })
        .map(logEntryOf),
    /** Whether the number of actions that match is kept, or few match. */
    isCounted(filter: ChangeFilter): boolean {
      const all = given(filter)
      if (all.length === 0 || (filter.bubblerId === undefined && filter.after === 0)) return true
      return all.some((condition) => countUpTo(few, condition, filter) <= few)
    },
    /** Whether a list and its count read at most `few` entries, or as many as the list returns. */
    isBounded(filter: ChangeFilter & Partial<Paging>): boolean {
      const all = given(filter)
      const { limit = few, offset = 0 } = filter
      if (all.length === 0)
        return offset <= few || places.isDense(places.stretch({ ...filter, limit, offset }))
      if (all.some((condition) => countUpTo(few, condition, filter) <= few)) return true
      // One index has these together, and the total is counted already.
      const isTogether = all.length === 1 || filter.userId !== undefined
      return isTogether && filter.bubblerId === undefined && filter.after === 0 && offset <= few
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
