import { anonymous, type KeptRequest, type Registry } from '@openfountain/core'
import { reportedWith, withoutUnknown } from '@openfountain/core/internal'
import { H3, type H3Event, type HTTPError } from 'h3'
import { Responses } from './responses.ts'
import { bearerOf, Callers } from './caller.ts'
import type { Call, Endpoint, Result } from './endpoint.ts'
import { Exchange } from './exchange.ts'
import { endpointsOf } from './endpoints/all.ts'
import { CrossOrigin } from './http/cross-origin.ts'
import type { Versioned } from './http/entity-tag.ts'
import type { FileOptions } from './http/file.ts'
import { type HeaderPair, transportHeaders } from './http/headers.ts'
import { HeavyWork } from './http/heavy-work.ts'
import { idempotencyKeyOf, replayed } from './http/idempotency-key.ts'
import { readJson } from './http/json-body.ts'
import { chosenMedia, languageOf } from './http/negotiation.ts'
import { RateLimit } from './http/rate-limit.ts'
import { addressPrefix } from './http/security-log.ts'
import { TrustedProxies } from './http/trusted-proxies.ts'
import { limits } from './limits.ts'
import { Metrics } from './metrics.ts'
import { type AppOptions, checkOptions } from './options.ts'
import { readPath, readQuery } from './parameters.ts'
import { notFound, malformedRequest, Problem } from './problem.ts'
import { Site, siteOf } from './site.ts'
import { version } from './version.ts'

/** The API: `app.fetch(request)` for hosts of web-standard requests, `nodeListener(app)` for node:http. */
export interface App {
  /** Responds to a request. It refuses by a response, and does not reject. */
  readonly fetch: (request: Request) => Response | Promise<Response>
}

const json = 'application/json'

/** A call under construction. */
type MutableCall = { -readonly [Member in keyof Call<unknown, unknown>]: Call<unknown, unknown>[Member] }

/** The endpoints of one path, by method. */
type Methods = ReadonlyMap<string, Endpoint>

/** State shared by all requests of an app. */
class Service {
  readonly #registry: Registry
  readonly #crossOrigin: CrossOrigin
  readonly #callers: Callers
  readonly #proxies: TrustedProxies
  readonly #responses: Responses
  readonly #limit: RateLimit | undefined
  readonly #site: Site | undefined
  readonly #basePath: string
  readonly #compress: boolean
  readonly #stallMilliseconds: number
  readonly #bodyMilliseconds: number
  /** Headers of every response. */
  readonly #always: readonly HeaderPair[]
  /** Whether a log or the metrics need the time that a request takes. */
  readonly #isTimed: boolean
  /** Whether the rate limit or a log needs the address of the client. */
  readonly #needsClient: boolean

