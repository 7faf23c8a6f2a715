import { sql, type RawBuilder } from 'kysely'
import {
  actions,
  describedRowOf,
  few,
  logEntryOf,
  type Action,
  type ChangeFilter,
  type DescribedRow,
  type HistoryEntry,
  type LogEntry,
  type Paging,
} from '@openfountain/core/engine'
import { actionPlaces } from './action-places.ts'
import { logEntryText } from './log-text.ts'
import { build, text, whole, type Statements, type Values } from '../connection/statement.ts'

/** The conditions of a list, each with its column. The most selective ones come first. */
const columns = { bubblerId: 'subjectId', userId: 'by', action: 'action' } as const
type Condition = keyof typeof columns
const conditions = Object.keys(columns) as Condition[]

/** How many entries to count at most, to find out which of two conditions is more selective. */
const many = 50_000

/** How many actions a user has at most that are sorted for a page far from the first. */
const fewOfUser = 10 * few

const valuesOf = ({ bubblerId, userId, action, after }: ChangeFilter): Values => ({
  ...(bubblerId !== undefined && { bubblerId: String(bubblerId) }),
  ...(userId !== undefined && { userId }),
  ...(action !== undefined && { action }),
  after,
})

const given = (filter: ChangeFilter): Condition[] =>
  conditions.filter((condition) => filter[condition] !== undefined)

