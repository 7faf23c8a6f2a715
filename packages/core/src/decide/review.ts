import { notFound, RegistryError } from '../errors.ts'
import { reviewOptionals, reviewValuesOf } from '../fields/review.ts'
import { changedFields, draftOf } from '../log/entry.ts'
import { foldDraft } from '../log/fold.ts'
import { isLive, publishedOf, type ReviewState } from '../log/nouns.ts'
import { parse } from '../schemas/parse.ts'
import { ReviewInput, ReviewPatch, type Review } from '../schemas/review.ts'
import {
  contribution,
  earn,
  mustModerate,
  passGate,
  type Contributor,
  type Occasion,
  mustNotBeTooMuch,
} from './contributor.ts'
import { nounsWhere, type Decided } from './deciding.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'
import { namedWaypoint, type DeletionReason } from './waypoint.ts'

export function* createReview(occasion: Occasion, input: unknown): Decided<Review> {
  const { who, facts } = yield* contribution(occasion)
  if (who.kind === 'token') {
    throw new RegistryError('UNAUTHORIZED', 'Reviews are posted by signed-in users, not by API tokens')
  }
  passGate(occasion, who, 'postReview')
  const review = parse(ReviewInput, input)
  const { bubblerId, rating } = review
  yield* namedWaypoint(bubblerId)
  const { userId: by } = who
  if (occasion.rules.reviews.onePerWaypoint) {
    const earlier = yield* nounsWhere('review', { bubblerId, userId: by })
    if (earlier.some(isLive)) throw new RegistryError('FORBIDDEN', 'You have already reviewed this waypoint')
  }
  yield* mustNotBeTooMuch(occasion, who, 'reviews')
  const fields = { ...reviewValuesOf(review), rating, waypoint: bubblerId }
  const draft = {
    ...draftOf('review', facts.last.review + 1, 'created', fields),
    awards: earn(occasion, by, 'postReview'),
  }
  const after = foldDraft('review', undefined, draft, { by, at: occasion.at })
  return { entries: [draft], by, answer: publishedOf(after) }
}

export function liveReview(state: ReviewState | undefined, id: number): ReviewState {
  if (!isLive(state)) throw notFound('review', id)
  return state
}

/** Whether the contributor is the author; an API token is never one, even when it has an owner. */
const isAuthor = (who: Contributor, { userId }: ReviewState): boolean =>
  who.kind !== 'token' && who.userId === userId

/** Only the author changes a review: words under a name are theirs whose name it is. */
export function* updateReview(occasion: Occasion, id: number, input: unknown): Decided<Review> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'review', key: id }])
  const before = liveReview(facts.get('review', id), id)
  if (!isAuthor(who, before))
    throw new RegistryError(
      'FORBIDDEN',
      'Only its author may change a review; moderators and API tokens may delete it, with a public reason',
    )
  const fields = changedFields([...reviewOptionals, 'rating'], before, parse(ReviewPatch, input))
  const by = who.userId
  if (Object.keys(fields).length === 0) return { entries: [], by, answer: publishedOf(before) }
  const draft = draftOf('review', id, 'edited', fields)
  const after = foldDraft('review', before, draft, { by, at: occasion.at })
  return { entries: [draft], by, answer: publishedOf(after) }
}

/** Turns a review into a tombstone without its texts, and returns its last state. */
export function* deleteReview(
  occasion: Occasion,
  id: number,
  { reason }: DeletionReason = {},
): Decided<Review> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'review', key: id }])
  const before = liveReview(facts.get('review', id), id)
  if (!isAuthor(who, before))
    mustModerate(who, 'Only its author, moderators and API tokens may delete a review')
  const isAct = who.userId !== before.userId
  if (isAct) yield* takeBacksLeft(occasion, who)
  const fields = reason === undefined || !isAct ? {} : { reason: mustHaveReason(reason) }
  const by = who.userId
  return { entries: [draftOf('review', id, 'deleted', fields)], by, answer: publishedOf(before) }
}
