import { canonicalJson } from '../log/leaf.ts'
import type { Changeset, LogState } from '../log/script.ts'
import type { Totals } from '../log/states.ts'
import type { Statistics } from '../schemas/statistics.ts'
import { tables, type Tables } from './tables.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Changes, Schedule } from '../log/nouns.ts'
import { isAmong, build, query, whole, wholes, type Reading } from './sql/query.ts'
import type { DataVersion } from './answers.ts'

/** The counters of a running transaction; changed in place, and stored when it ends. */
export type Counters = Omit<Tables['state'], 'id' | 'origin' | 'placeKey' | 'peaks'> & {
  /** The roots of the tree's perfect subtrees in hexadecimal, which no other log has. */
  peaks: string
}

const { id: _id, origin: _origin, placeKey: _key, peaks: _peaks, ...changing } = tables.state.columns

/** The columns of the state that writes change, without the roots of the tree. */
export const counterNames = Object.keys(changing) as readonly (keyof typeof changing)[]

export function logStateOf(row: Counters): LogState {
  const { waypoints, approvedWaypoints, verifiedWaypoints, users, reviews, reviewsPosted, actions } = row
  const actionCounts = JSON.parse(row.actionCounts) as Totals['actionCounts']
  const counts = { users, reviews, reviewsPosted, actions, actionCounts }
  return {
    size: row.size,
    peaks: row.peaks,
    last: {
      waypoint: row.lastWaypointId,
      review: row.lastReviewId,
      area: row.lastAreaId,
      source: row.lastSourceId,
      import: row.lastImportId,
    },
    totals: { waypoints, approvedWaypoints, verifiedWaypoints, ...counts },
    headAt: row.headAt ?? undefined,
  }
}

/** Updates the counters by a changeset, except that of the last waypoint, which its rows raise. */
export function count(counters: Counters, { state }: Changeset): void {
  const { last, totals } = state
  const { actionCounts, ...counts } = totals
  Object.assign(counters, counts)
  counters.actionCounts = canonicalJson(actionCounts)
  counters.lastReviewId = last.review
  counters.lastAreaId = last.area
  counters.lastSourceId = last.source
  counters.lastImportId = last.import
  counters.size = state.size
  counters.peaks = state.peaks
  counters.headAt = state.headAt ?? null
}

/** Nouns visible only to their owner or moderators, or derived from the rest. */
const privateNouns: ReadonlySet<string> = new Set([
  'secret',
  'report',
  'distinction',
  'doubt',
  'webhook',
  'worker',
  'observer',
  'status',
])

/** Whether a write is visible to readers of the registry, and so changes its revision. */
export function isOfRegistry({ entries, nouns }: Changeset): boolean {
  // Nobody sees who harvests a source.
  const isLease = ({ after }: { readonly after: Schedule }): boolean => after.lease !== undefined
  const { schedule = [], ...others } = nouns
  return (
    entries.length > 0 ||
    Object.keys(others).some((noun) => !privateNouns.has(noun)) ||
    !schedule.every(isLease)
  )
}

/** The time of the last write, whether it made entries or not; entries of a mirror may be ahead of its clock. */
export function lastWriteOf({ changedAt, headAt }: Pick<Tables['state'], 'changedAt' | 'headAt'>): string {
  return headAt !== null && headAt > changedAt ? headAt : changedAt
}

export const countsOfSources = (
  condition: RawBuilder<unknown>,
): RawBuilder<{ sourceId: number; n: number }> =>
  sql`select r."sourceId", count(distinct r."waypointId") as n
    from records r join waypoints w on w.id = r."waypointId"
    where w."deletedAt" is null and ${condition} group by r."sourceId"`

const counting = (sign: '+' | '-') =>
  query(
    () => sql`update sources set waypoints = sources.waypoints ${sql.raw(sign)} counted.n
      from (${countsOfSources(isAmong(sql.ref('r.waypointId'), wholes('ids')))}) as counted
      where counted."sourceId" = sources.id`,
  )

/** Statements that change the counts: waypoints no longer counted, waypoints counted again, or a number of new ones. */
export const sourceCounting = {
  without: counting('-'),
  with: counting('+'),
  more: query(() => sql`update sources set waypoints = waypoints + ${whole('n')} where id = ${whole('id')}`),
}

interface CountChange {
  /** Waypoints that were there before, which are counted anew. */
  readonly old: { readonly ids: readonly number[] } | undefined
  /** How many new waypoints there are of each source. */
  readonly more: readonly { readonly id: number; readonly n: number }[]
}

export function countChange({ waypoint = [], record = [] }: Changes): CountChange {
  const isNew = new Map<number, boolean>()
  const ids = new Set<number>()
  for (const { before, after } of waypoint) {
    if (before === undefined) isNew.set(after.id, after.deletedAt === undefined)
    else if ((before.deletedAt === undefined) !== (after.deletedAt === undefined)) ids.add(after.id)
  }
  const ofNew = new Map<number, Set<number>>()
  for (const { before, after } of record) {
    const { sourceId, waypointId } = after
    if (before?.waypointId === waypointId) continue
    for (const id of [before?.waypointId, waypointId]) if (id !== undefined && !isNew.has(id)) ids.add(id)
    if (isNew.get(waypointId) !== true) continue
    const listed = ofNew.get(sourceId)
    if (listed === undefined) ofNew.set(sourceId, new Set([waypointId]))
    else listed.add(waypointId)
  }
  return {
    old: ids.size === 0 ? undefined : { ids: [...ids] },
    more: Array.from(ofNew, ([id, { size }]) => ({ id, n: size })),
  }
}

const versions = query(() => build.selectFrom('state').select(['origin', 'revision']))
const counters = query(() => build.selectFrom('state').selectAll())

export function* known<Row>(reading: Reading<Row | undefined>): Reading<Row> {
  const row = yield* reading
  if (row === undefined) throw new Error('the row of the table state is missing')
  return row
}

export const stateReads = {
  version: (): Reading<DataVersion> => known(versions.get()),
  *line(): Reading<{ origin: string; newest: number }> {
    const { origin, size } = yield* known(counters.get())
    return { origin, newest: size }
  },
  /** The key of references derived from places: secret, random, never changed. */
  *placeKey(): Reading<string> {
    return (yield* known(counters.get())).placeKey
  },
  *changedAt(): Reading<string> {
    return (yield* known(counters.get())).changedAt
  },
  /** The same, or the time of the newest entry, which may be later in a mirror of an instance whose clock is ahead. */
  *lastWrite(): Reading<string> {
    return lastWriteOf(yield* known(counters.get()))
  },
  *statistics(): Reading<Statistics> {
    const row = yield* known(counters.get())
    return {
      totalWaypoints: row.waypoints,
      totalVerifiedWaypoints: row.verifiedWaypoints,
      totalUsers: row.users,
      totalReviews: row.reviews,
      totalContributions: row.actions + row.reviewsPosted,
    }
  },
}
