import { z } from 'zod'
import { limits, rhythms } from '../rules.ts'
import type { Report } from './report.ts'
import { Watched, type HappenedEvent } from '../waypoint-events.ts'
import { Near } from './waypoint.ts'

const { events, bubblerId, bbox, region, country, subdivision, source, maintainer } = Watched.shape
const { radius } = Near.shape

const members = z.strictObject({
  bubblerId,
  bbox,
  near: Near.omit({ radius: true }).optional(),
  /** Metres around `near`. */
  radius,
  region,
  country,
  subdivision,
  source,
  maintainer,
  /** The waypoints that they added or edited. */
  mine: z.literal(true).optional(),
  /** The queues of moderators, for them alone, by mail. */
  queue: z.literal(true).optional(),
})

/** The members of what somebody follows that say it, without those that say more of another one. */
const saying = (what: z.infer<typeof members>): string[] =>
  Object.entries(what).flatMap(([name, value]) => {
    const isPart = name === 'radius' || (name === 'subdivision' && what.country !== undefined)
    return value === undefined || isPart ? [] : name
  })

/** What somebody follows: one of these, `radius` with `near`, and `subdivision` with or without its `country`. */
export const FollowedWhat = members
  .refine((what) => saying(what).length === 1, {
    error: 'must be one thing to follow, such as a region or a maintainer',
  })
  .refine(({ near, radius: metres }) => (near === undefined) === (metres === undefined), {
    error: 'must have near and radius together',
  })
export type FollowedWhat = z.infer<typeof FollowedWhat>

export type Rhythm = (typeof rhythms)[number]

export const FollowInput = z.strictObject({
  what: FollowedWhat,
  /** Default all. */
  events,
  by: z
    .array(z.enum(['web', 'mail', 'push']))
    .max(3)
    .refine((all) => all.includes('web'), { error: 'must have web' })
    .optional()
    .meta({
      description:
        'The web alone, the default, or also mail, which needs a verified address, or push to your devices',
    }),
  rhythm: z
    .enum(rhythms)
    .optional()
    .meta({ description: 'How often there is a mail at most; default daily' }),
})
export type FollowInput = z.infer<typeof FollowInput>

/** How far somebody has read. */
export const ReadUpTo = z.object({
  upTo: z.int().min(1).optional().meta({
    description: 'The `entryId` of the newest notification that you have read',
  }),
  decisionsTo: z.iso.datetime().optional().meta({
    description: 'The `decidedAt` of the newest of your reports of which you have read',
  }),
})
export type ReadUpTo = z.infer<typeof ReadUpTo>

export interface StoredMail {
  readonly rhythm: Rhythm
  /** A tag such as `de-AT`. */
  readonly language?: string | undefined
  /** The id of the entry up to which mails have told. */
  readonly entry: number
  /** The time of the last one, or of the beginning. */
  readonly at: string
  /** The time of the newest decision about a report that mails have told, or of the beginning. */
  readonly decisionsTo?: string | undefined
}

export interface StoredFollow {
  readonly what: FollowedWhat
  readonly events?: FollowInput['events']
  readonly mail?: StoredMail | undefined
  /** Whether it is pushed to devices. */
  readonly isPushed?: boolean | undefined
  /** The id of the newest entry when it began. Absent of `mine`. */
  readonly since?: number | undefined
  /** The ids of the newest entries that it told, oldest first. */
  readonly told: readonly number[]
  readonly isOff?: true | undefined
  /** Said of `mine`: the id of the newest entry that the person has read of, in all their follows. */
  readonly readTo?: number | undefined
  /** Said of `mine`: the time of the newest decision about a report of theirs that the person has read of. */
  readonly decisionsTo?: string | undefined
}

export interface Follow extends FollowInput {
  readonly id: string
  /** Absent of `mine`, which everybody has from the start. */
  readonly createdAt?: string | undefined
}

/** Who did something, as followers are told; `person` has a name unless they left. */
export type Teller = 'person' | 'moderator' | 'program' | 'observer'

/** An event that somebody is told of. */
export interface Notification extends Pick<HappenedEvent, 'event' | 'at' | 'reason'> {
  /** The same for ever, and of no other event. */
  readonly id: string
  readonly entryId: number
  readonly bubblerId: number
  readonly name: string
  readonly isRemoved: boolean
  readonly by: Teller
  readonly byName?: string | undefined
  readonly isRead: boolean
}

export interface DecidedReport extends Pick<
  Report,
  'bubblerId' | 'reviewId' | 'photoId' | 'userId' | 'reason'
> {
  readonly id: number
  readonly state: 'done' | 'dismissed'
  readonly createdAt: string
  readonly decidedAt: string
  readonly isRead: boolean
}

export interface MailsOf {
  readonly userId: string
  readonly rhythm: Rhythm
}

export interface Digest extends MailsOf {
  /** The same whenever it is sent, and of no other mail. */
  readonly id: string
  readonly language?: string | undefined
  readonly address: string
  readonly notifications: readonly Notification[]
  /** The decisions about their reports, the newest first, with what they added or edited. */
  readonly reports: readonly DecidedReport[]
  /** The length of the queues of moderators, for who follows them; else 0. */
  readonly waiting: number
  readonly isMore: boolean
  /** How far it tells of each follow. */
  readonly upTo: readonly {
    readonly follow: string
    readonly entry: number
    readonly decisionsTo?: string | undefined
  }[]
}

/** A device to which is pushed, as browsers describe it (RFC 8291): an address at a push service, and keys in base64url. */
export const PushDevice = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/u, error: 'must be an http: or https: address' })
    .max(limits.pushAddress)
    .meta({ description: 'The address at the push service, as the browser has it' }),
  keys: z
    .strictObject({
      p256dh: z
        .string()
        .regex(/^B[\w-]{86}$/u, { error: 'must be a public key of P-256 in base64url' })
        .meta({ description: 'The public key, in base64url' }),
      auth: z
        .string()
        .regex(/^[\w-]{22}$/u, { error: 'must be 16 bytes in base64url' })
        .meta({ description: 'The secret of the device, in base64url' }),
    })
    .meta({ description: 'The keys of the device' }),
})
export type PushDevice = z.infer<typeof PushDevice>

export interface StoredDevice extends PushDevice {
  /** A tag such as `de-AT`. */
  readonly language?: string | undefined
  /** The id of the entry up to which it was told. */
  readonly entry: number
  /** Failed tries of the next event, and when it is tried again. */
  readonly attempts?: number | undefined
  readonly nextAt?: string | undefined
}

/** The next notifications of a device. */
export interface Push extends PushDevice, Pick<StoredDevice, 'language'> {
  /** The oldest first; the newest alone where there are many. */
  readonly notifications: readonly Notification[]
  /** How many there are besides. */
  readonly more: number
  /** The id of the entry up to which they tell. */
  readonly entry: number
}

export function watchedBy({ what, events: wanted }: Pick<FollowInput, 'what' | 'events'>): Watched {
  const { near, radius: metres, mine: _own, queue: _queue, ...rest } = what
  return {
    ...rest,
    events: wanted,
    ...(near && metres !== undefined && { near: { ...near, radius: metres } }),
  }
}
