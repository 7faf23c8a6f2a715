import { reviewFields } from '@openfountain/core/fields'
import type { ExportSnapshot, ReviewRecord } from '../snapshot.ts'
import { columnsOf, tableFormats, type Table } from './table.ts'

function* liveReviews(reviews: ReturnType<ExportSnapshot['reviewsAfter']>): Iterable<ReviewRecord> {
  for (const review of reviews) if (review.deletedAt === undefined) yield review
}

export const reviewTable: Table<ReviewRecord> = {
  name: 'reviews',
  title: 'Reviews',
  subject: 'registry',
  holds: 'Every review with its rating, comment and author.',
  hasDifference: true,
  rows: ({ snapshot, difference }) =>
    difference ? liveReviews(snapshot.reviewsAfter(difference.since.id)) : snapshot.reviews(),
  columns: columnsOf(reviewFields, (review: ReviewRecord) => review),
}

export const reviews = tableFormats(reviewTable)
