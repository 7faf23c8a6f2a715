import { RegistryError, type Registry, type Waypoint } from '@openfountain/core'
import { certain, doubtful, farthest, matchScore } from '@openfountain/core/internal'
import type { ReadWaypoint } from '../understand/waypoint-reading.ts'
import type { Neighbour, Neighbours } from './neighbours.ts'

/** A waypoint of the registry that may be the fountain of a row. */
export interface Candidate {
  readonly waypoint: Waypoint
  /** Metres between the two. */
  readonly distance: number
  /** 0 to 1, see `matchScore`. */
  readonly score: number
  /** The reference under which this source listed it before, or the place that stood for one. */
  readonly ownRef?: string
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
  readonly #registry: Registry
  readonly #neighbours: Neighbours
  readonly #sourceName: string
  readonly #taken = new Set<number>()
  /** Whether this file had a row with a reference of the source. */
  readonly #isListed: (ref: string) => boolean

  constructor(options: {
    registry: Registry
    neighbours: Neighbours
    sourceName: string
    isListed: (ref: string) => boolean
  }) {
    this.#registry = options.registry
    this.#neighbours = options.neighbours
    this.#sourceName = options.sourceName
    this.#isListed = options.isListed
  }

  /**
   * @param numbered whether the source itself gives this row a reference: then another reference means another
   *   fountain
   */
  async match(row: ReadWaypoint, numbered: boolean): Promise<Match> {
    const found = this.#neighbours.near(row.longitude, row.latitude, farthest)
    if (found.length === 0) return { kind: 'new' }
    const candidates: Candidate[] = []
    for (const neighbour of found) {
      const candidate = await this.#candidate(row, neighbour, numbered)
      if (candidate !== undefined) candidates.push(candidate)
    }
    const [best, second] = candidates.toSorted((a, b) => b.score - a.score || a.distance - b.distance)
    if (best === undefined || best.score < doubtful) return { kind: 'new' }
    const rivals = second !== undefined && best.score < clearScore && best.score - second.score < clearLead
    if (best.score < certain || rivals) return { kind: 'doubtful', candidate: best }
    this.#taken.add(best.waypoint.id)
    return { kind: 'same', candidate: best }
  }

  /** Prevents a waypoint from being matched with another row. */
  take(waypointId: number): void {
    this.#taken.add(waypointId)
  }

  /** A waypoint, unless it was deleted or merged while the import runs. */
  async #live(id: number): Promise<Waypoint | undefined> {
    try {
      return await this.#registry.waypoints.get(id)
    } catch (error) {
      if (error instanceof RegistryError && error.code === 'NOT_FOUND') return undefined
      throw error
    }
  }

  async #candidate(
    row: ReadWaypoint,
    { id, distance }: Neighbour,
    numbered: boolean,
  ): Promise<Candidate | undefined> {
    if (this.#taken.has(id)) return undefined
    const waypoint = await this.#live(id)
    if (waypoint === undefined) return undefined
    const score = matchScore(row, waypoint, distance)
    if (score < doubtful) return undefined
    const own = (await this.#registry.waypoints.sources(id)).find(({ name }) => name === this.#sourceName)
    const ownRef = own?.ref
    if (own === undefined || ownRef === undefined) return { waypoint, distance, score }
    if (this.#isListed(ownRef)) return undefined
    const candidate = { waypoint, distance, score, ownRef }
    // Two references of the source itself mean two fountains.
    if (isReference(ownRef)) return numbered ? undefined : candidate
    if (numbered) return candidate
    // Without references on either side only the name shows that a fountain's position was corrected.
    return matchScore(row, waypoint, distance + 3) >= certain ? candidate : undefined
  }
}

/** Whether a reference is the source's own, not the place that stands for one. */
export function isReference(ref: string): boolean {
  return !/^place:[0-9a-f]{16}$/u.test(ref)
}
