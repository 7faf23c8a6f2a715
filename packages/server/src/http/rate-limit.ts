import { takeFrom, type Allowance, type Left, type Taken } from '@openfountain/core/internal'
import { Problem } from '../problem.ts'
import { OptionError } from '../option-error.ts'
import type { HeaderPair } from './headers.ts'
import { networkOf } from './trusted-proxies.ts'

export interface RateLimitOptions {
  /** Requests of a client in a minute, and the size of a burst; a map that follows changes makes six. */
  readonly perMinute: number
  /** Most clients in memory. Default 20,000. */
  readonly clients?: number | undefined
  /** Milliseconds of a clock that never goes back. Default `performance.now()`. */
  readonly now?: (() => number) | undefined
}

/** @throws OptionError rateLimit.perMinute */
export function checkRateLimit({ perMinute }: RateLimitOptions): void {
  if (!Number.isInteger(perMinute) || perMinute < 1)
    throw new OptionError('rateLimit.perMinute', 'must be a whole number of at least 1')
}

interface BucketOptions {
  readonly keys?: number | undefined
  /** Milliseconds of a clock that never goes back. Default `performance.now()`. */
  readonly now?: (() => number) | undefined
}

/** A token bucket for each key, refilled evenly. Beyond the limit of keys the least recently used one is dropped. */
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

  add(key: string): void {
    this.#keep(key, { left: this.allowance.times, at: this.#now() })
  }

  has(key: string): boolean {
    return this.#buckets.has(key)
  }

  #keep(key: string, bucket: Left): void {
    // Inserted again, so that the map stays ordered by last use.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size <= this.#keys) return
    const oldest = this.#buckets.keys().next()
    if (oldest.done !== true) this.#buckets.delete(oldest.value)
  }

  take(key: string): Taken {
    const now = this.#now()
    const taken = takeFrom(this.allowance, this.#buckets.get(key), now)
    this.#keep(key, { left: taken.left, at: now })
    return taken
  }
}

/** The refusal of a request beyond its limit. */
export const tooMany = (
  { times, windowSeconds }: Allowance,
  retryAfterSeconds: number,
  headers: readonly HeaderPair[] = [],
): Problem =>
  new Problem('RATE_LIMITED', {
    details: { limit: times, windowSeconds, retryAfterSeconds },
    headers: [...headers, ['retry-after', String(retryAfterSeconds)]],
  })

/** A token bucket for each client, with the requests of one minute. */
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

  /** Takes a request from the client's bucket (IPv6: its /64). @returns RateLimit headers @throws Problem RATE_LIMITED with them */
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
