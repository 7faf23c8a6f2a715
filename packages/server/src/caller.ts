import type { Actor, Registry } from '@openfountain/core'
import { userIdOf } from '@openfountain/core/internal'
import type { Who } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import type { CrossOrigin } from './http/cross-origin.ts'
import type { TrustedProxies } from './http/trusted-proxies.ts'
import type { AppOptions, ResolveActor } from './options.ts'
import { Problem } from './problem.ts'

const sessionCookie = /(?:^|;)\s*session=([^;]*)/
const bearer = /^bearer(?:\s+(.*))?$/i

/** The actor of the registry's own credentials: of the bearer token when there is one, else of the session cookie. */
async function builtIn(registry: Registry, request: Request): Promise<Actor | undefined> {
  const presented = bearer.exec(request.headers.get('authorization') ?? '')
  if (presented !== null) {
    const secret = presented[1]?.trim() ?? ''
    if (secret === '') return undefined
    return registry.tokens.resolve(secret)
  }
  const secret =
    sessionCookie
      .exec(request.headers.get('cookie') ?? '')?.[1]
      ?.trim()
      .replaceAll('"', '') ?? ''
  if (secret === '') return undefined
  return registry.sessions.resolve(secret)
}

/** Which kind of credential a request presents, valid or not. */
function credentialOf({ headers }: Request): 'session' | 'token' | undefined {
  if (bearer.exec(headers.get('authorization') ?? '')?.[1]?.trim()) return 'token'
  return sessionCookie.exec(headers.get('cookie') ?? '')?.[1]?.trim() ? 'session' : undefined
}

const challenge = [['www-authenticate', 'Bearer']] as const

function refused(message?: string): Problem {
  return new Problem('UNAUTHORIZED', { ...(message === undefined ? {} : { message }), headers: challenge })
}

function notAuthenticated(): Problem {
  return new Problem('UNAUTHORIZED', { headers: challenge, event: 'authentication.failed' })
}

/** Identifies callers, and refuses those that the endpoint's declaration does not allow. */
export class Callers {
  readonly #registry: Registry
  readonly #resolve: ResolveActor | undefined
  readonly #origins: CrossOrigin
  readonly #proxies: TrustedProxies
  readonly #publicOrigin: string | undefined

  constructor(
    registry: Registry,
    { resolveActor, publicUrl }: AppOptions,
    origins: CrossOrigin,
    proxies: TrustedProxies,
  ) {
    this.#registry = registry
    this.#resolve = resolveActor
    this.#origins = origins
    this.#proxies = proxies
    this.#publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  }

  /**
   * Identifies who sends a request, and notes that in the exchange for the logs.
   *
   * @throws Problem UNAUTHORIZED for missing or invalid credentials, and for a token where a session is needed or
   * the other way round; FORBIDDEN for a write that another site's page sends with the visitor's cookie
   */
  async identify(exchange: Exchange, who: Exclude<Who, 'anyone'>): Promise<Actor> {
    const { request } = exchange
    const own = (): Promise<Actor | undefined> => builtIn(this.#registry, request)
    const actor = await (this.#resolve === undefined ? own() : this.#resolve(request, own))
    if (actor === undefined || actor.kind === 'anonymous') {
      exchange.credential = credentialOf(request)
      throw exchange.credential === undefined ? refused() : notAuthenticated()
    }
    exchange.user = userIdOf(actor)
    if (who === 'user' && actor.kind === 'token') throw refused('This needs a session, not an API token')
    if (who === 'token' && actor.kind === 'user') throw refused('This needs an API token, not a session')
    if (actor.kind === 'user' && request.method !== 'GET' && request.method !== 'HEAD')
      this.#checkOrigin(request)
    return actor
  }

  #isOwn(origin: string, request: Request): boolean {
    if (this.#publicOrigin !== undefined) return origin === this.#publicOrigin
    if (origin === this.#proxies.originOf(request)) return true
    // Behind a proxy that ends TLS and is not trusted only the browser knows the scheme; no page can set this header.
    return request.headers.get('sec-fetch-site') === 'same-origin'
  }

  /** Browsers send cookies on their own, so that a write with one must come from this origin or a configured one. */
  #checkOrigin(request: Request): void {
    const origin = request.headers.get('origin')
    if (origin === null) {
      const site = request.headers.get('sec-fetch-site')
      if (site === null || site === 'same-origin' || site === 'none') return
    } else if (this.#origins.allows(origin) || this.#isOwn(origin, request)) {
      return
    }
    throw new Problem('FORBIDDEN', {
      event: 'origin.refused',
      message:
        'This origin is not allowed to write with the session of its visitor: it is neither the public address of the server nor one of its allowed origins',
    })
  }
}
