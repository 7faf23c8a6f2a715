import { randomBytes } from 'node:crypto'
import { anonymous, type Actor, type Registry, user } from '@openfountain/core'
import { type CurrentSession, actorOf, userIdOf } from '@openfountain/core/internal'
import { limits } from '@openfountain/core/rules'
import type { FileOptions } from './http/file.ts'
import { type AccessEntry, refusalEventOf, type RefusedRequest } from './http/access-log.ts'
import type { HeaderPair } from './http/headers.ts'
import { cookieOf } from './http/cookies.ts'
import type { AppOptions, ResolveActor } from './options.ts'
import { Problem, malformed, type ProblemResponse } from './problem.ts'
import { addressPrefix, TrustedProxies } from './http/trusted-proxies.ts'

const process = randomBytes(6).toString('base64url')
let exchanges = 0

/** The parts of an app that its exchanges use. */
interface Service {
  readonly registry: Registry
  readonly basePath: string
  readonly origins: Pick<Origins, 'proxies' | 'originOf'>
  readonly responses: {
    opening(exchange: Exchange): string
    note(exchange: Exchange, error: unknown): void
    fileOptions(exchange: Exchange): FileOptions
  }
}

const noBytes = new Uint8Array()

/** A request and its response, filled in as they are handled; endpoints see it as a `Call`. */
export class Exchange {
  readonly #app: Service
  readonly request: Request
  /** Whether the response has the members of the v6 envelope (specification, section 9). */
  readonly enveloped: boolean
  /** Origin of the requesting page; null also when no page may read the response. */
  origin: string | null
  readonly startedAt: number
  route: string | undefined
  client: string | undefined
  actor: Actor = anonymous
  user: string | undefined
  /** The actor's session in the registry, if the endpoint reads credentials and there is one. */
  session: CurrentSession | undefined
  /** The kind of credential presented, where one is needed. */
  credential: 'session' | 'token' | undefined
  isSigningIn = false
  open = false
  path: unknown
  query: unknown
  /** The parsed body, which the registry checks; of a form its fields. */
  body: unknown
  /** The file of an uploaded form. */
  upload: Uint8Array = noBytes
  /** The media type of the response: application/json, or one of `success.media`. */
  media = 'application/json'
  /** What an entity tag depends on beside the data: another media type than JSON, the day. */
  tagSuffix = ''
  /** Headers of every outcome, such as Strict-Transport-Security and those of the rate limit. */
  headers: readonly HeaderPair[]
  #id: string | undefined

  constructor(app: Service, request: Request, headers: readonly HeaderPair[], startedAt: number) {
    this.#app = app
    this.request = request
    this.headers = headers
    this.startedAt = startedAt
    this.origin = request.headers.get('origin')
    this.enveloped = request.headers.get('api-version')?.trim() === '6'
  }

  /** The id of this request in the server's log. */
  get id(): string {
    if (this.#id === undefined) {
      exchanges += 1
      this.#id = `${process}-${exchanges.toString(36)}`
    }
    return this.#id
  }

  get isHead(): boolean {
    return this.request.method === 'HEAD'
  }

  get registry(): Registry {
    return this.#app.registry
  }

  /** The path below which the app is mounted, empty for none; it precedes `/api` in links. */
  get basePath(): string {
    return this.#app.basePath
  }

  /** The start of a streamed JSON response: an open object with the members of the envelope. */
  get opening(): string {
    return this.#app.responses.opening(this)
  }

  /** The client's network, if it is known: /24 of IPv4, /64 of IPv6, or its /56, which is a household's. */
  network(bits?: 56 | 64): string | undefined {
    const client = this.client ?? this.#app.origins.proxies.clientOf(this.request)
    return client === undefined ? undefined : addressPrefix(client, bits)
  }

  /** The address of a path of this server, as browsers reach it. */
  absolute(path: string): string {
    return `${this.#app.origins.originOf(this.request) ?? ''}${path}`
  }

  /** Whether the request comes directly from this machine, through no proxy. */
  isFromThisMachine(): boolean {
    return this.#app.origins.proxies.isFromThisMachine(this.request)
  }

  /** Records the sender for the logs, when the endpoint itself authenticates. */
  identified(userId: string): void {
    this.user = userId
  }

  /** Logs an error as if it ended the request, which goes on. */
  report(error: unknown): void {
    this.#app.responses.note(this, error)
  }

