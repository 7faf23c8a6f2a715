import { z } from 'zod'
import { forEachOf } from '../fields/field.ts'
import { userCounts } from '../fields/user.ts'
import { levelOf, limits, type Rules } from '../rules.ts'
import { text } from './text.ts'

/** The counts of a user's contributions; they never decrease. */
export const UserStats = z.object(forEachOf(userCounts, z.int())).meta({ id: 'UserStats' })
export type UserStats = z.infer<typeof UserStats>

const Badge = z.literal('moderator').optional().meta({ description: 'Present for a moderator' })

export const badgeOf = ({ isModerator }: { readonly isModerator: boolean }): Pick<PublicUser, 'badge'> =>
  isModerator ? { badge: 'moderator' } : {}

export const PublicUser = z
  .object({
    id: z.string(),
    name: z.string(),
    xp: z.int(),
    level: z.int().positive(),
    createdAt: z.iso.datetime(),
    stats: UserStats,
    badge: Badge,
  })
  .meta({ id: 'PublicUser' })
export type PublicUser = z.infer<typeof PublicUser>

export function publicUser(
  {
    id,
    name,
    xp,
    stats,
    createdAt,
    isModerator,
  }: Pick<UserState, 'id' | 'name' | 'xp' | 'stats' | 'createdAt' | 'isModerator'>,
  { levels }: Pick<Rules, 'levels'>,
): PublicUser {
  return { id, name, xp, level: levelOf(xp, levels), createdAt, stats, ...badgeOf({ isModerator }) }
}

/** A person who has left: contributions stay under their id, which does not identify them. */
export const FormerUser = PublicUser.omit({ name: true, badge: true }).meta({ id: 'FormerUser' })
export type FormerUser = z.infer<typeof FormerUser>

/** A user as everybody sees them, without a name once they have left. */
export function publicOrFormer(state: UserState, rules: Pick<Rules, 'levels'>): PublicUser | FormerUser {
  const { name, ...former } = publicUser(state, rules)
  return state.leftAt === undefined ? { ...former, name } : former
}

/** A maintainer or a source, by name, whose waypoints somebody keeps. */
export const Keeping = z
  .object({
    maintainer: text({ min: 1, max: limits.maintainer, trim: true }).optional(),
    source: text({ min: 1, max: limits.sourceName }).optional(),
  })
  .refine(({ maintainer, source }) => (maintainer === undefined) !== (source === undefined), {
    path: ['maintainer'],
    message: 'must be given, or source, and only one of them',
  })
  .meta({ id: 'Keeping' })
export type Keeping = z.infer<typeof Keeping>

/** A user as they see themselves. */
export const OwnUser = PublicUser.extend({
  email: z.string().optional(),
  isModerator: z.boolean(),
  updatedAt: z.iso.datetime(),
  keeps: z
    .array(Keeping)
    .optional()
    .meta({ description: 'What a keeper keeps: the fountains of maintainers, and those of sources' }),
  blocked: z
    .object({ reason: z.string(), until: z.iso.datetime().optional() })
    .optional()
    .meta({ description: 'While the user may not write; without `until` it has no end' }),
}).meta({ id: 'OwnUser' })
export type OwnUser = z.infer<typeof OwnUser>

/** An entry of the leaderboard; with `earned` in a leaderboard of a week or a region. */
export const LeaderboardEntry = PublicUser.omit({ createdAt: true, badge: true })
  .extend({
    earned: z.int().optional().meta({
      description:
        'With `since` or `region`: what contributions earned then and there; what the operator granted does not count',
    }),
  })
  .meta({ id: 'LeaderboardEntry' })
export type LeaderboardEntry = z.infer<typeof LeaderboardEntry>

/** Something of a person that somebody else removed, as its author may read it. */
export const Removal = z
  .object({
    subject: z.enum(['waypoint', 'review']),
    id: z.int().meta({ description: 'Of what was removed' }),
    bubblerId: z.int().meta({ description: 'The waypoint, or that of the review' }),
    name: z.string().meta({ description: 'The name that the waypoint had' }),
    removedAt: z.iso.datetime(),
    reason: z
      .string()
      .optional()
      .meta({ description: 'Absent when none was given, or when it was redacted' }),
    mergedInto: z.int().optional(),
  })
  .meta({ id: 'Removal' })
export type Removal = z.infer<typeof Removal>

export const UserName = text({ min: 1, max: limits.userName, trim: true, isName: true })

const Email = z
  .string()
  .trim()
  .max(limits.email, { message: `must have at most ${limits.email} characters` })
  .pipe(z.email({ message: 'must be an e-mail address' }))

export const UserId = text({ min: 1, max: limits.userId }).refine((id) => !/\s|\//u.test(id), {
  message: 'must have no white space and no slash',
})

/** A new user. `xp` is recorded in the log as a grant by an administrator. */
export const UserInput = z
  .object({
    name: UserName,
    email: Email.nullable().optional(),
    id: UserId.optional(),
    isModerator: z.boolean().optional(),
    xp: z.int().min(0).max(limits.xp).optional(),
  })
  .meta({ id: 'UserInput' })
export interface UserInput {
  /** 1 to 80 characters. */
  readonly name: string
  readonly email?: string | null | undefined
  /** Without white space and slash, at most 128 characters; it stays in the log for ever. Default a new one. */
  readonly id?: string | undefined
  /** Default false. */
  readonly isModerator?: boolean | undefined
  /** Default 0. */
  readonly xp?: number | undefined
}

/** A user of a host with accounts of its own; `externalId` is their id there. */
export const EnsuredUser = z.object({
  externalId: text({ min: 1, max: limits.externalId }),
  name: UserName,
  email: Email.nullable().optional(),
  isModerator: z.boolean().optional(),
})
export interface EnsuredUser {
  /** Their id with the host: 1 to 255 characters. */
  readonly externalId: string
  /** 1 to 80 characters. */
  readonly name: string
  /** `null` removes it. Default as it is. */
  readonly email?: string | null | undefined
  /** Whether they are a moderator. Default as it is. */
  readonly isModerator?: boolean | undefined
}

/** The settings that users may change themselves. `null` removes the e-mail address. */
export const UserPatch = z
  .object({ name: UserName.optional(), email: Email.nullable().optional() })
  .meta({ id: 'UserPatch' })
export interface UserPatch {
  /** 1 to 80 characters. */
  readonly name?: string | undefined
  readonly email?: string | null | undefined
}

/** A maintainer, or a source by its id, whose waypoints somebody keeps. */
export type Kept = { readonly maintainer: string } | { readonly source: number }

export interface UserState {
  readonly id: string
  readonly name: string
  readonly email?: string | undefined
  readonly isModerator: boolean
  readonly xp: number
  readonly stats: UserStats
  readonly createdAt: string
  readonly updatedAt: string
  /** The last block; it may have ended. */
  readonly block?: { readonly reason: string; readonly until?: string | undefined } | undefined
  readonly leftAt?: string | undefined
  readonly keeps?: readonly Kept[] | undefined
}
