import type { Waypoint } from '@openfountain/core'
import { exchange, Refusal } from '../../api/request.ts'
import { signedInUser, type Person } from '../../api/signed-in.ts'
import type { SiteAddress } from '../../api/site.ts'
import {
  createOf,
  anonymous,
  waypointIdOf,
  withId,
  type Conflict,
  type StoredRefusal,
  type StoredSubmission,
} from './submission.ts'
import { fieldsOf } from '../members.ts'
import { afterConflict } from './conflict.ts'
import {
  outboxName,
  type StoreContent,
  type SubmissionResult,
  type Store,
  type StoreWrites,
} from './store.ts'

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
    const theirs = waypointOf(details)
    return { state: 'conflict', ...(theirs && { theirs }) }
  }
  if (code === 'NOT_FOUND' && submission.kind !== 'observation' && waypointIdOf(submission) !== undefined) {
    // It is gone, as was wanted.
    if (submission.kind === 'delete') return { state: 'done', answer: undefined, etag: undefined }
    return { state: 'conflict', ...gone(refusal) }
  }
  return { state: 'refused', refusal: { code, details, status } }
}

/** The dependencies of a flush. */
export interface FlushOptions {
  readonly site: SiteAddress
  readonly store: Store
  /** Called after each change of the store, with the result of a request. */
  changed(sent?: SendResult): void
  /** The signed-in user as this browser remembers, where it can be asked: another tab may sign in as another user. */
  remembered?(): Person | undefined
}

/** How a flush ended. */
export type FlushResult =
  | { readonly state: 'finished' }
  /** Submissions wait for the network or a busy server. */
  | { readonly state: 'later'; readonly afterSeconds: number | undefined }
  /** Submissions wait for a sign-in. */
  | { readonly state: 'signed out' }
  /** The queue only has submissions of accounts other than the signed-in one. */
  | { readonly state: 'other account'; readonly person: Person }

/** Lifetime of an Idempotency-Key on the server, and of results in this browser. */
const lifetimeMilliseconds = 30 * 86_400_000

/** Sends the queue in order, each submission as its account. Tabs and workers take turns by a lock. */
export function flush(flushing: FlushOptions): Promise<FlushResult> {
  const { locks } = navigator as { readonly locks?: LockManager }
  // Without locks (on plain http) two tabs may send the same submission, which the server does once.
  return locks === undefined
    ? flushAlone(flushing)
    : locks.request(outboxName(flushing.site.base), () => flushAlone(flushing))
}

/** Sends the next submission of an account; undefined when its queue is empty. */
async function sendNext({ site, store, changed }: FlushOptions, by: string): Promise<SendResult | undefined> {
  const submission = await store.transact((stored) => beginSending(stored, by))
  if (submission === undefined) return undefined
  changed()
  const sent = await send(site, submission)
  await store.transact((stored) => settled(stored, submission, sent))
  changed(sent)
  return sent
}

async function flushAlone(flushing: FlushOptions): Promise<FlushResult> {
  const { site, store } = flushing
  await store.transact(recovered)
  for (;;) {
    const sent = await sendNext(flushing, anonymous)
    if (sent === undefined) break
    if (sent.state === 'later') return sent
  }
  if (next(await store.read()) === undefined) return { state: 'finished' }
  let asked: string | undefined
  let person: Person | undefined
  let refusedAs: string | undefined
  for (;;) {
    const remembered = flushing.remembered?.()?.id
    if (person === undefined || remembered !== asked) {
      asked = remembered
      try {
        person = await signedInUser(site)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { state: 'later', afterSeconds: error.retryAfterSeconds }
      }
      if (person === undefined) return { state: 'signed out' }
    }
    const { id } = person
    const sent = await sendNext(flushing, id)
    if (sent === undefined) break
    if (sent.state === 'later') return sent
    if (sent.state === 'signed out') {
      // Another user may be signed in by now, whose submissions can be sent.
      if (refusedAs === id) return sent
      refusedAs = id
      person = undefined
    }
  }
  if (next(await store.read()) === undefined) return { state: 'finished' }
  const { id, name } = person
  return { state: 'other account', person: { id, name } }
}

/** A submission that a closed tab was sending is queued again; old results are forgotten. */
function recovered({ submissions, made }: StoreContent): StoreWrites<void> {
  const before = new Date(Date.now() - lifetimeMilliseconds).toISOString()
  return {
    put: submissions
      .filter(({ state }) => state === 'sending')
      .map((submission) => ({ ...submission, state: 'waiting', isUncertain: true })),
    forget: made.filter(({ at }) => at < before),
    result: undefined,
  }
}

/** The next submission to send: one about a queued fountain waits for its creation. */
const next = ({ submissions }: StoreContent, by?: string): StoredSubmission | undefined =>
  submissions.find(
    (submission) =>
      submission.state === 'waiting' &&
      (by === undefined || submission.by === by) &&
      !submissions.some(({ key }) => key === createOf(submission)),
  )

function beginSending(stored: StoreContent, by: string): StoreWrites<StoredSubmission | undefined> {
  const submission = next(stored, by)
  return submission
    ? { put: [{ ...submission, state: 'sending' }], result: submission }
    : { result: undefined }
}

function settled(
  { submissions }: StoreContent,
  sent: StoredSubmission,
  outcome: SendResult,
): StoreWrites<void> {
  const submission = submissions.find(({ key }) => key === sent.key)
  if (submission === undefined) return { result: undefined }
  switch (outcome.state) {
    case 'done':
      return done(submissions, submission, outcome)
    case 'conflict':
      return { put: [afterConflict(submission, outcome)], result: undefined }
    case 'refused':
      return {
        put: [{ ...submission, state: 'refused', isUncertain: false, refusal: outcome.refusal }],
        result: undefined,
      }
    case 'signed out':
      return { put: [{ ...submission, state: 'waiting' }], result: undefined }
    default:
      return {
        put: [
          { ...submission, state: 'waiting', isUncertain: submission.isUncertain || outcome.isUncertain },
        ],
        result: undefined,
      }
  }
}

/** Removes a finished submission; later ones on the same fountain are rebased onto its result. */
function done(
  submissions: readonly StoredSubmission[],
  submission: StoredSubmission,
  { answer, etag }: { readonly answer: unknown; readonly etag: string | undefined },
): StoreWrites<void> {
  const waypoint = waypointOf(answer)
  const made: SubmissionResult = {
    key: submission.key,
    by: submission.by,
    id: waypoint?.id,
    answer,
    at: new Date().toISOString(),
  }
  const later = submissions.filter(({ order }) => order > submission.order)
  return {
    remove: [submission],
    made: [made],
    put: waypoint
      ? later.flatMap((other) => {
          if (submission.kind === 'create')
            return createOf(other) === submission.key ? [withId(other, submission.key, waypoint.id)] : []
          // A later edit was based on this one, not on the state before.
          const isNext =
            submission.ifMatch !== undefined &&
            other.ifMatch === submission.ifMatch &&
            waypointIdOf(other) === waypointIdOf(submission)
          return isNext && etag !== undefined ? [{ ...other, ifMatch: etag, base: waypoint }] : []
        })
      : [],
    result: undefined,
  }
}

/** The fountain in a response of the API: as a member, or the response itself. */
export function waypointOf(answer: unknown): Waypoint | undefined {
  const { waypoint = answer } = fieldsOf(answer)
  const { id, latitude } = fieldsOf(waypoint)
  return typeof id === 'number' && typeof latitude === 'number' ? (waypoint as Waypoint) : undefined
}
