import type { Waypoint } from '@openfountain/core'
import { exchange, Refusal } from '../../api/request.ts'
import { signedInUser, type Person } from '../../api/signed-in.ts'
import type { SiteAddress } from '../../api/site.ts'
import { waypointOf } from './announcing.ts'
import { afterConflict } from './conflict.ts'
import { outboxName, type Store, type StoreContent } from './store.ts'
import {
  about,
  anonymous,
  fountainOf,
  type Conflict,
  type StoredRefusal,
  type Submission,
} from './submission.ts'

/** The result of sending a submission. */
export type SendResult =
  | { readonly state: 'done'; readonly answer?: unknown; readonly etag?: string | undefined }
  | { readonly state: 'conflict'; readonly conflict: Conflict }
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
export async function send(site: SiteAddress, submission: Submission): Promise<SendResult> {
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
    if (sent.state !== 'conflict' || !sent.conflict.theirs) return sent
    // The response has the fountain's state without its ETag.
    const conflict = await read(site, sent.conflict.theirs.id).catch(() => sent.conflict)
    return { state: 'conflict', conflict }
  }
}

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

function classified(submission: Submission, refusal: Refusal): SendResult {
  const { code, details, status, retryAfterSeconds } = refusal
  const { kind, by } = submission
  if (code === 'UNAUTHORIZED' && by !== anonymous) return { state: 'signed out' }
  // An error of a proxy has no code of the API: the API was not reached.
  if (status === undefined || status >= 500 || status === 429 || code === 'INTERNAL')
    return { state: 'later', afterSeconds: retryAfterSeconds, isUncertain: status !== 429 }
  // It was done, and its record was removed before the response arrived.
  if (refusal.isRepetition) return { state: 'done' }
  if (code === 'PRECONDITION_FAILED') {
    const theirs = waypointOf(details)
    return { state: 'conflict', conflict: theirs ? { theirs } : {} }
  }
  // A fountain that was to be removed is gone, as was wanted.
  if (code === 'NOT_FOUND' && kind === 'delete') return { state: 'done' }
  if (code === 'NOT_FOUND' && kind !== 'observation' && fountainOf(submission) !== undefined)
    return { state: 'conflict', conflict: gone(refusal) }
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

async function flushAlone(flushing: FlushOptions): Promise<FlushResult> {
  const { site, store, remembered } = flushing
  await store(recover)
  let asked: string | undefined
  let person: Person | undefined
  let refusedAs: string | undefined
  for (;;) {
    let sent = await sendNext(flushing, anonymous)
    if (sent === undefined) {
      if ((await store((content) => next(content))) === undefined) return { state: 'finished' }
      if (person === undefined || remembered?.()?.id !== asked) {
        asked = remembered?.()?.id
        try {
          person = await signedInUser(site)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          return { state: 'later', afterSeconds: error.retryAfterSeconds }
        }
        if (person === undefined) return { state: 'signed out' }
      }
      const { id, name }: Person = person
      sent = await sendNext(flushing, id)
      if (sent === undefined) return { state: 'other account', person: { id, name } }
      if (sent.state === 'signed out') {
        // Another user may be signed in by now, whose submissions can be sent.
        if (refusedAs === id) return sent
        refusedAs = id
        person = undefined
      }
    }
    if (sent.state === 'later') return sent
  }
}

/** A submission that a closed tab was sending is queued again; old results are forgotten. */
function recover({ submissions, results }: StoreContent): void {
  const before = new Date(Date.now() - lifetimeMilliseconds).toISOString()
  for (const [order, one] of submissions)
    if (one.state === 'sending') submissions.set(order, { ...one, state: 'waiting', isUncertain: true })
  for (const [key, { at }] of results) if (at < before) results.delete(key)
}

/** Sends the next submission of an account; undefined when its queue is empty. */
async function sendNext({ site, store, changed }: FlushOptions, by: string): Promise<SendResult | undefined> {
  const submission = await store((content) => {
    const found = next(content, by)
    if (found) content.submissions.set(found.order, { ...found, state: 'sending' })
    return found
  })
  if (submission === undefined) return undefined
  changed()
  const sent = await send(site, submission)
  await store((content) => settle(content, submission, sent))
  changed(sent)
  return sent
}

/** The next submission to send: one about a queued fountain waits for its creation. */
function next({ submissions }: StoreContent, by?: string): Submission | undefined {
  const all = [...submissions.values()]
  return all.find(
    (one) =>
      one.state === 'waiting' &&
      (by === undefined || one.by === by) &&
      !all.some(({ key }) => key === fountainOf(one)),
  )
}

function settle({ submissions, results }: StoreContent, sent: Submission, result: SendResult): void {
  const submission = submissions.get(sent.order)
  if (submission?.key !== sent.key) return
  const put = (changed: Partial<Submission>): void =>
    void submissions.set(sent.order, { ...submission, ...changed })
  switch (result.state) {
    case 'done': {
      const { key, by, order } = submission
      const waypoint = waypointOf(result.answer)
      submissions.delete(order)
      results.set(key, { key, by, id: waypoint?.id, answer: result.answer, at: new Date().toISOString() })
      if (waypoint) rebase(submissions, submission, waypoint, result.etag)
      return
    }
    case 'conflict':
      return put(afterConflict(submission, result.conflict))
    case 'refused':
      return put({ state: 'refused', isUncertain: false, refusal: result.refusal })
    case 'signed out':
      return put({ state: 'waiting' })
    case 'later':
      return put({ state: 'waiting', isUncertain: submission.isUncertain || result.isUncertain })
  }
}

/** Later submissions about a fountain go on from what became of it. */
function rebase(
  submissions: Map<number, Submission>,
  done: Submission,
  waypoint: Waypoint,
  etag: string | undefined,
): void {
  for (const [order, later] of submissions) {
    // A later edit was based on this one, not on the state before.
    const isNext =
      done.ifMatch !== undefined &&
      later.ifMatch === done.ifMatch &&
      fountainOf(later) === fountainOf(done) &&
      order > done.order
    if (fountainOf(later) === done.key) submissions.set(order, about(later, waypoint.id))
    else if (isNext && etag !== undefined) submissions.set(order, { ...later, ifMatch: etag, base: waypoint })
  }
}
