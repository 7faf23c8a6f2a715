import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { anonymous, type Registry } from '@openfountain/core'
import { type KeptRequest, reportedWith, served, when, withoutUnknown } from '@openfountain/core/internal'
import { H3, type H3Event, type HTTPError } from 'h3'
import type { ServerRequest } from 'srvx'
import { Responses } from './responses.ts'
import { bearerOf, Callers, Exchange, idempotencyKeyOf, replayed, Origins } from './exchange.ts'
import { type Endpoint, type Result, readPath, readQuery } from './endpoint.ts'
import { endpointsOf } from './endpoints/all.ts'
import { type HeaderPair, transportHeaders } from './http/headers.ts'
import { HeavyWork } from './http/heavy-work.ts'
import { chosenMedia, languageOf } from './http/negotiation.ts'
import { RateLimit } from './http/rate-limit.ts'
import { limits } from './limits.ts'
import { Metrics } from './metrics.ts'
import { type AppOptions, checkOptions } from './options.ts'
import { malformed, notFound, malformedRequest, Problem } from './problem.ts'
import { Site, siteOf } from './site.ts'
import { versionText } from '@openfountain/core/version'

/** `app.fetch(request)` for hosts of web-standard requests, `nodeListener(app)` for node:http. */
export interface App {
  /** Responds to a request. It refuses by a response, and does not reject. */
  readonly fetch: (request: Request) => Response | Promise<Response>
}

const json = 'application/json'

class Route {
  readonly path: string
  readonly methods: ReadonlyMap<string, Endpoint>
  readonly reading: Endpoint | undefined
  /** Methods of the Allow header: the documented ones, HEAD wherever there is GET, and OPTIONS. */
  readonly allowed: readonly string[]

  constructor(path: string, endpoints: readonly Endpoint[]) {
    this.path = path
    this.methods = new Map(endpoints.map((each) => [each.method, each]))
    this.reading = this.methods.get('GET')
    const named = endpoints.flatMap(({ method, documented }) => {
      if (method === 'GET') return ['GET', 'HEAD']
      return documented === false ? [] : [method]
    })
    this.allowed = [...named, 'OPTIONS']
  }

  get isOpen(): boolean {
    return this.reading?.who === 'anyone' || this.reading?.who === 'reader'
  }
}

class Serving {
  readonly registry: Registry
  readonly basePath: string
  readonly origins: Origins
  readonly responses: Responses
  readonly #callers: Callers
  readonly #limit: RateLimit | undefined
  readonly #site: Site | undefined
  readonly #bodyMilliseconds: number
  readonly #uploads = new HeavyWork(limits.uploads)
  readonly #always: readonly HeaderPair[]
  readonly #isTimed: boolean
  /** Whether the rate limit or a log needs the address of the client. */
  readonly #needsClient: boolean

  constructor(registry: Registry, options: AppOptions, metrics: Metrics | undefined) {
    const { rateLimit, accessLog, securityLog } = options
    const site = siteOf(options)
    this.registry = registry
    this.basePath = options.basePath ?? ''
    this.#always = transportHeaders(options.publicUrl, options.strictTransport)
    this.#bodyMilliseconds = options.bodyMilliseconds ?? limits.bodyMilliseconds
    this.origins = new Origins(options)
    this.#callers = new Callers(registry, options, this.origins)
    this.#limit = rateLimit === undefined ? undefined : new RateLimit(rateLimit)
    this.#site = site === undefined ? undefined : new Site(site)
    this.#isTimed = accessLog !== undefined || metrics !== undefined
    this.#needsClient = [rateLimit, accessLog, securityLog].some((one) => one !== undefined)
    const heavyWork = new HeavyWork(options.heavyWork)
    metrics?.watch('lists', heavyWork)
    this.responses = new Responses({
      license: registry.license,
      seed: [versionText, registry.license, registry.author, registry.name].join('\n'),
      origins: this.origins,
      basePath: this.basePath,
      compress: options.compress ?? true,
      heavyWork,
      stallMilliseconds: options.stallMilliseconds ?? limits.stallMilliseconds,
      slowestBytesPerSecond: options.slowestBytesPerSecond ?? limits.slowestBytesPerSecond,
      accessLog,
      metrics,
      securityLog,
      onFailure: options.onFailure,
    })
  }

