import { listedFact, observationOf, sightingOf, type ObservationReading } from '@openfountain/core/engine'
import { sql } from 'kysely'
import { build, text, whole, type Statements } from '../connection/statement.ts'

/** Reads what people saw, and the states that follow from it. */
export function observationReads(statements: Statements): ObservationReading {
  const live = () => build.selectFrom('observations').selectAll().where('deletedAt', 'is', null)
  const byId = statements.prepare(() => live().where('id', '=', whole('id')))
  const place = statements.prepare(() =>
    build.selectFrom('observations').select('bubblerId').where('id', '=', whole('id')),
  )
  const page = statements.prepare(() =>
    live()
      .where('bubblerId', '=', whole('bubblerId'))
      .where('id', '>', whole('after'))
      .orderBy('id')
      .limit(whole('limit')),
  )
  const all = statements.prepare(() => live().where('bubblerId', '=', whole('id')).orderBy('id'))
  const own = statements.prepare(() =>
    build
      .selectFrom('observers')
      .innerJoin('observations', 'observations.id', 'observers.id')
      .selectAll('observations')
      .select(['day as madeOn', 'xp'])
      .where('userId', '=', text('userId'))
      .where('deletedAt', 'is', null)
      .orderBy('observers.id'),
  )
  const owed = statements.prepare(() =>
    build
      .selectFrom('observers')
      .select('id')
      .where('isOwed', '=', 1)
      .where('day', '<', text('today'))
      .orderBy('day')
      .orderBy('id')
      .limit(whole('limit')),
  )
  const due = statements.prepare(() =>
    build
      .selectFrom('statuses')
      .select('id')
      .where('changesOn', 'is not', null)
      .where('changesOn', '<=', text('today'))
      .orderBy('changesOn')
      .limit(whole('limit')),
  )
  const known = () =>
    build
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
      .limit(whole('limit'))
  const stated = statements.prepare(known)
  const seen = statements.prepare(() =>
    known().where('id', 'in', (eb) =>
      eb.selectFrom('sightings').select('bubblerId').where('day', '>=', text('since')),
    ),
  )
  const season = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('season')
      .where('id', '=', whole('id'))
      .where('deletedAt', 'is', null),
  )
  const passersBy = statements.prepare(() =>
    build.selectFrom('sightings').selectAll().where('bubblerId', '=', whole('id')).orderBy('id'),
  )
  const listed = statements.prepare(() =>
    build
      .selectFrom('listings')
      .select(['state', 'checked', 'since', 'until', 'lastSeen', 'published'])
      .where('waypointId', '=', whole('id'))
      .where(({ or, eb }) => or([eb('state', 'is not', null), eb('checked', 'is not', null)]))
      .where('missingSince', 'is', null),
  )
  return {
    async get(id) {
      const row = await byId.get({ id })
      return row && observationOf(row)
    },
    waypointOf: async (id) => (await place.get({ id }))?.bubblerId,
    list: async (bubblerId, { after, limit }) =>
      (await page.all({ bubblerId, after, limit })).map(observationOf),
    by: async (userId) =>
      (await own.all({ userId })).map(({ madeOn, xp, ...row }) => ({ ...observationOf(row), madeOn, xp })),
    owed: async (today, limit) => (await owed.all({ today, limit })).map(({ id }) => id),
    async facts(id) {
      const [row, observations, sightings, listings] = await Promise.all([
        season.get({ id }),
        all.all({ id }),
        passersBy.all({ id }),
        listed.all({ id }),
      ])
      if (row === undefined) return undefined
      return {
        ...(row.season !== null && { season: row.season }),
        observations: observations.map(observationOf),
        passersBy: sightings.map(sightingOf),
        sources: listings.flatMap(
          ({ lastSeen, published, ...says }) => listedFact(says, published ?? lastSeen) ?? [],
        ),
      }
    },
    stated: (after, limit, since) =>
      since === undefined ? stated.all({ after, limit }) : seen.all({ after, limit, since }),
    due: async (today, limit) => (await due.all({ today, limit })).map(({ id }) => id),
  }
}
