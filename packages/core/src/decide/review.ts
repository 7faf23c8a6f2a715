import { RegistryError, invalid } from '../errors.ts'
import type { ReviewInput } from '../schemas/review.ts'
import { earn, passGate, type Occasion } from './contributor.ts'
import { noEffects, type Effects, type ReviewState } from './effects.ts'

/** The facts about a waypoint that decide whether a review of it may be posted. */
export interface ReviewedWaypoint {
  readonly exists: boolean
  readonly alreadyReviewed: boolean
}

/**
 * Posts a review, which earns its author XP.
 *
 * @throws RegistryError UNAUTHORIZED for API tokens, INSUFFICIENT_XP, INVALID_INPUT for an unknown waypoint
 */
export function createReview(
  occasion: Occasion,
  id: number,
  given: ReviewInput,
  waypoint: ReviewedWaypoint,
): Effects & { readonly review: { readonly before: undefined; readonly after: ReviewState } } {
  const { contributor, at, rules } = occasion
  if (contributor.kind === 'token') {
    throw new RegistryError('UNAUTHORIZED', 'Reviews are posted by signed-in users, not by API tokens')
  }
  passGate(occasion, 'postReview')
  const { bubblerId, rating, comment } = given
  if (!waypoint.exists) throw invalid('bubblerId', 'names no waypoint of this registry')
  if (rules.reviews.onePerWaypoint && waypoint.alreadyReviewed) {
    throw new RegistryError('FORBIDDEN', 'You have already reviewed this waypoint')
  }
  const after: ReviewState = {
    id,
    bubblerId,
    userId: contributor.userId,
    rating,
    ...(typeof comment === 'string' && comment !== '' && { comment }),
    createdAt: at,
    updatedAt: at,
  }
  return {
    review: { before: undefined, after },
    entries: [],
    awards: earn(occasion, contributor.userId, 'postReview', { waypointId: bubblerId, reviewId: id }),
    counts: [{ userId: contributor.userId, what: 'reviewsPosted' }],
  }
}

/**
 * Turns a review into a tombstone. Only its author, moderators and API tokens may.
 *
 * @throws RegistryError FORBIDDEN
 */
export function deleteReview({ contributor, at }: Occasion, before: ReviewState): Effects {
  const { kind, userId, isModerator } = contributor
  if (kind !== 'token' && !isModerator && userId !== before.userId) {
    throw new RegistryError('FORBIDDEN', 'Only its author, moderators and API tokens may delete a review')
  }
  return { ...noEffects, review: { before, after: { ...before, deletedAt: at } } }
}