  respond(event: H3Event, route: Route): Response | Promise<Response> {
    const exchange = this.#begin(event)
    exchange.route = route.path
    const { method } = event.req
    const endpoint = route.methods.get(method === 'HEAD' ? 'GET' : method)
    if (route.reading?.isForPages === false) exchange.origin = null
    else exchange.open = endpoint === route.reading && route.isOpen
    exchange.isSigningIn = endpoint?.isSignIn === true
    try {
      if (endpoint?.limited !== false) this.#throttle(exchange)
      if (method === 'OPTIONS') return this.#preflight(exchange, route)
      if (endpoint === undefined)
        throw new Problem('METHOD_NOT_ALLOWED', { headers: [['allow', route.allowed.join(', ')]] })
      const actor = endpoint.who === 'anyone' ? anonymous : this.#callers.identify(exchange, endpoint)
      const made = when(actor, (caller) => {
        exchange.actor = caller
        return this.#answer(exchange, endpoint, event)
      })
      return made instanceof Promise ? made.catch((error) => this.responses.problem(exchange, error)) : made
    } catch (error) {
      return this.responses.problem(exchange, error)
    }
  }

  /** The response of an endpoint: at once where its data is, as in SQLite, since each promise takes time. */
  #answer(exchange: Exchange, endpoint: Endpoint, { url, context }: H3Event): Response | Promise<Response> {
    exchange.path = readPath(endpoint.path, context.params ?? {})
    exchange.query = readQuery(endpoint.query, url.search, endpoint.isStrict)
    const { media } = endpoint.success
    if (media !== undefined) chooseMedia(exchange, Object.keys(media))
    if (endpoint.freshness === 'result')
      return when(endpoint.run(exchange), (result) => this.responses.versioned(exchange, result))
    return endpoint.freshness === 'revision'
      ? this.#cacheable(exchange, endpoint)
      : this.#run(exchange, endpoint)
  }

  /** Responds to a request to any other path: with a page of the site, or with 404. */
  async respondElsewhere(event: H3Event): Promise<Response> {
    const exchange = this.#begin(event)
    const { pathname } = event.url
    try {
      if (this.#site === undefined || this.#isOfApi(pathname)) {
        exchange.open = true
        this.#throttle(exchange)
        throw notFound('Path', `GET ${this.basePath}/api/openapi lists all paths`)
      }
      exchange.route = 'site'
      const { method } = event.req
      if (method !== 'GET' && method !== 'HEAD') {
        throw new Problem('METHOD_NOT_ALLOWED', { headers: [['allow', 'GET, HEAD']] })
      }
      const page = await this.#site.respond(event.req, pathname, exchange.files())
      if (page === undefined) throw notFound('Page')
      return this.responses.withHeadersOf(exchange, page)
    } catch (error) {
      return this.responses.problem(exchange, error)
    }
  }

  /** Responds to unexpected errors, and to h3's refusal of a path that is not percent-encoded UTF-8. */
  respondToError(error: HTTPError, event: H3Event): Response | Promise<Response> {
    const exchange = this.#begin(event)
    const refusal = error.status === 400 && error.unhandled !== true
    if (!refusal) return this.responses.problem(exchange, error.cause ?? error)
    try {
      if (this.#isOfApi(event.url.pathname)) {
        exchange.open = true
        this.#throttle(exchange)
      }
      throw malformedRequest('The path is not percent-encoded UTF-8')
    } catch (problem) {
      return this.responses.problem(exchange, problem)
    }
  }

  /** Whether an undeclared path counts for the rate limit. */
  #isOfApi(pathname: string): boolean {
    const isOf = (name: string) => `${pathname}/`.startsWith(`${this.basePath}/${name}/`)
    return isOf('api') || isOf('ogc') || isOf('open311') || this.#site === undefined
  }

  #begin({ req }: H3Event): Exchange {
    const exchange = new Exchange(this, req, this.#always, this.#isTimed ? performance.now() : 0)
    if (this.#needsClient) exchange.client = this.origins.proxies.clientOf(req)
    return exchange
  }

  #throttle(exchange: Exchange): void {
    if (this.#limit === undefined) return
    exchange.headers = [...this.#always, ...this.#limit.take(exchange.client ?? 'unknown')]
  }

  #preflight(exchange: Exchange, { allowed, isOpen }: Route): Response {
    const cross = this.origins.preflight(exchange.origin, allowed, isOpen ? ['GET', 'HEAD'] : [])
    return this.responses.empty(exchange, 204, [['allow', allowed.join(', ')], ...cross])
  }

  async #run(exchange: Exchange, endpoint: Endpoint): Promise<Response> {
    const { body, form, who } = endpoint
    if (body !== undefined)
      exchange.body = withoutUnknown(
        body.schema,
        await readJson(exchange.request, body, this.#bodyMilliseconds),
      )
    if (form !== undefined) return this.#uploaded(exchange, endpoint, form)
    const run = this.#runner(exchange, endpoint)
    if (who !== 'visitor' && who !== 'owner') return this.responses.success(exchange, endpoint, await run())
    const network = exchange.network()
    const result = await reportedWith(
      {
        ...(network !== undefined && { network }),
        requestId: exchange.id,
        language: languageOf(exchange.request),
      },
      run,
    )
    return this.responses.success(exchange, endpoint, result)
  }

  /** The response to a form, whose file is held in memory until then. */
  async #uploaded(exchange: Exchange, endpoint: Endpoint, form: Form): Promise<Response> {
    const { request } = exchange
    const end = await this.#uploads.begin({ client: exchange.network(), signal: request.signal })
    try {
      const { fields, file } = await readForm(request, form, limits.uploadMilliseconds)
      exchange.upload = file
      exchange.body = fields
      return await this.responses.success(exchange, endpoint, await this.#runner(exchange, endpoint)())
    } finally {
      end()
    }
  }

  /** Runs the endpoint, at most once for a request with an Idempotency-Key. */
  #runner(exchange: Exchange, endpoint: Endpoint): () => Result | Promise<Result> {
    const { repeated, who } = endpoint
    const { actor, body, request, upload } = exchange
    const key = repeated === undefined || repeated === 'ignored' ? undefined : idempotencyKeyOf(request)
    // A key belongs to an account: repetitions of anonymous requests cannot be told apart.
    if (key === undefined || repeated === undefined || repeated === 'ignored' || actor.kind === 'anonymous')
      return () => endpoint.run(exchange)
    const { pathname, search } = new URL(request.url)
    const given = {
      actor,
      credential: bearerOf(request),
      key,
      request: [
        request.method,
        pathname,
        search,
        body ?? null,
        ...(endpoint.form === undefined ? [] : [hash('sha256', upload, 'hex')]),
      ],
    }
    const again = async (kept: KeptRequest): Promise<Result> => {
      exchange.headers = [...exchange.headers, ...replayed]
      return repeated(exchange, kept)
    }
    return async () => {
      const first = async () => endpoint.run(exchange)
      return (await this.registry.requests.once(given, first, { right: rightTo(who), again })).result
    }
  }

  /** A public response, valid until the next write. */
  async #cacheable(exchange: Exchange, endpoint: Endpoint): Promise<Response> {
    if (endpoint.isOfDay?.(exchange.query, exchange.media) === true)
      exchange.tagSuffix += `.${await this.registry.observations.today()}`
    // The revision is read before the data: a write in between leaves an old tag on new data, never the reverse.
    const tag = this.responses.tagOf(exchange, await this.registry.version())
    const mayBeMissing = endpoint.errors?.includes('NOT_FOUND') === true
    const unchanged = mayBeMissing ? undefined : this.responses.unchanged(exchange, tag)
    if (unchanged !== undefined) return unchanged
    const result = await endpoint.run(exchange)
    // A missing resource must be a 404, not a 304: read first.
    return (
      (mayBeMissing ? this.responses.unchanged(exchange, tag) : undefined) ??
      this.responses.success(exchange, endpoint, result, tag)
    )
  }
}

