import { sql } from 'kysely'
import type { ReviewState } from '../../../decide/effects.ts'
import { storageError } from '../connection/failure.ts'
import { reviewStateOf } from '../writing/rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** What changed without an entry in the log, on one connection. Times are ISO 8601 in UTC. */
export function differenceReads(statements: Statements) {
  const since = param<string>('since')
  const reviews = statements.prepare(() =>
    build
      .selectFrom('reviews')
      .selectAll()
      .where((where) => where.or([where('updatedAt', '>=', since), where('deletedAt', '>=', since)]))
      .orderBy('id'),
  )
  // What a run saw is marked with the time at which it began, which may be long before its last batch.
  const waypointIds = sql`
    select bubblerId from reviews where updatedAt >= ${since} or deletedAt >= ${since}
    union
    select waypointId from sourceRecords
      join (select sourceId, min(startedAt) as begun from imports where updatedAt > ${since} group by sourceId) run
        on run.sourceId = sourceRecords.sourceId
      where lastSeen >= run.begun
    union
    select waypointId from sourceRecords join sources on sources.id = sourceId where sources.updatedAt > ${since}
    order by 1`

  return {
    /** Reviews that were posted, changed or deleted at a time or later, tombstones included, by id. */
    *reviews(from: string): Generator<ReviewState> {
      for (const row of reviews.iterate({ since: from })) yield reviewStateOf(row)
    },
    /** Waypoints of such reviews, those that an import listed later, and those of sources that changed later; by id. */
    *waypointIds(from: string): Generator<number> {
      try {
        for (const [id] of statements.columns<[number]>(waypointIds).iterate({ since: from })) yield id
      } catch (error) {
        throw storageError(error)
      }
    },
  }
}
