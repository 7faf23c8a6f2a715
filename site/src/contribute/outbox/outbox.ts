import { Refusal } from '../../api/request.ts'
import { rememberedUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { createOf, withId, type Act, type Draft, type StoredAct } from './act.ts'
import { flush, type Flushed } from './flushing.ts'
import { openStore, outboxName, type Store } from './store.ts'

export type { Act, Draft, KeptRefusal } from './act.ts'

/** What became of a draft. */
export type Outcome =
  /** The server has it; `answer` is the body of its response. */
  | { readonly state: 'done'; readonly answer: unknown }
  /** It is kept, and goes when there is a network. */
  | { readonly state: 'waiting' }
  /** Somebody else changed the fountain meanwhile: the outbox shows both side by side. */
  | { readonly state: 'conflict'; readonly act: Act }
  /** It is kept as well, to be changed or dropped; unless the browser has no storage. */
  | { readonly state: 'refused'; readonly refusal: Refusal }

/** What a person does on the site, kept in this browser until the server has it. */
export interface Outbox {
  /** Keeps a draft, then sends it. Resolves once it is known what became of it, without a network at once. */
  add(draft: Draft): Promise<Outcome>
  /** What is kept of whoever is signed in, in the order in which it was made. */
  list(): Promise<readonly Act[]>
  /** Takes an act back, with those about a fountain that it would make. */
  undo(key: string): Promise<void>
  /** Calls a listener with what is kept, now and after each change, also by other tabs. Returns how to stop. */
  watch(listener: (acts: readonly Act[]) => void): () => void
}

class BrowserOutbox implements Outbox {
  readonly #store: Store
  readonly #announce: (message: string) => void
  readonly #listeners = new Set<(acts: readonly Act[]) => void>()

  constructor(base: string) {
    this.#store = openStore(base)
    const channel = new BroadcastChannel(outboxName(base))
    channel.addEventListener('message', () => void this.#tell())
    this.#announce = channel.postMessage.bind(channel)
  }

  async add(draft: Draft): Promise<Outcome> {
    const by = rememberedUser()?.id
    if (by === undefined) return { state: 'refused', refusal: new Refusal('UNAUTHORIZED') }
    const key = crypto.randomUUID()
    await this.#store.transact(({ acts, made }) => {
      const create = createOf(draft)
      const id = made.find((one) => one.key === create)?.id
      const about = create !== undefined && id !== undefined ? withId(draft, create, id) : draft
      const act: StoredAct = {
        ...about,
        key,
        by,
        madeAt: new Date().toISOString(),
        state: 'waiting',
        isUncertain: false,
        order: (acts.at(-1)?.order ?? 0) + 1,
      }
      return { put: [act], result: undefined }
    })
    this.#changed()
    if (navigator.onLine) await this.flush()
    return this.#outcome(key)
  }

  async #outcome(key: string): Promise<Outcome> {
    const { acts, made } = await this.#store.read()
    const done = made.find((one) => one.key === key)
    if (done) return { state: 'done', answer: done.answer }
    const act = acts.find((one) => one.key === key)
    if (act?.state === 'conflict') return { state: 'conflict', act }
    if (act?.state !== 'refused' || act.refusal === undefined) return { state: 'waiting' }
    const { code, details, status } = act.refusal
    return { state: 'refused', refusal: new Refusal(code, details, status === undefined ? {} : { status }) }
  }

  async flush(): Promise<Flushed> {
    return flush({ site: siteOfPage(), store: this.#store, changed: () => this.#changed() })
  }

  async list(): Promise<readonly Act[]> {
    const by = rememberedUser()?.id
    return (await this.#store.read()).acts.filter((act) => act.by === by)
  }

  async undo(key: string): Promise<void> {
    await this.#store.transact(({ acts }) => ({
      remove: acts.filter((act) => act.state !== 'sending' && (act.key === key || createOf(act) === key)),
      result: undefined,
    }))
    this.#changed()
  }

  watch(listener: (acts: readonly Act[]) => void): () => void {
    this.#listeners.add(listener)
    void this.list().then(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    this.#announce('changed')
    void this.#tell()
  }

  async #tell(): Promise<void> {
    const acts = await this.list()
    for (const listener of this.#listeners) listener(acts)
  }
}

let ofPage: BrowserOutbox | undefined

/** The outbox of this page's site. */
export function outbox(): Outbox & { flush(): Promise<Flushed> } {
  ofPage ??= new BrowserOutbox(siteOfPage().base)
  return ofPage
}
