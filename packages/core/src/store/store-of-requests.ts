import { AsyncLocalStorage } from 'node:async_hooks'
import type { Job } from '../decide/deciding.ts'
import { decideOnce, Repeated, type RequestOnce } from '../decide/once.ts'
import type { Outcome } from '../log/script.ts'
import { mustNotBeAlongside, mustNotBeStating, withAlongside } from './alongside.ts'
import type { Commits } from './commits.ts'
import type { AssignedPlace, BatchOptions, Store } from './port.ts'

interface Pending {
  readonly once: RequestOnce
  isTaken: boolean
}

/** The request that is being made, whose first write keeps its key. */
const current = new AsyncLocalStorage<Pending>()

/** Makes a request, whose first write keeps its key. */
export const whileRequested = <Result>(once: RequestOnce, make: () => Promise<Result>): Promise<Result> =>
  current.run({ once, isTaken: false }, make)

function taken(): RequestOnce | undefined {
  const pending = current.getStore()
  if (pending === undefined || pending.isTaken) return undefined
  pending.isTaken = true
  return pending.once
}

const onceOnly = <Answer>(job: Job<Answer>, once: RequestOnce): Job<Answer | Repeated> => ({
  decide: (at) => decideOnce(once, () => job.decide(at), at),
})

/** A store whose writes keep the key of the request that they belong to, and have statements of the host beside them, in the same transaction. */
export class StoreOfRequests implements Store {
  readonly #store: Store
  readonly #commits: Commits

  /** @param commits told after each write */
  constructor(store: Store, commits: Commits) {
    this.#store = store
    this.#commits = commits
  }

  get read(): Store['read'] {
    return this.#store.read
  }

  async write<Answer>(given: Job<Answer>): Promise<Answer> {
    mustNotBeStating()
    if (given.dryRun === true) return this.#store.write(given)
    const once = taken()
    const job = withAlongside(given)
    return this.#noticed(() => (once === undefined ? this.#store.write(job) : this.#writeOnce(job, once)))
  }

  #noticed<Result>(write: () => Promise<Result>): Promise<Result> {
    const { held, isFollowed } = this.#commits
    return held === undefined && !isFollowed ? write() : this.#afterwards(held, write)
  }

  async #afterwards<Result>(
    held: Promise<unknown> | undefined,
    write: () => Promise<Result>,
  ): Promise<Result> {
    await held
    const result = await write()
    this.#commits.notice()
    return result
  }

  async #writeOnce<Answer>(job: Job<Answer>, once: RequestOnce): Promise<Answer> {
    const answer = await this.#store.write({ ...onceOnly(job, once), alongside: job.alongside })
    if (answer instanceof Repeated) throw answer
    return answer
  }

  async writeBatch<Answer>(jobs: readonly Job<Answer>[], options?: BatchOptions): Promise<Outcome<Answer>[]> {
    mustNotBeStating()
    mustNotBeAlongside()
    return this.#noticed(() => this.#writeBatch(jobs, options))
  }

  async #writeBatch<Answer>(
    jobs: readonly Job<Answer>[],
    options?: BatchOptions,
  ): Promise<Outcome<Answer>[]> {
    const [job, ...more] = jobs
    const once = job === undefined || job.dryRun === true ? undefined : taken()
    if (job === undefined || once === undefined) return this.#store.writeBatch(jobs, options)
    const outcomes = await this.#store.writeBatch<Answer | Repeated>([onceOnly(job, once), ...more], options)
    return outcomes.map((outcome) => {
      if (!outcome.ok) return outcome
      if (outcome.answer instanceof Repeated) throw outcome.answer
      return { ok: true, answer: outcome.answer }
    })
  }

  async assignPlaces(places: readonly AssignedPlace[]): Promise<void> {
    mustNotBeStating()
    mustNotBeAlongside()
    return this.#store.assignPlaces(places)
  }

  now(): Date {
    return this.#store.now()
  }

  time(): Promise<string> {
    return this.#store.time()
  }

  timeOfWrite(): Promise<string> {
    return this.#store.timeOfWrite()
  }

  snapshot(...needs: Parameters<Store['snapshot']>): ReturnType<Store['snapshot']> {
    return this.#store.snapshot(...needs)
  }

  schemaProblems(): ReturnType<Store['schemaProblems']> {
    return this.#store.schemaProblems()
  }

  scrub(): ReturnType<Store['scrub']> {
    return this.#store.scrub()
  }

  maintain(options?: Parameters<Store['maintain']>[0]): Promise<void> {
    return this.#store.maintain(options)
  }

  backup(...given: Parameters<Store['backup']>): Promise<void> {
    return this.#store.backup(...given)
  }

  renewOrigin(origin: string): Promise<void> {
    return this.#store.renewOrigin(origin)
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}
