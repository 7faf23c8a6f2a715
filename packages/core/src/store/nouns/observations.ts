import { sql } from 'kysely'
import { listedFact } from '../../log/states.ts'
import type { Observation } from '../../schemas/observation.ts'
import type { StatusFacts } from '../../status.ts'
import type { OwnObservation, QueuePlace, StatedWaypoint } from '../answers.ts'
import { observationOf, storing, type Row } from '../rows.ts'
import { build, paged, query, type Reading, rowCount, shaped, text, together, whole } from '../sql/query.ts'

const live = () => build.selectFrom('observations').selectAll().where('deletedAt', 'is', null)
const byId = query(() => live().where('id', '=', whole('id'))).map(observationOf)
const place = query(() =>
  build.selectFrom('observations').select('bubblerId').where('id', '=', whole('id')),
).map(({ bubblerId }) => bubblerId)
const page = query(() => paged(live().where('bubblerId', '=', whole('bubblerId')), 'id')).map(observationOf)
const all = query(() => live().where('bubblerId', '=', whole('id')).orderBy('id')).map(observationOf)
const own = query<Row<'observations'> & Pick<OwnObservation, 'madeOn' | 'xp'>>(
  () => sql`select observations.*, day as "madeOn", xp from observers join observations using (id)
    where "userId" = ${text('userId')} and "deletedAt" is null and id > ${whole('after')}
    order by id limit ${rowCount('limit')}`,
).map(({ madeOn, xp, ...row }) => ({ ...observationOf(row), madeOn, xp }))
const owed = query<{ id: number }>(
  () => sql`select id from observers where "isOwed" = 1 and day < ${text('today')}
    order by day, id limit ${rowCount('limit')}`,
).map(({ id }) => id)
const owedTo = query<{ xp: number }>(
  () => sql`select xp from observers
    where "userId" = ${text('userId')} and "userId" is not null and "isOwed" = 1`,
)
const due = query<{ id: number }>(
  () => sql`select id from statuses where "changesOn" is not null and "changesOn" <= ${text('today')}
    order by "changesOn" limit ${rowCount('limit')}`,
).map(({ id }) => id)
// As a join, it could begin with all waypoints.
const stated = shaped(
  (isSeenSince: boolean) => sql<StatedWaypoint>`select id, facts from statuses
    where facts is not null and id > ${whole('after')} and exists
      (select 1 from waypoints where waypoints.id = statuses.id and "deletedAt" is null)
    ${isSeenSince ? sql`and id in (select "bubblerId" from sightings where day >= ${text('since')})` : sql``}
    order by id limit ${rowCount('limit')}`,
)
const season = query<{ season: string | null }>(
  () => sql`select season from waypoints where id = ${whole('id')} and "deletedAt" is null`,
)
const passersBy = query(() =>
  build.selectFrom('sightings').selectAll().where('bubblerId', '=', whole('id')).orderBy('id'),
).map(storing.sighting.from)
const listed = query<
  Pick<Row<'listings'>, 'state' | 'checked' | 'since' | 'until' | 'lastSeen' | 'published'>
>(
  () => sql`select state, checked, since, until, "lastSeen", published from listings
    where "waypointId" = ${whole('id')} and coalesce(state, checked) is not null and "missingSince" is null`,
)

export const observationReads = {
  get: (id: number): Reading<Observation | undefined> => byId.get({ id }),
  /** The waypoint of an observation, also of a deleted one. */
  waypointOf: (id: number): Reading<number | undefined> => place.get({ id }),
  list: (bubblerId: number, place: QueuePlace): Reading<Observation[]> => page.all({ bubblerId, ...place }),
  /** The live ones of a person after an id, by id. */
  by: (userId: string, place: QueuePlace): Reading<OwnObservation[]> => own.all({ userId, ...place }),
  /** Ids of observations of earlier days with unpaid XP. */
  owed: (today: string, limit: number): Reading<number[]> => owed.all({ today, limit }),
  /** The XP that a person's observations earn and that is not granted yet. */
  *owedTo(userId: string): Reading<number> {
    return (yield* owedTo.all({ userId })).reduce((sum, { xp }) => sum + xp, 0)
  },
  *facts(id: number): Reading<StatusFacts | undefined> {
    const [waypoint, observations, seen, listings] = yield* together(
      season.get({ id }),
      all.all({ id }),
      passersBy.all({ id }),
      listed.all({ id }),
    )
    if (waypoint === undefined) return undefined
    return {
      season: waypoint.season ?? undefined,
      observations,
      passersBy: seen,
      sources: listings.flatMap(
        ({ lastSeen, published, ...says }) =>
          listedFact(says, { published: published ?? undefined, lastSeen }) ?? [],
      ),
    }
  },
  /** The facts for the statuses of waypoints that have some, by id. @param since only those with sightings of passers-by since that day */
  stated: (after: number, limit: number, since?: string): Reading<StatedWaypoint[]> =>
    stated(since !== undefined).all({ after, limit, since }),
  /** Waypoints whose state may have changed on a day since it was computed. */
  due: (today: string, limit: number): Reading<number[]> => due.all({ today, limit }),
}