  constructor(registry: Registry, options: AppOptions, metrics: Metrics | undefined) {
    const { allowedOrigins = [], trustProxy = false, rateLimit, basePath = '' } = options
    const site = siteOf(options)
    const { stallMilliseconds = limits.stallMilliseconds } = options
    const { slowestBytesPerSecond = limits.slowestBytesPerSecond } = options
    this.#registry = registry
    this.#compress = options.compress ?? true
    this.#always = transportHeaders(options.publicUrl, options.strictTransport)
    this.#stallMilliseconds = stallMilliseconds
    this.#bodyMilliseconds = options.bodyMilliseconds ?? limits.bodyMilliseconds
    this.#crossOrigin = new CrossOrigin(allowedOrigins)
    this.#proxies = new TrustedProxies(trustProxy)
    this.#callers = new Callers(registry, options, this.#crossOrigin, this.#proxies)
    this.#limit = rateLimit === undefined ? undefined : new RateLimit(rateLimit)
    this.#site = site === undefined ? undefined : new Site(site)
    this.#basePath = basePath
    this.#isTimed = options.accessLog !== undefined || metrics !== undefined
    this.#needsClient = [this.#limit, options.accessLog, options.securityLog].some((one) => one !== undefined)
    const heavyWork = new HeavyWork(options.heavyWork)
    metrics?.watch('lists', heavyWork)
    this.#responses = new Responses({
      license: registry.license,
      seed: [version, registry.license, registry.author, registry.name].join('\n'),
      crossOrigin: this.#crossOrigin,
      compress: this.#compress,
      heavyWork,
      proxies: this.#proxies,
      stallMilliseconds,
      slowestBytesPerSecond,
      accessLog: options.accessLog,
      metrics,
      securityLog: options.securityLog,
      onFailure: options.onFailure,
    })
  }

  /** Responds to a request to a declared path. */
  respond(event: H3Event, route: string, methods: Methods): Response | Promise<Response> {
    const exchange = this.#begin(event)
    exchange.route = route
    const { method } = event.req
    const endpoint = methods.get(method === 'HEAD' ? 'GET' : method)
    const reading = methods.get('GET')
    if (reading?.isForPages === false) exchange.origin = null
    else exchange.open = endpoint === reading && reading?.who === 'anyone'
    exchange.isSigningIn = endpoint?.isSignIn === true
    try {
      if (endpoint?.limited !== false) this.#throttle(exchange)
      if (method === 'OPTIONS') return this.#preflight(exchange, methods)
      if (endpoint === undefined) {
        throw new Problem('METHOD_NOT_ALLOWED', { headers: [['allow', allowed(methods)]] })
      }
      return this.#answer(exchange, endpoint, event).catch((error: unknown) =>
        this.#responses.problem(exchange, error),
      )
    } catch (error) {
      return this.#responses.problem(exchange, error)
    }
  }

  /** Responds to a request to any other path: with a page of the site, or with 404. */
  async respondElsewhere(event: H3Event): Promise<Response> {
    const exchange = this.#begin(event)
    const { pathname } = event.url
    try {
      if (this.#site === undefined || this.#isOfApi(pathname)) {
        exchange.open = true
        this.#throttle(exchange)
        throw notFound('Path', `GET ${this.#basePath}/api/openapi lists all paths`)
      }
      exchange.route = 'site'
      const { method } = event.req
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem('METHOD_NOT_ALLOWED', { headers: [['allow', 'GET, HEAD']] })
      }
      const page = await this.#site.respond(event.req, pathname, this.fileOptions(exchange))
      if (page === undefined) throw notFound('Page')
      return this.#responses.withHeadersOf(exchange, page)
    } catch (error) {
      return this.#responses.problem(exchange, error)
    }
  }

  /** Responds to unexpected errors, and to h3's refusal of a path that is not percent-encoded UTF-8. */
  respondToError(error: HTTPError, event: H3Event): Response | Promise<Response> {
    const exchange = this.#begin(event)
    const refusal = error.status === 400 && error.unhandled !== true
    if (!refusal) return this.#responses.problem(exchange, error.cause ?? error)
    try {
      if (this.#isOfApi(event.url.pathname)) {
        exchange.open = true
        this.#throttle(exchange)
      }
      throw malformedRequest('The path is not percent-encoded UTF-8')
    } catch (problem) {
      return this.#responses.problem(exchange, problem)
    }
  }

  /** Whether an undeclared path is below the API, and so counts for the rate limit. */
  #isOfApi(pathname: string): boolean {
    return `${pathname}/`.startsWith(`${this.#basePath}/api/`) || this.#site === undefined
  }

  fileOptions(exchange: Exchange): FileOptions {
    return {
      compress: this.#compress,
      stallMilliseconds: this.#stallMilliseconds,
      onError: (error) => this.#responses.report(exchange, error),
      onEnd: (status, bytes) => this.#responses.log(exchange, status, bytes),
    }
  }

  #begin(event: H3Event): Exchange {
    const exchange = new Exchange(event.req, this.#isTimed ? performance.now() : 0)
    exchange.headers = this.#always
    if (this.#needsClient) exchange.client = this.#proxies.clientOf(event.req)
    return exchange
  }

  #throttle(exchange: Exchange): void {
    if (this.#limit === undefined) return
    exchange.headers = [...this.#always, ...this.#limit.take(exchange.client ?? 'unknown')]
  }

  #preflight(exchange: Exchange, methods: Methods): Response {
    const open = methods.get('GET')?.who === 'anyone' ? ['GET', 'HEAD'] : []
    const all = allowed(methods)
    const cross = this.#crossOrigin.preflight(exchange.origin, all.split(', '), open)
    return this.#responses.empty(exchange, 204, [['allow', all], ...cross])
  }

  #answer(exchange: Exchange, endpoint: Endpoint, event: H3Event): Promise<Response> {
    if (endpoint.freshness === 'result') return this.#runVersioned(exchange, endpoint, event)
    if (endpoint.freshness === 'revision') return this.#runCacheable(exchange, endpoint, event)
    return this.#run(exchange, endpoint, event)
  }

  async #run(exchange: Exchange, endpoint: Endpoint, event: H3Event): Promise<Response> {
    const call = this.#call(exchange, endpoint, event)
    if (endpoint.who !== 'anyone') {
      call.actor = await this.#callers.identify(exchange, endpoint)
      call.session = exchange.session
    }
    call.path = readPath(endpoint.path, event.context.params ?? {})
    call.query = readQuery(endpoint.query, event.url.search)
    if (endpoint.body !== undefined) {
      const { schema, optional = false } = endpoint.body
      const given = await readJson(call.request, { optional, milliseconds: this.#bodyMilliseconds })
      call.body = withoutUnknown(schema, given)
    }
    const { who } = endpoint
    const run = this.#runner(exchange, endpoint, call)
    if (who !== 'visitor' && who !== 'owner') return this.#responses.success(exchange, endpoint, await run())
    const result = await reportedWith(
      { ...networkMember(call.network()), requestId: exchange.id, language: languageOf(exchange.request) },
      run,
    )
    return this.#responses.success(exchange, endpoint, result)
  }

  /** Runs the endpoint, at most once for a request with an Idempotency-Key. */
  #runner(exchange: Exchange, endpoint: Endpoint, call: MutableCall): () => Result | Promise<Result> {
    const { repeated, who } = endpoint
    const key = repeated === undefined || repeated === 'ignored' ? undefined : idempotencyKeyOf(call.request)
    const { actor, body } = call
    // A key belongs to an account: repetitions of anonymous requests cannot be told apart.
    if (key === undefined || repeated === undefined || repeated === 'ignored' || actor.kind === 'anonymous')
      return () => endpoint.run(call)
    const { pathname, search } = new URL(call.request.url)
    const given = {
      actor,
      credential: bearerOf(call.request),
      key,
      request: [call.request.method, pathname, search, body ?? null],
    }
    const again = async (kept: KeptRequest): Promise<Result> => {
      exchange.headers = [...exchange.headers, ...replayed]
      return repeated(call, kept)
    }
    return async () => {
      const first = async () => endpoint.run(call)
      return (await this.#registry.requests.once(given, first, { right: rightTo(who), again })).result
    }
  }

  /** A public response, valid until the next write. */
  async #runCacheable(exchange: Exchange, endpoint: Endpoint, event: H3Event): Promise<Response> {
    const call = this.#publicCall(exchange, endpoint, event)
    if (endpoint.isOfDay?.(call.query, call.media) === true)
      exchange.tagSuffix += `.${await this.#registry.observations.today()}`
    // The revision is read before the data: a write in between leaves an old tag on new data, never the reverse.
    const tag = this.#responses.tagOf(exchange, await this.#registry.version())
    const mayBeMissing = endpoint.errors?.includes('NOT_FOUND') === true
    const unchanged = mayBeMissing ? undefined : this.#responses.unchanged(exchange, tag)
    if (unchanged !== undefined) return unchanged
    const result = await endpoint.run(call)
    // A missing resource must be a 404, not a 304: read first.
    return (
      (mayBeMissing ? this.#responses.unchanged(exchange, tag) : undefined) ??
      this.#responses.success(exchange, endpoint, result, tag)
    )
  }

  /** A public response, valid while its content is unchanged. */
  async #runVersioned(exchange: Exchange, endpoint: Endpoint, event: H3Event): Promise<Response> {
    const result = await endpoint.run(this.#publicCall(exchange, endpoint, event))
    if (!isVersioned(result)) throw new TypeError(`${endpoint.name} returned no text with a version`)
    exchange.headers = [...exchange.headers, ...(result.headers ?? [])]
    const tag = this.#responses.contentTagOf(exchange, result)
    return (
      this.#responses.unchanged(exchange, tag) ??
      this.#responses.success(exchange, endpoint, result.text, tag)
    )
  }

  #publicCall(exchange: Exchange, endpoint: Endpoint, event: H3Event): MutableCall {
    const call = this.#call(exchange, endpoint, event)
    call.path = readPath(endpoint.path, event.context.params ?? {})
    call.query = readQuery(endpoint.query, event.url.search)
    if (call.media !== json) exchange.tagSuffix = `.${call.media.replaceAll(/[^a-z]/g, '')}`
    return call
  }

  #call(exchange: Exchange, endpoint: Endpoint, event: H3Event): MutableCall {
    const request = event.req
    const { media } = endpoint.success
    return {
      registry: this.#registry,
      request,
      actor: anonymous,
      basePath: this.#basePath,
      session: undefined,
      network: (bits) => {
        const client = exchange.client ?? this.#proxies.clientOf(request)
        return client === undefined ? undefined : addressPrefix(client, bits)
      },
      identified: (userId) => {
        exchange.user = userId
      },
      report: (error) => this.#responses.note(exchange, error),
      isFromHere: () => this.#callers.isFromHere(request),
      isFromThisMachine: () => this.#proxies.isFromThisMachine(request),
      path: undefined,
      query: undefined,
      media:
        media === undefined
          ? json
          : chosenMedia(request.headers.get('accept'), [json, ...Object.keys(media)]),
      opening: this.#responses.opening(exchange),
      files: () => this.fileOptions(exchange),
      body: undefined,
    }
  }
}

