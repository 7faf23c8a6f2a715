import { sql } from 'kysely'
import { reviewFields } from '../../../fields/review.ts'
import type { Review } from '../../../schemas/review.ts'
import type { ReviewPage } from '../../reads.ts'
import { reviewOf } from '../../rows.ts'
import { nounText } from './noun-text.ts'
import { build, limitParam, param, type Statements } from '../connection/statement.ts'

const reviewText = nounText(reviewFields)

/** Reads live reviews on one connection. */
export function reviewReads(statements: Statements) {
  const live = () => build.selectFrom('reviews').selectAll().where('deletedAt', 'is', null).orderBy('id')
  const all = statements.prepare(() =>
    live().where(
      sql<boolean>`exists (select 1 from waypoints w where w.id = reviews.bubblerId and w.deletedAt is null)`,
    ),
  )
  const byId = statements.prepare(() => live().where('id', '=', param<number>('id')))
  const filtered = (byUser: boolean, byWaypoint: boolean) =>
    statements.shaped(`reviews: ${byUser} ${byWaypoint}`, () => {
      let query = live().where('id', '>', param<number>('after'))
      if (byUser) query = query.where('userId', '=', param<string>('userId'))
      if (byWaypoint) query = query.where('bubblerId', '=', param<number>('bubblerId'))
      return query.limit(limitParam('limit'))
    })

  const texts = (byUser: boolean, byWaypoint: boolean) =>
    statements.shaped(`review texts: ${byUser} ${byWaypoint}`, () => {
      let query = build
        .selectFrom('reviews')
        .select(['id', reviewText.as('text')])
        .where('deletedAt', 'is', null)
        .where('id', '>', param<number>('after'))
      if (byUser) query = query.where('userId', '=', param<string>('userId'))
      if (byWaypoint) query = query.where('bubblerId', '=', param<number>('bubblerId'))
      return query.orderBy('id').limit(limitParam('limit'))
    })

  const ratings = statements.prepare(() =>
    build
      .selectFrom('reviews')
      .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(rating), 0)`.as('stars')])
      .where('deletedAt', 'is', null)
      .where('bubblerId', '=', param<number>('waypointId')),
  )

  return {
    get(id: number): Review | undefined {
      const row = byId.get({ id })
      return row && reviewOf(row)
    },
    /** JSON texts by id, in chunks of at most `size`. */
    *textChunks({ userId, bubblerId, after, limit }: ReviewPage, size: number): Generator<string[]> {
      const statement = texts(userId !== undefined, bubblerId !== undefined)
      for (let start = after, left = limit; left > 0;) {
        const most = Math.min(size, left)
        const page = statement.all({ userId, bubblerId, after: start, limit: most })
        if (page.length > 0) yield page.map(({ text }) => text)
        const last = page.at(-1)
        if (last === undefined || page.length < most) return
        start = last.id
        left -= page.length
      }
    },
    /** How many live reviews a waypoint has, and the sum of their ratings. */
    ratings: (waypointId: number): { count: number; stars: number } =>
      ratings.get({ waypointId }) ?? { count: 0, stars: 0 },
    list({ userId, bubblerId, after, limit }: ReviewPage): Review[] {
      return filtered(userId !== undefined, bubblerId !== undefined)
        .all({ userId, bubblerId, after, limit })
        .map(reviewOf)
    },
    /** Those of live waypoints, by id. */
    *each(): Generator<Review> {
      for (const row of all.iterate()) yield reviewOf(row)
    },
  }
}
