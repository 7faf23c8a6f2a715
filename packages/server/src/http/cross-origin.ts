import type { HeaderPair } from './headers.ts'

/** Headers of a response that pages of other origins may read, besides the safelisted ones. */
const exposed =
  'Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id'

const anyOrigin: readonly HeaderPair[] = [['access-control-allow-origin', '*']]
const anyOriginReading: readonly HeaderPair[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposed],
]
const nothing: readonly HeaderPair[] = []
const preflightSeconds = '7200'

/**
 * Cross-origin rules: every origin may use public reads; only the configured origins may use everything else, with
 * credentials. h3's `handleCors` has one rule for all.
 */
export class CrossOrigin {
  /** Headers of the responses to each allowed origin. */
  readonly #allowed: ReadonlyMap<string, readonly HeaderPair[]>

  constructor(allowedOrigins: readonly string[]) {
    this.#allowed = new Map(
      allowedOrigins.map((origin) => [
        origin,
        [
          ['access-control-allow-origin', origin],
          ['access-control-allow-credentials', 'true'],
          ['access-control-expose-headers', exposed],
        ],
      ]),
    )
  }

  /** Whether responses vary by Origin. */
  get varies(): boolean {
    return this.#allowed.size > 0
  }

  /** Whether pages of this origin may write with their visitor's cookie. */
  allows(origin: string): boolean {
    return this.#allowed.has(origin)
  }

  /** Headers of a response. */
  headers(origin: string | null, open: boolean): readonly HeaderPair[] {
    if (origin === null) return open ? anyOrigin : nothing
    return this.#allowed.get(origin) ?? (open ? anyOriginReading : nothing)
  }

  /**
   * Headers of the response to OPTIONS.
   *
   * @param methods all methods of the path
   * @param openMethods methods for every origin
   */
  preflight(origin: string | null, methods: readonly string[], openMethods: readonly string[]): HeaderPair[] {
    if (origin === null) return []
    const known = this.#allowed.has(origin)
    const usable = known ? methods : openMethods
    if (usable.length === 0) return []
    return [
      ...this.headers(origin, true),
      ['access-control-allow-methods', usable.join(', ')],
      [
        'access-control-allow-headers',
        known
          ? 'Accept, API-Version, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Range, Signed-In-As'
          : 'Accept, API-Version, If-None-Match, Range',
      ],
      ['access-control-max-age', preflightSeconds],
    ]
  }
}
