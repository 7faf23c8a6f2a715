import { z } from 'zod'
import type { GivenValuesOf } from '../fields/field.ts'
import { reviewFields } from '../fields/review.ts'
import { limits } from '../rules.ts'
import { clearableInputs, inOrder, optionalOutputs } from './described.ts'

const rating = z.int().min(limits.rating.min).max(limits.rating.max)

/** A rating of a waypoint from 1 to 5, with an optional comment. */
export const Review = z
  .object(
    inOrder(reviewFields, {
      ...optionalOutputs(reviewFields),
      id: z.int().positive(),
      bubblerId: z.int().positive(),
      userId: z.string(),
      rating,
      createdAt: z.iso.datetime(),
      updatedAt: z.iso.datetime(),
    }),
  )
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

export const ReviewInput = z
  .object(
    inOrder(reviewFields, {
      ...clearableInputs(reviewFields),
      bubblerId: z.int().positive(),
      rating,
    }),
  )
  .meta({ id: 'ReviewInput' })
export interface ReviewInput extends GivenValuesOf<typeof reviewFields> {
  /** The id of the waypoint. */
  readonly bubblerId: number
  /** Stars: a whole number from 1 to 5, 5 is best. */
  readonly rating: number
}

/** Changes of a review: only given members change, `null` or an empty comment clears it. */
export const ReviewPatch = z
  .object(inOrder(reviewFields, { ...clearableInputs(reviewFields), rating: rating.optional() }))
  .meta({ id: 'ReviewPatch' })
export interface ReviewPatch extends GivenValuesOf<typeof reviewFields> {
  /** Stars: a whole number from 1 to 5, 5 is best. */
  readonly rating?: number | undefined
}

export const RatingSummary = z
  .object({
    count: z.int().min(0).meta({ description: 'How many reviews there are' }),
    average: z
      .number()
      .min(limits.rating.min)
      .max(limits.rating.max)
      .optional()
      .meta({ description: 'The mean of their ratings, rounded to hundredths; absent without reviews' }),
  })
  .meta({ id: 'RatingSummary' })
export type RatingSummary = z.infer<typeof RatingSummary>
