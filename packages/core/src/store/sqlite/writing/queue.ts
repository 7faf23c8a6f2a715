import type { Job } from '../../../decide/deciding.ts'
import type { Outcome } from '../../../log/script.ts'
import { RegistryError } from '../../../errors.ts'
import { sharing } from '../../alongside.ts'

/** The most writes that share one transaction: an import's page has as many, and nobody waits long for it. */
const mostAtOnce = 500

interface Waiting {
  readonly job: Job<unknown>
  readonly settle: (outcome: Outcome<unknown>) => void
}

/**
 * Waiting writes, which share one transaction and one flush. They are taken up once a turn of the event loop, in the
 * order in which they came, and each is settled after the flush.
 */
export class WriteQueue {
  readonly #run: (jobs: readonly Job<unknown>[]) => Outcome<unknown>[]
  #waiting: Waiting[] = []
  #isScheduled = false

  /** @param run runs jobs in one transaction; throws what is not a refusal, after rolling everything back */
  constructor(run: (jobs: readonly Job<unknown>[]) => Outcome<unknown>[]) {
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
      if (this.#isScheduled) return
      this.#isScheduled = true
      setImmediate(() => this.drain())
    })
  }

  /** Takes up everything that waits. */
  drain(): void {
    const all = this.#waiting
    this.#waiting = []
    this.#isScheduled = false
    for (let from = 0; from < all.length;) {
      const to = from + sharing(all, from, mostAtOnce)
      this.#settle(all.slice(from, to))
      from = to
    }
  }

  #settle(waiting: readonly Waiting[]): void {
    const outcomes = this.#together(waiting.map(({ job }) => job))
    for (const [index, { settle }] of waiting.entries()) {
      const outcome = outcomes[index]
      if (outcome) settle(outcome)
    }
  }

  /** Runs jobs together, or each alone when something unexpected undid them all. */
  #together(jobs: readonly Job<unknown>[]): Outcome<unknown>[] {
    try {
      return this.#run(jobs)
    } catch (error) {
      // What concerns the storage concerns all of them.
      const isCommon = error instanceof RegistryError && error.code.startsWith('STORAGE_')
      if (jobs.length === 1 || isCommon) return jobs.map(() => ({ ok: false, error }))
      return jobs.flatMap((job) => this.#together([job]))
    }
  }
}