function chooseMedia(exchange: Exchange, others: readonly string[]): void {
  exchange.media = chosenMedia(exchange.request.headers.get('accept'), [json, ...others])
  if (exchange.media !== json) exchange.tagSuffix = `.${exchange.media.replaceAll(/[^a-z]/g, '')}`
}

/** The right that a repeated request needs; none for endpoints about the caller's own account. */
function rightTo(who: Endpoint['who']): 'write' | 'moderate' | undefined {
  if (who === 'owner') return undefined
  return who === 'steward' || who === 'moderator' ? 'moderate' : 'write'
}

const lastId = '{id}'
const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Finds paths that end with a number at once: h3's router splits every path that has a parameter (row by-id). */
class Router extends H3 {
  readonly #numbered = new Map<string, (event: H3Event) => unknown>()

  add(path: string, work: (event: H3Event) => unknown): void {
    this.all(path.replaceAll(/\{(\w+)\}/g, ':$1'), work)
    if (path.endsWith(lastId)) this.#numbered.set(path.slice(0, -lastId.length), work)
  }

  override handler(event: H3Event): unknown {
    const { pathname } = event.url
    const start = pathname.lastIndexOf('/') + 1
    const work = isDigit(pathname.charCodeAt(start))
      ? this.#numbered.get(pathname.slice(0, start))
      : undefined
    if (work === undefined) return super.handler(event)
    event.context.params = { id: pathname.slice(start) }
    return work(event)
  }
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
  // A registry of another copy of the library is refused now, not at the first request.
  served(registry)
  const metrics = (options.metrics ?? 'off') === 'off' ? undefined : new Metrics()
  const serving = new Serving(registry, options, metrics)
  const app = new Router({ silent: true, onError: (error, event) => serving.respondToError(error, event) })
  const endpoints = endpointsOf({ registry, options, metrics })
  for (const [path, ofPath] of Map.groupBy(endpoints, ({ route }) => route)) {
    const route = new Route(path, ofPath)
    app.add(serving.basePath + path, (event) => serving.respond(event, route))
  }
  app.all('/**', (event) => serving.respondElsewhere(event))
  return { fetch: (request) => app.fetch(request) }
}

