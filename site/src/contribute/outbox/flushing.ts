import type { OwnUser, Waypoint } from '@openfountain/core'
import { exchange, isRefusal, Refusal } from '../../api/request.ts'
import { signedInUser, type Person } from '../../api/signed-in.ts'
import type { SiteAddress } from '../../api/site.ts'
import { announce } from '../../client/announce.ts'
import { fieldsOf, type Fields } from '../members.ts'
import { afterConflict } from './conflict.ts'
import { outboxName, unsent, type Store, type Stored } from './store.ts'
import {
  about,
  anonymous,
  fountainOf,
  waypointOf,
  type Conflict,
  type StoredRefusal,
  type Submission,
} from './submission.ts'

/** Submissions wait for the network or a busy server. */
interface Later {
  readonly state: 'later'
  readonly afterSeconds: number | undefined
  /** Whether the server may have one all the same. */
  readonly isUncertain: boolean
}

export type SendResult =
  | { readonly state: 'done'; readonly answer?: unknown; readonly etag?: string | undefined }
  | { readonly state: 'conflict'; readonly conflict: Conflict }
  | { readonly state: 'refused'; readonly refusal: StoredRefusal }
  | { readonly state: 'signed out' }
  | Later

const timeoutMilliseconds = 30_000
/** A photo of 2 MB takes 40 s at 400 kbit/s. */
const photoTimeoutMilliseconds = 120_000

/** Sends a submission once. Never rejects. */
export async function send(site: SiteAddress, submission: Submission): Promise<SendResult> {
  const { kind, method, path, body, key, ifMatch, by } = submission
  // A worker without pages shows no progress.
  const isShown = kind === 'photo' && typeof XMLHttpRequest === 'function'
  try {
    const { body: answer, etag } = await exchange(method, path, {
      site,
      body: kind === 'photo' ? formOf(fieldsOf(body)) : body,
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
      onProgress: isShown ? (share) => announce('openfountain:progress', share) : undefined,
      timeoutMilliseconds: kind === 'photo' ? photoTimeoutMilliseconds : timeoutMilliseconds,
    })
    return { state: 'done', answer, etag }
  } catch (error) {
    const result = resultOf(submission, error)
    const { theirs } = result.state === 'conflict' ? result.conflict : {}
    if (!theirs) return result
    // The response has the fountain's state without its ETag.
    return { state: 'conflict', conflict: await read(theirs.id, site).catch(() => ({ theirs })) }
  } finally {
    if (isShown) announce('openfountain:progress', null)
  }
}

function formOf(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.set(name, value instanceof Blob ? value : String(value))
  return form
}

/** The current fountain. @throws Refusal when it cannot be read */
export async function read(id: number, site?: SiteAddress): Promise<Conflict> {
  const path = `/waypoints/${id}`
  try {
    const { body, etag } = await exchange<{ waypoint: Waypoint }>('GET', path, { site, timeoutMilliseconds })
    return { theirs: body.waypoint, theirsEtag: etag }
  } catch (error) {
    if (isRefusal(error, 'NOT_FOUND')) return gone(error)
    throw error
  }
}

const gone = ({ details: { mergedInto } }: Refusal): Conflict =>
  typeof mergedInto === 'number' ? { mergedInto } : {}

