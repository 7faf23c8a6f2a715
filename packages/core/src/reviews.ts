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

/** What people found at waypoints. Everybody who is signed in may post one; it earns XP. */
export class Reviews {
  readonly #writer: Writer
  readonly #reads: ReturnType<typeof reviewReads>

  /** @internal Made by the registry. */
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
   * Turns a review into a tombstone; what it earned stays.
   *
   * @returns the review as it was
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND
   */
  async delete(id: number, actor: Actor): Promise<Review> {
    let answer: Review | undefined
    this.#writer.contribute(actor, (occasion, { load }) => {
      const before = load.liveReview(id)
      answer = publishedReview(before)
      return deleteReview(occasion, before)
    })
    if (answer === undefined) throw notFound('review', id)
    return answer
  }

  /** Live reviews by id; both members of the filter narrow. @throws RegistryError INVALID_INPUT */
  async list(filter: ReviewFilter = {}): Promise<Review[]> {
    return this.#reads.list(parse(ReviewFilter, filter))
  }

  /**
   * What `list` answers as JSON texts, in chunks of up to `size`; the caller lets others run in between.
   *
   * @throws RegistryError INVALID_INPUT
   */
  *texts(filter: ReviewFilter = {}, size = 1000): Generator<string[]> {
    yield* this.#reads.textChunks(parse(ReviewFilter, filter), size)
  }
}