const bodyLimitBytes = 64 * 1024

/** Most levels of nested objects and arrays; input of this API needs few. */
const nestingLimit = 32

/** Closes the connection after the response, since the rest of the body is not read. */
const closing = [['connection', 'close']] as const

const jsonType = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i
const gpxType = /^application\/gpx\+xml\s*(?:;|$)/i
const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i

/**
 * Reads a JSON body of at most 64 KiB. h3's `readBody` takes any type and nesting, replaces what is not UTF-8 and waits
 * without end; its `assertBodySize` reads through a web stream, which costs more than most writes.
 *
 * @returns undefined for an absent optional body
 * @throws Problem UNSUPPORTED_MEDIA_TYPE for any type but JSON in UTF-8, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT for an
 * incomplete body, and INVALID_INPUT for malformed JSON
 */
async function readJson(
  request: Request,
  { optional = false, gpx = false }: NonNullable<Endpoint['body']>,
  milliseconds: number,
): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type === null && optional) {
    const text = await inTime(readText(request), milliseconds)
    if (text === '') return undefined
    throw new Problem('UNSUPPORTED_MEDIA_TYPE')
  }
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', {
      message: 'Send the body without Content-Encoding',
      headers: [['accept-encoding', 'identity'], ...closing],
    })
  }
  const isGpx = gpx && type !== null && gpxType.test(type)
  if (
    type === null ||
    !(isGpx || jsonType.test(type)) ||
    !/^utf-?8$/i.test(charset.exec(type)?.[1] ?? 'utf-8')
  ) {
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', { headers: closing })
  }
  const text = await inTime(readText(request), milliseconds)
  if (isGpx) return text
  if (text === '' && optional) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw malformedRequest(text === '' ? 'The body is missing; send a JSON object' : 'The body is not JSON')
  }
  if (nestsBeyond(parsed, nestingLimit)) {
    throw malformedRequest(`The body is nested more than ${nestingLimit} levels deep`)
  }
  return parsed
}