function resultOf(submission: Submission, refusal: unknown): SendResult {
  if (!(refusal instanceof Refusal)) throw refusal
  const { code, details, status, retryAfterSeconds } = refusal
  const { kind, by } = submission
  if (code === 'UNAUTHORIZED' && by !== anonymous) return { state: 'signed out' }
  // The server has no place for photos.
  if (kind === 'photo' && code === 'UNAVAILABLE' && retryAfterSeconds === undefined)
    return { state: 'refused', refusal: { code, details, status } }
  // An error of a proxy has no code of the API: the API was not reached.
  if (status === undefined || status >= 500 || status === 429 || code === 'INTERNAL') return later(refusal)
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

const later = ({ retryAfterSeconds: afterSeconds, status }: Refusal): Later => ({
  state: 'later',
  afterSeconds,
  isUncertain: status !== 429,
})

export interface FlushOptions {
  readonly site: SiteAddress
  readonly store: Store
  /** Called after each change of the store, with the result of a request. */
  changed(sent?: SendResult): void
}

export type FlushResult =
  | { readonly state: 'finished' }
  | Later
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
  const { site, store } = flushing
  await store(recover)
  let refusedAs: string | undefined
  for (;;) {
    let sent = await sendNext(flushing, anonymous)
    if (sent === undefined) {
      if ((await store((stored) => next(stored))) === undefined) return { state: 'finished' }
      // Asked each time, since another user may sign in meanwhile.
      let user: OwnUser | undefined
      try {
        user = await signedInUser(site)
      } catch (error) {
        if (error instanceof Refusal) return later(error)
        throw error
      }
      if (user === undefined) return { state: 'signed out' }
      const { id, name } = user
      sent = await sendNext(flushing, id)
      if (sent === undefined) return { state: 'other account', person: { id, name } }
      if (sent.state === 'signed out') {
        // Another user may be signed in by now, whose submissions can be sent.
        if (refusedAs === id) return sent
        refusedAs = id
      }
    }
    if (sent.state === 'later') return sent
  }
}

/** A submission that a closed tab was sending is queued again; old results are forgotten. */
function recover(stored: Stored): void {
  const before = new Date(Date.now() - lifetimeMilliseconds).toISOString()
  for (const [order, one] of stored) {
    if (one.state === 'sending') stored.set(order, { ...one, state: 'waiting', isUncertain: true })
    if (one.state === 'done' && one.madeAt < before) stored.delete(order)
  }
}

async function sendNext({ site, store, changed }: FlushOptions, by: string): Promise<SendResult | undefined> {
  const submission = await store((stored) => {
    const found = next(stored, by)
    if (found) stored.set(found.order, { ...found, state: 'sending' })
    return found
  })
  if (submission === undefined) return undefined
  changed()
  const sent = await send(site, submission)
  await store((stored) => settle(stored, submission, sent))
  changed(sent)
  return sent
}

/** The next submission to send: one about a queued fountain waits for its creation. */
function next(stored: Stored, by?: string): Submission | undefined {
  const all = unsent(stored)
  return all.find(
    (one) =>
      one.state === 'waiting' &&
      (by === undefined || one.by === by) &&
      !all.some(({ key }) => key === fountainOf(one)),
  )
}

function settle(stored: Stored, sent: Submission, result: SendResult): void {
  const submission = stored.get(sent.order)
  if (submission?.key !== sent.key || submission.state === 'done') return
  const { key, order, by, madeAt, isUncertain } = submission
  const put = (changed: Partial<Submission>): void => void stored.set(order, { ...submission, ...changed })
  switch (result.state) {
    case 'done':
      stored.set(order, { state: 'done', key, order, by, madeAt, answer: result.answer })
      return rebase(stored, submission, result)
    case 'conflict':
      return void stored.set(order, afterConflict(submission, result.conflict))
    case 'refused':
      return put({ state: 'refused', isUncertain: false, refusal: result.refusal })
    case 'signed out':
      return put({ state: 'waiting' })
    case 'later':
      return put({ state: 'waiting', isUncertain: isUncertain || result.isUncertain })
  }
}

/** Later submissions about a fountain go on from what became of it. */
function rebase(
  stored: Stored,
  done: Submission,
  { answer, etag }: { readonly answer?: unknown; readonly etag?: string | undefined },
): void {
  const waypoint = waypointOf(answer)
  if (!waypoint) return
  for (const later of unsent(stored)) {
    // A later edit was based on this one, not on the state before.
    const isNext =
      done.ifMatch !== undefined &&
      later.ifMatch === done.ifMatch &&
      fountainOf(later) === fountainOf(done) &&
      later.order > done.order
    if (fountainOf(later) === done.key) stored.set(later.order, about(later, waypoint.id))
    else if (isNext && etag !== undefined)
      stored.set(later.order, { ...later, ifMatch: etag, base: waypoint })
  }
}
