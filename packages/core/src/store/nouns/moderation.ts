import { sql } from 'kysely'
import { apiUserId, type Links } from '../../log/entry.ts'
import type { Waypoint } from '../../schemas/waypoint.ts'
import { ofModeration, ofPeople } from '../kinds-of-entries.ts'
import type { ActEntries, Burst, QueuePlace } from '../answers.ts'
import { publicColumns, shownName, storedEntryOf, waypointOf, type Row } from '../rows.ts'
import { asId, byIndex, build, query, rowCount, text, together, whole, type Reading } from '../sql/query.ts'
import { entryReads } from './entries.ts'

/** Made by people or their programs, and listed by no source: neither an import nor its row is a queue. */
const isOfPeople = sql`"addedByUserId" <> ${sql.lit(apiUserId)}
  and not exists (select 1 from records where records."waypointId" = waypoints.id)`
const waitingFor = {
  approved: { index: 'waypointsUnapproved', more: sql`` },
  verified: { index: 'waypointsUnverified', more: sql` and ${isOfPeople}` },
} as const
// The condition is written out, so that a partial index is used.
const waiting = (flag: 'approved' | 'verified') => {
  const { index, more } = waitingFor[flag]
  return query(
    () => sql<Row<'waypoints'>>`select ${sql.join(publicColumns.map((name) => sql.ref(name)))}
    from ${byIndex('waypoints', index)} where ${sql.ref(flag)} = 0 and "deletedAt" is null${more}
      and id > ${whole('after')} order by id limit ${rowCount('limit')}`,
  ).map(waypointOf)
}
const [unapproved, unverified] = [waiting('approved'), waiting('verified')]
const state = query(() => build.selectFrom('state').select(['waypoints', 'approvedWaypoints', 'size']))
const unverifiedTotal = query<{ n: number }>(
  () => sql`select count(*) as n from ${byIndex('waypoints', 'waypointsUnverified')}
    where verified = 0 and "deletedAt" is null and ${isOfPeople}`,
)
const linksOf = query(() => build.selectFrom('entries').select('links').where('id', '=', whole('id')))
const firstOfActs = query<Row<'entries'>>(
  () => sql`select * from ${byIndex('entries', 'entriesOfModeration')}
    where ${ofModeration} and id < ${whole('before')} order by id desc limit ${rowCount('limit')}`,
).map(storedEntryOf)
const ofPeopleSince = query<ActivityRow>(
  () => sql`select id, "by", links from ${byIndex('entries', 'entriesOfPeople')}
    where ${ofPeople} and id > ${whole('after')} order by id desc limit ${rowCount('limit')}`,
)
const subjectOfEntry = asId(sql.ref('subjectId'))
const waypointsBy = query<{ waypointId: number }>(
  () => sql`select distinct ${subjectOfEntry} as "waypointId" from entries
    where "by" = ${text('userId')} and subject = 'waypoint' and ${subjectOfEntry} > ${whole('after')}
    order by "waypointId" limit ${rowCount('limit')}`,
).map(({ waypointId }) => waypointId)
const waypointName = query(() =>
  build.selectFrom('waypoints').select(shownName.as('name')).where('id', '=', whole('id')),
).map(({ name }) => name)
const review = query(() =>
  build.selectFrom('reviews').select(['bubblerId', 'userId']).where('id', '=', whole('id')),
)

/** The last entry of the act that begins with an entry: its entries follow one another. */
function* lastOf(first: number): Reading<number> {
  function* isPart(id: number): Reading<boolean> {
    const links = (yield* linksOf.get({ id }))?.links ?? null
    return links !== null && (JSON.parse(links) as Links).act === first
  }
  if (!(yield* isPart(first))) return first
  let step = 1
  while (yield* isPart(first + step)) step *= 2
  let [least, most] = [first + Math.floor(step / 2), first + step - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (yield* isPart(middle)) least = middle
    else most = middle - 1
  }
  return least
}

export const moderationReads = {
  /** How many live waypoints are not approved, or are of people and not verified. */
  *total(kind: 'unapproved' | 'unverified'): Reading<number> {
    if (kind === 'unverified') return Number((yield* unverifiedTotal.get())?.n ?? 0)
    const { waypoints = 0, approvedWaypoints = 0 } = (yield* state.get()) ?? {}
    return waypoints - approvedWaypoints
  },
  unapproved: (place: QueuePlace): Reading<Waypoint[]> => unapproved.all({ ...place }),
  /** By id; those of people alone. */
  unverified: (place: QueuePlace): Reading<Waypoint[]> => unverified.all({ ...place }),
  /** People with a minimum number of changes in force since a time, by their first change. */
  *bursts(
    since: string,
    { changes, lookedAt }: { readonly changes: number; readonly lookedAt: number },
  ): Reading<Burst[]> {
    const after = yield* entryReads.idBefore(since)
    const found = burstsOf(yield* ofPeopleSince.all({ after, limit: lookedAt }), changes)
    const times = yield* together(...found.map(({ first }) => entryReads.timeOf(first)))
    return found.map((burst, index) => ({ ...burst, since: times[index] ?? '' }))
  },
  /** Ids of the waypoints that a person made or changed, also of deleted ones. */
  waypointsBy: (userId: string, place: QueuePlace): Reading<number[]> =>
    waypointsBy.all({ userId, ...place }),
  waypointName: (id: number): Reading<string | undefined> => waypointName.get({ id }),
  /** The waypoint and the author of a review, also of a deleted one. */
  review: (id: number): Reading<{ readonly bubblerId: number; readonly userId: string } | undefined> =>
    review.get({ id }),
  *acts({ before, limit }: { readonly before: number; readonly limit: number }): Reading<ActEntries[]> {
    const firstOnes = yield* firstOfActs.all({ before, limit })
    const lastOnes = yield* together(...firstOnes.map(({ id }) => lastOf(id)))
    return firstOnes.map((first, index) => ({ first, last: lastOnes[index] ?? first.id }))
  },
}

type ActivityRow = Pick<Row<'entries'>, 'id' | 'by' | 'links'>

/** People with at least `least` changes in force, by their first one. @param rows the newest first: an undoing is known before its entry */
function burstsOf(rows: readonly ActivityRow[], least: number): Omit<Burst, 'since'>[] {
  const undone = new Set<number>()
  const people = new Map<string, { changes: number; first: number }>()
  for (const { id, by, links } of rows) {
    const { reverts } = links === null ? ({} as Links) : (JSON.parse(links) as Links)
    const isUndone = undone.has(id)
    if (reverts !== undefined) {
      if (!isUndone) undone.add(reverts)
      continue
    }
    if (isUndone || by === apiUserId) continue
    const known = people.get(by)
    if (known === undefined) people.set(by, { changes: 1, first: id })
    else Object.assign(known, { changes: known.changes + 1, first: id })
  }
  return [...people]
    .filter(([, found]) => found.changes >= least)
    .map(([userId, found]) => ({ userId, ...found }))
    .toSorted((one, other) => one.first - other.first)
}
