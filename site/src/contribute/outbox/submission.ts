import type { Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { fieldsOf } from '../members.ts'

export interface Draft {
  readonly kind: 'create' | 'edit' | 'delete' | 'review' | 'report' | 'observation' | 'photo'
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the API's address: `/waypoints`, `/waypoints/17`, or `/waypoints/KEY` with the key of a queued creation, as in `bubblerId` of a body. */
  readonly path: string
  /** Sent as JSON; a photo as a form, with the picture as a `Blob`. */
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  /** The fountain as it was when the edit began. */
  readonly base?: Waypoint
  /** The title in lists: user text. */
  readonly subject: string
  readonly position?: { readonly latitude: number; readonly longitude: number } | undefined
  /** Id of the form's account, or {@link anonymous}; default the last account on this browser. */
  readonly by?: string | undefined
}

export type StoredRefusal = Pick<Refusal, 'code' | 'details' | 'status'>

export const refusalOf = ({ code, details, status }: StoredRefusal): Refusal =>
  new Refusal(code, details, { status })

export interface Submission extends Draft {
  readonly key: string
  readonly order: number
  /** Id of the account for sending. */
  readonly by: string
  /** ISO 8601, UTC. */
  readonly madeAt: string
  readonly state: 'waiting' | 'sending' | 'conflict' | 'refused'
  /** Whether it was sent without a response, so that the server may have it. */
  readonly isUncertain: boolean
  readonly conflict?: Conflict
  readonly refusal?: StoredRefusal
}

/** A submission that the server has. A later edit that knows only the key of a creation finds its fountain by it. */
export interface Done extends Pick<Submission, 'key' | 'order' | 'by' | 'madeAt'> {
  readonly state: 'done'
  readonly answer: unknown
}

/** The current fountain after another user's change; without a waypoint it is gone. */
export interface Conflict {
  readonly theirs?: Waypoint
  readonly theirsEtag?: string | undefined
  readonly mergedInto?: number
}

/** The author of submissions that are sent without an account, also while a user is signed in. */
export const anonymous = ''

/** The fields that a fountain has from the server alone. */
export const unsentWaypoint = (madeAt: string) => ({
  amenities: [],
  addedByUserId: '',
  approved: false,
  verified: false,
  createdAt: madeAt,
  updatedAt: madeAt,
})

/** A draft's fountain, where it has one: its id, or the key of its queued creation. */
export function fountainOf({ path, body }: Draft): number | string | undefined {
  const inPath = /^\/waypoints\/([\w-]+)/u.exec(path)?.[1]
  if (inPath !== undefined) return /^\d+$/u.test(inPath) ? Number(inPath) : inPath
  const { bubblerId } = fieldsOf(body)
  return typeof bubblerId === 'number' || typeof bubblerId === 'string' ? bubblerId : undefined
}

export function waypointIdOf(draft: Draft): number | undefined {
  const fountain = fountainOf(draft)
  return typeof fountain === 'number' ? fountain : undefined
}

/** The same draft about another fountain, such as the one that its queued creation has become. */
export function about<Given extends Draft>(draft: Given, id: number): Given {
  const { path, body } = draft
  return {
    ...draft,
    path: path.replace(/^\/waypoints\/[\w-]+/u, `/waypoints/${id}`),
    ...('bubblerId' in fieldsOf(body) && { body: { ...fieldsOf(body), bubblerId: id } }),
  }
}

/** The fountain in a response of the API: as a member, or the response itself. */
export function waypointOf(answer: unknown): Waypoint | undefined {
  const { waypoint = answer } = fieldsOf(answer)
  const { id, latitude } = fieldsOf(waypoint)
  return typeof id === 'number' && typeof latitude === 'number' ? (waypoint as Waypoint) : undefined
}
