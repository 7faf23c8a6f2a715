import { reviewFields } from '@openfountain/core/fields'
import { reviewOf, type Review, type ReviewPage } from '@openfountain/core/engine'
import { sql } from 'kysely'
import { nounText } from './noun-text.ts'
import { build, text, whole, type Statements } from '../connection/statement.ts'

interface ReviewFilter {
  readonly userId?: string | undefined
  readonly bubblerId?: number | undefined
}

const reviewText = nounText({ reviews: reviewFields })

/** Reads live reviews. */
export function reviewReads(statements: Statements) {
  const live = ({ userId, bubblerId }: ReviewFilter) => {
    let query = build.selectFrom('reviews').where('deletedAt', 'is', null).orderBy('id')
    if (userId !== undefined) query = query.where('userId', '=', text('userId'))
    if (bubblerId !== undefined) query = query.where('bubblerId', '=', whole('bubblerId'))
    return query
  }
  const shapeOf = ({ userId, bubblerId }: ReviewFilter): string =>
    `${userId !== undefined} ${bubblerId !== undefined}`
  const byId = statements.prepare(() => live({}).selectAll().where('id', '=', whole('id')))
  const rows = (filter: ReviewFilter) =>
    statements.shaped(`reviews: ${shapeOf(filter)}`, () =>
      live(filter).selectAll().where('id', '>', whole('after')).limit(whole('limit')),
    )
  const texts = (filter: ReviewFilter) =>
    statements.shaped(`review texts: ${shapeOf(filter)}`, () =>
      live(filter)
        .select(['id', reviewText.as('text')])
        .where('id', '>', whole('after'))
        .limit(whole('limit')),
    )
  const ratings = statements.prepare(() =>
    build
      .selectFrom('reviews')
      .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum("rating"), 0)`.as('stars')])
      .where('deletedAt', 'is', null)
      .where('bubblerId', '=', whole('bubblerId')),
  )
  return {
    async get(id: number): Promise<Review | undefined> {
      const row = await byId.get({ id })
      return row && reviewOf(row)
    },
    list: async (filter: ReviewPage): Promise<Review[]> =>
      (await rows(filter).all({ ...filter })).map(reviewOf),
    /** JSON texts by id, in chunks of at most `size`. */
    async *textChunks(filter: ReviewPage, size: number): AsyncGenerator<string[]> {
      for (let { after, limit: left } = filter; left > 0;) {
        const limit = Math.min(size, left)
        const page = await texts(filter).all({ ...filter, after, limit })
        if (page.length > 0) yield page.map((row) => row.text)
        const last = page.at(-1)
        if (last === undefined || page.length < limit) return
        after = last.id
        left -= page.length
      }
    },
    /** How many live reviews a waypoint has, and the sum of their ratings. */
    async ratings(waypointId: number): Promise<{ count: number; stars: number }> {
      return (await ratings.get({ bubblerId: waypointId })) ?? { count: 0, stars: 0 }
    },
  }
}
