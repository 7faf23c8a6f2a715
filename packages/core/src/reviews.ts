import { z } from 'zod'
import type { Actor } from './decide/contributor.ts'
import { liveReview } from './decide/review.ts'
import type { DeletionReason } from './decide/waypoint.ts'
import { publishedOf } from './log/nouns.ts'
import { pages } from './rules.ts'
import { parse } from './schemas/parse.ts'
import type { RatingSummary, Review, ReviewInput, ReviewPatch } from './schemas/review.ts'
import { Part } from './shared.ts'
import type { Reads } from './store/reads.ts'
import { decisions } from './writes.ts'

const ReviewFilter = z.object({
  userId: z.string().optional(),
  bubblerId: z.int().positive().optional(),
})
type ReviewFilter = z.infer<typeof ReviewFilter>

export const ReviewsQuery = ReviewFilter.extend({
  limit: z.int().min(1).max(pages.reviews.max).optional(),
  after: z.int().min(0).default(0),
})
export interface ReviewsQuery extends ReviewFilter {
  /** How many: 1 to 100,000. Default 1,000. */
  readonly limit?: number | undefined
  /** Only ids greater than this one. */
  readonly after?: number | undefined
}

/** The number and mean of a waypoint's live ratings. @internal */
export async function ratingSummary(read: Reads['reviews'], waypointId: number): Promise<RatingSummary> {
  const { count, stars } = await read.ratings(waypointId)
  return count === 0 ? { count } : { count, average: Math.round((stars * 100) / count) / 100 }
}

/** Reviews of waypoints. Every signed-in user may post one, which earns XP. */
export class Reviews extends Part {
  /** Posts a review, rated 1 to 5. @throws RegistryError UNAUTHORIZED, for API tokens too; INVALID_INPUT */
  async create(input: ReviewInput, actor: Actor): Promise<Review> {
    return this.shared.contribute(actor, decisions['reviews.create'](input))
  }

  /**
   * Changes the rating or the comment of a review; `null` clears the comment. It earns nothing, and nothing is written or
   * logged when nothing changes. Only its author may.
   *
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND for deleted ones too, INVALID_INPUT
   * @example
   * const ada = user((await registry.users.create({ name: 'Ada' })).id)
   * const { id } = await registry.reviews.create({ bubblerId: 1, rating: 5 }, ada)
   * await registry.reviews.update(id, { rating: 4 }, ada)
   */
  async update(id: number, input: ReviewPatch, actor: Actor): Promise<Review> {
    return this.shared.contribute(actor, decisions['reviews.update'](id, input))
  }

  /**
   * Turns a review into a tombstone; its XP stays. @returns its last state
   *
   * @param options `reason` is public, in the log and among the acts of moderators, unless it is the author's
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND, INVALID_INPUT for an empty or too long reason
   */
  async delete(id: number, actor: Actor, options: DeletionReason = {}): Promise<Review> {
    return this.shared.contribute(actor, decisions['reviews.delete'](id, options))
  }

  /** A review. @throws RegistryError NOT_FOUND, for deleted ones too */
  async get(id: number): Promise<Review> {
    return publishedOf(liveReview(await this.asItIs('review', id), id))
  }

  /** A review, or the rest of a deleted one. @throws RegistryError NOT_FOUND */
  async getEvenDeleted(id: number): Promise<Review> {
    const found = await this.asItIs('review', id)
    return publishedOf(found ?? liveReview(found, id))
  }

  /** Live reviews by id that match all given members: 1,000 or `limit` `after` an id. @throws RegistryError INVALID_INPUT */
  async list(query: ReviewsQuery = {}): Promise<Review[]> {
    const { limit = pages.reviews.default, ...page } = parse(ReviewsQuery, query)
    return this.read.reviews.list({ ...page, limit })
  }

  /** The number of a waypoint's live reviews, and the mean of their ratings in hundredths, if there are any. */
  async summary(waypointId: number): Promise<RatingSummary> {
    return ratingSummary(this.read.reviews, waypointId)
  }
}
