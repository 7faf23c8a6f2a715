import { AsyncLocalStorage } from 'node:async_hooks'
import type { Job, RequestOnce } from '../decide/deciding.ts'
import { Repeated } from '../decide/once.ts'
import { RegistryError } from '../errors.ts'
import type { Outcome } from '../log/script.ts'
import { mustNotBeAlongside, mustNotBeStating, withAlongside } from './alongside.ts'
import { Commits } from './commits.ts'
import type { BatchOptions } from './port.ts'
import type { MaybePromise } from './reads.ts'

/**
 * Runs jobs in one transaction. Errors other than the refusal of one job are thrown, after rolling everything back.
 *
 * @param options of a batch; undefined for single writes that share the transaction
 */
export type RunTransaction = (
  jobs: readonly Job<unknown>[],
  options?: BatchOptions,
) => MaybePromise<readonly Outcome<unknown>[]>

/** The most writes that share one transaction: nobody waits long for it. */
const mostAtOnce = 500

interface Waiting {
  readonly job: Job<unknown>
  readonly settle: (outcome: Outcome<unknown>) => void
}

/** The current request, whose first write stores its key. */
const requests = new AsyncLocalStorage<{ readonly once: RequestOnce; isTaken: boolean }>()

/** Handles a request, whose first write stores its key. */
export const whileRequested = <Result>(once: RequestOnce, make: () => Promise<Result>): Promise<Result> =>
  requests.run({ once, isTaken: false }, make)

/** The job with the key of the request that is being made, if it is its first. */
function withRequest<Answer>(job: Job<Answer>): Job<Answer> {
  const pending = requests.getStore()
  if (job.dryRun === true || pending === undefined || pending.isTaken) return job
  pending.isTaken = true
  return { ...job, once: pending.once }
}

/**
 * The writes of a process, one transaction after the other. Those that come in one turn of the event loop, or while a
 * transaction runs, share the next, in the order in which they came; each is settled after the commit.
 */
export class WriteQueue {
  readonly commits = new Commits()
  readonly #run: RunTransaction
  #waiting: Waiting[] = []
  #isScheduled = false
  /** The end of the running and scheduled writes. */
  #tail: Promise<unknown> = Promise.resolve()

  constructor(run: RunTransaction) {
    this.#run = run
  }

  /** Adds a write. Resolves or rejects once it is durable or refused. */
  async write<Answer>(given: Job<Answer>): Promise<Answer> {
    mustNotBeStating()
    if (given.dryRun === true) return this.#add(given)
    const job = withRequest(withAlongside(given))
    return this.#noticed(() => this.#add(job))
  }

  /** Writes a batch in a transaction of its own. */
  async writeBatch<Answer>(
    [first, ...more]: readonly Job<Answer>[],
    options: BatchOptions,
  ): Promise<Outcome<Answer>[]> {
    mustNotBeStating()
    mustNotBeAlongside()
    const jobs = first === undefined ? [] : [withRequest(first), ...more]
    const outcomes = await this.#noticed(() => this.alone(() => this.#run(jobs, options)))
    const [outcome] = outcomes
    if (outcome?.ok === false && outcome.error instanceof Repeated) throw outcome.error
    return outcomes as Outcome<Answer>[]
  }

  /** Runs work between the writes, after those already waiting. */
  alone<Result>(work: () => MaybePromise<Result>): Promise<Result> {
    const result = this.#tail.then(work)
    this.#tail = result.catch(() => undefined)
    return result
  }

  /** Resolves once everything is written that was added before. */
  async drain(): Promise<void> {
    await this.#tail
  }

  /** Resolves once nothing waits any more. */
  async idle(): Promise<void> {
    for (let tail: unknown; tail !== this.#tail;) {
      tail = this.#tail
      await tail
    }
  }

  async #noticed<Result>(write: () => Promise<Result>): Promise<Result> {
    const { held } = this.commits
    if (held !== undefined) await held
    const result = await write()
    this.commits.notice()
    return result
  }

  #add<Answer>(job: Job<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<unknown>): void => {
        if (outcome.ok) resolve(outcome.answer as Answer)
        else reject(outcome.error as Error)
      }
      this.#waiting.push({ job, settle })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    void this.alone(async () => {
      await new Promise((resolve) => setImmediate(resolve))
      this.#isScheduled = false
      const some = this.#waiting.splice(0, sharing(this.#waiting))
      if (this.#waiting.length > 0) this.#schedule()
      const outcomes = await this.#together(some.map(({ job }) => job))
      for (const [index, outcome] of outcomes.entries()) some[index]?.settle(outcome)
    })
  }

  /** Runs jobs together, or each alone when something unexpected undid them all. */
  async #together(jobs: readonly Job<unknown>[]): Promise<readonly Outcome<unknown>[]> {
    try {
      return await this.#run(jobs)
    } catch (error) {
      // Storage errors concern all jobs of a batch.
      const isCommon = error instanceof RegistryError && error.code.startsWith('STORAGE_')
      if (jobs.length === 1 || isCommon) return jobs.map(() => ({ ok: false, error }))
      const outcomes: Outcome<unknown>[] = []
      for (const job of jobs) outcomes.push(...(await this.#together([job])))
      return outcomes
    }
  }
}

/** How many of the waiting writes share one transaction: a write with statements of the host has its own. */
function sharing(waiting: readonly Waiting[]): number {
  const some = waiting.slice(0, mostAtOnce)
  const first = some.findIndex(({ job }) => job.alongside !== undefined)
  return first < 0 ? some.length : Math.max(1, first)
}