/** @throws Problem REQUEST_TIMEOUT */
async function inTime<Result>(reading: Promise<Result>, milliseconds: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const message = `The request body must arrive whole within ${milliseconds / 1000} seconds`
    const details = { limitMilliseconds: milliseconds }
    reject(new Problem('REQUEST_TIMEOUT', { message, details, headers: closing }))
  }, milliseconds)
  return Promise.race([reading, late]).finally(() => clearTimeout(timer))
}

const tooLarge = (limitBytes: number): Problem =>
  new Problem('PAYLOAD_TOO_LARGE', {
    message: `A request body may have ${limitBytes} bytes at most`,
    details: { limitBytes },
    headers: closing,
  })

/** The bytes as they arrive; on Node of its own request, since a web stream around it costs more than most writes. */
function bytesOf(request: ServerRequest): AsyncIterable<Uint8Array> | undefined {
  const source = request.runtime?.node?.req
  const isUnread =
    source instanceof Readable && !source.readableEnded && !source.destroyed && !request.bodyUsed
  return isUnread ? source.iterator({ destroyOnReturn: false }) : (request.body ?? undefined)
}

/** A whole body. @throws Problem PAYLOAD_TOO_LARGE, INVALID_INPUT for one that ends too early */
async function bodyOf(request: Request, limitBytes: number): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes)
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of bytesOf(request) ?? []) {
      bytes += part.byteLength
      if (bytes > limitBytes) throw tooLarge(limitBytes)
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw malformedRequest('The body ended before it was complete')
  }
  return Buffer.concat(parts)
}

async function readText(request: Request): Promise<string> {
  const body = await bodyOf(request, bodyLimitBytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw malformedRequest('The body is not UTF-8')
  }
}

type Form = NonNullable<Endpoint['form']>

const formType = /^multipart\/form-data\s*;/iu

/** Reads a form with one file; empty fields are absent. @throws Problem as `readJson` */
async function readForm(
  request: Request,
  { file: name, bytes, fields: schema }: Form,
  milliseconds: number,
): Promise<{ readonly fields: Readonly<Record<string, string>>; readonly file: Uint8Array }> {
  const type = request.headers.get('content-type') ?? ''
  if (!formType.test(type))
    throw new Problem('UNSUPPORTED_MEDIA_TYPE', {
      message: `Send a form: multipart/form-data, with the picture in the field ${name}`,
      headers: closing,
    })
  const body = await inTime(bodyOf(request, bytes + bodyLimitBytes), milliseconds)
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw malformedRequest('The body is not a whole form')
  })
  const given = form.get(name)
  if (given === null || typeof given === 'string')
    throw malformed(name, 'is required: send a file in this field')
  if (given.size > bytes) throw tooLarge(bytes)
  const fields: Record<string, string> = {}
  for (const each of Object.keys(schema.shape)) {
    const value = form.getAll(each)
    if (value.length > 1) throw malformed(each, 'must be given once')
    const [only = ''] = value
    if (typeof only !== 'string') throw malformed(each, 'must be text')
    if (only !== '') fields[each] = only
  }
  return { fields, file: await given.bytes() }
}

function nestsBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels < 0 || Object.values(value).some((child) => nestsBeyond(child, levels - 1))
}
