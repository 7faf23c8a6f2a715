import { sql } from 'kysely'
import { listedFact } from '../../log/states.ts'
import type { Observation } from '../../schemas/observation.ts'
import type { StatusFacts } from '../../status.ts'
import type { OwnObservation, QueuePlace, StatedWaypoint } from '../answers.ts'
import { observationOf, sightings } from '../rows.ts'
import { build, query, type Reading, rowCount, shaped, text, together, whole } from '../sql/query.ts'

const live = () => build.selectFrom('observations').selectAll().where('deletedAt', 'is', null)
const byId = query(() => live().where('id', '=', whole('id')))
const place = query(() => build.selectFrom('observations').select('bubblerId').where('id', '=', whole('id')))
const page = query(() =>
  live()
    .where('bubblerId', '=', whole('bubblerId'))
    .where('id', '>', whole('after'))
    .orderBy('id')
    .limit(rowCount('limit')),
)
const all = query(() => live().where('bubblerId', '=', whole('id')).orderBy('id'))
const own = query(() =>
  build
    .selectFrom('observers')
    .innerJoin('observations', 'observations.id', 'observers.id')
    .selectAll('observations')
    .select(['day as madeOn', 'xp'])
    .where('userId', '=', text('userId'))
    .where('deletedAt', 'is', null)
    .where('observers.id', '>', whole('after'))
    .orderBy('observers.id')
    .limit(rowCount('limit')),
)
const owed = query(() =>
  build
    .selectFrom('observers')
    .select('id')
    .where('isOwed', '=', 1)
    .where('day', '<', text('today'))
    .orderBy('day')
    .orderBy('id')
    .limit(rowCount('limit')),
)
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
)
// As a join, it could begin with all waypoints.
const stated = shaped((isSeenSince: boolean) => {
  const known = build
    .selectFrom('statuses')
    .select(['id', sql<string>`facts`.as('facts')])
    .where('facts', 'is not', null)
    .where('id', '>', whole('after'))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('waypoints')
          .select('waypoints.id')
          .whereRef('waypoints.id', '=', 'statuses.id')
          .where('deletedAt', 'is', null),
      ),
    )
    .orderBy('id')
    .limit(rowCount('limit'))
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
)
const listed = query(() =>
  build
    .selectFrom('listings')
    .select(['state', 'checked', 'since', 'until', 'lastSeen', 'published'])
    .where('waypointId', '=', whole('id'))
    .where(({ or, eb }) => or([eb('state', 'is not', null), eb('checked', 'is not', null)]))
    .where('missingSince', 'is', null),
)

/** Reads observations, and the resulting statuses. */
export const observationReads = {
  *get(id: number): Reading<Observation | undefined> {
    const row = yield* byId.get({ id })
    return row && observationOf(row)
  },
  /** The waypoint of an observation, also of a deleted one. */
  *waypointOf(id: number): Reading<number | undefined> {
    return (yield* place.get({ id }))?.bubblerId
  },
  /** Live ones of a waypoint after an id, by id. */
  *list(bubblerId: number, { after, limit }: QueuePlace): Reading<Observation[]> {
    return (yield* page.all({ bubblerId, after, limit })).map(observationOf)
  },
  /** The live ones of a person after an id, by id. */
  *by(userId: string, { after, limit }: QueuePlace): Reading<OwnObservation[]> {
    const rows = yield* own.all({ userId, after, limit })
    return rows.map(({ madeOn, xp, ...row }) => ({ ...observationOf(row), madeOn, xp }))
  },
  /** Ids of observations of earlier days with unpaid XP. */
  *owed(today: string, limit: number): Reading<number[]> {
    return (yield* owed.all({ today, limit })).map(({ id }) => id)
  },
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
      observations: observations.map(observationOf),
      passersBy: seen.map(sightings.from),
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
  *due(today: string, limit: number): Reading<number[]> {
    return (yield* due.all({ today, limit })).map(({ id }) => id)
  },
}
