import { certain, doubtful, matchScore, type Neighbour } from '@openfountain/core/internal'
import type { ReadWaypoint } from '../understand/waypoint-reading.ts'

/** A waypoint of the registry that may be the fountain of a row. */
export interface Candidate extends Neighbour {
  /** 0 to 1, see `matchScore`. */
  readonly score: number
}

/** Whether a row's fountain is in the registry already. */
export type Match =
  | { readonly kind: 'new' }
  | { readonly kind: 'same' | 'doubtful'; readonly candidate: Candidate }

/** Two candidates whose scores differ by less are left to a person, unless the best has at least `clearScore`. */
const clearLead = 0.05
const clearScore = 0.95

/** Matches rows with the waypoints that existed before the import, each with one row at most. */
export class Matching {
  readonly #taken = new Set<number>()
  /** Whether this file had a row with a reference of the source. */
  readonly #isListed: (ref: string) => boolean

  constructor(isListed: (ref: string) => boolean) {
    this.#isListed = isListed
  }

  /**
   * @param near the waypoints around the row, nearest first
   * @param numbered whether the source itself gives this row a reference: then another reference means another
   *   fountain
   */
  match(row: ReadWaypoint, near: readonly Neighbour[], numbered: boolean): Match {
    const candidates = near.flatMap((neighbour) => {
      if (this.#taken.has(neighbour.id)) return []
      const score = matchScore(row, neighbour, neighbour.metres)
      return score >= doubtful && this.#mayBe(row, neighbour, numbered) ? [{ ...neighbour, score }] : []
    })
    const [best, second] = candidates.toSorted((a, b) => b.score - a.score)
    if (best === undefined) return { kind: 'new' }
    const rivals = second !== undefined && best.score < clearScore && best.score - second.score < clearLead
    if (best.score < certain || rivals) return { kind: 'doubtful', candidate: best }
    this.#taken.add(best.id)
    return { kind: 'same', candidate: best }
  }

  /** Prevents a waypoint from being matched with another row. */
  take(waypointId: number): void {
    this.#taken.add(waypointId)
  }

  /** Whether the reference under which the source lists a waypoint allows that it is the fountain of a row. */
  #mayBe(row: ReadWaypoint, neighbour: Neighbour, numbered: boolean): boolean {
    const { ref, metres } = neighbour
    if (ref === undefined) return true
    if (this.#isListed(ref)) return false
    // Two references of the source itself mean two fountains.
    if (isReference(ref)) return !numbered
    // Without references on either side only the name shows that a fountain's position was corrected.
    return numbered || matchScore(row, neighbour, metres + 3) >= certain
  }
}

/** Whether a reference is the source's own, not one derived from the place. */
export function isReference(ref: string): boolean {
  return !/^place:[0-9a-f]{16}$/u.test(ref)
}
