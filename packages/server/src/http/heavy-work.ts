import { busy } from '../problem.ts'

export interface HeavyWorkOptions {
  /** Heavy answers that are made at a time. Default 4. */
  readonly atOnce?: number
  /** Further ones that may wait for their turn. Default 16. */
  readonly waiting?: number
  /** How long one may wait. Default 10,000. */
  readonly waitMilliseconds?: number
}

interface Waiter {
  readonly enter: () => void
  readonly timer: NodeJS.Timeout
}

/**
 * The bounded queue in front of heavy answers (whole lists, big downloads), so that light ones stay quick and a
 * burst is told to come back instead of piling up.
 */
export class HeavyWork {
  readonly #atOnce: number
  readonly #waiting: number
  readonly #waitMilliseconds: number
  readonly #queue: Waiter[] = []
  #running = 0

  constructor(options: HeavyWorkOptions = {}) {
    this.#atOnce = options.atOnce ?? 4
    this.#waiting = options.waiting ?? 16
    this.#waitMilliseconds = options.waitMilliseconds ?? 10_000
  }

  /**
   * Waits for a turn.
   *
   * @returns the function that ends the turn; calling it again does nothing
   * @throws Problem UNAVAILABLE with Retry-After when the queue is full or the turn does not come
   */
  async begin(): Promise<() => void> {
    if (this.#running >= this.#atOnce) {
      if (this.#queue.length >= this.#waiting) throw busy(2)
      await new Promise<void>((enter, refuse) => {
        const timer = setTimeout(() => {
          this.#queue.splice(
            this.#queue.findIndex((waiter) => waiter.timer === timer),
            1,
          )
          refuse(busy(5))
        }, this.#waitMilliseconds)
        timer.unref()
        this.#queue.push({ enter, timer })
      })
    } else {
      this.#running += 1
    }
    let ended = false
    return () => {
      if (ended) return
      ended = true
      const next = this.#queue.shift()
      // The turn passes on to the one that waited longest, without a gap into which a newcomer could slip.
      if (next === undefined) this.#running -= 1
      else {
        clearTimeout(next.timer)
        next.enter()
      }
    }
  }
}
