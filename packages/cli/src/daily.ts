import type { Registry } from '@openfountain/core'

interface DailyJobs {
  readonly observations: Pick<Registry['observations'], 'today' | 'grantXp' | 'age'>
  readonly photos?: Pick<Registry['photos'], 'areKept' | 'sweep'>
}

/** Interval of checks for a new day; clocks are set, and machines sleep. */
const everyMilliseconds = 5 * 60_000

/** Grants XP of earlier days, brings states up to date, and deletes unnamed files of photos, once a day (UTC). */
export class Daily {
  readonly #registry: DailyJobs
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #doneOn = ''
  #failedWith = ''

  /** @param onFailure gets each new error once; failed jobs are retried minutes later */
  constructor(registry: DailyJobs, onFailure: (error: unknown) => void) {
    this.#registry = registry
    this.#onFailure = onFailure
  }

  /** Starts now, until `stop`. Does not keep the process alive. */
  start(): void {
    void this.check()
    this.#timer ??= setInterval(() => void this.check(), everyMilliseconds).unref()
  }

  /** Runs the jobs, unless done on this day. Never rejects. */
  check(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #check(): Promise<void> {
    const { observations, photos } = this.#registry
    try {
      const today = await observations.today()
      if (today === this.#doneOn) return
      await observations.grantXp()
      await observations.age()
      if (photos?.areKept === true) await photos.sweep()
      this.#doneOn = today
      this.#failedWith = ''
    } catch (error) {
      const text = String(error)
      if (text !== this.#failedWith) this.#onFailure(error)
      this.#failedWith = text
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}
