import { distanceMetres } from '../places/geodesy.ts'
import { doubtful, matchScore, type Comparable } from '../places/match-score.ts'
import { duplicates } from '../rules.ts'
import { PlaceGrid } from './place-grid.ts'
import type { Duplicate, QueuePlace } from './answers.ts'

/** A waypoint or a tombstone. */
export interface PlacedRow {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
  readonly deletedAt: string | null
}

/** The values of a waypoint for the comparison. */
export type ComparableOf = (id: number) => Comparable

const pairOf = (one: number, other: number): string => `${Math.min(one, other)}-${Math.max(one, other)}`

/**
 * Pairs of each waypoint with the older one that is most probably the same fountain, except pairs rejected by
 * moderators. All places are in a grid in memory. It reads nothing: an engine puts in the written rows, then starts the
 * comparison.
 */
export class DuplicatePairs {
  readonly #grid = new PlaceGrid(duplicates.nearMetres)
  /** The older one of each waypoint that may be another's. */
  readonly #older = new Map<number, number>()
  /** The newer waypoints of the pairs, by id; undefined after a change. */
  #newer: readonly number[] | undefined
  readonly #distinctPairs = new Set<string>()

  /** Takes over waypoints in their current state. @returns the ids to compare: these waypoints and their neighbours */
  put(rows: readonly PlacedRow[]): Set<number> {
    const touched = new Set<number>()
    for (const { id, latitude, longitude, deletedAt } of rows) {
      touched.add(id)
      for (const other of this.#grid.near(id)) if (other > id) touched.add(other)
      this.#grid.remove(id)
      if (deletedAt !== null) continue
      this.#grid.put(id, { latitude, longitude })
      for (const other of this.#grid.near(id)) if (other > id) touched.add(other)
    }
    return touched
  }

  /** The ids of all compared waypoints for some to check, which are among them. */
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
      if ((this.#older.get(id) ?? 0) === best) continue
      this.#newer = undefined
      if (best === 0) this.#older.delete(id)
      else this.#older.set(id, best)
    }
  }

  /** Marks two waypoints as different fountains. @returns the one to check again, if any */
  distinguish({ smaller, greater }: { readonly smaller: number; readonly greater: number }): number[] {
    this.#distinctPairs.add(pairOf(smaller, greater))
    return this.#older.get(greater) === smaller ? [greater] : []
  }

  /** A page of waypoints with the older one that each may be, by the newer one's id. */
  page({ after, limit }: QueuePlace): { readonly newer: number; readonly older: number }[] {
    this.#newer ??= [...this.#older.keys()].toSorted((one, other) => one - other)
    const some = this.#newer.filter((newer) => newer > after).slice(0, limit)
    return some.map((newer) => ({ newer, older: this.#older.get(newer) ?? 0 }))
  }

  /** The number of waypoints that may be an older one. */
  get total(): number {
    return this.#older.size
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
    return this.#grid.near(id).filter((other) => other < id && !this.#distinctPairs.has(pairOf(id, other)))
  }

  #score(id: number, other: number, comparableOf: ComparableOf): number {
    return matchScore(comparableOf(id), comparableOf(other), this.#metres(id, other))
  }

  #metres(id: number, other: number): number {
    const [one, two] = [this.#grid.placeOf(id), this.#grid.placeOf(other)]
    return one && two ? distanceMetres(one, two) : 0
  }
}
