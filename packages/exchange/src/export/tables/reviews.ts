import { reviewFields } from '@openfountain/core/fields'
import type { ReviewRecord } from '../snapshot.ts'
import { columnsOf, jsonOf, tableFormats, type Table } from './table.ts'

/** A review as JSON files hold it. */
export const reviewJson: (review: ReviewRecord) => object = jsonOf(reviewFields)

/** What people said about waypoints. */
export const reviewTable: Table<ReviewRecord> = {
  name: 'reviews',
  title: 'Reviews',
  holds: 'Every review with its rating, comment and author.',
  rows: (edition) => edition.snapshot.reviews(),
  json: reviewJson,
  columns: columnsOf(reviewFields, (review: ReviewRecord) => review),
}

export const reviews = tableFormats(reviewTable)
