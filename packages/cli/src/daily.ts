import type { Registry } from '@openfountain/core'

/** What is due every day. */
export interface DueDaily {
  readonly observations: Pick<Registry['observations'], 'today' | 'grantXp' | 'age'>
}

/** How often it is looked whether a new day has begun: clocks are set, and machines sleep. */
const everyMilliseconds = 5 * 60_000

/**
 * Does what is due once a day, in UTC, while a server runs: grants the XP that observations of earlier days have earned,
 * and computes the states that the date may have changed. Any number of servers of one database may do so at once.
 */
export class Daily {
  readonly #registry: DueDaily
  readonly #onFailure: (error: unknown) => void
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #doneOn = ''
  #failedWith = ''

  /** @param onFailure gets an error when it is another one than the last time; what failed is tried again minutes later */
  constructor(registry: DueDaily, onFailure: (error: unknown) => void) {
    this.#registry = registry
    this.#onFailure = onFailure
  }

  /** Begins now, and goes on until `stop`. Does not keep the process alive. */
  start(): void {
    void this.check()
    this.#timer ??= setInterval(() => void this.check(), everyMilliseconds).unref()
  }

  /** Does what is due, if it was not done on this day. Fails never. */
  check(): Promise<void> {
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #check(): Promise<void> {
    const { observations } = this.#registry
    try {
      const today = await observations.today()
      if (today === this.#doneOn) return
      await observations.grantXp()
      await observations.age()
      this.#doneOn = today
      this.#failedWith = ''
    } catch (error) {
      const text = String(error)
      if (text !== this.#failedWith) this.#onFailure(error)
      this.#failedWith = text
    }
  }

  /** Ends it, after what is running. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }
}
