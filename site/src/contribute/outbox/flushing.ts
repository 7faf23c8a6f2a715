import type { Waypoint } from '@openfountain/core'
import { Refusal } from '../../api/request.ts'
import { signedInUser, type Person } from '../../api/signed-in.ts'
import type { SiteAddress } from '../../api/site.ts'
import { createOf, nobody, waypointIdOf, withId, type StoredAct } from './act.ts'
import { met } from './conflict.ts'
import { send, type Sent } from './sending.ts'
import { outboxName, type Kept, type Made, type Store, type Writing } from './store.ts'

/** The dependencies of a flush. */
export interface Flushing {
  readonly site: SiteAddress
  readonly store: Store
  /** Called after each change of the store. */
  changed(): void
  /** The signed-in user as this browser remembers, where it can be asked: another tab may sign in as another user. */
  remembered?(): Person | undefined
}

/** How a flush ended. */
export type Flushed =
  | { readonly state: 'finished' }
  /** Acts wait for the network or a busy server. */
  | { readonly state: 'later'; readonly afterSeconds: number | undefined }
  /** Submissions wait for a sign-in. */
  | { readonly state: 'signed out' }
  /** The queue only has submissions of accounts other than the signed-in one. */
  | { readonly state: 'other account'; readonly person: Person }

/** Lifetime of an Idempotency-Key on the server, and of results in this browser. */
const keptMilliseconds = 30 * 86_400_000

/** Sends the queue in order, each submission as its account. Tabs and workers take turns by a lock. */
export function flush(flushing: Flushing): Promise<Flushed> {
  const { locks } = navigator as { readonly locks?: LockManager }
  // Without locks (on plain http) two tabs may send the same act, which the server does once.
  return locks === undefined
    ? flushAlone(flushing)
    : locks.request(outboxName(flushing.site.base), () => flushAlone(flushing))
}

/** Sends the next act of an account; undefined when none of its acts waits. */
async function sendNext({ site, store, changed }: Flushing, by: string): Promise<Sent | undefined> {
  const act = await store.transact((kept) => begun(kept, by))
  if (act === undefined) return undefined
  changed()
  const sent = await send(site, act)
  await store.transact((kept) => settled(kept, act, sent))
  changed()
  return sent
}

async function flushAlone(flushing: Flushing): Promise<Flushed> {
  const { site, store } = flushing
  await store.transact(recovered)
  for (;;) {
    const sent = await sendNext(flushing, nobody)
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
function recovered({ acts, made }: Kept): Writing<void> {
  const before = new Date(Date.now() - keptMilliseconds).toISOString()
  return {
    put: acts
      .filter(({ state }) => state === 'sending')
      .map((act) => ({ ...act, state: 'waiting', isUncertain: true })),
    forget: made.filter(({ at }) => at < before),
    result: undefined,
  }
}

/** The first act that can be sent: one about a fountain that is not made yet waits for it. */
const next = ({ acts }: Kept, by?: string): StoredAct | undefined =>
  acts.find(
    (act) =>
      act.state === 'waiting' &&
      (by === undefined || act.by === by) &&
      !acts.some(({ key }) => key === createOf(act)),
  )

function begun(kept: Kept, by: string): Writing<StoredAct | undefined> {
  const act = next(kept, by)
  return act ? { put: [{ ...act, state: 'sending' }], result: act } : { result: undefined }
}

function settled({ acts }: Kept, sent: StoredAct, outcome: Sent): Writing<void> {
  const act = acts.find(({ key }) => key === sent.key)
  if (act === undefined) return { result: undefined }
  switch (outcome.state) {
    case 'done':
      return done(acts, act, outcome)
    case 'conflict':
      return { put: [met(act, outcome)], result: undefined }
    case 'refused':
      return {
        put: [{ ...act, state: 'refused', isUncertain: false, refusal: outcome.refusal }],
        result: undefined,
      }
    case 'signed out':
      return { put: [{ ...act, state: 'waiting' }], result: undefined }
    default:
      return {
        put: [{ ...act, state: 'waiting', isUncertain: act.isUncertain || outcome.isUncertain }],
        result: undefined,
      }
  }
}

/** Removes a finished submission; later ones on the same fountain are rebased onto its result. */
function done(
  acts: readonly StoredAct[],
  act: StoredAct,
  { answer, etag }: { readonly answer: unknown; readonly etag: string | undefined },
): Writing<void> {
  const waypoint = waypointOf(answer)
  const made: Made = {
    key: act.key,
    by: act.by,
    ...(waypoint && { id: waypoint.id }),
    answer,
    at: new Date().toISOString(),
  }
  const later = acts.filter(({ order }) => order > act.order)
  return {
    remove: [act],
    made: [made],
    put: waypoint
      ? later.flatMap((other) => {
          if (act.kind === 'create')
            return createOf(other) === act.key ? [withId(other, act.key, waypoint.id)] : []
          // A later edit was based on this one, not on the state before.
          const isNext =
            act.ifMatch !== undefined &&
            other.ifMatch === act.ifMatch &&
            waypointIdOf(other) === waypointIdOf(act)
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
