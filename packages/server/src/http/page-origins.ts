import type { CrossOrigin } from './cross-origin.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** The origin of the page behind a request, as browsers report it. */
export class PageOrigins {
  readonly #publicOrigin: string | undefined
  readonly #allowed: CrossOrigin
  readonly #proxies: TrustedProxies

  constructor(options: {
    readonly publicUrl: string | undefined
    readonly allowed: CrossOrigin
    readonly proxies: TrustedProxies
  }) {
    this.#publicOrigin = options.publicUrl === undefined ? undefined : new URL(options.publicUrl).origin
    this.#allowed = options.allowed
    this.#proxies = options.proxies
  }

  /** Whether a request comes from this origin or directly from the user, not from another site's page. */
  isFromHere(request: Request): boolean {
    const origin = request.headers.get('origin')
    if (origin !== null) return this.isOwn(origin, request)
    const site = request.headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin' || site === 'none'
    const referrer = referrerOf(request)
    return referrer !== undefined && this.isOwn(referrer.origin, request)
  }

  /**
   * Whether a request certainly comes from another site's page outside the allowed origins. Typed or bookmarked
   * addresses do not count, nor do requests without these headers.
   */
  isFromElsewhere(request: Request): boolean {
    const { headers } = request
    const referrer = referrerOf(request)
    const from = headers.get('origin') ?? referrer?.origin
    if (from !== undefined && (this.#allowed.allows(from) || this.isOwn(from, request))) return false
    const site = headers.get('sec-fetch-site')
    if (site !== null) return site !== 'same-origin' && site !== 'none'
    // Behind a proxy that terminates TLS the scheme may differ.
    return (
      from !== undefined && URL.parse(from)?.host !== URL.parse(this.#proxies.originOf(request) ?? '')?.host
    )
  }

  isOwn(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin
    if (origin === this.#proxies.originOf(request)) return true
    // Behind an untrusted proxy that terminates TLS only the browser knows the scheme; no page can set this header.
    return request.headers.get('sec-fetch-site') === 'same-origin'
  }
}

const referrerOf = ({ headers }: Request): URL | undefined =>
  URL.parse(headers.get('referer') ?? '') ?? undefined
