import type { Review, Waypoint } from '@openfountain/core'
import type { QueueKind } from '../views.ts'
import { likeness } from './compare.ts'
import { desk, format, withName } from './config.ts'
import { fountainName } from './naming.ts'
import { personName, type Profile, type NamedPerson } from './people.ts'
import { read } from './send.ts'

/** A user's report. */
export interface Report {
  readonly id: number
  readonly reason: keyof typeof desk.reportReason
  readonly comment?: string
  readonly state: keyof typeof desk.reportState
  readonly createdAt: string
  readonly by?: NamedPerson
}

/** A queue item, as GET /moderation/queue lists it. */
export type QueueItem =
  | {
      readonly kind: 'unapproved' | 'unverified'
      readonly waypoint: Waypoint
      readonly user?: Profile
      readonly since: string
    }
  | {
      readonly kind: 'duplicates'
      readonly waypoint: Waypoint
      readonly other: Waypoint
      readonly metres: number
      readonly score: number
      readonly since: string
    }
  | {
      readonly kind: 'reported'
      readonly waypoint?: Waypoint
      readonly review?: Review
      readonly user?: Profile
      readonly reports: readonly Report[]
      readonly since: string
    }
  | { readonly kind: 'bursts'; readonly user: Profile; readonly changes: number; readonly since: string }

export interface QueuePage {
  readonly items: readonly QueueItem[]
  readonly total: number
  readonly next?: string
}

/** A page of a queue, the oldest first. @throws Refusal */
export function readQueue(kind: QueueKind, { limit = 50, after = '' } = {}): Promise<QueuePage> {
  const query = new URLSearchParams({ kind, limit: String(limit), ...(after !== '' && { after }) })
  return read(`/moderation/queue?${query}`)
}

/** The title of an item in the list. */
export function titleOf(item: QueueItem): string {
  if (item.kind === 'bursts') return personName(item.user)
  if (item.kind !== 'reported') return fountainName(item.waypoint)
  const { waypoint, review, user } = item
  if (review) return withName(desk.reviewOf, waypoint ? fountainName(waypoint) : `#${review.bubblerId}`)
  return waypoint ? fountainName(waypoint) : user ? personName(user) : ''
}

/** Why an item waits. */
export function whyOf(item: QueueItem): string {
  const { why } = desk
  const date = format.date(item.since)
  switch (item.kind) {
    case 'unapproved':
      return item.user
        ? withName(why.unapproved, personName(item.user), { date })
        : withName(why.unapprovedHere, '', { date })
    case 'unverified':
      return why.unverified
    case 'duplicates':
      return likeness(item.metres, item.score, fountainName(item.other))
    case 'reported':
      return withName(format.count(why.reported, item.reports.length), '', { date })
    case 'bursts':
      return withName(format.count(why.bursts, item.changes), '', { date })
  }
}
