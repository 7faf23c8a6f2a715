import { sql, type RawBuilder } from 'kysely'
import { actions, type Action, type HistoryEntry, type LogEntry } from '../../log/entry.ts'
import type { ChangeFilter, DescribedRow } from '../changes.ts'
import { few } from '../few.ts'
import { describedRowOf, logEntryOf } from '../logged.ts'
import type { Paging } from '../answers.ts'
import { asId, asSubject, byOthers, quotedText, unindexed } from '../sql/expressions.ts'
import { build, rowCount, query, shaped, subject, text, whole } from '../sql/query.ts'
import { together, type Reading, type QueryValues } from '../sql/reading.ts'
import { actionPlaces } from './action-places.ts'

/** The conditions of a list, each with its column. The most selective ones come first. */
const columns = { bubblerId: 'subjectId', userId: 'by', action: 'action' } as const
type Condition = keyof typeof columns
const conditions = Object.keys(columns) as Condition[]

/** How many entries to count at most, to find out which of two conditions is more selective. */
const many = 50_000

/** How many actions a user has at most that are sorted for a page far from the first. */
const fewOfUser = 10 * few

const valueOf = (condition: Condition): RawBuilder<unknown> =>
  condition === 'bubblerId' ? subject(condition) : text(condition)

const valuesOf = ({ bubblerId, userId, action, after }: ChangeFilter): QueryValues => ({
  bubblerId,
  userId,
  action,
  after,
})

const given = (filter: ChangeFilter): Condition[] =>
  conditions.filter((condition) => filter[condition] !== undefined)

const logged = () => build.selectFrom('entries').where(sql<boolean>`entries.subject = 'waypoint'`)
// Texts are put together: PostgreSQL's own JSON would have spaces and refuse a NUL.
const redactions = sql<string | null>`case when entries.commitments is null then null else (
  select '[' || string_agg('{"at":"' || r.at || '","fields":' || r.fields || '}', ',' order by r.id) || ']'
  from entries r where r.subject <> 'waypoint' and r.subject = 'entry'
    and r."subjectId" = ${asSubject(sql.ref('entries.id'))}) end`
const logColumns = [
  'entries.id',
  'entries.subjectId',
  'entries.by',
  'entries.action',
  'entries.fields',
  'entries.at',
  redactions.as('redactions'),
] as const
const entries = () => logged().select(logColumns)
const described = () =>
  entries()
    .innerJoin('users', 'users.id', 'entries.by')
    .innerJoin('waypoints', 'waypoints.id', asId(sql.ref('entries.subjectId')) as never)
    .select([
      'users.name as userName',
      'users.xp as userXp',
      'users.isModerator as isModerator',
      'waypoints.name as waypointName',
      'waypoints.latitude as latitude',
      'waypoints.longitude as longitude',
    ])

/** Rows of several queries; each in its own order, and with its own limit. */
const unionOf = (queries: readonly RawBuilder<unknown>[]) =>
  sql`${sql.join(
    queries.map((each) => sql`select * from (${each}) as part`),
    sql` union all `,
  )}`

type Order = ChangeFilter['order']

/**
 * The ids of the first `most` of each action, by the indexes that have actions before ids: among them are the first
 * `most` of all, however many other entries come between.
 */
function isFirstOfEach(condition: RawBuilder<unknown>, order: Order) {
  const each = actions.map(
    (action) => sql`select id from entries
      where ${condition} and subject = 'waypoint' and action = ${sql.lit(action)} and id > ${whole('after')}
      order by id ${sql.raw(order)} limit ${rowCount('most')}`,
  )
  return sql<boolean>`entries.id in (${unionOf(each)})`
}
const ofAnybody = sql`true`

