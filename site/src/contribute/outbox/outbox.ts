import { Refusal } from '../../api/request.ts'
import { rememberedUser, rememberUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { store } from '../../client/storage.ts'
import { actSent } from '../../live/polling.ts'
import {
  createOf,
  isOwn,
  anonymous,
  withId,
  type Submission,
  type Draft,
  type StoredRefusal,
  type StoredSubmission,
} from './submission.ts'
import { flush, send, type FlushResult, type SendResult } from './flushing.ts'
import { openStore, outboxName, type StoreContent, type Store } from './store.ts'

export type { Submission, Draft, StoredRefusal } from './submission.ts'

/** The result of a draft. */
export type Outcome =
  /** The server has it; `answer` is the body of its response. */
  | { readonly state: 'done'; readonly answer: unknown }
  /** It is stored, and sent when there is a network. */
  | { readonly state: 'waiting' }
  /** Another user changed the fountain meanwhile: the outbox shows both versions side by side. */
  | { readonly state: 'conflict'; readonly submission: Submission }
  /** It is stored under `key`, to be changed or dropped; without a key it is not stored. */
  | { readonly state: 'refused'; readonly refusal: Refusal; readonly key?: string }

/** The longest time that a form shows its submission as being sent. */
const patienceMilliseconds = 10_000

/** The queue of a user's submissions, stored in this browser until the server has them. */
export class PageOutbox {
  readonly #store: Store
  readonly #announce: (message: string) => void
  readonly #listeners = new Set<(submissions: readonly Submission[]) => void>()
  readonly #retries: Retries
  /** Number of reads begun, and of the read that was last reported to listeners. */
  #readings = 0
  #lastReported = 0

  constructor(base: string) {
    this.#store = openStore(base)
    const channel = new BroadcastChannel(outboxName(base))
    channel.addEventListener('message', () => void this.#tell())
    this.#announce = channel.postMessage.bind(channel)
    this.#retries = new Retries(() =>
      flush({
        site: siteOfPage(),
        store: this.#store,
        changed: (sent) => this.#changed(sent),
        remembered: rememberedUser,
      }),
    )
  }

  /** Stores a draft, then sends it. Resolves with its result, at the latest after ten seconds. */
  async add(draft: Draft): Promise<Outcome> {
    const { by = rememberedUser()?.id } = draft
    if (by === undefined) return { state: 'refused', refusal: new Refusal('UNAUTHORIZED') }
    const submission = { ...draft, key: randomKey(), by, madeAt: new Date().toISOString() }
    try {
      await this.#store.transact((stored) => ({
        put: [newSubmission(submission, stored)],
        result: undefined,
      }))
    } catch {
      // A private window may have no database: it is sent while the form still has its entries.
      return this.#sendUnkept(newSubmission(submission, { submissions: [], made: [] }))
    }
    this.#changed()
    await Promise.race([this.flush(), passed(patienceMilliseconds)])
    const outcome = await this.#outcome(submission.key)
    if (outcome.state === 'conflict')
      document.dispatchEvent(new CustomEvent('openfountain:conflict', { detail: { key: submission.key } }))
    return outcome
  }

  async #sendUnkept(submission: StoredSubmission): Promise<Outcome> {
    const sent = await send(siteOfPage(), submission)
    switch (sent.state) {
      case 'done':
        return sent
      case 'refused':
        return { state: 'refused', refusal: refusalOf(sent.refusal) }
      case 'conflict':
        return { state: 'refused', refusal: new Refusal('PRECONDITION_FAILED') }
      default:
        return { state: 'refused', refusal: new Refusal(sent.state === 'later' ? 'OFFLINE' : 'UNAUTHORIZED') }
    }
  }

  async #outcome(key: string): Promise<Outcome> {
    const { submissions, made } = await this.#store.read()
    const done = made.find((one) => one.key === key)
    if (done) return { state: 'done', answer: done.answer }
    const submission = submissions.find((one) => one.key === key)
    if (submission?.state === 'conflict') return { state: 'conflict', submission }
    if (submission?.state !== 'refused' || submission.refusal === undefined) return { state: 'waiting' }
    return { state: 'refused', refusal: refusalOf(submission.refusal), key }
  }

  /** Sends the queue, unless there is no network or the server asked to wait. */
  async flush(): Promise<void> {
    await this.#retries.now()
    // Another user signed in on this browser since the page loaded.
    if (this.last?.state === 'other account') rememberUser(this.last.person)
    await this.#tell()
  }

  /** The result of the last flush; undefined before the first. */
  get last(): FlushResult | undefined {
    return this.#retries.last
  }

  /** The stored submissions of the signed-in user, in order of creation. */
  async list(): Promise<readonly Submission[]> {
    const by = rememberedUser()?.id
    return (await this.#store.read()).submissions.filter((submission) => isOwn(submission, by))
  }

  /** The number of stored submissions of other accounts. */
  async others(): Promise<number> {
    const by = rememberedUser()?.id
    return (await this.#store.read()).submissions.filter((submission) => !isOwn(submission, by)).length
  }

  /** The result of a finished submission; undefined when it was withdrawn. */
  async answerOf(key: string): Promise<{ readonly answer: unknown } | undefined> {
    return (await this.#store.read()).made.find((one) => one.key === key)
  }

  /** Withdraws a submission, with those about a fountain that it would create; waits for one that is being sent. */
  async undo(key: string): Promise<void> {
    const withDependents = ({ submissions }: StoreContent): readonly StoredSubmission[] =>
      submissions.filter((submission) => submission.key === key || createOf(submission) === key)
    if (withDependents(await this.#store.read()).some(({ state }) => state === 'sending')) await this.flush()
    await this.#store.transact((stored) => ({
      remove: withDependents(stored).filter(({ state }) => state !== 'sending'),
      result: undefined,
    }))
    this.#changed()
  }

  /**
   * Changes a refused or conflicting submission and sends it again; undefined drops it.
   *
   * @returns undefined when it is no longer stored in that state: another tab sent or dropped it
   */
  async revise(
    key: string,
    change: (submission: StoredSubmission) => StoredSubmission | undefined,
  ): Promise<Outcome | undefined> {
    const isRevised = await this.#store.transact(({ submissions }) => {
      const submission = submissions.find((one) => one.key === key)
      if (submission?.state !== 'refused' && submission?.state !== 'conflict') return { result: false }
      const changed = change(submission)
      if (changed === undefined) return { remove: [submission], result: true }
      const { refusal: _refusal, ...waiting } = changed
      return { put: [{ ...waiting, state: 'waiting' }], result: true }
    })
    this.#changed()
    if (!isRevised) return undefined
    await Promise.race([this.flush(), passed(patienceMilliseconds)])
    return this.#outcome(key)
  }

  /** Forgets the submissions of other accounts, or those of the user who signs out. */
  async forget(whose: 'own' | 'others'): Promise<void> {
    const by = rememberedUser()?.id
    const isAffected = (one: { readonly by: string }): boolean =>
      one.by !== anonymous && (one.by === by) === (whose === 'own')
    await this.#store.transact(({ submissions, made }) => ({
      remove: submissions.filter(isAffected),
      forget: made.filter(isAffected),
      result: undefined,
    }))
    this.#changed()
  }

  /**
   * Calls a listener with the stored submissions, now and after each change, also by other tabs. Returns a function
   * that stops it.
   */
  watch(listener: (submissions: readonly Submission[]) => void): () => void {
    this.#listeners.add(listener)
    void this.#tell()
    return () => this.#listeners.delete(listener)
  }

  #changed(sent?: SendResult): void {
    this.#announce('changed')
    if (sent?.state === 'done') document.dispatchEvent(new Event(actSent))
    void this.#tell()
  }

  async #tell(): Promise<void> {
    const reading = (this.#readings += 1)
    const { submissions } = await this.#store.read()
    // A later read has already been reported.
    if (reading < this.#lastReported) return
    this.#lastReported = reading
    // Makes the header load the outbox even when signed out.
    store('outbox', submissions.length > 0 ? '1' : undefined)
    const by = rememberedUser()?.id
    const own = submissions.filter((submission) => isOwn(submission, by))
    for (const listener of this.#listeners) listener(own)
  }
}

const firstRetryMilliseconds = 5000
const longestRetryMilliseconds = 300_000

/** Schedules retries: the delay grows after each failure, and is never shorter than the server asked for. */
class Retries {
  readonly #flush: () => Promise<FlushResult>
  #running: Promise<void> | undefined
  #isWanted = false
  #delay = firstRetryMilliseconds
  #notBefore = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #last: FlushResult | undefined

  constructor(flush: () => Promise<FlushResult>) {
    this.#flush = flush
  }

  /** How the last flush ended. */
  get last(): FlushResult | undefined {
    return this.#last
  }

  /** Flushes unless there is no network or the server asked to wait. During a flush, another one follows it. */
  async now(): Promise<void> {
    if (this.#running) {
      this.#isWanted = true
      return this.#running
    }
    if (!navigator.onLine || Date.now() < this.#notBefore) return
    this.#running = this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    let flushed: FlushResult
    do {
      this.#isWanted = false
      flushed = await this.#flush()
    } while (this.#isWanted && flushed.state !== 'later')
    this.#last = flushed
    if (flushed.state !== 'later') {
      this.#delay = firstRetryMilliseconds
      return
    }
    const asked = (flushed.afterSeconds ?? 0) * 1000
    this.#notBefore = asked === 0 ? 0 : Date.now() + asked
    // Random jitter, so that not all phones of a city retry at once.
    this.#timer = setTimeout(() => void this.now(), Math.max(asked, this.#delay * (0.75 + Math.random() / 2)))
    this.#delay = Math.min(longestRetryMilliseconds, this.#delay * 2)
  }
}

/** A draft as the last submission of the store. */
function newSubmission(
  draft: Draft & Pick<StoredSubmission, 'key' | 'by' | 'madeAt'>,
  { submissions, made }: StoreContent,
): StoredSubmission {
  const create = createOf(draft)
  const id = made.find((one) => one.key === create)?.id
  return {
    ...(create !== undefined && id !== undefined ? withId(draft, create, id) : draft),
    state: 'waiting',
    isUncertain: false,
    order: (submissions.at(-1)?.order ?? 0) + 1,
  }
}

const refusalOf = ({ code, details, status }: StoredRefusal): Refusal =>
  new Refusal(code, details, status === undefined ? {} : { status })

const passed = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** `crypto.randomUUID` only exists over https and on localhost. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-')
}

const slot = Symbol.for('openfountain outbox')

/** The outbox of this page's site. Separately bundled scripts share it. */
export function outbox(): PageOutbox {
  const known: PageOutbox | undefined = Reflect.get(globalThis, slot)
  if (known) return known
  const made = new PageOutbox(siteOfPage().base)
  Reflect.set(globalThis, slot, made)
  return made
}
