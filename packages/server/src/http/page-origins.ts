import type { CrossOrigin } from './cross-origin.ts'
import type { TrustedProxies } from './trusted-proxies.ts'

/** From whose pages requests come, as far as browsers say it. */
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

  /** Whether a request comes from a page of this origin, or was made by its user: not from the page of another site. */
  isFromHere(request: Request): boolean {
    const origin = request.headers.get('origin')
    if (origin !== null) return this.isOwn(origin, request)
    const site = request.headers.get('sec-fetch-site')
    if (site !== null) return site === 'same-origin' || site === 'none'
    const referrer = referrerOf(request)
    return referrer !== undefined && this.isOwn(referrer.origin, request)
  }

  /**
   * Whether a request is known to come from the page of another site, which is not among the allowed origins. Addresses that
   * are typed, bookmarked or opened by another program do not, nor do requests of programs and of browsers that say nothing.
   */
  isFromElsewhere(request: Request): boolean {
    const { headers } = request
    const referrer = referrerOf(request)
    const from = headers.get('origin') ?? referrer?.origin
    if (from !== undefined && (this.#allowed.allows(from) || this.isOwn(from, request))) return false
    const site = headers.get('sec-fetch-site')
    if (site !== null) return site !== 'same-origin' && site !== 'none'
    // Behind a proxy that ends TLS the scheme may be another one.
    return (
      from !== undefined && URL.parse(from)?.host !== URL.parse(this.#proxies.originOf(request) ?? '')?.host
    )
  }

  isOwn(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin
    if (origin === this.#proxies.originOf(request)) return true
    // Behind a proxy that ends TLS and is not trusted only the browser knows the scheme; no page can set this header.
    return request.headers.get('sec-fetch-site') === 'same-origin'
  }
}

const referrerOf = ({ headers }: Request): URL | undefined =>
  URL.parse(headers.get('referer') ?? '') ?? undefined
