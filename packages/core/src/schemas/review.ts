import { z } from 'zod'
import { limits } from '../rules.ts'
import { text } from './text.ts'

/** A rating of a waypoint from 1 to 5, with an optional comment. */
export const Review = z
  .object({
    id: z.int().positive(),
    bubblerId: z.int().positive(),
    userId: z.string(),
    rating: z.int().min(limits.rating.min).max(limits.rating.max),
    comment: z.string().optional(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Review' })
export type Review = z.infer<typeof Review>

/** A new review; unknown members are ignored. */
export const ReviewInput = z
  .object({
    bubblerId: z.int().positive(),
    rating: z.int().min(limits.rating.min).max(limits.rating.max),
    comment: text({ max: limits.comment }).nullable().optional(),
  })
  .meta({ id: 'ReviewInput' })
export type ReviewInput = z.infer<typeof ReviewInput>
