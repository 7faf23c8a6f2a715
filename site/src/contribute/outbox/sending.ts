import type { Waypoint } from '@openfountain/core'
import { exchange, Refusal } from '../../api/request.ts'
import type { SiteAddress } from '../../api/site.ts'
import { anonymous, waypointIdOf, type StoredRefusal, type StoredSubmission } from './submission.ts'

/** The result of sending a submission. */
export type SendResult =
  | { readonly state: 'done'; readonly answer: unknown; readonly etag: string | undefined }
  | ({ readonly state: 'conflict' } & Conflict)
  | { readonly state: 'refused'; readonly refusal: StoredRefusal }
  | { readonly state: 'signed out' }
  /** There is no network, or the server is busy. */
  | {
      readonly state: 'later'
      readonly afterSeconds: number | undefined
      /** Whether the server may have the submission all the same. */
      readonly isUncertain: boolean
    }

/** The current fountain after another user's change; without a waypoint it is gone. */
export interface Conflict {
  readonly theirs?: Waypoint
  readonly theirsEtag?: string
  readonly mergedInto?: number
}

const timeoutMilliseconds = 30_000

/** Sends a submission once. Never rejects. */
export async function send(site: SiteAddress, submission: StoredSubmission): Promise<SendResult> {
  const { method, path, body, key, ifMatch, by } = submission
  try {
    const { body: answer, etag } = await exchange(site, method, path, {
      body,
      // No idempotency key is needed: the server counts one such observation per fountain and day.
      isAnonymous: by === anonymous,
      headers: {
        ...(by !== anonymous && {
          'idempotency-key': key,
          // Another account may have signed in since the check.
          'signed-in-as': encodeURIComponent(by),
        }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      timeoutMilliseconds,
    })
    return { state: 'done', answer, etag }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const sent = classified(submission, error)
    // The response has the fountain's state without its ETag.
    const id = sent.state === 'conflict' && sent.theirs ? sent.theirs.id : undefined
    return id === undefined ? sent : read(site, id).then(conflict, () => sent)
  }
}

const conflict = (theirs: Conflict): SendResult => ({ state: 'conflict', ...theirs })

/** The current fountain. @throws Refusal when it cannot be read */
export async function read(site: SiteAddress, id: number): Promise<Conflict> {
  try {
    const { body, etag } = await exchange<{ waypoint: Waypoint }>(site, 'GET', `/waypoints/${id}`, {
      timeoutMilliseconds,
    })
    return { theirs: body.waypoint, theirsEtag: etag }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return gone(error)
    throw error
  }
}

const gone = ({ details: { mergedInto } }: Refusal): Conflict =>
  typeof mergedInto === 'number' ? { mergedInto } : {}

function classified(submission: StoredSubmission, refusal: Refusal): SendResult {
  const { code, details, status, retryAfterSeconds } = refusal
  if (code === 'UNAUTHORIZED' && submission.by !== anonymous) return { state: 'signed out' }
  // An error of a proxy has no code of the API: the API was not reached.
  if (status === undefined || status >= 500 || status === 429 || code === 'INTERNAL')
    return { state: 'later', afterSeconds: retryAfterSeconds, isUncertain: status !== 429 }
  // It was done, and its record was removed before the response arrived.
  if (refusal.isRepetition) return { state: 'done', answer: undefined, etag: undefined }
  if (code === 'PRECONDITION_FAILED') {
    const { waypoint } = details
    return { state: 'conflict', ...(isWaypoint(waypoint) && { theirs: waypoint }) }
  }
  if (code === 'NOT_FOUND' && submission.kind !== 'observation' && waypointIdOf(submission) !== undefined) {
    // It is gone, as was wanted.
    if (submission.kind === 'delete') return { state: 'done', answer: undefined, etag: undefined }
    return { state: 'conflict', ...gone(refusal) }
  }
  return { state: 'refused', refusal: { code, details, status } }
}

const isWaypoint = (value: unknown): value is Waypoint =>
  typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
