import { z } from 'zod'
import type { Actor } from './actor.ts'
import type { Writer } from './writer.ts'
import { createReview, deleteReview } from './decide/review.ts'
import { passGate } from './decide/contributor.ts'
import { notFound, RegistryError } from './errors.ts'
import { parse } from './schemas/parse.ts'
import { ReviewInput, type Review } from './schemas/review.ts'
import { reviewReads } from './store/sqlite/nouns/reviews.ts'
import { publishedReview } from './store/sqlite/writing/rows.ts'

export const ReviewFilter = z.object({
  userId: z.string().optional(),
  bubblerId: z.int().positive().optional(),
})
export type ReviewFilter = z.infer<typeof ReviewFilter>

/** Reviews of waypoints. Every signed-in user may post one, which earns XP. */
export class Reviews {
  readonly #writer: Writer
  readonly #reads: ReturnType<typeof reviewReads>

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
    this.#reads = reviewReads(writer.statements)
  }

  /**
   * Posts a review. `rating` is a whole number from 1 to 5.
   *
   * @throws RegistryError UNAUTHORIZED, for API tokens too; INVALID_INPUT, also for an unknown waypoint
   */
  async create(input: unknown, actor: Actor): Promise<Review> {
    if (actor.kind === 'token') {
      throw new RegistryError('UNAUTHORIZED', 'Reviews are posted by signed-in users, not by API tokens')
    }
    const { review } = this.#writer.contribute(actor, (occasion, { counters, load }) => {
      passGate(occasion, 'postReview')
      const given = parse(ReviewInput, input)
      const waypoint = load.waypoint(given.bubblerId)
      const exists = waypoint !== undefined && waypoint.deletedAt === undefined
      const alreadyReviewed =
        occasion.rules.reviews.onePerWaypoint &&
        load.hasReviewed(occasion.contributor.userId, given.bubblerId)
      return createReview(occasion, counters.lastReviewId + 1, given, { exists, alreadyReviewed })
    })
    return publishedReview(review.after)
  }

  /**
   * Turns a review into a tombstone; the XP that it earned is kept.
   *
   * @returns the review as it was
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND
   */
  async delete(id: number, actor: Actor): Promise<Review> {
    let deleted: Review | undefined
    this.#writer.contribute(actor, (occasion, { load }) => {
      const before = load.liveReview(id)
      deleted = publishedReview(before)
      return deleteReview(occasion, before)
    })
    if (deleted === undefined) throw notFound('review', id)
    return deleted
  }

  /** Live reviews by id that match all given members of the filter. @throws RegistryError INVALID_INPUT */
  async list(filter: ReviewFilter = {}): Promise<Review[]> {
    return this.#reads.list(parse(ReviewFilter, filter))
  }

  /**
   * The result of `list` as JSON texts, in chunks of up to `size`. Synchronous: yield to the event loop between chunks.
   *
   * @throws RegistryError INVALID_INPUT
   */
  *texts(filter: ReviewFilter = {}, size = 1000): Generator<string[]> {
    yield* this.#reads.textChunks(parse(ReviewFilter, filter), size)
  }
}
