import type { FlushResult } from './flushing.ts'

const first = 5000
const longest = 300_000

/** Schedules retries: the delay grows after each failure, and is never shorter than the server asked for. */
export class Retries {
  readonly #flush: () => Promise<FlushResult>
  #running: Promise<void> | undefined
  #isWanted = false
  #delay = first
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
      this.#delay = first
      return
    }
    const asked = (flushed.afterSeconds ?? 0) * 1000
    this.#notBefore = asked === 0 ? 0 : Date.now() + asked
    // Random jitter, so that not all phones of a city retry at once.
    this.#timer = setTimeout(() => void this.now(), Math.max(asked, this.#delay * (0.75 + Math.random() / 2)))
    this.#delay = Math.min(longest, this.#delay * 2)
  }
}