const byId = query(() => described().where('entries.id', '=', whole('id')))
const recent = query(() =>
  described().where(isFirstOfEach(ofAnybody, 'desc')).orderBy('entries.id', 'desc').limit(rowCount('limit')),
)
const firstOnes = shaped((order: Order, isOfUser: boolean) =>
  entries()
    .where(isFirstOfEach(isOfUser ? sql`"by" = ${text('userId')}` : ofAnybody, order))
    .orderBy('entries.id', order)
    .limit(rowCount('limit'))
    .offset(rowCount('offset')),
)
const upwards = query(() =>
  entries()
    .where('entries.id', '>', whole('from'))
    .orderBy('entries.id')
    .limit(rowCount('limit'))
    .offset(rowCount('offset')),
)
const ofUserCounts = query(() =>
  build.selectFrom('users').select('actions as counts').where('id', '=', text('userId')),
)
const ofAllCounts = query(() => build.selectFrom('state').select('actionCounts as counts'))
const historyOf = query(() =>
  logged().select(['id', 'by', 'action', 'at']).where('subjectId', '=', subject('bubblerId')).orderBy('id'),
)
/** An entry about a waypoint without its changes, as the text of a JSON object. */
export const logEntryText = sql<string>`'{"id":' || id || ',"bubblerId":' || "subjectId" || ',"userId":'
  || ${quotedText(sql.ref('by'))} || ',"action":"' || action || '","timestamp":"' || at || '"}'`
const historyTextOf = query(() =>
  logged()
    .select(sql<string | null>`string_agg(${logEntryText}, ',' order by id)`.as('text'))
    .where('subjectId', '=', subject('bubblerId')),
)
/** The index of users has ids after actions, so that each action is counted. */
const counting = shaped((condition: Condition) => {
  const matching = sql`select id from entries where subject = 'waypoint'
    and ${sql.ref(columns[condition])} = ${valueOf(condition)} and id > ${whole('after')}`
  const counts =
    condition === 'userId'
      ? actions.map((action) => sql`${matching} and action = ${sql.lit(action)} limit ${rowCount('limit')}`)
      : [matching]
  const rows = sql`(select * from (${unionOf(counts)}) as found limit ${rowCount('limit')})`
  return build.selectFrom(rows.as('rows')).select(({ fn }) => fn.countAll<number>().as('n'))
})

/** How many entries match each condition, counted in its index up to `most` + 1. */
function* countsUpTo(most: number, filter: ChangeFilter): Reading<{ of: Condition; n: number }[]> {
  const all = given(filter)
  const values = { ...valuesOf(filter), limit: most + 1 }
  const found = yield* together(...all.map((condition) => counting(condition).get(values)))
  return all.map((of, index) => ({ of, n: found[index]?.n ?? 0 }))
}

/** The condition whose index is used: one that few entries match, or else the one that the fewest match. */
function* leading(filter: ChangeFilter): Reading<Condition | undefined> {
  const all = given(filter)
  if (all.length < 2) return all[0]
  const isFew = (yield* countsUpTo(few, filter)).find(({ n }) => n <= few)
  if (isFew !== undefined) return isFew.of
  // A user and an action are in one index together.
  if (filter.bubblerId === undefined) return 'userId'
  return (yield* countsUpTo(many, filter)).toSorted((a, b) => a.n - b.n)[0]?.of
}

/** By which index matching entries are found: that of a condition, or `log` for one who has most entries of all. */
type Lead = Condition | 'log'

function matching(lead: Lead | undefined, all: readonly Condition[]) {
  return all.reduce(
    (found, condition) => {
      const column = sql.ref(`entries.${columns[condition]}`)
      const isIndexed = condition === lead || (lead === 'userId' && condition === 'action')
      const compared = isIndexed ? column : lead === 'log' ? byOthers(column) : unindexed(column)
      return found.where(sql<boolean>`${compared} = ${valueOf(condition)}`)
    },
    logged().where('entries.id', '>', whole('after')),
  )
}
const conditionsIn = (all: string): Condition[] => conditions.filter((each) => all.split(',').includes(each))
const matchingOnes = shaped(
  (order: Order, lead: Lead | undefined, all: string) =>
    matching(lead, conditionsIn(all))
      .select(logColumns)
      .orderBy('entries.id', order)
      .limit(rowCount('limit'))
      .offset(rowCount('offset')),
  { isPlannedForValues: true },
)
const countOfMatching = shaped(
  (lead: Lead | undefined, all: string) =>
    matching(lead, conditionsIn(all)).select(({ fn }) => fn.countAll<number>().as('n')),
  { isPlannedForValues: true },
)

