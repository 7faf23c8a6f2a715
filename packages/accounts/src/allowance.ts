/** How many keys are remembered; the one that was used least lately is forgotten for another. */
const most = 10_000

/** So many of something for one key within some time, kept in memory. */
export class Allowance {
  readonly #count: number
  readonly #windowMs: number
  readonly #now: () => number
  readonly #taken = new Map<string, readonly number[]>()

  /** @param now in milliseconds */
  constructor(
    { times, windowSeconds }: { readonly times: number; readonly windowSeconds: number },
    now: () => number,
  ) {
    this.#count = times
    this.#windowMs = windowSeconds * 1000
    this.#now = now
  }

  /** Takes one. @returns whether there was one left */
  take(key: string): boolean {
    const now = this.#now()
    const recent = (this.#taken.get(key) ?? []).filter((time) => time > now - this.#windowMs)
    this.#taken.delete(key)
    const isLeft = recent.length < this.#count
    this.#taken.set(key, isLeft ? [...recent, now] : recent)
    if (this.#taken.size > most) {
      const [oldest] = this.#taken.keys()
      if (oldest !== undefined) this.#taken.delete(oldest)
    }
    return isLeft
  }
}
