import { sql } from 'kysely'
import type { Comparable } from '../../../places/match-score.ts'
import { DuplicatePairs, type ComparableOf, type PlacedRow } from '../../duplicate-pairs.ts'
import type { Duplicate, QueuePlace } from '../../answers.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { Follower } from './following.ts'

type Row = readonly [id: number, latitude: number, longitude: number, deletedAt: string | null]

/** Rows that are read in one step. */
const step = 2000

const placedOf = ([id, latitude, longitude, deletedAt]: Row): PlacedRow => ({
  id,
  latitude,
  longitude,
  deletedAt,
})

/** The pairs of waypoints that may be the same; what is written is followed, so that a write has nothing to do for it. */
export class Duplicates implements Follower {
  readonly #loading
  readonly #changed
  readonly #named
  readonly #distinct
  readonly #pairs = new DuplicatePairs()
  #lastDistinction = 0

  constructor(statements: Statements) {
    this.#loading = statements.columns<Row>(
      sql`select id, latitude, longitude, deletedAt from waypoints where id > ${param('after')}
        order by id limit ${sql.lit(step)}`,
    )
    // By the entries' ids: none of their indexes begins with them.
    this.#changed = statements.columns<Row>(
      sql`select id, latitude, longitude, deletedAt from waypoints where id in (
        select cast(subjectId as integer) from entries not indexed
        where id > ${param('after')} and id <= ${param('to')} and subject = 'waypoint') order by id`,
    )
    this.#named = statements.prepare(() =>
      build.selectFrom('waypoints').select(['name', 'amenities']).where('id', '=', param<number>('id')),
    )
    this.#distinct = statements.prepare(() =>
      build
        .selectFrom('distinctions')
        .select(['number', 'smaller', 'greater'])
        .where('number', '>', param<number>('after'))
        .orderBy('number'),
    )
  }

  *load(): Generator<void> {
    this.#followDistinctions()
    for (let after = 0; ;) {
      const rows = this.#loading.all({ after })
      this.#take(rows)
      const last = rows.at(-1)
      if (last === undefined) return
      ;[after] = last
      yield
    }
  }

  *follow(after: number, to: number): Generator<void> {
    for (let from = after; from < to; from += step) {
      this.#take(this.#changed.all({ after: from, to: Math.min(to, from + step) }))
      yield
    }
  }

  #take(rows: readonly Row[]): void {
    this.#pairs.look(this.#pairs.put(rows.map(placedOf)), this.#comparables())
  }

  /** Reads each waypoint that is compared once. */
  #comparables(): ComparableOf {
    const known = new Map<number, Comparable>()
    return (id) => {
      const before = known.get(id)
      if (before !== undefined) return before
      const { name = '', amenities = '[]' } = this.#named.get({ id }) ?? {}
      const read = { name, amenities: JSON.parse(amenities) as string[] }
      known.set(id, read)
      return read
    }
  }

  #followDistinctions(): void {
    const comparableOf = this.#comparables()
    for (const distinction of this.#distinct.all({ after: this.#lastDistinction })) {
      this.#lastDistinction = distinction.number
      this.#pairs.look(this.#pairs.distinguish(distinction), comparableOf)
    }
  }

  /** A page of waypoints with the older one that each may be, by the newer one's id, and how many there are. */
  page(place: QueuePlace): { readonly pairs: readonly Duplicate[]; readonly total: number } {
    this.#followDistinctions()
    const comparableOf = this.#comparables()
    const pairs = this.#pairs.page(place).map((pair) => this.#pairs.described(pair, comparableOf))
    return { pairs, total: this.#pairs.total }
  }
}
