import { sql } from 'kysely'
import type { ReviewState } from '../../../log/nouns.ts'
import { storageError } from '../connection/failure.ts'
import { reviewStateOf } from '../../rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Reads what entries after a point of the log changed besides their own subjects, on one connection. */
export function differenceReads(statements: Statements) {
  const after = param<number>('after')
  const reviews = statements.prepare(() =>
    build
      .selectFrom('reviews')
      .selectAll()
      .where(
        'id',
        'in',
        sql`(select subjectId from entries where subject <> 'waypoint' and subject = 'review' and id > ${after})` as never,
      )
      .orderBy('id'),
  )
  const newEntries = sql`entries e where e.subject <> 'waypoint' and e.id > ${after}`
  // Of a review or record that was moved, every waypoint counts that it ever belonged to.
  const waypointIds = sql`
    select bubblerId from reviews
      where id in (select e.subjectId from ${newEntries} and e.subject = 'review')
    union
    select json_extract(m.fields, '$.waypoint') from entries m
      where m.subject <> 'waypoint' and m.subject in ('review', 'record')
        and json_extract(m.fields, '$.waypoint') is not null
        and (m.subject, m.subjectId) in (select e.subject, e.subjectId from ${newEntries} and e.action = 'moved')
    union
    select subjectId from entries m where m.subject = 'waypoint'
      and m.id in (select e.subjectId from ${newEntries} and e.subject = 'record' and e.action = 'moved')
    union
    select waypointId from records
      where id in (select e.subjectId from ${newEntries} and e.subject = 'record')
    union
    select waypointId from records where missingSince is null and sourceId in (
      select i.sourceId from imports i join entries e on e.subject <> 'waypoint' and e.subject = 'import'
        and e.subjectId = +i.id and e.action = 'finished' and e.id > ${after}
        and json_extract(e.fields, '$.complete'))
    union
    select waypointId from records
      where sourceId in (select e.subjectId from ${newEntries} and e.subject = 'source')
    order by 1`

  return {
    /** Reviews that were posted, changed, moved or deleted after an entry, including tombstones, by id. */
    *reviews(id: number): Generator<ReviewState> {
      for (const row of reviews.iterate({ after: id })) yield reviewStateOf(row)
    },
    /** Ids of waypoints whose reviews, records or sources changed, or that a source listed again. */
    *waypointIds(id: number): Generator<number> {
      try {
        for (const [waypoint] of statements.columns<[number]>(waypointIds).iterate({ after: id }))
          yield waypoint
      } catch (error) {
        throw storageError(error)
      }
    },
  }
}