/** The actions from the nth on, counted from 0 over the whole log. */
function* fromNth(nth: number, limit: number): Reading<LogEntry[]> {
  if (limit <= 0) return []
  return (yield* upwards.all({ ...(yield* actionPlaces.of(nth)), limit })).map(logEntryOf)
}

/** A page of what `isFirstOfEach` finds. */
function* firstPage(filter: ChangeFilter & Paging, isOfUser: boolean): Reading<LogEntry[]> {
  const { order, limit, offset } = filter
  const values = { ...valuesOf(filter), limit, offset, most: limit + offset }
  return (yield* firstOnes(order, isOfUser).all(values)).map(logEntryOf)
}

/** A page of the whole log. The offset is computed from the tiles instead of skipped. */
function* page(filter: ChangeFilter & Paging): Reading<LogEntry[]> {
  const { order, offset } = filter
  const { start, end } = yield* actionPlaces.stretch(filter)
  if (offset <= few && !(yield* actionPlaces.isDense({ start, end }))) return yield* firstPage(filter, false)
  const found = yield* fromNth(start, end - start)
  return order === 'asc' ? found : found.toReversed()
}

/** The number of a user's actions, or of everybody's, from the counts that every write updates. */
function* counted({ userId, action }: ChangeFilter): Reading<number> {
  const row = yield* userId === undefined ? ofAllCounts.get() : ofUserCounts.get({ userId })
  const counts = JSON.parse(row?.counts ?? '{}') as Partial<Record<Action, number>>
  if (action !== undefined) return counts[action] ?? 0
  return Object.values(counts).reduce((sum, n) => sum + n, 0)
}

/** A waypoint's log without the changes, oldest first. */
export function* history(bubblerId: number): Reading<HistoryEntry[]> {
  return (yield* historyOf.all({ bubblerId })).map(({ id, by, action, at }) => ({
    id,
    bubblerId,
    userId: by,
    action: action as Action,
    timestamp: at,
  }))
}

/** The same as the text of a JSON array. */
export function* historyText(bubblerId: number): Reading<string> {
  return `[${(yield* historyTextOf.get({ bubblerId }))?.text ?? ''}]`
}

/** Reads actions on waypoints: the log as the API has it. */
export const changeReads = {
  *get(id: number): Reading<DescribedRow | undefined> {
    const row = yield* byId.get({ id })
    return row && describedRowOf(row)
  },
  *recent(limit: number): Reading<DescribedRow[]> {
    return (yield* recent.all({ after: 0, limit, most: limit })).map(describedRowOf)
  },
  *list(filter: ChangeFilter & Paging): Reading<LogEntry[]> {
    const { order, limit, offset } = filter
    const all = given(filter)
    if (all.length === 0) return yield* page(filter)
    // The index has a user's actions by action and then by id, so that the first few of each action are merged.
    const isOfUser = all.join() === 'userId'
    if (isOfUser && (limit + offset <= few || (yield* counted(filter)) <= fewOfUser))
      return yield* firstPage(filter, true)
    const lead = isOfUser ? 'log' : yield* leading(filter)
    const values = { ...valuesOf(filter), limit, offset }
    return (yield* matchingOnes(order, lead, all.join()).all(values)).map(logEntryOf)
  },
  *count(filter: ChangeFilter): Reading<number> {
    const all = given(filter)
    if (all.length === 0) return yield* actionPlaces.after(filter.after)
    if (filter.bubblerId === undefined && filter.after === 0) return yield* counted(filter)
    return (yield* countOfMatching(yield* leading(filter), all.join()).get(valuesOf(filter)))?.n ?? 0
  },
}
