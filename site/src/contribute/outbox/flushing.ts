import type { Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { signedInUser, type Person } from '../../api/signed-in.ts'
import type { SiteAddress } from '../../api/site.ts'
import { createOf, anonymous, waypointIdOf, withId, type StoredSubmission } from './submission.ts'
import { afterConflict } from './conflict.ts'
import { send, type SendResult } from './sending.ts'
import {
  outboxName,
  type StoreContent,
  type SubmissionResult,
  type Store,
  type StoreWrites,
} from './store.ts'

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
  const { waypoint = answer } = (typeof answer === 'object' && answer !== null ? answer : {}) as {
    waypoint?: unknown
  }
  const { id, latitude } = (typeof waypoint === 'object' && waypoint !== null ? waypoint : {}) as {
    id?: unknown
    latitude?: unknown
  }
  return typeof id === 'number' && typeof latitude === 'number' ? (waypoint as Waypoint) : undefined
}
