import { sql } from 'kysely'
import type { ReviewState } from '../../../log/nouns.ts'
import { storageError } from '../connection/failure.ts'
import { reviewStateOf } from '../writing/rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Reads what changed without a log entry, on one connection. Times are ISO 8601 in UTC. */
export function differenceReads(statements: Statements) {
  const since = param<string>('since')
  const reviews = statements.prepare(() =>
    build
      .selectFrom('reviews')
      .selectAll()
      .where((where) => where.or([where('updatedAt', '>=', since), where('deletedAt', '>=', since)]))
      .orderBy('id'),
  )
  const waypointIds = sql`
    select bubblerId from reviews where updatedAt >= ${since} or deletedAt >= ${since}
    union
    select waypointId from listings where lastSeen > ${since} or missingSince > ${since}
    union
    select waypointId from records join entries on entries.subject <> 'waypoint' and entries.subject = 'record'
      and entries.subjectId = records.id and entries.at > ${since}
    union
    select waypointId from records join sources on sources.id = sourceId where sources.updatedAt > ${since}
    order by 1`

  return {
    /** Reviews that were posted, changed or deleted at or after a time, including tombstones, by id. */
    *reviews(from: string): Generator<ReviewState> {
      for (const row of reviews.iterate({ since: from })) yield reviewStateOf(row)
    },
    /** Ids of waypoints with such reviews, or listed by a later import, or with a source that changed later. */
    *waypointIds(from: string): Generator<number> {
      try {
        for (const [id] of statements.columns<[number]>(waypointIds).iterate({ since: from })) yield id
      } catch (error) {
        throw storageError(error)
      }
    },
  }
}
