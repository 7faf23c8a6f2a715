import { z } from 'zod'
import { limits, pages } from '../rules.ts'
import { DoubtfulRow } from './doubt.ts'
import { Observation } from './observation.ts'
import { NamedUser, Report } from './report.ts'
import { Photo } from './photo.ts'
import { Review } from './review.ts'
import { FormerUser, PublicUser } from './user.ts'
import { paging, pagingById, Waypoint } from './waypoint.ts'

export const queueKinds = [
  'unapproved',
  'unverified',
  'reported',
  'duplicates',
  'bursts',
  'doubtful',
  'photos',
] as const
export const QueueKind = z.enum(queueKinds)
export type QueueKind = z.infer<typeof QueueKind>

export const QueueQuery = pagingById(pages.queue).extend({
  kind: QueueKind,
  source: z.string().min(1).max(limits.sourceName).optional(),
})
/** Which queue, from where on, and how many; of `doubtful` rows those of one source by its name, or of all. */
export type QueueQuery = z.input<typeof QueueQuery>

const User = z.union([PublicUser, FormerUser])

export const QueueItem = z
  .object({
    kind: QueueKind,
    waypoint: Waypoint.optional().meta({
      description: 'The newer one of duplicates; the one that a doubtful row may be, unless it is gone',
    }),
    other: Waypoint.optional().meta({ description: 'The older one of duplicates' }),
    review: Review.optional(),
    photo: Photo.optional().meta({ description: 'One that waits or is reported' }),
    user: User.optional().meta({
      description: 'Whom it is about; for waypoints who added them, unless it was a program',
    }),
    why: z.string().meta({ description: 'In English; the other members say it in numbers' }),
    since: z.iso.datetime(),
    reports: z.array(Report).optional().meta({ description: 'Open ones, oldest first' }),
    row: DoubtfulRow.optional().meta({ description: 'The doubtful row of an import' }),
    metres: z.number().optional().meta({ description: 'How far apart the two are' }),
    score: z.number().optional().meta({ description: 'How alike the two are, 0 to 1' }),
    changes: z.int().optional().meta({ description: 'How many changes of late stand' }),
  })
  .meta({ id: 'QueueItem' })
export type QueueItem = z.infer<typeof QueueItem>

export const WorkKind = z.enum(['waypoints', 'reviews', 'photos', 'observations', 'reports'])
export type WorkKind = z.infer<typeof WorkKind>

export const PersonQuery = pagingById(pages.queue).extend({ kind: WorkKind })
/** Which kind of work, from where on, and how much. */
export type PersonQuery = z.input<typeof PersonQuery>

export const Work = z
  .object({
    waypointId: z.int().positive().optional().meta({ description: 'Absent for reports of people' }),
    waypoint: Waypoint.optional().meta({ description: 'As it is now; absent once it is deleted' }),
    review: Review.optional(),
    photo: Photo.optional(),
    observation: Observation.optional(),
    report: Report.optional().meta({ description: 'What the person reported' }),
  })
  .meta({ id: 'Work' })
export type Work = z.infer<typeof Work>

export const PersonWork = z.object({
  user: User,
  items: z.array(Work),
  next: z.int().positive().optional().meta({ description: '`after` of the next page; absent on the last' }),
})
export type PersonWork = z.infer<typeof PersonWork>

export const ActsQuery = paging(pages.acts)
  .omit({ offset: true })
  .extend({ after: z.int().min(0).optional() })
/** How many acts; `after` the last one that is known, the newest when absent. */
export type ActsQuery = z.input<typeof ActsQuery>

const actKinds = [
  'approved',
  'unapproved',
  'verified',
  'unverified',
  'edited',
  'hidden',
  'shown',
  'deleted',
  'reverted',
  'merged',
  'restored',
  'blocked',
  'unblocked',
  'redacted',
] as const
export type ActKind = (typeof actKinds)[number]

const Named = z.object({ id: z.int().positive(), name: z.string() })

/** An act of moderation, which everybody may see. */
export const ModerationAct = z
  .object({
    id: z.int().positive().meta({ description: 'The first of its entries' }),
    kind: z.enum(actKinds),
    timestamp: z.iso.datetime(),
    user: NamedUser.meta({ description: 'Who did it; `api` is the operator or a program' }),
    reason: z.string().optional(),
    redacted: z.literal(true).optional().meta({ description: 'The reason was removed' }),
    entries: z.array(z.int().positive()).meta({ description: 'The entries of the log, ascending' }),
    waypoint: Named.optional(),
    into: Named.optional().meta({ description: 'The waypoint that it was merged into' }),
    review: z.object({ id: z.int().positive(), waypoint: Named }).optional(),
    photo: z.object({ id: z.int().positive(), waypoint: Named }).optional(),
    person: NamedUser.optional().meta({
      description: 'Who was blocked, or whose changes were undone or redacted',
    }),
    until: z.iso.datetime().optional().meta({ description: 'The end of a block' }),
  })
  .meta({ id: 'ModerationAct' })
export type ModerationAct = z.infer<typeof ModerationAct>
