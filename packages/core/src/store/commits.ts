/** Tells who follows the log in this process when it has written. */
export class Commits {
  readonly #waiting = new Set<() => void>()
  #followers = 0
  /** Writes wait for it while somebody reads the end of the log. */
  held: Promise<unknown> | undefined
  /** How many writes were noticed. */
  count = 0
  isClosed = false

  /** Whether anybody has to be told. */
  get isFollowed(): boolean {
    return this.#followers > 0
  }

  /** Notices writes from now on. @returns a function that ends it */
  follow(): () => void {
    this.#followers++
    return () => void this.#followers--
  }

  /** Called after each write, and at the end. */
  notice(): void {
    this.count++
    for (const wake of this.#waiting) wake()
  }

  /** Calls a function after the next write. @returns a function that takes it back */
  onNext(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => void this.#waiting.delete(wake)
  }

  /** Delays writes until a promise is settled. */
  hold<Result>(until: Promise<Result>): Promise<Result> {
    const held = Promise.allSettled([this.held, until])
    this.held = held
    void this.#release(held)
    return until
  }

  async #release(held: Promise<unknown>): Promise<void> {
    await held
    if (this.held === held) this.held = undefined
  }

  close(): void {
    this.isClosed = true
    this.notice()
  }
}
