import { sql } from 'kysely'
import { listedFact } from '../../log/states.ts'
import type { Observation } from '../../schemas/observation.ts'
import type { StatusFacts } from '../../status.ts'
import type { OwnObservation, QueuePlace, StatedWaypoint } from '../answers.ts'
import { observationOf, storing } from '../rows.ts'
import { build, paged, query, type Reading, rowCount, shaped, text, together, whole } from '../sql/query.ts'

const live = () => build.selectFrom('observations').selectAll().where('deletedAt', 'is', null)
const byId = query(() => live().where('id', '=', whole('id'))).map(observationOf)
const place = query(() =>
  build.selectFrom('observations').select('bubblerId').where('id', '=', whole('id')),
).map(({ bubblerId }) => bubblerId)
const page = query(() => paged(live().where('bubblerId', '=', whole('bubblerId')), 'id')).map(observationOf)
const all = query(() => live().where('bubblerId', '=', whole('id')).orderBy('id')).map(observationOf)
const own = query(() =>
  paged(
    build
      .selectFrom('observers')
      .innerJoin('observations', 'observations.id', 'observers.id')
      .selectAll('observations')
      .select(['day as madeOn', 'xp'])
      .where('userId', '=', text('userId'))
      .where('deletedAt', 'is', null),
    'observers.id',
  ),
).map(({ madeOn, xp, ...row }) => ({ ...observationOf(row), madeOn, xp }))
const owed = query(() =>
  build
    .selectFrom('observers')
    .select('id')
    .where('isOwed', '=', 1)
    .where('day', '<', text('today'))
    .orderBy('day')
    .orderBy('id')
    .limit(rowCount('limit')),
).map(({ id }) => id)
const owedTo = query(() =>
  build
    .selectFrom('observers')
    .select('xp')
    .where('userId', '=', text('userId'))
    .where('userId', 'is not', null)
    .where('isOwed', '=', 1),
)
const due = query(() =>
  build
    .selectFrom('statuses')
    .select('id')
    .where('changesOn', 'is not', null)
    .where('changesOn', '<=', text('today'))
    .orderBy('changesOn')
    .limit(rowCount('limit')),
).map(({ id }) => id)
// As a join, it could begin with all waypoints.
const stated = shaped((isSeenSince: boolean) => {
  const known = paged(
    build
      .selectFrom('statuses')
      .select(['id', sql<string>`facts`.as('facts')])
      .where('facts', 'is not', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('waypoints')
            .select('waypoints.id')
            .whereRef('waypoints.id', '=', 'statuses.id')
            .where('deletedAt', 'is', null),
        ),
      ),
    'id',
  )
  if (!isSeenSince) return known
  return known.where('id', 'in', (eb) =>
    eb.selectFrom('sightings').select('bubblerId').where('day', '>=', text('since')),
  )
})
const season = query(() =>
  build.selectFrom('waypoints').select('season').where('id', '=', whole('id')).where('deletedAt', 'is', null),
)
const passersBy = query(() =>
  build.selectFrom('sightings').selectAll().where('bubblerId', '=', whole('id')).orderBy('id'),
).map(storing.sighting.from)
const listed = query(() =>
  build
    .selectFrom('listings')
    .select(['state', 'checked', 'since', 'until', 'lastSeen', 'published'])
    .where('waypointId', '=', whole('id'))
    .where(({ or, eb }) => or([eb('state', 'is not', null), eb('checked', 'is not', null)]))
    .where('missingSince', 'is', null),
)

export const observationReads = {
  get: (id: number): Reading<Observation | undefined> => byId.get({ id }),
  /** The waypoint of an observation, also of a deleted one. */
  waypointOf: (id: number): Reading<number | undefined> => place.get({ id }),
  /** Live ones of a waypoint after an id, by id. */
  list: (bubblerId: number, place: QueuePlace): Reading<Observation[]> => page.all({ bubblerId, ...place }),
  /** The live ones of a person after an id, by id. */
  by: (userId: string, place: QueuePlace): Reading<OwnObservation[]> => own.all({ userId, ...place }),
  /** Ids of observations of earlier days with unpaid XP. */
  owed: (today: string, limit: number): Reading<number[]> => owed.all({ today, limit }),
  /** The XP that a person's observations earn and that is not granted yet. */
  *owedTo(userId: string): Reading<number> {
    return (yield* owedTo.all({ userId })).reduce((sum, { xp }) => sum + xp, 0)
  },
  /** The facts for the status of a live waypoint; undefined when there is none. */
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
  /**
   * The facts for the statuses of waypoints, after an id, by id; without waypoints that have none.
   *
   * @param since only waypoints with sightings of passers-by on that day or later
   */
  stated: (after: number, limit: number, since?: string): Reading<StatedWaypoint[]> =>
    stated(since !== undefined).all({ after, limit, since }),
  /** Waypoints whose state may have changed on a day since it was computed. */
  due: (today: string, limit: number): Reading<number[]> => due.all({ today, limit }),
}
