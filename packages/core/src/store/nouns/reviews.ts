import { sql } from 'kysely'
import { reviewFields } from '../../fields/review.ts'
import type { Review } from '../../schemas/review.ts'
import type { ReviewPage } from '../answers.ts'
import { reviewOf, type Row } from '../rows.ts'
import {
  build,
  chunks,
  paged,
  query,
  type Reading,
  shaped,
  Stream,
  type Streaming,
  text,
  whole,
} from '../sql/query.ts'
import { nounText } from './noun-text.ts'

const reviewText = nounText({ reviews: reviewFields })

function page(isByUser: boolean, isOfWaypoint: boolean) {
  let reviews = paged(build.selectFrom('reviews').where('deletedAt', 'is', null), 'id')
  if (isByUser) reviews = reviews.where('userId', '=', text('userId'))
  if (isOfWaypoint) reviews = reviews.where('bubblerId', '=', whole('bubblerId'))
  return reviews
}
const rows = shaped((isByUser: boolean, isOfWaypoint: boolean) => page(isByUser, isOfWaypoint).selectAll())
const texts = shaped((isByUser: boolean, isOfWaypoint: boolean) =>
  page(isByUser, isOfWaypoint).select(['id', reviewText.as('text')]),
)
const shapeOf = ({ userId, bubblerId }: ReviewPage) =>
  [userId !== undefined, bubblerId !== undefined] as const

const byId = query<Row<'reviews'>>(
  () => sql`select * from reviews where "deletedAt" is null and id = ${whole('id')}`,
).map(reviewOf)
const ofLiveWaypoints = query(() =>
  page(false, false)
    .selectAll()
    .where(
      sql<boolean>`exists (select 1 from waypoints w where w.id = reviews."bubblerId" and w."deletedAt" is null)`,
    ),
)
const ratings = query<{ count: number; stars: number }>(
  () => sql`select count(*) as count, coalesce(sum(rating), 0) as stars from reviews
    where "deletedAt" is null and "bubblerId" = ${whole('bubblerId')}`,
)

export const reviewReads = {
  get: (id: number): Reading<Review | undefined> => byId.get({ id }),
  list: (filter: ReviewPage): Reading<Review[]> =>
    rows(...shapeOf(filter))
      .map(reviewOf)
      .all({ ...filter }),
  /** JSON texts by id, in chunks of at most `size`; the limit of the page may be infinite. */
  textChunks: new Stream(function* (filter: ReviewPage, size: number): Streaming<string[]> {
    yield* chunks(
      { ...filter, size },
      (after, limit) => texts(...shapeOf(filter)).all({ ...filter, after, limit }),
      ({ text: json }) => json,
    )
  }),
  /** How many live reviews a waypoint has, and the sum of their ratings. */
  *ratings(bubblerId: number): Reading<{ readonly count: number; readonly stars: number }> {
    return (yield* ratings.get({ bubblerId })) ?? { count: 0, stars: 0 }
  },
  /** The reviews of live waypoints, by id, in chunks of at most a thousand. */
  each: new Stream(function* (): Streaming<Review[]> {
    yield* chunks(
      { after: 0, limit: Infinity, size: 1000 },
      (after, limit) => ofLiveWaypoints.all({ after, limit }),
      (row) => reviewOf(row),
    )
  }),
}
