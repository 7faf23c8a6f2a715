import { anonymous, type Actor, type Registry, user } from '@openfountain/core'
import type { CurrentSession } from '@openfountain/core/internal'
import { actorOf, userIdOf } from '@openfountain/core/internal'
import type { Endpoint } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { cookieOf } from './http/cookies.ts'
import type { Origins } from './http/origins.ts'
import { isExpectedUser, signedInAs } from './http/signed-in-as.ts'
import type { AppOptions, ResolveActor } from './options.ts'
import { Problem } from './problem.ts'

const bearer = /^bearer(?:\s+(.*))?$/i

/** The bearer token, empty when `Bearer` stands alone; undefined without the header. */
export function bearerOf({ headers }: Request): string | undefined {
  const presented = bearer.exec(headers.get('authorization') ?? '')
  return presented === null ? undefined : (presented[1]?.trim() ?? '')
}

const sessionCookie = 'session'

/** The session secret in the request's cookie. */
export const sessionSecretOf = (request: Request): string | undefined => cookieOf(request, sessionCookie)

/** The kind of credential in a request, valid or not. */
function credentialOf(request: Request): 'session' | 'token' | undefined {
  if (bearerOf(request)) return 'token'
  return sessionSecretOf(request) === undefined ? undefined : 'session'
}

function refused(message?: string): Problem {
  return new Problem('UNAUTHORIZED', message === undefined ? {} : { message })
}

function notAuthenticated(): Problem {
  return new Problem('UNAUTHORIZED', { event: 'authentication.failed' })
}

/** @throws Problem UNAUTHORIZED when the user is not the one that `Signed-In-As` names */
function mustBeExpectedUser(request: Request, userId: string | undefined): void {
  if (!isExpectedUser(request, userId))
    throw refused(
      `Somebody else is signed in than ${signedInAs} names: sign in as that person, and send it again`,
    )
}

/** @throws Problem REAUTHENTICATION_REQUIRED for a session that began more than ten minutes ago */
export function mustBeRecent(session: CurrentSession | undefined): void {
  // Without a session of the registry, the host application has authenticated the caller.
  if (session?.isRecent === false) throw new Problem('REAUTHENTICATION_REQUIRED')
}

/** Authenticates callers, and refuses those that the endpoint's declaration does not allow. */
export class Callers {
  readonly #registry: Registry
  readonly #resolve: ResolveActor | undefined
  readonly #origins: Origins
  readonly #isOpen: boolean

  constructor(registry: Registry, { resolveActor, openObservations = false }: AppOptions, origins: Origins) {
    this.#registry = registry
    this.#resolve = resolveActor
    this.#origins = origins
    this.#isOpen = openObservations
  }

  /**
   * Authenticates the sender of a request, and records it in the exchange for the logs.
   *
   * @returns anonymous for a visitor who is not signed in
   * @throws Problem UNAUTHORIZED for missing or invalid credentials, for another user than `Signed-In-As` names, and
   * for a token where a session is needed or the reverse; FORBIDDEN for a write with the visitor's cookie from another
   * site's page; REAUTHENTICATION_REQUIRED
   */
  async identify(exchange: Exchange, { who, isRecent }: Pick<Endpoint, 'who' | 'isRecent'>): Promise<Actor> {
    const { request } = exchange
    if (who === 'visitor') return this.#visitor(exchange)
    const own = (): Promise<Actor | undefined> => this.#builtIn(exchange)
    const resolved = await (this.#resolve === undefined ? own() : this.#resolve(request, own))
    const actor = resolved === undefined ? anonymous : actorOf(resolved)
    if (actor.kind === 'anonymous') {
      if (isForAnonymous(who) && this.#isOpen && bearerOf(request) === undefined) {
        mustBeExpectedUser(request, undefined)
        this.#mustBePermitted(request)
        return anonymous
      }
      exchange.credential = credentialOf(request)
      throw exchange.credential === undefined ? refused() : notAuthenticated()
    }
    exchange.user = userIdOf(actor)
    mustBeExpectedUser(request, exchange.user)
    if (actor.kind === 'token' && isForPeople(who)) throw refused('This needs a session, not an API token')
    if (who === 'token' && actor.kind === 'user') throw refused('This needs an API token, not a session')
    // Tokens need no origin check: only cookies are sent by pages of other sites.
    if (actor.kind === 'user' && actor.through === 'token') {
      if (who === 'owner') throw refused('This needs a session, not a personal token')
      return actor
    }
    if (actor.kind === 'user' && isWrite(request)) this.#checkOrigin(request)
    if (isRecent === true) mustBeRecent(exchange.session)
    return actor
  }

  /**
   * The caller of a sign-in endpoint, signed in already or not. Another site's page must not sign its visitor in, who
   * would then act in somebody else's account.
   */
  async #visitor(exchange: Exchange): Promise<Actor> {
    const { request } = exchange
    if (bearerOf(request) !== undefined) {
      exchange.credential = 'token'
      throw refused('Tokens cannot sign in: send this without the header Authorization')
    }
    if (isWrite(request)) this.#checkOrigin(request)
    const actor = (await this.#builtIn(exchange)) ?? anonymous
    exchange.user = userIdOf(actor)
    return actor
  }

  /** The actor by the registry's own credentials: the bearer token if present, else the session cookie. */
  async #builtIn(exchange: Exchange): Promise<Actor | undefined> {
    const { request } = exchange
    const token = bearerOf(request)
    if (token !== undefined) {
      if (token === '') return undefined
      const { tokens, personalTokens } = this.#registry
      return token.startsWith('ofp_') ? personalTokens.resolve(token) : tokens.resolve(token)
    }
    const secret = sessionSecretOf(request)
    if (secret === undefined) return undefined
    exchange.session = await this.#registry.sessions.find(secret)
    return exchange.session && user(exchange.session.userId)
  }

  /** Anonymous writes must come from a page of this origin or a configured one, by the browser's headers. */
  #mustBePermitted(request: Request): void {
    const origin = request.headers.get('origin')
    if (origin === null || !this.#origins.isPermitted(origin, request)) throw refused()
  }

  /** Browsers attach cookies by themselves, so a write with one must come from this origin or a configured one. */
  #checkOrigin(request: Request): void {
    const origin = request.headers.get('origin')
    if (origin === null) {
      const site = request.headers.get('sec-fetch-site')
      if (site === null || site === 'same-origin' || site === 'none') return
    } else if (this.#origins.isPermitted(origin, request)) {
      return
    }
    throw new Problem('FORBIDDEN', {
      event: 'origin.refused',
      message:
        'This origin is not allowed to write with the session of its visitor: it is neither the public address of the server nor one of its allowed origins',
    })
  }
}

/** Whether anonymous callers are allowed when observations are open to all. */
const isForAnonymous = (who: Endpoint['who']): boolean => who === 'observer' || who === 'reporter'

/** Whether API tokens are refused. */
const isForPeople = (who: Endpoint['who']): boolean =>
  who === 'user' || who === 'owner' || who === 'reporter' || who === 'moderator'

const isWrite = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'
