import { sql, type RawBuilder } from 'kysely'
import { nextChangeOf, type StatusFacts } from '../../../status.ts'
import type { ReviewState } from '../../../log/nouns.ts'
import { storing, type Row } from '../../rows.ts'
import { param, type Statements } from '../connection/connection.ts'

/** The moment of an earlier export, and that of the one after it. */
export interface Span {
  /** How many entries the log had. */
  readonly size: number
  /** The first day, `YYYY-MM-DD`, of its statuses; undefined for the beginning of the log. */
  readonly from?: string | undefined
  /** The current day of the statuses. */
  readonly day: string
}

const kinds = ['review', 'record', 'source', 'observation', 'import', 'moved', 'waypoint'] as const
type Kind = (typeof kinds)[number]

const idsIn = (name: Kind): RawBuilder<unknown> => sql`(select value from json_each(${param(name)}))`

const none = '[]'

/** Reads the changes after a point of the log: only its new entries are read, all else by their subjects. */
export function differenceReads(statements: Statements) {
  const entries = statements.columns<
    [subject: string, subjectId: string | number, action: string, complete: number | null]
  >(
    sql`select subject, subjectId, action, json_extract(fields, '$.complete') from entries where id > ${param('after')} order by id`,
  )

  function subjectsAfter(after: number): Readonly<Record<Kind, string>> {
    const found = new Map(kinds.map((kind) => [kind, new Set<string | number>()]))
    const add = (kind: Kind, id: string | number) => found.get(kind)?.add(id)
    for (const [subject, id, action, complete] of entries.iterate({ after })) {
      if (subject === 'review' || subject === 'record' || subject === 'source' || subject === 'observation')
        add(subject, id)
      if (action === 'moved') add('moved', id)
      if (subject === 'import' && action === 'finished' && complete === 1) add('import', id)
      if (subject === 'waypoint' && (action === 'created' || action === 'deleted')) add('waypoint', id)
    }
    return Object.fromEntries(Array.from(found, ([kind, ids]) => [kind, JSON.stringify([...ids])])) as never
  }

  const reviews = statements.prepare(
    () => sql<Row<'reviews'> & { gone: string | null }>`
      select *, (select w.deletedAt from waypoints w where w.id = reviews.bubblerId) as gone from reviews
      where id in (select value from json_each(${param('review')})
        union select id from reviews where deletedAt is null and bubblerId in ${idsIn('waypoint')}) order by id`,
  )
  // Of a review or record that was moved, every waypoint counts that it ever belonged to.
  const waypointIds = statements.columns<[number]>(sql`
    select bubblerId from reviews where id in ${idsIn('review')}
    union all
    select bubblerId from observations where id in ${idsIn('observation')}
    union all
    select json_extract(m.fields, '$.waypoint') from entries m
      where m.subject <> 'waypoint' and m.subject in ('review', 'record', 'observation') and m.subjectId in ${idsIn('moved')}
        and json_extract(m.fields, '$.waypoint') is not null
    union all
    select subjectId from entries where id in ${idsIn('moved')} and +subject = 'waypoint'
    union all
    select waypointId from records where id in ${idsIn('record')}
    union all
    select id from statuses where logSize >= ${param('after')}
    union all
    select id from waypoints where placedAfter >= ${param('after')}`)
  // All that a source lists, which only another listing or other terms change.
  const listed = statements.columns<[number]>(sql`
    select waypointId from records where missingSince is null
      and sourceId in (select sourceId from imports where id in ${idsIn('import')})
    union all
    select waypointId from records where sourceId in ${idsIn('source')}`)
  // Statuses that changed by the date alone, and were not computed anew since.
  const aging = statements.columns<[number, string]>(
    sql`select id, facts from statuses where changesOn is not null and changesOn <= ${param('day')} and facts is not null`,
  )

  return {
    /** Reviews that changed after an entry, or whose waypoint was deleted or restored, tombstones included, by id. */
    *reviews(id: number): Generator<ReviewState> {
      const { review, waypoint } = subjectsAfter(id)
      for (const { gone, ...row } of reviews.iterate({ review, waypoint }))
        yield storing.review.from({ ...row, deletedAt: row.deletedAt ?? gone })
    },
    /** Ids of waypoints whose reviews, records, sources, observations, states or assigned places changed, or that a source listed again. */
    waypointIds({ size, from, day }: Span): number[] {
      const subjects = subjectsAfter(size)
      const ids = new Set(waypointIds.all({ ...subjects, after: size }).map(([id]) => id))
      if (subjects.source !== none || subjects.import !== none)
        for (const [id] of listed.iterate({ ...subjects })) ids.add(id)
      for (const [id, facts] of aging.iterate({ day })) {
        const next = from === undefined ? day : nextChangeOf(JSON.parse(facts) as StatusFacts, from)
        if (next !== undefined && next <= day) ids.add(id)
      }
      return [...ids].toSorted((one, other) => one - other)
    },
  }
}
