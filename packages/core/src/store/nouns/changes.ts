import { sql } from 'kysely'
import { actions, entryFields, type Action, type HistoryEntry, type LogEntry } from '../../log/entry.ts'
import type { ChangeFilter, DescribedRow, Paging } from '../answers.ts'
import { shownName, type Row } from '../rows.ts'
import {
  asId,
  asSubject,
  quotedText,
  unindexed,
  build,
  query,
  rowCount,
  shaped,
  subject,
  text,
  together,
  whole,
  type QueryValues,
  type Reading,
} from '../sql/query.ts'
import type { Tables } from '../tables.ts'

const valuesOf = ({ bubblerId, userId, action, after }: ChangeFilter): QueryValues => ({
  bubblerId,
  userId,
  action,
  after,
})

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
      shownName.as('waypointName'),
      'waypoints.label as label',
      'waypoints.latitude as latitude',
      'waypoints.longitude as longitude',
    ])

type Order = ChangeFilter['order']

/** The number of rows that any query reads quickly. */
const quickRows = 1000

/** The ids of some actions, of anybody or of one user; each action by an index that has ids after actions. */
const idsOf = (isOfUser: boolean, some: readonly Action[]) =>
  sql`${sql.join(
    some.map(
      (action) => sql`select id from entries where ${isOfUser ? sql`"by" = ${text('userId')} and ` : sql``}
        subject = 'waypoint' and action = ${sql.lit(action)} and id > ${whole('after')}`,
    ),
    sql` union all `,
  )}`

/** The condition that an entry is in a page: only the page's rows are read, however many come before it. */
const isInPage = (isOfUser: boolean, some: readonly Action[], order: Order) =>
  sql<boolean>`entries.id in (select id from (${idsOf(isOfUser, some)}
    order by id ${sql.raw(order)} limit ${rowCount('limit')} offset ${rowCount('offset')}) as page)`

const actionsIn = (list: string): Action[] => actions.filter((each) => list.split(',').includes(each))

