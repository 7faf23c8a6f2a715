import { z } from 'zod'
import type { Actor } from './actor.ts'
import { createReview, deleteReview, reviewAsItIs } from './decide/review.ts'
import type { DeletionReason } from './decide/waypoint.ts'
import { pages, type Rules } from './rules.ts'
import { parse } from './schemas/parse.ts'
import type { Review, ReviewInput } from './schemas/review.ts'
import type { Store } from './store/port.ts'
import type { Reads } from './store/reads.ts'

export const ReviewFilter = z.object({
  userId: z.string().optional(),
  bubblerId: z.int().positive().optional(),
})
export type ReviewFilter = z.infer<typeof ReviewFilter>

export const ReviewsQuery = ReviewFilter.extend({
  limit: z.int().min(1).max(pages.reviews.max).default(pages.reviews.default),
  after: z.int().min(0).default(0),
})
export interface ReviewsQuery extends ReviewFilter {
  /** How many: 1 to 100,000. Default 1,000. */
  readonly limit?: number | undefined
  /** Only ids greater than this one. */
  readonly after?: number | undefined
}

/** Reviews of waypoints. Every signed-in user may post one, which earns XP. */
export class Reviews {
  readonly #store: Store
  readonly #read: Reads['reviews']
  readonly #rules: Rules

  /** @internal Created by the registry. */
  constructor(store: Store, rules: Rules) {
    this.#store = store
    this.#read = store.read.reviews
    this.#rules = rules
  }

  /**
   * Posts a review. `rating` is a whole number from 1 to 5.
   *
   * @throws RegistryError UNAUTHORIZED, for API tokens too; INVALID_INPUT, also for an unknown waypoint
   */
  async create(input: ReviewInput, actor: Actor): Promise<Review> {
    const rules = this.#rules
    return this.#store.write({ decide: (at) => createReview({ rules, actor, at }, input) })
  }

  /**
   * Turns a review into a tombstone; the XP that it earned is kept.
   *
   * @param options `reason` of a moderator or an API token is public, in the log and among the acts of moderators; that
   * of its author is not kept
   * @returns the review as it was
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT for an empty or too long reason
   */
  async delete(id: number, actor: Actor, options: DeletionReason = {}): Promise<Review> {
    const rules = this.#rules
    return this.#store.write({ decide: (at) => deleteReview({ rules, actor, at }, id, options) })
  }

  /** A review. @throws RegistryError NOT_FOUND, for deleted ones too */
  async get(id: number): Promise<Review> {
    return this.#store.write({ decide: () => reviewAsItIs(id, { evenDeleted: false }), dryRun: true })
  }

  /** A review, or what is left of it when it was deleted. @throws RegistryError NOT_FOUND */
  async getEvenDeleted(id: number): Promise<Review> {
    return this.#store.write({ decide: () => reviewAsItIs(id, { evenDeleted: true }), dryRun: true })
  }

  /**
   * Live reviews by id that match all given members: the first 1,000, or as many as `limit` says. The next page is `after`
   * the last id of this one.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async list(query: ReviewsQuery = {}): Promise<Review[]> {
    return this.#read.list(parse(ReviewsQuery, query))
  }

  /**
   * All that `list` would return as JSON texts, in chunks of up to `size`. Yield to the event loop between chunks.
   *
   * @throws RegistryError INVALID_INPUT
   */
  async *texts(filter: ReviewFilter = {}, size = 1000): AsyncGenerator<string[]> {
    yield* this.#read.textChunks(parse(ReviewFilter, filter), size)
  }
}
