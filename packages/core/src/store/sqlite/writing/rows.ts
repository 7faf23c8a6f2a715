import type { Selectable } from 'kysely'
import type { BoundingBox } from '../../../schemas/area.ts'
import type { ReviewState } from '../../../decide/effects.ts'
import type { UserState } from '../../../schemas/user.ts'
import type { Review } from '../../../schemas/review.ts'
import type { FoundWaypoint, Waypoint, WaypointState } from '../../../schemas/waypoint.ts'
import type { Schema } from '../schema.ts'

/** Converts rows of the database to values of the domain: NULL is absent, 0 and 1 are booleans, JSON is text. */

type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

export const waypointColumns = [
  'id',
  'name',
  'latitude',
  'longitude',
  'description',
  'amenities',
  'image',
  'maintainer',
  'region',
  'approved',
  'verified',
  'addedByUserId',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Schema['waypoints'])[]

type PublishedRow = Pick<Row<'waypoints'>, (typeof waypointColumns)[number]>

export function waypointOf(row: PublishedRow): Waypoint {
  return {
    id: row.id,
    name: row.name,
    latitude: row.latitude,
    longitude: row.longitude,
    ...(row.description !== null && { description: row.description }),
    amenities: row.amenities === '[]' ? [] : (JSON.parse(row.amenities) as string[]),
    ...(row.image !== null && { image: row.image }),
    ...(row.maintainer !== null && { maintainer: row.maintainer }),
    ...(row.region !== null && { region: row.region }),
    approved: row.approved === 1,
    verified: row.verified === 1,
    addedByUserId: row.addedByUserId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

export function waypointStateOf(row: Row<'waypoints'>): WaypointState {
  return {
    ...waypointOf(row),
    verifiedOnce: row.verifiedOnce === 1,
    ...(row.deletedAt !== null && { deletedAt: row.deletedAt }),
  }
}

export function foundWaypointOf(row: Pick<Row<'waypoints'>, keyof FoundWaypoint>): FoundWaypoint {
  return {
    id: row.id,
    name: row.name,
    latitude: row.latitude,
    longitude: row.longitude,
    ...(row.description !== null && { description: row.description }),
    ...(row.region !== null && { region: row.region }),
  }
}

export function reviewStateOf(row: Row<'reviews'>): ReviewState {
  return {
    id: row.id,
    bubblerId: row.bubblerId,
    userId: row.userId,
    rating: row.rating,
    ...(row.comment !== null && { comment: row.comment }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(row.deletedAt !== null && { deletedAt: row.deletedAt }),
  }
}

/** A review without its internal fields. */
export function publishedReview(state: ReviewState): Review {
  const { deletedAt: _deleted, ...review } = state
  return review
}

export function userStateOf(row: Row<'users'>): UserState {
  return {
    id: row.id,
    name: row.name,
    ...(row.email !== null && { email: row.email }),
    isModerator: row.isModerator === 1,
    xp: row.xp,
    stats: {
      waypointsCreated: row.waypointsCreated,
      waypointsEdited: row.waypointsEdited,
      reviewsPosted: row.reviewsPosted,
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

export function boundingBoxOf(row: Row<'areas'>): BoundingBox {
  return {
    id: row.id,
    name: row.name,
    ...(row.description !== null && { description: row.description }),
    color: row.color,
    coordinates: JSON.parse(row.coordinates) as BoundingBox['coordinates'],
    properties: JSON.parse(row.properties) as BoundingBox['properties'],
    active: row.active === 1,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
