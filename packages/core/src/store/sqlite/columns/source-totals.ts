import { sql } from 'kysely'
import { param, type Statements } from '../connection/statement.ts'
import { Codes, lengthened, roomFor } from '../../arrays.ts'
import type { Follower } from './following.ts'

/** Waypoints, or entries, that are read in one step. */
const step = 2000

type Row = readonly [waypointId: number, sources: string | null]

/** How many live waypoints each source lists. */
export class SourceTotals implements Follower {
  readonly #loading
  readonly #changed
  readonly #totals = new Map<number, number>()
  /** For each waypoint the code of the sources that list it, 0 for none and for tombstones. */
  #listedBy = new Uint32Array()
  readonly #codes = new Codes()
  /** The sources of each code. */
  readonly #sources: number[][] = [[]]

  constructor(statements: Statements) {
    const sources = sql`(select group_concat(distinct sourceId) from records where waypointId = w.id)`
    this.#loading = statements.columns<Row>(
      sql`select w.id, iif(w.deletedAt is null, ${sources}, null) from waypoints w
        where w.id > ${param('after')} order by w.id limit ${sql.lit(step)}`,
    )
    // A record that was moved is read with every waypoint that it ever was of. Its id is that of the entry that made it.
    this.#changed = statements.columns<Row>(
      sql`with changed as materialized (
        select subject, cast(subjectId as integer) as subjectId from entries not indexed
        where id > ${param('after')} and id <= ${param('to')}
          and (subject = 'waypoint' or (subject = 'record' and action in ('linked', 'moved'))))
      select w.id, iif(w.deletedAt is null, ${sources}, null) from waypoints w where w.id in (
        select subjectId from changed where subject = 'waypoint'
        union all select cast(iif(made.subject = 'waypoint', made.subjectId, made.fields ->> '$.waypoint') as integer)
          from changed cross join entries made on made.id = changed.subjectId where changed.subject = 'record'
        union all select cast(moved.fields ->> '$.waypoint' as integer)
          from changed cross join entries moved
            on moved.subject <> 'waypoint' and moved.subject = 'record' and moved.subjectId = +changed.subjectId
          where changed.subject = 'record' and moved.action = 'moved')`,
    )
  }

  *load(): Generator<void> {
    for (let after = 0; ;) {
      const rows = this.#loading.all({ after })
      for (const row of rows) this.#put(row)
      const last = rows.at(-1)
      if (last === undefined) return
      ;[after] = last
      yield
    }
  }

  *follow(after: number, to: number): Generator<void> {
    for (let from = after; from < to; from += step) {
      for (const row of this.#changed.all({ after: from, to: Math.min(to, from + step) })) this.#put(row)
      yield
    }
  }

  #put([id, sources]: Row): void {
    if (id >= this.#listedBy.length) this.#listedBy = lengthened(this.#listedBy, roomFor(id))
    const before = this.#listedBy[id] ?? 0
    const after = sources === null ? 0 : (this.#codes.known(sources) ?? this.#newCode(sources))
    if (before === after) return
    for (const source of this.#sources[before] ?? []) this.#add(source, -1)
    for (const source of this.#sources[after] ?? []) this.#add(source, 1)
    this.#listedBy[id] = after
  }

  #newCode(sources: string): number {
    const code = this.#codes.of(sources)
    this.#sources[code] = sources.split(',').map(Number)
    return code
  }

  #add(source: number, change: number): void {
    this.#totals.set(source, (this.#totals.get(source) ?? 0) + change)
  }

  /** The number of live waypoints that a source lists. */
  of(sourceId: number): number {
    return this.#totals.get(sourceId) ?? 0
  }
}
