import { sql } from 'kysely'
import type { ObservationReading } from '../../reads.ts'
import { observationOf, sightingOf } from '../../rows.ts'
import { listedFact } from '../../../log/status-facts.ts'
import type { StatusFacts } from '../../../status.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'

/** Reads what people saw, and the states that follow from it, on one connection. */
export function observationReads(statements: Statements): ObservationReading & {
  facts(waypointId: number): StatusFacts | undefined
} {
  const live = () => build.selectFrom('observations').selectAll().where('deletedAt', 'is', null)
  const byId = statements.prepare(() => live().where('id', '=', param<number>('id')))
  const place = statements.prepare(() =>
    build.selectFrom('observations').select('bubblerId').where('id', '=', param<number>('id')),
  )
  const page = statements.prepare(() =>
    live()
      .where('bubblerId', '=', param<number>('bubblerId'))
      .where('id', '>', param<number>('after'))
      .orderBy('id')
      .limit(limitParam('limit')),
  )
  const all = statements.prepare(() => live().where('bubblerId', '=', param<number>('id')).orderBy('id'))
  const own = statements.prepare(() =>
    build
      .selectFrom('observers')
      .innerJoin('observations', 'observations.id', 'observers.id')
      .selectAll('observations')
      .select(['day as madeOn', 'xp'])
      .where('userId', '=', param<string>('userId'))
      .where('deletedAt', 'is', null)
      .orderBy('observers.id'),
  )
  const owed = statements.prepare(() =>
    build
      .selectFrom('observers')
      .select('id')
      .where('isOwed', '=', 1)
      .where('day', '<', param<string>('today'))
      .orderBy('day')
      .orderBy('id')
      .limit(limitParam('limit')),
  )
  const due = statements.prepare(() =>
    build
      .selectFrom('statuses')
      .select('id')
      .where('changesOn', 'is not', null)
      .where('changesOn', '<=', param<string>('today'))
      .orderBy('changesOn')
      .limit(limitParam('limit')),
  )
  // As a join, it could begin with all waypoints.
  const known = () =>
    build
      .selectFrom('statuses')
      .select(['id', sql<string>`facts`.as('facts')])
      .where('facts', 'is not', null)
      .where('id', '>', param<number>('after'))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('waypoints')
            .select('waypoints.id')
            .whereRef('waypoints.id', '=', 'statuses.id')
            .where('deletedAt', 'is', null),
        ),
      )
      .orderBy('id')
      .limit(limitParam('limit'))
  const stated = statements.prepare(known)
  const seen = statements.prepare(() =>
    known().where('id', 'in', (eb) =>
      eb.selectFrom('sightings').select('bubblerId').where('day', '>=', param<string>('since')),
    ),
  )
  const season = statements.prepare(() =>
    build
      .selectFrom('waypoints')
      .select('season')
      .where('id', '=', param<number>('id'))
      .where('deletedAt', 'is', null),
  )
  const passersBy = statements.prepare(() =>
    build.selectFrom('sightings').selectAll().where('bubblerId', '=', param<number>('id')).orderBy('id'),
  )
  const listed = statements.prepare(() =>
    build
      .selectFrom('listings')
      .select(['state', 'checked', 'since', 'until', 'lastSeen', 'published'])
      .where('waypointId', '=', param<number>('id'))
      .where(({ or, eb }) => or([eb('state', 'is not', null), eb('checked', 'is not', null)]))
      .where('missingSince', 'is', null),
  )
  return {
    get(id) {
      const row = byId.get({ id })
      return row && observationOf(row)
    },
    waypointOf: (id) => place.get({ id })?.bubblerId,
    list: (bubblerId, { after, limit }) => page.all({ bubblerId, after, limit }).map(observationOf),
    by: (userId) =>
      own.all({ userId }).map(({ madeOn, xp, ...row }) => ({ ...observationOf(row), madeOn, xp })),
    owed: (today, limit) => owed.all({ today, limit }).map(({ id }) => id),
    facts(id) {
      const row = season.get({ id })
      if (row === undefined) return undefined
      return {
        ...(row.season !== null && { season: row.season }),
        observations: all.all({ id }).map(observationOf),
        passersBy: passersBy.all({ id }).map(sightingOf),
        sources: listed
          .all({ id })
          .flatMap(({ lastSeen, published, ...says }) => listedFact(says, published ?? lastSeen) ?? []),
      }
    },
    stated: (after, limit, since) =>
      since === undefined ? stated.all({ after, limit }) : seen.all({ after, limit, since }),
    due: (today, limit) => due.all({ today, limit }).map(({ id }) => id),
  }
}
