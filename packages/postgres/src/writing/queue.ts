import { RegistryError, sharing, type Job, type Outcome } from '@openfountain/core/engine'

/** The most writes that share one transaction: an import's page has as many, and nobody waits long for it. */
const mostAtOnce = 500

interface Waiting {
  readonly job: Job<unknown>
  readonly settle: (outcome: Outcome<unknown>) => void
}

type Run = (jobs: readonly Job<unknown>[]) => Promise<Outcome<unknown>[]>

/**
 * The writes of a process, one transaction after the other. Those that come while one is running wait and share the next, in
 * the order in which they came; each is settled after the commit.
 */
export class WriteQueue {
  readonly #run: Run
  #waiting: Waiting[] = []
  #isScheduled = false
  /** The end of what runs and is scheduled. */
  #tail: Promise<unknown> = Promise.resolve()

  /** @param run runs jobs in one transaction; throws what is not a refusal, after rolling everything back */
  constructor(run: Run) {
    this.#run = run
  }

  /** Adds a write. Resolves or rejects once it is durable or refused. */
  add<Answer>(job: Job<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome<unknown>): void => {
        if (outcome.ok) resolve(outcome.answer as Answer)
        else reject(outcome.error as Error)
      }
      this.#waiting.push({ job, settle })
      this.#schedule()
    })
  }

  /** Runs something between the writes, after those that wait already. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
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

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    void this.alone(async () => {
      this.#isScheduled = false
      const some = this.#waiting.splice(0, sharing(this.#waiting, 0, mostAtOnce))
      if (this.#waiting.length > 0) this.#schedule()
      await this.#settle(some)
    })
  }

  async #settle(waiting: readonly Waiting[]): Promise<void> {
    const outcomes = await this.#together(waiting.map(({ job }) => job))
    for (const [index, { settle }] of waiting.entries()) {
      const outcome = outcomes[index]
      if (outcome) settle(outcome)
    }
  }

  /** Runs jobs together, or each alone when something unexpected undid them all. */
  async #together(jobs: readonly Job<unknown>[]): Promise<Outcome<unknown>[]> {
    try {
      return await this.#run(jobs)
    } catch (error) {
      // What concerns the storage concerns all of them.
      const isCommon = error instanceof RegistryError && error.code.startsWith('STORAGE_')
      if (jobs.length === 1 || isCommon) return jobs.map(() => ({ ok: false, error }))
      const outcomes: Outcome<unknown>[] = []
      for (const job of jobs) outcomes.push(...(await this.#together([job])))
      return outcomes
    }
  }
}
