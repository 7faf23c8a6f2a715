import type { ReviewRecord } from '../snapshot.ts'
import { tableFormats, type Table } from './table.ts'

/** A review as JSON files hold it. */
export function reviewJson({
  id,
  bubblerId,
  userId,
  rating,
  comment,
  createdAt,
  updatedAt,
}: ReviewRecord): object {
  return {
    id,
    bubblerId,
    userId,
    rating,
    ...(comment !== undefined && { comment }),
    createdAt,
    updatedAt,
  }
}

/** What people said about waypoints. */
export const reviewTable: Table<ReviewRecord> = {
  name: 'reviews',
  title: 'Reviews',
  holds: 'Every review with its rating, comment and author.',
  rows: (edition) => edition.snapshot.reviews(),
  json: reviewJson,
  columns: [
    {
      name: 'id',
      type: 'integer',
      required: true,
      meaning: 'Identifier of the review',
      value: (review) => review.id,
    },
    {
      name: 'waypoint_id',
      type: 'integer',
      required: true,
      meaning: 'The reviewed waypoint',
      value: (review) => review.bubblerId,
    },
    {
      name: 'user_id',
      type: 'string',
      required: true,
      meaning: 'Identifier of the author',
      value: (review) => review.userId,
    },
    {
      name: 'rating',
      type: 'integer',
      unit: 'stars, 1 to 5',
      required: true,
      meaning: 'Rating, 5 is best',
      value: (review) => review.rating,
    },
    {
      name: 'comment',
      type: 'string',
      required: false,
      meaning: 'Comment',
      value: (review) => review.comment,
    },
    {
      name: 'created_at',
      type: 'datetime',
      required: true,
      meaning: 'When it was written, UTC',
      value: (review) => review.createdAt,
    },
    {
      name: 'updated_at',
      type: 'datetime',
      required: true,
      meaning: 'When it was last changed, UTC',
      value: (review) => review.updatedAt,
    },
  ],
}

export const reviews = tableFormats(reviewTable)