  files(): FileOptions {
    return this.#app.responses.fileOptions(this)
  }

  accessEntry(status: number, bytes: number): AccessEntry {
    const { id: requestId, request, route, client, user } = this
    return {
      time: new Date().toISOString(),
      requestId,
      method: request.method,
      route,
      ...(status === 404 ? { path: pathOf(request.url) } : {}),
      status,
      bytes,
      milliseconds: Math.round((performance.now() - this.startedAt) * 100) / 100,
      client,
      user,
    }
  }

  /** The security log entry of an error, or undefined if it does not concern security. */
  refused(thrown: unknown, { status, code }: ProblemResponse): RefusedRequest | undefined {
    const event = refusalEventOf(thrown, this.isSigningIn)
    if (event === undefined) return undefined
    const { id: requestId, request, route, credential, user, client } = this
    return {
      time: new Date().toISOString(),
      event,
      requestId,
      method: request.method,
      route,
      status,
      code,
      credential,
      user,
      ...(client === undefined ? {} : { network: addressPrefix(client) }),
    }
  }
}

/** Characters of a path in the access log; the rest is cut. */
const loggedPath = 500

/** The path of an absolute URL without the query. */
function pathOf(url: string): string {
  const query = url.indexOf('?')
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3), query < 0 ? undefined : query)
  return path.length > loggedPath ? `${path.slice(0, loggedPath)}…` : path
}

const bearer = /^bearer(?:\s+(.*))?$/i

export function bearerOf({ headers }: Request): string | undefined {
  const presented = bearer.exec(headers.get('authorization') ?? '')
  return presented === null ? undefined : (presented[1]?.trim() ?? '')
}

const sessionCookie = 'session'

export const sessionSecretOf = (request: Request): string | undefined => cookieOf(request, sessionCookie)

function credentialOf(request: Request): 'session' | 'token' | undefined {
  if (bearerOf(request)) return 'token'
  return sessionSecretOf(request) === undefined ? undefined : 'session'
}

const refused = (message?: string): Problem => new Problem('UNAUTHORIZED', { message })

/** The header with the user a page expects to be signed in: an id, percent-encoded, since headers are ASCII. */
export const signedInAs = 'Signed-In-As'

/** @throws Problem UNAUTHORIZED when the user is not the one that `Signed-In-As` names */
function mustBeExpectedUser({ headers }: Request, userId: string | undefined): void {
  const expected = headers.get(signedInAs)?.trim()
  if (expected !== undefined && (userId === undefined || expected !== encodeURIComponent(userId)))
    throw refused(
      `Somebody else is signed in than ${signedInAs} names: sign in as that person, and send it again`,
    )
}

/** @throws Problem REAUTHENTICATION_REQUIRED for a session that began more than ten minutes ago */
export function mustBeRecent(session: CurrentSession | undefined): void {
  // Without a session of the registry, the host application has authenticated the caller.
  if (session?.isRecent === false) throw new Problem('REAUTHENTICATION_REQUIRED')
}

/**
 * Who may call an endpoint. `anyone` ignores credentials; `visitor` takes an optional session, no token; `contributor`
 * is a session, a personal token or an API token; `user` is a session or a personal token; `owner` is a session alone;
 * `steward` is an API token or a moderator's session; `moderator` is a moderator's session, `token` an API token alone;
 * `observer` is as `contributor`, `reporter` as `user`, or, where observing or reporting is open to passers-by, a page
 * of a permitted origin; `reader` is anybody, with a credential or none. The registry decides which session may do what with which record.
 */
export type Who =
  | 'anyone'
  | 'visitor'
  | 'observer'
  | 'reporter'
  | 'reader'
  | 'contributor'
  | 'user'
  | 'owner'
  | 'steward'
  | 'moderator'
  | 'token'

/** Authenticates callers, and refuses those that the endpoint's declaration does not allow. */
export class Callers {
  readonly #registry: Registry
  readonly #resolve: ResolveActor | undefined
  readonly #origins: Origins
  /** Endpoints for anonymous callers, by who else may call them. */
  readonly #open: ReadonlySet<Who>

  constructor(
    registry: Registry,
    { resolveActor, passersBy = false, openObservations = false }: AppOptions,
    origins: Origins,
  ) {
    this.#registry = registry
    this.#resolve = resolveActor
    this.#origins = origins
    this.#open = new Set(openObservations ? ['observer', 'reporter'] : passersBy ? ['observer'] : [])
  }

