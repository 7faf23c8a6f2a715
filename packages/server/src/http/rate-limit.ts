import { Problem } from '../problem.ts'
import { OptionError } from '../option-error.ts'
import type { HeaderPair } from './headers.ts'
import { networkOf } from './trusted-proxies.ts'

export interface RateLimitOptions {
  /** Requests that a client may make in a minute; also the burst it may make at once. 100 is suggested. */
  readonly perMinute: number
  /** The most clients that are remembered. Default 20,000. */
  readonly clients?: number
  /** Milliseconds of a clock that never goes back. Default `performance.now()`. */
  readonly now?: () => number
}

/** @throws OptionError rateLimit.perMinute */
export function checkRateLimit({ perMinute }: RateLimitOptions): void {
  if (!Number.isInteger(perMinute) || perMinute < 1)
    throw new OptionError('rateLimit.perMinute', 'must be a whole number of at least 1')
}

interface Bucket {
  tokens: number
  at: number
}

/**
 * A token bucket for each client: it holds the requests of one minute and is refilled evenly.
 *
 * Beyond the number of remembered clients the one whose last request is oldest is forgotten.
 */
export class RateLimit {
  readonly #capacity: number
  readonly #perMillisecond: number
  readonly #clients: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()
  readonly #policy: HeaderPair

  /** @throws OptionError rateLimit.perMinute */
  constructor(options: RateLimitOptions) {
    checkRateLimit(options)
    this.#capacity = options.perMinute
    this.#perMillisecond = options.perMinute / 60_000
    this.#clients = options.clients ?? 20_000
    this.#now = options.now ?? (() => performance.now())
    this.#policy = ['ratelimit-policy', `${options.perMinute};w=60`]
  }

  /**
   * Takes one request from the client's bucket.
   *
   * @param client an address; IPv6 clients are distinguished by their /64, which one household gets
   * @returns the RateLimit headers of the response
   * @throws Problem RATE_LIMITED with the same headers and Retry-After when the bucket is empty
   */
  take(client: string): HeaderPair[] {
    const key = networkOf(client)
    const now = this.#now()
    const known = this.#buckets.get(key)
    const tokens =
      known === undefined
        ? this.#capacity
        : Math.min(this.#capacity, known.tokens + (now - known.at) * this.#perMillisecond)
    const left = tokens >= 1 ? tokens - 1 : tokens
    // Inserted again, so that the map is in the order of the last requests.
    this.#buckets.delete(key)
    this.#buckets.set(key, { tokens: left, at: now })
    if (this.#buckets.size > this.#clients) {
      const oldest = this.#buckets.keys().next()
      if (oldest.done !== true) this.#buckets.delete(oldest.value)
    }
    const headers: HeaderPair[] = [
      ['ratelimit-limit', String(this.#capacity)],
      ['ratelimit-remaining', String(Math.floor(left))],
      ['ratelimit-reset', String(Math.ceil((this.#capacity - left) / this.#perMillisecond / 1000))],
      this.#policy,
    ]
    if (tokens >= 1) return headers
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / this.#perMillisecond / 1000))
    throw new Problem('RATE_LIMITED', {
      details: { limit: this.#capacity, windowSeconds: 60, retryAfterSeconds },
      headers: [...headers, ['retry-after', String(retryAfterSeconds)]],
    })
  }
}
