import { sql } from 'kysely'
import { distanceMetres } from '../../../places/geodesy.ts'
import { doubtful, matchScore, type Comparable } from '../../../places/match-score.ts'
import { duplicates } from '../../../rules.ts'
import type { Duplicate } from '../../reads.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import { lengthened, roomFor } from './arrays.ts'
import type { Follower } from './following.ts'
import { PlaceGrid } from './place-grid.ts'

type Row = readonly [id: number, latitude: number, longitude: number, deletedAt: string | null]

/** Rows that are read in one step. */
const step = 2000

const pairOf = (one: number, other: number): string => `${Math.min(one, other)}-${Math.max(one, other)}`

/**
 * Of each waypoint the older one that is most probably the same fountain, unless a moderator found that it is not. All
 * places are in a grid in memory; what is written is followed, so that a write itself has nothing to do for it.
 */
export class Duplicates implements Follower {
  readonly #loading
  readonly #changed
  readonly #named
  readonly #distinct
  readonly #grid = new PlaceGrid(duplicates.nearMetres)
  /** The older one of each waypoint; 0 for none. */
  #older = new Uint32Array()
  #last = 0
  #total = 0
  readonly #distinctPairs = new Set<string>()
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

  /** Takes waypoints over as they are now, and looks again for whatever is near them. */
  #take(rows: readonly Row[]): void {
    const touched = new Set<number>()
    for (const [id, latitude, longitude, deletedAt] of rows) {
      if (id >= this.#older.length) this.#older = lengthened(this.#older, roomFor(id))
      this.#last = Math.max(this.#last, id)
      touched.add(id)
      if (this.#grid.has(id)) {
        for (const other of this.#grid.near(id)) if (other > id) touched.add(other)
        this.#grid.remove(id)
      }
      if (deletedAt !== null) continue
      this.#grid.put(id, { latitude, longitude })
      for (const other of this.#grid.near(id)) if (other > id) touched.add(other)
    }
    const known = new Map<number, Comparable>()
    for (const id of touched) this.#look(id, known)
  }

  /** Finds the older one of a waypoint. */
  #look(id: number, known: Map<number, Comparable>): void {
    let [best, bestScore] = [0, doubtful]
    const others = this.#grid.has(id) ? this.#grid.near(id) : []
    for (const other of others) {
      if (other > id || this.#distinctPairs.has(pairOf(id, other))) continue
      const score = this.#score(id, other, known)
      if (score > bestScore || (score === bestScore && (best === 0 || other < best)))
        [best, bestScore] = [other, score]
    }
    this.#total += Number(best !== 0) - Number((this.#older[id] ?? 0) !== 0)
    this.#older[id] = best
  }

  #score(id: number, other: number, known: Map<number, Comparable>): number {
    return matchScore(this.#comparable(id, known), this.#comparable(other, known), this.#metres(id, other))
  }

  #metres(id: number, other: number): number {
    return distanceMetres(this.#grid.placeOf(id), this.#grid.placeOf(other))
  }

  #comparable(id: number, known: Map<number, Comparable>): Comparable {
    const before = known.get(id)
    if (before !== undefined) return before
    const { name = '', amenities = '[]' } = this.#named.get({ id }) ?? {}
    const read = { name, amenities: JSON.parse(amenities) as string[] }
    known.set(id, read)
    return read
  }

  #followDistinctions(): void {
    const known = new Map<number, Comparable>()
    for (const { number, smaller, greater } of this.#distinct.all({ after: this.#lastDistinction })) {
      this.#distinctPairs.add(pairOf(smaller, greater))
      this.#lastDistinction = number
      if (this.#older[greater] === smaller) this.#look(greater, known)
    }
  }

  /** A page of waypoints with the older one that each may be, by the newer one's id, and how many there are. */
  page({ after, limit }: { readonly after: number; readonly limit: number }): {
    readonly pairs: readonly Duplicate[]
    readonly total: number
  } {
    this.#followDistinctions()
    const pairs: Duplicate[] = []
    const known = new Map<number, Comparable>()
    for (let id = after + 1; id <= this.#last && pairs.length < limit; id++) {
      const older = this.#older[id] ?? 0
      if (older === 0) continue
      pairs.push({ newer: id, older, metres: this.#metres(id, older), score: this.#score(id, older, known) })
    }
    return { pairs, total: this.#total }
  }
}
