import { distanceMetres } from '../places/geodesy.ts'
import { doubtful, matchScore, type Comparable } from '../places/match-score.ts'
import { duplicates } from '../rules.ts'
import { lengthened, roomFor } from './arrays.ts'
import { PlaceGrid } from './place-grid.ts'
import type { Duplicate, QueuePlace } from './answers.ts'

/** A waypoint or a tombstone. */
export interface PlacedRow {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  readonly deletedAt: string | null
}

/** What a waypoint is compared by. */
export type ComparableOf = (id: number) => Comparable

const pairOf = (one: number, other: number): string => `${Math.min(one, other)}-${Math.max(one, other)}`

/**
 * Of each waypoint the older one that is most probably the same fountain, unless a moderator found that it is not. All
 * places are in a grid in memory. It reads nothing: an engine puts in what was written, and then has it looked at.
 */
export class DuplicatePairs {
  readonly #grid = new PlaceGrid(duplicates.nearMetres)
  /** The older one of each waypoint; 0 for none. */
  #older = new Uint32Array()
  #last = 0
  #total = 0
  readonly #distinctPairs = new Set<string>()

  /** Takes waypoints over as they are now. @returns the ids of those to look at: they and whatever is near them */
  put(rows: readonly PlacedRow[]): Set<number> {
    const touched = new Set<number>()
    for (const { id, latitude, longitude, deletedAt } of rows) {
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
    return touched
  }

  /** The ids of all that are compared when some are looked at, which are among them. */
  compared(ids: Iterable<number>): Set<number> {
    const all = new Set(ids)
    for (const id of ids) for (const other of this.#olderNear(id)) all.add(other)
    return all
  }

  /** Finds the older one of some waypoints. */
  look(ids: Iterable<number>, comparableOf: ComparableOf): void {
    for (const id of ids) {
      let [best, bestScore] = [0, doubtful]
      for (const other of this.#olderNear(id)) {
        const score = this.#score(id, other, comparableOf)
        if (score > bestScore || (score === bestScore && (best === 0 || other < best)))
          [best, bestScore] = [other, score]
      }
      this.#total += Number(best !== 0) - Number((this.#older[id] ?? 0) !== 0)
      this.#older[id] = best
    }
  }

  /** Keeps in mind that two are not the same fountain. @returns the one that must be looked at again, if any */
  distinguish({ smaller, greater }: { readonly smaller: number; readonly greater: number }): number[] {
    this.#distinctPairs.add(pairOf(smaller, greater))
    return this.#older[greater] === smaller ? [greater] : []
  }

  /** A page of waypoints with the older one that each may be, by the newer one's id. */
  page({ after, limit }: QueuePlace): { readonly newer: number; readonly older: number }[] {
    const pairs: { newer: number; older: number }[] = []
    for (let newer = after + 1; newer <= this.#last && pairs.length < limit; newer++) {
      const older = this.#older[newer] ?? 0
      if (older !== 0) pairs.push({ newer, older })
    }
    return pairs
  }

  /** How many waypoints may be an older one. */
  get total(): number {
    return this.#total
  }

  /** How alike a pair is. */
  described(
    { newer, older }: { readonly newer: number; readonly older: number },
    comparableOf: ComparableOf,
  ): Duplicate {
    return {
      newer,
      older,
      metres: this.#metres(newer, older),
      score: this.#score(newer, older, comparableOf),
    }
  }

  #olderNear(id: number): number[] {
    if (!this.#grid.has(id)) return []
    return this.#grid.near(id).filter((other) => other < id && !this.#distinctPairs.has(pairOf(id, other)))
  }

  #score(id: number, other: number, comparableOf: ComparableOf): number {
    return matchScore(comparableOf(id), comparableOf(other), this.#metres(id, other))
  }

  #metres(id: number, other: number): number {
    return distanceMetres(this.#grid.placeOf(id), this.#grid.placeOf(other))
  }
}
