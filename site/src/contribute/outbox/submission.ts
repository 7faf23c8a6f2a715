import type { Waypoint } from '@openfountain/core'
import type { ObservationKind } from '@openfountain/core/status'
import { fieldsOf } from '../members.ts'

/** Something that a person wants to do. */
export interface Draft {
  readonly kind: 'create' | 'edit' | 'delete' | 'review' | 'report' | 'observation'
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /**
   * Below the API's address: `/waypoints`, `/waypoints/17`, or `/waypoints/KEY`, where `KEY` is the key of a queued
   * creation. A body may have that key as its `bubblerId`.
   */
  readonly path: string
  readonly body?: unknown
  /** ETag of `base`. */
  readonly ifMatch?: string
  /** The fountain as it was when the edit began. */
  readonly base?: Waypoint
  /** The title in lists: user text. */
  readonly subject: string
  readonly position?: { readonly latitude: number; readonly longitude: number }
  /** Id of the form's account, or {@link nobody}; default the last account on this browser. */
  readonly by?: string
}

/** The stored form of a `Refusal`. */
export interface StoredRefusal {
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  readonly status?: number
}

/** A draft that is stored until the server has it. */
export interface Submission extends Draft {
  /** A UUID, sent as Idempotency-Key. */
  readonly key: string
  /** ISO 8601, UTC. */
  readonly madeAt: string
  readonly state: 'waiting' | 'sending' | 'conflict' | 'refused'
  /** Whether it was sent without a response, so that the server may have it. */
  readonly isUncertain: boolean
  /** In a conflict: the current fountain; absent when it is gone. */
  readonly theirs?: Waypoint
  /** ETag of `theirs`, where the server sent one. */
  readonly theirsEtag?: string
  /** In a conflict: the merge target of the fountain. */
  readonly mergedInto?: number
  readonly refusal?: StoredRefusal
}

/** A submission as stored. */
export interface StoredSubmission extends Submission {
  /** The order of sending. */
  readonly order: number
  /** Id of the account for sending. */
  readonly by: string
}

/** The author of submissions that are sent without an account, also while a user is signed in. */
export const anonymous = ''

/** Whether a submission is shown to a user: their own, and anonymous ones of this browser. */
export const isOwn = ({ by }: { readonly by: string }, person: string | undefined): boolean =>
  by === person || by === anonymous

/** The key of the queued creation that a draft depends on; undefined when it names a fountain by id. */
export function createOf({ path, body }: Draft): string | undefined {
  const inPath = /^\/waypoints\/([0-9a-f]{8}-[0-9a-f-]{27})(?:$|[/?])/u.exec(path)?.[1]
  if (inPath !== undefined) return inPath
  const { bubblerId } = fieldsOf(body)
  return typeof bubblerId === 'string' ? bubblerId : undefined
}

/** The same draft about a fountain that now has an id. */
export function withId<Given extends Draft>(submission: Given, key: string, id: number): Given {
  if (createOf(submission) !== key) return submission
  const { body } = submission
  return {
    ...submission,
    path: submission.path.replace(key, String(id)),
    ...('bubblerId' in fieldsOf(body) && { body: { ...fieldsOf(body), bubblerId: id } }),
  }
}

/** The id of a draft's fountain, where it has one. */
export function waypointIdOf({ path, body }: Draft): number | undefined {
  const inPath = /^\/waypoints\/(\d+)(?:$|[/?])/u.exec(path)?.[1]
  if (inPath !== undefined) return Number(inPath)
  const { bubblerId } = fieldsOf(body)
  return typeof bubblerId === 'number' ? bubblerId : undefined
}

/** The current fountain after another user's change; without a waypoint it is gone. */
export interface Conflict {
  readonly theirs?: Waypoint
  readonly theirsEtag?: string
  readonly mergedInto?: number
}

/** The expected status of a fountain until the server has the observation: the shape of the API's `status`. */
export const expected = (kind: ObservationKind, day: string): Readonly<Record<string, unknown>> =>
  kind === 'works'
    ? { state: 'works', since: day, lastConfirmed: day, supporters: 1 }
    : { state: 'reported', since: day, supporters: 1 }

/** The expected status of a queued observation, with its fountain; undefined for other submissions. */
export function expectedStatus(
  submission: Submission,
): { readonly id: number; readonly status: unknown } | undefined {
  const id = waypointIdOf(submission)
  if (submission.kind !== 'observation' || id === undefined) return undefined
  const { kind, observedAt } = submission.body as {
    readonly kind: ObservationKind
    readonly observedAt: string
  }
  if (kind === 'works' && submission.by === anonymous) return undefined
  return { id, status: expected(kind, observedAt) }
}
