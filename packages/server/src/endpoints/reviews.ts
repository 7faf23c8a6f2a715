import { Review, ReviewInput, ReviewPatch } from '@openfountain/core'
import { served } from '@openfountain/core/internal'
import { limits, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import {
  endpoint,
  type Endpoint,
  deletionReason,
  idsIn,
  integer,
  nextPage,
  Reply,
  words,
} from '../endpoint.ts'
import { TextStream } from '../http/text-stream.ts'
import { jsonList } from '../list-maker.ts'
import type { EndpointContext } from '../options.ts'

const tag = 'Reviews'
const write = { tag, who: 'contributor' } as const

/** Most entries of a list returned as a whole; longer ones are heavy work. */
const shortList = 250

export const reviewEndpoints = ({ registry, lists }: EndpointContext): readonly Endpoint[] => [
  endpoint({
    route: 'GET /api/reviews',
    name: 'listReviews',
    tag,
    summary: 'Reviews, of one user or one waypoint when asked',
    description: 'All of them, or a page of `limit`; the next one is `after` the last id of this one.',
    who: 'anyone',
    query: z.object({
      userId: words(limits.userId, 'Only reviews by this user').optional(),
      bubblerId: integer({}, 'Only reviews of this waypoint').optional(),
      limit: integer({ min: 1, max: pages.reviews.max }, 'How many; all when not given').optional(),
      after: integer({}, 'Only with a greater id, to go through the list in pages').optional(),
    }),
    success: {
      description: 'The reviews, by id',
      body: z.object({ reviews: z.array(Review) }),
    },
    run: async (call) => {
      const { query, opening } = call
      const first = await served(registry)
        .reviews(query, shortList + 1)
        .next()
      const texts = first.done === true ? [] : first.value
      if (texts.length <= shortList)
        return new Reply(`{"reviews":[${texts.join(',')}]}`, nextPage(call, idsIn(texts)))
      const task = { list: 'reviews', filter: query, opening: `${opening},"reviews":[` } as const
      return new TextStream(lists?.pieces(task) ?? jsonList(registry, task))
    },
  }),
  endpoint({
    route: 'POST /api/reviews',
    name: 'createReview',
    tag,
    summary: 'Review a waypoint',
    description: 'The author earns XP. API tokens cannot review; personal tokens can, as their owner.',
    who: 'user',
    body: { schema: ReviewInput },
    success: { status: 201, description: 'The review', body: z.object({ review: Review }) },
    errors: ['INSUFFICIENT_XP'],
    run: async ({ registry, body, actor }) => ({
      review: await registry.reviews.create(body as ReviewInput, actor),
    }),
    repeated: async ({ registry }, { subject }) => ({ review: await registry.reviews.get(Number(subject)) }),
  }),
  endpoint({
    ...write,
    route: 'PATCH /api/reviews',
    name: 'updateReview',
    summary: 'Change a review',
    description:
      'Only members that are given change; `null` clears the comment. For its author alone: moderators and API tokens may delete it. It earns nothing, and nothing is logged when nothing changes.',
    query: z.object({ id: integer({}, 'The id of the review') }),
    body: { schema: ReviewPatch },
    success: { description: 'The review', body: z.object({ review: Review }) },
    errors: ['NOT_FOUND'],
    run: async ({ registry, query, body, actor }) => ({
      review: await registry.reviews.update(query.id, body as ReviewPatch, actor),
    }),
    repeated: async ({ registry, query }) => ({ review: await registry.reviews.get(query.id) }),
  }),
  endpoint({
    ...write,
    route: 'DELETE /api/reviews',
    name: 'deleteReview',
    summary: 'Delete a review',
    description: 'For its author, moderators and API tokens. The reason is not kept when it is the author.',
    query: z.object({ id: integer({}, 'The id of the review'), reason: deletionReason }),
    success: { description: 'The deleted review', body: z.object({ review: Review }) },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: async ({ registry, query, actor }) => ({
      review: await registry.reviews.delete(query.id, actor, { reason: query.reason }),
    }),
    repeated: async ({ registry, query }) => ({ review: await registry.reviews.getEvenDeleted(query.id) }),
  }),
]