const byId = query(() => described().where('entries.id', '=', whole('id'))).map(describedRowOf)
const recent = shaped(
  (list: string) =>
    described()
      .where(isInPage(false, actionsIn(list), 'desc'))
      .orderBy('entries.id', 'desc'),
  { isPlannedForValues: true },
)
const pageOf = shaped(
  (order: Order, isOfUser: boolean, list: string) =>
    entries()
      .where(isInPage(isOfUser, actionsIn(list), order))
      .orderBy('entries.id', order),
  { isPlannedForValues: true },
)
const countOf = shaped((isOfUser: boolean, list: string) =>
  build
    .selectFrom(sql`(${idsOf(isOfUser, actionsIn(list))})`.as('found'))
    .select(({ fn }) => fn.countAll<number>().as('n')),
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
/** The log of one waypoint by its own index, whatever else is asked for: it is short. */
const ofWaypoint = (isOfUser: boolean, isOfAction: boolean) =>
  logged()
    .where('subjectId', '=', subject('bubblerId'))
    .where('entries.id', '>', whole('after'))
    .$if(isOfUser, (found) => found.where(sql<boolean>`${unindexed(sql.ref('by'))} = ${text('userId')}`))
    .$if(isOfAction, (found) =>
      found.where(sql<boolean>`${unindexed(sql.ref('action'))} = ${text('action')}`),
    )
const pageOfWaypoint = shaped((order: Order, isOfUser: boolean, isOfAction: boolean) =>
  ofWaypoint(isOfUser, isOfAction)
    .select(logColumns)
    .orderBy('entries.id', order)
    .limit(rowCount('limit'))
    .offset(rowCount('offset')),
)
const countOfWaypoint = shaped((isOfUser: boolean, isOfAction: boolean) =>
  ofWaypoint(isOfUser, isOfAction).select(({ fn }) => fn.countAll<number>().as('n')),
)

function* fromNth(nth: number, limit: number): Reading<LogEntry[]> {
  if (limit <= 0) return []
  return (yield* upwards.all({ ...(yield* actionPlaces.of(nth)), limit })).map(logEntryOf)
}

/** How often each action was done by a user, or by everybody: counts that every write updates. */
function* countsOf({ userId }: Pick<ChangeFilter, 'userId'>): Reading<Partial<Record<Action, number>>> {
  const row = yield* userId === undefined ? ofAllCounts.get() : ofUserCounts.get({ userId })
  return JSON.parse(row?.counts ?? '{}') as Partial<Record<Action, number>>
}

/** The possible actions of a list, joined by commas. */
function* actionsOf({ userId, action }: Pick<ChangeFilter, 'userId' | 'action'>): Reading<string> {
  if (action !== undefined) return action
  const counts = yield* countsOf({ userId })
  return actions.filter((each) => (counts[each] ?? 0) > 0).join()
}

function* pageOfActions(filter: ChangeFilter & Paging): Reading<LogEntry[]> {
  const { order, limit, offset } = filter
  const list = yield* actionsOf(filter)
  if (list === '') return []
  const rows = pageOf(order, filter.userId !== undefined, list)
  return (yield* rows.all({ ...valuesOf(filter), limit, offset })).map(logEntryOf)
}

/** A page of the whole log. A large offset is computed from the tiles instead of skipped. */
function* page(filter: ChangeFilter & Paging): Reading<LogEntry[]> {
  const { order, offset } = filter
  if (offset <= quickRows) return yield* pageOfActions(filter)
  const { start, end } = yield* actionPlaces.stretch(filter)
  const found = yield* fromNth(start, end - start)
  return order === 'asc' ? found : found.toReversed()
}

/** A waypoint's log without the changes, oldest first. */
export const history = (bubblerId: number): Reading<HistoryEntry[]> =>
  historyOf
    .map(({ id, by, action, at }) => ({
      id,
      bubblerId,
      userId: by,
      action: action as Action,
      timestamp: at,
    }))
    .all({ bubblerId })

export const changeReads = {
  get: (id: number): Reading<DescribedRow | undefined> => byId.get({ id }),
  *recent(limit: number): Reading<DescribedRow[]> {
    const list = yield* actionsOf({})
    if (list === '') return []
    return (yield* recent(list).all({ after: 0, limit, offset: 0 })).map(describedRowOf)
  },
  *list(filter: ChangeFilter & Paging): Reading<LogEntry[]> {
    const { bubblerId, userId, action, order, limit, offset } = filter
    if (bubblerId === undefined)
      return yield* (userId ?? action) === undefined ? page(filter) : pageOfActions(filter)
    const rows = pageOfWaypoint(order, userId !== undefined, action !== undefined)
    return (yield* rows.all({ ...valuesOf(filter), limit, offset })).map(logEntryOf)
  },
  *count(filter: ChangeFilter): Reading<number> {
    const { bubblerId, userId, action, after } = filter
    if (bubblerId !== undefined) {
      const counted = countOfWaypoint(userId !== undefined, action !== undefined)
      return (yield* counted.get(valuesOf(filter)))?.n ?? 0
    }
    if ((userId ?? action) === undefined) return yield* actionPlaces.after(after)
    if (after > 0) {
      const list = yield* actionsOf(filter)
      return list === '' ? 0 : ((yield* countOf(userId !== undefined, list).get(valuesOf(filter)))?.n ?? 0)
    }
    const counts = yield* countsOf(filter)
    if (action !== undefined) return counts[action] ?? 0
    return Object.values(counts).reduce((sum, n) => sum + n, 0)
  },
}

type LoggedRow = Pick<Tables['entries'], 'id' | 'subjectId' | 'by' | 'action' | 'fields' | 'at'> & {
  /** A JSON array of the times and the fields of the entries that redacted it, oldest first; null when none did. */
  readonly redactions: string | null
}

type DescribedLoggedRow = LoggedRow &
  Pick<Row<'waypoints'>, 'label' | 'latitude' | 'longitude'> &
  Record<'userName' | 'waypointName', string> &
  Record<'userXp' | 'isModerator', number>

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

function logEntryOf(row: LoggedRow): LogEntry {
  const redacted = redactionOf(row.redactions)
  return {
    id: row.id,
    bubblerId: Number(row.subjectId),
    userId: row.by,
    action: row.action as Action,
    changes: changesOf(row.fields),
    timestamp: row.at,
    redacted,
  }
}

function describedRowOf(row: DescribedLoggedRow): DescribedRow {
  return {
    entry: logEntryOf(row),
    user: { id: row.by, name: row.userName, xp: row.userXp, isModerator: row.isModerator === 1 },
    waypoint: {
      id: Number(row.subjectId),
      name: row.waypointName,
      ...(row.label !== null && { nameIsMade: true }),
      latitude: row.latitude,
      longitude: row.longitude,
    },
  }
}

const tileSize = 256

const total = query(() => build.selectFrom('state').select('actions'))
const tiles = () => build.selectFrom('tiles').select(['place', 'actions']).where('level', '=', 0)
// The last full tile before the wanted action, from which few entries are left to skip.
const tileBefore = query(() =>
  tiles()
    .where('actions', '<=', whole('actions'))
    .orderBy('actions', 'desc')
    .orderBy('place', 'desc')
    .limit(sql.lit(1)),
)
const tileAt = query(() => tiles().where('place', '=', whole('place')))
const countTo = query(() =>
  build
    .selectFrom('entries')
    .where(sql<boolean>`entries.subject = 'waypoint'`)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('entries.id', '>', whole('from'))
    .where('entries.id', '<=', whole('to')),
)

/** The number of actions of the whole log, and of those up to an entry. */
function* counts(id: number): Reading<{ total: number; before: number }> {
  const tile = Math.floor(id / tileSize)
  const [state, upToTile, rest] = yield* together(
    total.get(),
    tileAt.get({ place: tile - 1 }),
    countTo.get({ from: tile * tileSize, to: id }),
  )
  return { total: state?.actions ?? 0, before: (upToTile?.actions ?? 0) + (rest?.n ?? 0) }
}

/** Where the actions on waypoints are among all entries, from the counts that full tiles have. */
const actionPlaces = {
  *after(id: number): Reading<number> {
    const { total, before } = yield* counts(id)
    return Math.max(0, total - before)
  },
  /** The start for reading the nth action, counted from 0: an entry, and a number of further actions to skip. */
  *of(nth: number): Reading<{ from: number; offset: number }> {
    const tile = yield* tileBefore.get({ actions: nth })
    return { from: tile === undefined ? 0 : (tile.place + 1) * tileSize, offset: nth - (tile?.actions ?? 0) }
  },
  *stretch({ order, after, limit, offset }: ChangeFilter & Paging): Reading<{ start: number; end: number }> {
    const { total, before } = yield* counts(after)
    if (order === 'asc') return { start: before + offset, end: Math.min(total, before + offset + limit) }
    const end = total - offset
    return { start: Math.max(before, end - limit), end }
  },
}