/** Reads actions on waypoints: the log as the API has it. */
export function changeReads(statements: Statements) {
  const logged = () => build.selectFrom('entries').where(sql<boolean>`entries.subject = 'waypoint'`)
  // Texts are put together: PostgreSQL's own JSON would have spaces and refuse a NUL.
  const redactions = sql<string | null>`case when entries.commitments is null then null else (
    select '[' || string_agg('{"at":"' || r.at || '","fields":' || r.fields || '}', ',' order by r.id) || ']'
    from entries r where r.subject <> 'waypoint' and r.subject = 'entry' and r."subjectId" = entries.id::text) end`
  const entries = () =>
    logged().select([
      'entries.id',
      'entries.subjectId',
      'entries.by',
      'entries.action',
      'entries.fields',
      'entries.at',
      redactions.as('redactions'),
    ])
  const described = () =>
    entries()
      .innerJoin('users', 'users.id', 'entries.by')
      .innerJoin('waypoints', 'waypoints.id', sql<number>`entries."subjectId"::bigint` as never)
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
      (action) => sql`(select id from entries
        where ${condition} and subject = 'waypoint' and action = ${sql.lit(action)}
        and id > ${whole('after')} order by id ${order === 'asc' ? sql`asc` : sql`desc`} limit ${whole('most')})`,
    )
    return sql<boolean>`entries.id in (${sql.join(each, sql` union all `)})`
  }
  const byId = statements.prepare(() => described().where('entries.id', '=', whole('id')))
  const recent = statements.prepare(() =>
    described()
      .where(firstOfEach(sql`true`, 'desc'))
      .orderBy('entries.id', 'desc')
      .limit(whole('limit')),
  )
  const places = actionPlaces(statements)
  const upwards = statements.prepare(() =>
    entries()
      .where('entries.id', '>', whole('from'))
      .orderBy('entries.id')
      .limit(whole('limit'))
      .offset(whole('offset')),
  )
  const ofUserCounts = statements.prepare(() =>
    build.selectFrom('users').select('actions as counts').where('id', '=', text('userId')),
  )
  const ofAllCounts = statements.prepare(() => build.selectFrom('state').select('actionCounts as counts'))
  const history = statements.prepare(() =>
    logged().select(['id', 'by', 'action', 'at']).where('subjectId', '=', text('bubblerId')).orderBy('id'),
  )
  const historyText = statements.prepare(() =>
    logged()
      .select(sql<string | null>`string_agg(${logEntryText}, ',' order by id)`.as('text'))
      .where('subjectId', '=', text('bubblerId')),
  )

  /** The actions from the nth on, counted from 0 over the whole log. */
  async function fromNth(nth: number, limit: number): Promise<LogEntry[]> {
    if (limit <= 0) return []
    return (await upwards.all({ ...(await places.of(nth)), limit })).map(logEntryOf)
  }

  /** A page of the whole log. The offset is computed from the tiles instead of skipped. */
  async function page(filter: ChangeFilter & Paging): Promise<LogEntry[]> {
    const { order, offset } = filter
    const { start, end } = await places.stretch(filter)
    if (offset <= few && !(await places.isDense({ start, end })))
      return firstOnes(`changes: ${order}`, sql`true`, filter)
    const found = await fromNth(start, end - start)
    return order === 'asc' ? found : found.toReversed()
  }

  /** A page of what `firstOfEach` finds. */
  async function firstOnes(
    shape: string,
    condition: RawBuilder<unknown>,
    filter: ChangeFilter & Paging,
  ): Promise<LogEntry[]> {
    const { order, limit, offset } = filter
    const statement = statements.shaped(shape, () =>
      entries()
        .where(firstOfEach(condition, order))
        .orderBy('entries.id', order)
        .limit(whole('limit'))
        .offset(whole('offset')),
    )
    const found = await statement.all({ ...valuesOf(filter), limit, offset, most: limit + offset })
    return found.map(logEntryOf)
  }

  /**
   * The number of entries that match one condition, counted in its index up to `most` + 1. The index of users has ids
   * after actions, so that each action is counted.
   */
  async function countUpTo(most: number, condition: Condition, filter: ChangeFilter): Promise<number> {
    const counting = statements.shaped(`some changes: ${condition}`, () => {
      const matching = sql`subject = 'waypoint' and ${sql.ref(columns[condition])} = ${text(condition)}
        and id > ${whole('after')}`
      const counts =
        condition === 'userId'
          ? actions.map(
              (action) => sql`(select id from entries where ${matching}
                and action = ${sql.lit(action)} limit ${whole('limit')})`,
            )
          : [sql`select id from entries where ${matching}`]
      const rows = sql`(select * from (${sql.join(counts, sql` union all `)}) as found limit ${whole('limit')})`
      return build.selectFrom(rows.as('rows')).select(({ fn }) => fn.countAll<number>().as('n'))
    })
    return (await counting.get({ ...valuesOf(filter), limit: most + 1 }))?.n ?? 0
  }

  const countsUpTo = (most: number, filter: ChangeFilter): Promise<{ of: Condition; n: number }[]> =>
    Promise.all(given(filter).map(async (of) => ({ of, n: await countUpTo(most, of, filter) })))

  /** The condition whose index is used: one that few entries match, or else the one that the fewest match. */
  async function leading(filter: ChangeFilter): Promise<Condition | undefined> {
    const all = given(filter)
    if (all.length < 2) return all[0]
    const isFew = (await countsUpTo(few, filter)).find(({ n }) => n <= few)
    if (isFew !== undefined) return isFew.of
    // A user and an action are in one index together.
    if (filter.bubblerId === undefined) return 'userId'
    return (await countsUpTo(many, filter)).toSorted((a, b) => a.n - b.n)[0]?.of
  }

  /**
   * The conditions of a filter; what is added to a column keeps another index than the leading one's from being used.
   *
   * @param isByLog whether PostgreSQL decides: it knows that most entries are of this user, and reads the log in its order
   */
  async function narrowed(filter: ChangeFilter, isByLog = false) {
    const lead = isByLog ? undefined : await leading(filter)
    const all = given(filter)
    const isTogether = lead === 'userId'
    const where = all.map((condition) => {
      const column = sql.ref(`entries.${columns[condition]}`)
      const isIndexed = isByLog || condition === lead || (isTogether && condition === 'action')
      return sql<boolean>`${isIndexed ? column : sql`(${column} || '')`} = ${text(condition)}`
    })
    return {
      shape: [isByLog ? 'by log' : lead, ...all].join(' '),
      where: [sql<boolean>`entries.id > ${whole('after')}`, ...where],
    }
  }

  /** The number of a user's actions, or of everybody's, from the counts that every write updates. */
  async function counted({ userId, action }: ChangeFilter): Promise<number> {
    const row = await (userId === undefined ? ofAllCounts.get() : ofUserCounts.get({ userId }))
    const counts = JSON.parse(row?.counts ?? '{}') as Partial<Record<Action, number>>
    if (action !== undefined) return counts[action] ?? 0
    return Object.values(counts).reduce((sum, n) => sum + n, 0)
  }

  return {
    async get(id: number): Promise<DescribedRow | undefined> {
      const row = await byId.get({ id })
      return row && describedRowOf(row)
    },
    recent: async (limit: number): Promise<DescribedRow[]> =>
      (await recent.all({ after: 0, limit, most: limit })).map(describedRowOf),
    async list(filter: ChangeFilter & Paging): Promise<LogEntry[]> {
      const { order, limit, offset } = filter
      if (given(filter).length === 0) return page(filter)
      // The index has a user's actions by action and then by id, so that the first few of each action are merged.
      const isOfUser = given(filter).join(' ') === 'userId'
      if (isOfUser && (limit + offset <= few || (await counted(filter)) <= fewOfUser))
        return firstOnes(`changes of a user: ${order}`, sql`by = ${text('userId')}`, filter)
      const { shape, where } = await narrowed(filter, isOfUser)
      const statement = statements.shaped(
        `changes: ${order} ${shape}`,
        () =>
          where
            .reduce((query, condition) => query.where(condition), entries())
            .orderBy('entries.id', order)
            .limit(whole('limit'))
            .offset(whole('offset')),
        { forValues: true },
      )
      return (await statement.all({ ...valuesOf(filter), limit, offset })).map(logEntryOf)
    },
    async count(filter: ChangeFilter): Promise<number> {
      if (given(filter).length === 0) return places.after(filter.after)
      if (filter.bubblerId === undefined && filter.after === 0) return counted(filter)
      const { shape, where } = await narrowed(filter)
      const statement = statements.shaped(
        `count of changes: ${shape}`,
        () =>
          where
            .reduce((query, condition) => query.where(condition), logged())
            .select(({ fn }) => fn.countAll<number>().as('n')),
        { forValues: true },
      )
      return (await statement.get(valuesOf(filter)))?.n ?? 0
    },
    /** Whether a list and its count read at most `few` entries, or as many as the list returns. */
    async isBounded(filter: ChangeFilter & Paging): Promise<boolean> {
      const { offset } = filter
      const all = given(filter)
      if (all.length === 0) return offset <= few || places.isDense(await places.stretch(filter))
      if ((await countsUpTo(few, filter)).some(({ n }) => n <= few)) return true
      // One index has these together, and the total is counted already.
      const isTogether = all.length === 1 || filter.userId !== undefined
      return isTogether && filter.bubblerId === undefined && filter.after === 0 && offset <= few
    },
    /** A waypoint's log without the changes, oldest first. */
    history: async (bubblerId: number): Promise<HistoryEntry[]> =>
      (await history.all({ bubblerId: String(bubblerId) })).map(({ id, by, action, at }) => ({
        id,
        bubblerId,
        userId: by,
        action: action as Action,
        timestamp: at,
      })),
    /** A waypoint's log as the text of a JSON array. */
    historyText: async (bubblerId: number): Promise<string> =>
      `[${(await historyText.get({ bubblerId: String(bubblerId) }))?.text ?? ''}]`,
  }
}
