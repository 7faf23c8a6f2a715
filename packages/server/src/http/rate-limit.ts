import { takeFrom, type Allowance, type Left, type Taken } from '@openfountain/core/internal'
import { Problem } from '../problem.ts'
import { OptionError } from '../option-error.ts'
import type { HeaderPair } from './headers.ts'
import { networkOf } from './trusted-proxies.ts'

export interface RateLimitOptions {
  /** Requests that a client may make in a minute; also the burst it may make at once. 300 is suggested: a page that follows changes makes up to 60. */
  readonly perMinute: number
  /** The most clients that are remembered. Default 20,000. */
  readonly clients?: number | undefined
  /** Milliseconds of a clock that never goes back. Default `performance.now()`. */
  readonly now?: (() => number) | undefined
}

/** @throws OptionError rateLimit.perMinute */
export function checkRateLimit({ perMinute }: RateLimitOptions): void {
  if (!Number.isInteger(perMinute) || perMinute < 1)
    throw new OptionError('rateLimit.perMinute', 'must be a whole number of at least 1')
}

export interface BucketOptions {
  /** The most keys that are remembered. Default 20,000. */
  readonly keys?: number | undefined
  /** Milliseconds of a clock that never goes back. Default `performance.now()`. */
  readonly now?: (() => number) | undefined
}

/**
 * A token bucket for each key: it holds what is allowed at once and is refilled evenly.
 *
 * Beyond the number of remembered keys the one that was used longest ago is forgotten.
 */
export class Buckets {
  readonly allowance: Allowance
  readonly #keys: number
  readonly #now: () => number
  readonly #buckets = new Map<string, Left>()

  constructor(allowance: Allowance, { keys = 20_000, now = () => performance.now() }: BucketOptions = {}) {
    this.allowance = allowance
    this.#keys = keys
    this.#now = now
  }

  /** Remembers a key, with all that it is allowed. */
  add(key: string): void {
    this.#keep(key, { left: this.allowance.times, at: this.#now() })
  }

  has(key: string): boolean {
    return this.#buckets.has(key)
  }

  #keep(key: string, bucket: Left): void {
    // Inserted again, so that the map is in the order of the last uses.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size <= this.#keys) return
    const oldest = this.#buckets.keys().next()
    if (oldest.done !== true) this.#buckets.delete(oldest.value)
  }

  /** Takes one from the bucket of a key. */
  take(key: string): Taken {
    const now = this.#now()
    const taken = takeFrom(this.allowance, this.#buckets.get(key), now)
    this.#keep(key, { left: taken.left, at: now })
    return taken
  }
}

/** The refusal of a request beyond an allowance. */
export function tooMany(
  { times, windowSeconds }: Allowance,
  retryAfterSeconds: number,
  headers: readonly HeaderPair[] = [],
): Problem {
  return new Problem('RATE_LIMITED', {
    details: { limit: times, windowSeconds, retryAfterSeconds },
    headers: [...headers, ['retry-after', String(retryAfterSeconds)]],
  })
}

/** A token bucket for each client, which holds the requests of one minute. */
export class RateLimit {
  readonly #buckets: Buckets
  readonly #policy: HeaderPair

  /** @throws OptionError rateLimit.perMinute */
  constructor(options: RateLimitOptions) {
    checkRateLimit(options)
    const { perMinute, clients: keys, now } = options
    this.#buckets = new Buckets({ times: perMinute, windowSeconds: 60 }, { keys, now })
    this.#policy = ['ratelimit-policy', `${perMinute};w=60`]
  }

  /**
   * Takes one request from the client's bucket.
   *
   * @param client an address; IPv6 clients are distinguished by their /64, which one household gets
   * @returns the RateLimit headers of the response
   * @throws Problem RATE_LIMITED with the same headers and Retry-After when the bucket is empty
   */
  take(client: string): HeaderPair[] {
    const { allowance } = this.#buckets
    const { isAllowed, left, retryAfterSeconds, resetSeconds } = this.#buckets.take(networkOf(client))
    const headers: HeaderPair[] = [
      ['ratelimit-limit', String(allowance.times)],
      ['ratelimit-remaining', String(Math.floor(left))],
      ['ratelimit-reset', String(resetSeconds)],
      this.#policy,
    ]
    if (isAllowed) return headers
    throw tooMany(allowance, retryAfterSeconds, headers)
  }
}
