import { newKey, Refusal } from '../../api/request.ts'
import { rememberedUser, rememberUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { announce } from '../../client/announce.ts'
import { store } from '../../client/storage.ts'
import { announceEnd, announceQueue } from './announcing.ts'
import { flush, type FlushResult, type SendResult } from './flushing.ts'
import { openStore, outboxName, unsent, type Store, type Stored } from './store.ts'
import {
  about,
  anonymous,
  fountainOf,
  refusalOf,
  waypointOf,
  type Done,
  type Draft,
  type Submission,
} from './submission.ts'

export type Outcome =
  /** The server has it; `answer` is the body of its response. */
  | { readonly state: 'done'; readonly answer?: unknown; readonly key: string }
  /** It is stored, and sent when there is a network. */
  | { readonly state: 'waiting'; readonly key: string }
  | { readonly state: 'conflict'; readonly submission: Submission; readonly key: string }
  /** It is stored under `key`, to be changed or dropped; without a key it is not. */
  | { readonly state: 'refused'; readonly refusal: Refusal; readonly key?: string }

export interface Queue {
  /** The submissions of the signed-in user and of nobody, in order of creation. */
  readonly submissions: readonly Submission[]
  readonly others: number
}

/** The longest time that a form shows its submission as being sent, after the last part of a photo has left. */
const patienceMilliseconds = 10_000

const firstRetryMilliseconds = 5000
const longestRetryMilliseconds = 300_000

/** The queue of a user's submissions, kept in this browser until the server has them, and sent again after growing delays. */
export class PageOutbox {
  readonly #store: Store
  readonly #tellTabs: (message: string) => void
  readonly #listeners = new Set<(queue: Queue) => void>()
  #known: readonly Submission[] = []
  #flushing: Promise<unknown> = Promise.resolve()
  #delay = firstRetryMilliseconds
  #notBefore = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  last: FlushResult | undefined

  constructor(base: string) {
    this.#store = openStore(base)
    const channel = new BroadcastChannel(outboxName(base))
    channel.addEventListener('message', () => void this.#tell())
    this.#tellTabs = channel.postMessage.bind(channel)
    document.addEventListener('openfountain:live', () => announceQueue(this.#known))
    addEventListener('online', () => this.#flushSoon())
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#flushSoon()
    })
  }

  /** Stores a draft, then sends it. Resolves with its result, at the latest after ten seconds. */
  async add(draft: Draft): Promise<Outcome> {
    const { by = rememberedUser()?.id } = draft
    if (by === undefined) return { state: 'refused', refusal: new Refusal('UNAUTHORIZED') }
    const made = { ...draft, key: newKey(), by, madeAt: new Date().toISOString() }
    try {
      await this.#store((stored) => {
        const added = newSubmission(made, stored)
        stored.set(added.order, added)
      })
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error
      return { state: 'refused', refusal: new Refusal('STORAGE_FULL') }
    }
    this.#changed()
    return this.#sent(made.key)
  }

  /** The outcome of a stored submission, once the queue is sent or the form has waited long enough. */
  async #sent(key: string): Promise<Outcome> {
    const shown = new AbortController()
    const impatient = new Promise<void>((resolve) => {
      let timer = setTimeout(resolve, patienceMilliseconds)
      const again = ({ detail: share }: CustomEvent<number | null>): void => {
        if (share === null) return
        clearTimeout(timer)
        timer = setTimeout(resolve, patienceMilliseconds)
      }
      document.addEventListener('openfountain:progress', again, { signal: shown.signal })
    })
    await Promise.race([this.flush(), impatient])
    shown.abort()
    const submission = await this.#store((stored) => submissionOf(stored, key))
    if (submission?.state === 'done') return { state: 'done', answer: submission.answer, key }
    if (submission?.state === 'conflict') return { state: 'conflict', submission, key }
    return submission?.refusal
      ? { state: 'refused', refusal: refusalOf(submission.refusal), key }
      : { state: 'waiting', key }
  }

  /** Sends the queue after the flush that is under way, unless there is no network or the server asked to wait. */
  async flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#flushOnce())
    await this.#flushing
    await this.#tell()
  }

  async #flushOnce(): Promise<void> {
    if (!navigator.onLine || Date.now() < this.#notBefore) return
    clearTimeout(this.#retry)
    const result = await flush({
      site: siteOfPage(),
      store: this.#store,
      changed: (sent) => this.#changed(sent),
    })
    this.last = result
    // Another user signed in on this browser since the page loaded.
    if (result.state === 'other account') rememberUser(result.person)
    if (result.state !== 'later') {
      this.#delay = firstRetryMilliseconds
      return
    }
    const asked = (result.afterSeconds ?? 0) * 1000
    this.#notBefore = Date.now() + asked
    // Random jitter, so that not all phones of a city retry at once.
    const delay = Math.max(asked, this.#delay * (0.75 + Math.random() / 2))
    this.#retry = setTimeout(() => this.#flushSoon(), delay)
    this.#delay = Math.min(longestRetryMilliseconds, this.#delay * 2)
  }

  #flushSoon(): void {
    void this.flush().catch(() => undefined)
  }

  async list(): Promise<readonly Submission[]> {
    return ownOf(await this.#store(unsent))
  }

  /** Withdraws a submission, with those about a fountain that it would create; waits for one that is being sent. */
  async undo(key: string): Promise<void> {
    const withDependents = (stored: Stored): readonly Submission[] =>
      unsent(stored).filter((one) => one.key === key || fountainOf(one) === key)
    if ((await this.#store(withDependents)).some(({ state }) => state === 'sending')) await this.flush()
    await this.#store((stored) => {
      for (const { order, state } of withDependents(stored)) if (state !== 'sending') stored.delete(order)
    })
    this.#changed()
  }

  /** Changes a refused or conflicting submission and sends it again; undefined drops it. @returns undefined when another tab did */
  async revise(
    key: string,
    change: (submission: Submission) => Submission | undefined,
  ): Promise<Outcome | undefined> {
    const isRevised = await this.#store((stored) => {
      const submission = submissionOf(stored, key)
      if (submission?.state !== 'refused' && submission?.state !== 'conflict') return false
      const { refusal: _refusal, conflict: _conflict, ...before } = submission
      const changed = change(before)
      if (changed) stored.set(submission.order, { ...changed, state: 'waiting' })
      else stored.delete(submission.order)
      return true
    })
    this.#changed()
    return isRevised ? this.#sent(key) : undefined
  }

  /** Forgets the submissions of other accounts, or those of the user who signs out. */
  async forget(whose: 'own' | 'others'): Promise<void> {
    const user = rememberedUser()?.id
    await this.#store((stored) => {
      for (const { by, order } of stored.values())
        if (by !== anonymous && (by === user) === (whose === 'own')) stored.delete(order)
    })
    this.#changed()
  }

  /** Calls a listener with the queue, now and after each change, also by other tabs. Returns a function that stops it. */
  watch(listener: (queue: Queue) => void): () => void {
    this.#listeners.add(listener)
    void this.#tell()
    return () => this.#listeners.delete(listener)
  }

  #changed(sent?: SendResult): void {
    this.#tellTabs('changed')
    if (sent?.state === 'done') announce('openfountain:sent')
    void this.#tell()
  }

  /** Tells listeners of the queue, and the page of the fountains that it is about. */
  async #tell(): Promise<void> {
    const stored = await this.#store((found) => found)
    const all = unsent(stored)
    // Makes the header load the outbox even when signed out.
    store('outbox', all.length > 0 ? '1' : undefined)
    const own = ownOf(all)
    const ended = this.#known.filter(({ key }) => own.every((one) => one.key !== key))
    this.#known = own
    for (const submission of ended) {
      const now = stored.get(submission.order)
      announceEnd(submission, now?.state === 'done' ? now : undefined)
    }
    announceQueue(own)
    for (const listener of this.#listeners) listener({ submissions: own, others: all.length - own.length })
  }
}

const submissionOf = (stored: Stored, key: string): Submission | Done | undefined =>
  [...stored.values()].find((one) => one.key === key)

const ownOf = (submissions: readonly Submission[]): readonly Submission[] => {
  const user = rememberedUser()?.id
  return submissions.filter(({ by }) => by === user || by === anonymous)
}

function newSubmission(draft: Draft & Pick<Submission, 'key' | 'by' | 'madeAt'>, stored: Stored): Submission {
  const creation = submissionOf(stored, String(fountainOf(draft)))
  const waypoint = creation?.state === 'done' ? waypointOf(creation.answer) : undefined
  return {
    ...(waypoint ? about(draft, waypoint.id) : draft),
    state: 'waiting',
    isUncertain: false,
    order: Math.max(0, ...stored.keys()) + 1,
  }
}

let made: PageOutbox | undefined

export function outbox(): PageOutbox {
  made ??= new PageOutbox(siteOfPage().base)
  // For tests and the browser's console.
  Reflect.set(globalThis, Symbol.for('openfountain outbox'), made)
  return made
}
