import type { HeaderPair } from './headers.ts'
import { TrustedProxies, type TrustProxy } from './trusted-proxies.ts'

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

/** The origins of an app, from its options. */
export interface OriginOptions {
  readonly publicUrl?: string | undefined
  readonly allowedOrigins?: readonly string[] | undefined
  readonly trustProxy?: TrustProxy | undefined
}

/**
 * The origins of an app and of the pages that use it, as browsers report them. Every origin may use public reads; only
 * the app's own and the allowed ones may use everything else, with credentials. h3's `handleCors` has one rule for all.
 */
export class Origins {
  readonly proxies: TrustedProxies
  /** Headers of the responses to each allowed origin. */
  readonly #allowed: ReadonlyMap<string, readonly HeaderPair[]>
  readonly #publicOrigin: string | undefined

  constructor({ publicUrl, allowedOrigins = [], trustProxy = false }: OriginOptions) {
    this.proxies = new TrustedProxies(trustProxy)
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
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

  /** Whether browsers reach the app over https. */
  isSecure(request: Request): boolean {
    return (this.#publicOrigin ?? this.proxies.originOf(request))?.startsWith('https:') === true
  }

  /** Whether pages of this origin may write with their visitor's cookie. */
  isPermitted(origin: string, request: Request): boolean {
    return this.#allowed.has(origin) || this.#isOwn(origin, request)
  }

  /** Whether a request comes from this origin or directly from the user, not from another site's page. */
  isFromHere(request: Request): boolean {
    const origin = request.headers.get('origin')
    if (origin !== null) return this.#isOwn(origin, request)
    const site = request.headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin' || site === 'none'
    const referrer = referrerOf(request)
    return referrer !== undefined && this.#isOwn(referrer.origin, request)
  }

  /**
   * Whether a request certainly comes from another site's page outside the allowed origins. Typed or bookmarked
   * addresses do not count, nor do requests without these headers.
   */
  isFromElsewhere(request: Request): boolean {
    const { headers } = request
    const referrer = referrerOf(request)
    const from = headers.get('origin') ?? referrer?.origin
    if (from !== undefined && this.isPermitted(from, request)) return false
    const site = headers.get('sec-fetch-site')
    if (site !== null) return site !== 'same-origin' && site !== 'none'
    // Behind a proxy that terminates TLS the scheme may differ.
    return (
      from !== undefined && URL.parse(from)?.host !== URL.parse(this.proxies.originOf(request) ?? '')?.host
    )
  }

  #isOwn(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin
    if (origin === this.proxies.originOf(request)) return true
    // Behind an untrusted proxy that terminates TLS only the browser knows the scheme; no page can set this header.
    return request.headers.get('sec-fetch-site') === 'same-origin'
  }
}

const referrerOf = ({ headers }: Request): URL | undefined =>
  URL.parse(headers.get('referer') ?? '') ?? undefined