/** The right that a repeated request needs; none for endpoints about the caller's own account. */
function rightTo(who: Endpoint['who']): 'write' | 'moderate' | undefined {
  if (who === 'owner') return undefined
  return who === 'steward' || who === 'moderator' ? 'moderate' : 'write'
}

const networkMember = (network: string | undefined) => (network === undefined ? {} : { network })

function isVersioned(result: Result): result is Versioned {
  return typeof result === 'object' && 'text' in result && 'version' in result
}

/** The Allow header: documented methods, HEAD wherever there is GET, and OPTIONS. */
function allowed(methods: Methods): string {
  const names = [...methods].flatMap(([method, { documented }]) =>
    documented === false && method !== 'GET' ? [] : [method],
  )
  return [...names.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ')
}

/**
 * Makes the HTTP API of a registry, and serves a site beside it if one is given.
 *
 * @throws OptionError when an option is wrong, naming it and the remedy
 *
 * @example
 * const app = createApp(registry, { allowedOrigins: ['https://map.example'] })
 * const response = await app.fetch(new Request('http://localhost/api/stats'))
 */
export function createApp(registry: Registry, options: AppOptions = {}): App {
  checkOptions(options)
  const metrics = (options.metrics ?? 'off') === 'off' ? undefined : new Metrics()
  const service = new Service(registry, options, metrics)
  const app = new H3({ silent: true, onError: (error, event) => service.respondToError(error, event) })
  const routes = new Map<string, Map<string, Endpoint>>()
  for (const endpoint of endpointsOf({ registry, options, version, metrics })) {
    const methods = routes.get(endpoint.route) ?? new Map<string, Endpoint>()
    routes.set(endpoint.route, methods.set(endpoint.method, endpoint))
  }
  for (const [route, methods] of routes) {
    const path = `${options.basePath ?? ''}${route.replaceAll(/\{(\w+)\}/g, ':$1')}`
    app.all(path, (event) => service.respond(event, route, methods))
  }
  app.all('/**', (event) => service.respondElsewhere(event))
  return { fetch: (request) => app.fetch(request) }
}
