import { RegistryError, notFound } from '../../../errors.ts'
import type { ReviewState } from '../../../decide/effects.ts'
import type { UserState } from '../../../schemas/user.ts'
import type { WaypointState } from '../../../schemas/waypoint.ts'
import { reviewStateOf, userStateOf, waypointStateOf } from './rows.ts'
import { build, param, type Statements } from '../connection/statement.ts'

/** Loads the current rows that decisions need. */
export function loads(statements: Statements) {
  const userById = statements.prepare(() =>
    build.selectFrom('users').selectAll().where('id', '=', param<string>('id')),
  )
  const waypointById = statements.prepare(() =>
    build.selectFrom('waypoints').selectAll().where('id', '=', param<number>('id')),
  )
  const reviewById = statements.prepare(() =>
    build.selectFrom('reviews').selectAll().where('id', '=', param<number>('id')),
  )
  const reviewed = statements.prepare(() =>
    build
      .selectFrom('reviews')
      .select('id')
      .where('bubblerId', '=', param<number>('bubblerId'))
      .where('userId', '=', param<string>('userId'))
      .where('deletedAt', 'is', null)
      .limit(1),
  )

  return {
    user(id: string): UserState | undefined {
      const row = userById.get({ id })
      return row && userStateOf(row)
    },
    /** A waypoint or a tombstone. */
    waypoint(id: number): WaypointState | undefined {
      const row = waypointById.get({ id })
      return row && waypointStateOf(row)
    },
    /** @throws RegistryError NOT_FOUND for tombstones too */
    liveWaypoint(id: number): WaypointState {
      const state = this.waypoint(id)
      if (state === undefined || state.deletedAt !== undefined) throw notFound('waypoint', id)
      return state
    },
    /** @throws RegistryError NOT_FOUND for tombstones too */
    liveReview(id: number): ReviewState {
      const row = reviewById.get({ id })
      if (row === undefined || row.deletedAt !== null) throw notFound('review', id)
      return reviewStateOf(row)
    },
    hasReviewed(userId: string, bubblerId: number): boolean {
      return reviewed.get({ userId, bubblerId }) !== undefined
    },
    /** @throws RegistryError UNAUTHORIZED when there is no such user */
    contributor(id: string): UserState {
      const state = this.user(id)
      if (state === undefined) {
        throw new RegistryError('UNAUTHORIZED', 'There is no user with this id: create it first', {
          userId: id,
        })
      }
      return state
    },
  }
}
export type Loads = ReturnType<typeof loads>
