import type { Review } from '../review.ts'
import { publishedReview, reviewStateOf } from './rows.ts'
import { build, param, type Statements } from './statement.ts'

/** Reviews on one connection. Tombstones are never answered. */
export function reviewReads(statements: Statements) {
  const live = () => build.selectFrom('reviews').selectAll().where('deletedAt', 'is', null).orderBy('id')
  const all = statements.prepare(live)
  const filtered = (byUser: boolean, byWaypoint: boolean) =>
    statements.shaped(`reviews: ${byUser} ${byWaypoint}`, () => {
      const query = byUser ? live().where('userId', '=', param<string>('userId')) : live()
      return byWaypoint ? query.where('bubblerId', '=', param<number>('bubblerId')) : query
    })

  return {
    list({ userId, bubblerId }: { userId?: string | undefined; bubblerId?: number | undefined }): Review[] {
      return filtered(userId !== undefined, bubblerId !== undefined)
        .all({ userId, bubblerId })
        .map((row) => publishedReview(reviewStateOf(row)))
    },
    *each(): Generator<Review> {
      for (const row of all.iterate()) yield publishedReview(reviewStateOf(row))
    },
  }
}
