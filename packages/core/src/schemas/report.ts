import { z } from 'zod'
import { limits } from '../rules.ts'
import { text } from './text.ts'

const reportReasons = ['wrong', 'duplicate', 'gone', 'offensive', 'private'] as const
export const ReportReason = z.enum(reportReasons)
export type ReportReason = z.infer<typeof ReportReason>

export const reportStates = ['open', 'done', 'dismissed'] as const
export const ReportState = z.enum(reportStates)
export type ReportState = z.infer<typeof ReportState>

const subject = {
  bubblerId: z.int().positive().optional().meta({ description: 'The waypoint' }),
  reviewId: z.int().positive().optional().meta({ description: 'The review' }),
  photoId: z.int().positive().optional().meta({ description: 'The photo' }),
  userId: z.string().min(1).max(limits.userId).optional().meta({ description: 'The person' }),
}

export const ReportInput = z
  .object({
    ...subject,
    reason: ReportReason,
    comment: text({ max: limits.comment, trim: true }).nullable().optional(),
  })
  .meta({ id: 'ReportInput' })
export interface ReportInput {
  /** The id of the waypoint that it is about. */
  readonly bubblerId?: number | undefined
  readonly reviewId?: number | undefined
  readonly photoId?: number | undefined
  readonly userId?: string | undefined
  readonly reason: ReportReason
  /** At most 2,000 characters. */
  readonly comment?: string | null | undefined
}

export const ReportDecision = z
  .object({
    state: z.enum(['done', 'dismissed']),
    note: text({ max: limits.comment, trim: true }).nullable().optional(),
  })
  .meta({ id: 'ReportDecision' })
export interface ReportDecision {
  readonly state: 'done' | 'dismissed'
  /** The moderator's note: at most 2,000 characters. */
  readonly note?: string | null | undefined
}

export const NamedUser = z.object({ id: z.string(), name: z.string().optional() }).meta({ id: 'NamedUser' })
export type NamedUser = z.infer<typeof NamedUser>

/** A report, as moderators see it. */
export const Report = z
  .object({
    id: z.int().positive(),
    ...subject,
    reason: ReportReason,
    comment: z.string().optional(),
    state: ReportState,
    createdAt: z.iso.datetime(),
    by: NamedUser.optional().meta({
      description: 'Who reported it; absent for passers-by, for those who left, and for API tokens',
    }),
    note: z.string().optional().meta({ description: 'What the moderator noted' }),
    decidedAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof Report>

/** An open report, as keepers see it. */
export const KeptReport = Report.pick({ id: true, reason: true, comment: true, createdAt: true }).meta({
  id: 'KeptReport',
})
export type KeptReport = z.infer<typeof KeptReport>