  /**
   * Authenticates the sender of a request, and records it in the exchange for the logs.
   *
   * @returns anonymous for a visitor who is not signed in
   * @throws Problem UNAUTHORIZED for missing or invalid credentials, for another user than `Signed-In-As` names, and
   * for a token where a session is needed or the reverse; FORBIDDEN for a write with the visitor's cookie from another
   * site's page; REAUTHENTICATION_REQUIRED
   */
  async identify(
    exchange: Exchange,
    { who, isRecent }: { readonly who: Who; readonly isRecent?: boolean },
  ): Promise<Actor> {
    const { request } = exchange
    if (who === 'visitor') return this.#visitor(exchange)
    const own = (): Promise<Actor | undefined> => this.#builtIn(exchange)
    const resolved = await (this.#resolve === undefined ? own() : this.#resolve(request, own))
    const actor = resolved === undefined ? anonymous : actorOf(resolved)
    // A page goes on to show what is public when its session has ended.
    if (actor.kind === 'anonymous' && who === 'reader' && bearerOf(request) === undefined) return actor
    if (actor.kind === 'anonymous') {
      if (this.#open.has(who) && bearerOf(request) === undefined) {
        mustBeExpectedUser(request, undefined)
        this.#mustBePermitted(request)
        return anonymous
      }
      exchange.credential = credentialOf(request)
      throw exchange.credential === undefined
        ? refused()
        : new Problem('UNAUTHORIZED', { event: 'authentication.failed' })
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

  /** Signed in already or not. Another site's page must not sign its visitor in, to somebody else's account. */
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

const isForPeople = (who: Who): boolean =>
  who === 'user' || who === 'owner' || who === 'reporter' || who === 'moderator'

const isWrite = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD'

/** A text in quotes, as Structured Fields write it (RFC 9651, section 4.2.5); the header's draft standard wants one. */
const quotedText = /^"((?:[^"\\]|\\["\\])*)"$/
const printable = /^[\x20-\x7e]+$/

/** The Idempotency-Key, with or without quotes; undefined without the header. @throws Problem INVALID_INPUT */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  const given = headers.get(idempotencyKey)?.trim()
  if (given === undefined) return undefined
  const key = quotedText.exec(given)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? given
  if (key.length > limits.idempotencyKey || !printable.test(key))
    throw malformed(
      idempotencyKey,
      `must have 1 to ${limits.idempotencyKey} characters of printable ASCII: send a new UUID for each act`,
    )
  return key
}

export const idempotencyKey = 'Idempotency-Key'
export const replayed = [['idempotency-replayed', 'true']] as const

/** Headers of a response that pages of other origins may read, besides the safelisted ones. */
const exposed =
  'Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id'

const anyOrigin: readonly HeaderPair[] = [['access-control-allow-origin', '*']]
const anyOriginReading: readonly HeaderPair[] = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', exposed],
]
const nothing: readonly HeaderPair[] = []
const preflightSeconds = '7200'

/**
 * The origins of an app and of the pages that use it, as browsers report them. Every origin may use public reads; only
 * the app's own and the allowed ones may use everything else, with credentials. h3's `handleCors` has one rule for all.
 */
export class Origins {
  readonly proxies: TrustedProxies
  readonly #allowed: ReadonlyMap<string, readonly HeaderPair[]>
  readonly #publicOrigin: string | undefined

  constructor({
    publicUrl,
    allowedOrigins = [],
    trustProxy = false,
  }: Pick<AppOptions, 'publicUrl' | 'allowedOrigins' | 'trustProxy'>) {
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

  get varies(): boolean {
    return this.#allowed.size > 0
  }

  headers(origin: string | null, open: boolean): readonly HeaderPair[] {
    if (origin === null) return open ? anyOrigin : nothing
    return this.#allowed.get(origin) ?? (open ? anyOriginReading : nothing)
  }

  /** Headers of the response to OPTIONS; `openMethods` are for every origin. */
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
    return this.originOf(request)?.startsWith('https:') === true
  }

  /** The origin at which browsers reach the app; undefined for a request with an invalid host. */
  originOf(request: Request): string | undefined {
    return this.#publicOrigin ?? this.proxies.originOf(request)
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

  /** Whether a request certainly comes from another site's page; typed or bookmarked addresses do not count. */
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
