import { hash } from 'node:crypto'
import type { DataVersion } from '@openfountain/core/internal'
import { Page, Reply, type Endpoint, type Result } from './endpoint.ts'
import type { Exchange, Origins } from './exchange.ts'
import { type AccessLog, type Failure, reportFailure, type RefusedRequest } from './http/access-log.ts'
import { type CodedHere, compress, encodingName, worthCompressing } from './http/compression.ts'
import {
  contentTags,
  entityTags,
  heldVariant,
  quoted,
  type Versioned,
  type Body,
  respond,
} from './http/response.ts'
import type { FileOptions } from './http/file.ts'
import { type HeaderPair, inert, jsonType, licenseLink, noCache, publicCache } from './http/headers.ts'
import type { HeavyWork } from './http/heavy-work.ts'
import { chosenVariant } from './http/negotiation.ts'
import { primed, streamBody, TextStream } from './http/text-stream.ts'
import { networkOf } from './http/trusted-proxies.ts'
import type { Metrics } from './metrics.ts'
import { ClientDisconnected, problemResponse } from './problem.ts'

/** Characters of the hash of a page, 96 bits. */
const tagCharacters = 16

interface ResponseOptions {
  readonly license: string
  /** Part of all entity tags beside the version of the data. */
  readonly seed: string
  readonly origins: Origins
  readonly basePath: string
  readonly compress: boolean
  readonly heavyWork: HeavyWork
  readonly stallMilliseconds: number
  readonly slowestBytesPerSecond: number
  readonly accessLog: AccessLog | undefined
  readonly metrics: Metrics | undefined
  readonly securityLog: ((entry: RefusedRequest) => void) | undefined
  readonly onFailure: ((failure: Failure) => void) | undefined
}

/** Makes the responses: envelope, licence, caching, compression, cross-origin and security headers, access log. */
export class Responses {
  readonly #options: ResponseOptions
  readonly #tag: (version: DataVersion, tagSuffix: string) => string
  readonly #contentTag: (of: Versioned, tagSuffix: string) => string
  readonly #publicBase: readonly HeaderPair[]
  readonly #privateBase: readonly HeaderPair[]
  /** Headers of responses about the caller alone, which have no licence. */
  readonly #personalBase: readonly HeaderPair[]
  readonly #varyOrigin: readonly HeaderPair[]
  readonly #licensed: string
  readonly #licensedV6: string

  constructor(options: ResponseOptions) {
    this.#options = options
    this.#tag = entityTags(options.seed)
    this.#contentTag = contentTags(options.seed)
    const link = licenseLink(options.license)
    const vary = options.origins.varies
      ? 'Accept, Accept-Encoding, API-Version, Origin'
      : 'Accept, Accept-Encoding, API-Version'
    this.#publicBase = [...inert, publicCache, ['vary', vary], ...(link === undefined ? [] : [link])]
    this.#varyOrigin = options.origins.varies ? [['vary', 'Origin']] : []
    this.#personalBase = [...inert, noCache, ...this.#varyOrigin]
    this.#privateBase = [...this.#personalBase, ...(link === undefined ? [] : [link])]
    this.#licensed = `{"license":${JSON.stringify(options.license)}`
    this.#licensedV6 = `{"success":true,"license":${JSON.stringify(options.license)}`
  }

  tagOf(exchange: Exchange, version: DataVersion): string {
    return this.#tag(version, suffixOf(exchange))
  }

  unchanged(exchange: Exchange, tag: string, own: readonly HeaderPair[] = []): Response | undefined {
    const held = heldVariant(exchange.request.headers.get('if-none-match'), tag)
    if (held === undefined) return undefined
    const etag: HeaderPair = ['etag', quoted(tag, held)]
    const headers = [...this.#publicBase, ...this.#common(exchange), ...own, etag]
    return this.#send(exchange, 304, null, headers, 0)
  }

  /** The response with an endpoint's result. `tag` is given for cacheable ones. */
  success(exchange: Exchange, endpoint: Endpoint, given: Result, tag?: string): Response | Promise<Response> {
    if (given instanceof Response) return this.withCommonHeaders(exchange, given)
    if (given instanceof Page) return this.#page(exchange, endpoint, given, tag)
    const unlicensed = endpoint.isLicensed === false ? this.#personalBase : this.#privateBase
    const base = tag === undefined ? unlicensed : this.#publicBase
    const headers: HeaderPair[] = [...base, ...this.#common(exchange)]
    const { status } = endpoint.success
    const result = given instanceof Reply ? given.result : given
    if (given instanceof Reply) headers.push(...given.headers)
    if (result === undefined) return this.#send(exchange, status, null, headers, 0)
    if (result instanceof TextStream) {
      headers.push(['content-type', result.mediaType ?? jsonType])
      return this.#stream(exchange, status, result, headers, tag)
    }
    const text = this.#enveloped(
      exchange,
      endpoint,
      typeof result === 'string' ? result : JSON.stringify(result),
    )
    headers.push(jsonContent)
    return this.whole(exchange, status, text, headers, tag)
  }

  /** A public response, valid while its content is unchanged; the text has the members of the envelope already. */
  versioned(exchange: Exchange, content: Result): Response | Promise<Response> {
    if (!isVersioned(content)) throw new TypeError(`${exchange.route} has no text with a version`)
    const { text, headers = [] } = content
    const tag = this.#contentTag(content, suffixOf(exchange))
    const unchanged = this.unchanged(exchange, tag, headers)
    if (unchanged !== undefined) return unchanged
    const all: HeaderPair[] = [...this.#publicBase, ...this.#common(exchange), ...headers, jsonContent]
    return this.whole(exchange, 200, text, all, tag)
  }

  /** A page, with the entity tag of the data that it was made of, if it was. */
  #page(
    exchange: Exchange,
    { success }: Endpoint,
    page: Page,
    ofData?: string,
  ): Response | Promise<Response> {
    const base = ofData === undefined ? this.#varyOrigin : this.#publicBase
    const headers: HeaderPair[] = [...page.headers, ...base, ...this.#common(exchange)]
    const tag =
      ofData ??
      (success.tagged === true
        ? (page.tag ?? hash('sha256', page.text, 'base64url').slice(0, tagCharacters))
        : undefined)
    const held = tag && heldVariant(exchange.request.headers.get('if-none-match'), tag)
    if (tag !== undefined && held !== undefined)
      return this.#send(exchange, 304, null, [...headers, ['etag', quoted(tag, held)]], 0)
    headers.push(['content-type', page.mediaType])
    return this.whole(exchange, success.status, page.text, headers, tag)
  }

  opening(exchange: Exchange): string {
    return exchange.enveloped ? this.#licensedV6 : this.#licensed
  }

  whole(
    exchange: Exchange,
    status: number,
    body: string,
    headers: HeaderPair[],
    tag?: string,
  ): Response | Promise<Response> {
    const { isHead } = exchange
    const send = (sent: string | Buffer<ArrayBuffer>, variant: CodedHere | ''): Response => {
      if (tag !== undefined) headers.push(['etag', quoted(tag, variant)])
      if (variant !== '') headers.push(['content-encoding', encodingName[variant]])
      const bytes = Buffer.byteLength(sent)
      headers.push(['content-length', String(bytes)])
      return this.#send(exchange, status, isHead ? null : sent, headers, isHead ? 0 : bytes)
    }
    if (body.length < worthCompressing) return send(body, '')
    const variant = this.#variantFor(exchange)
    return variant === '' ? send(body, '') : compress(body, variant).then((packed) => send(packed, variant))
  }

  problem(exchange: Exchange, thrown: unknown): Response | Promise<Response> {
    if (thrown instanceof ClientDisconnected) return this.#send(exchange, clientClosedRequest, null, [], 0)
    const problem = problemResponse(thrown, exchange.id)
    this.note(exchange, thrown, problem)
    const { error, code, details } = problem
    const { pathname } = new URL(exchange.request.url)
    const isBelow = (name: string) => `${pathname}/`.startsWith(`${this.#options.basePath}/${name}/`)
    const isOgc = isBelow('ogc')
    // Problem documents are of RFC 9457, lists of errors of GeoReport v2.
    const body = isBelow('open311')
      ? [{ code: problem.status, description: error }]
      : isOgc
        ? { type: 'about:blank', title: code, status: problem.status, detail: error, code, details }
        : { ...(exchange.enveloped && { success: false, message: error }), error, code, details }
    const headers: HeaderPair[] = [
      ...inert,
      noCache,
      ...this.#varyOrigin,
      ...this.#common(exchange),
      ...problem.headers,
      isOgc ? ['content-type', 'application/problem+json'] : jsonContent,
    ]
    if (problem.status >= 500) headers.push(['x-request-id', exchange.id])
    return this.whole(exchange, problem.status, JSON.stringify(body), headers)
  }

  note(exchange: Exchange, thrown: unknown, problem = problemResponse(thrown, exchange.id)): void {
    if (problem.failure) this.report(exchange, thrown)
    const { securityLog } = this.#options
    const refused = securityLog && exchange.refused(thrown, problem)
    if (refused !== undefined) securityLog?.(refused)
  }

  empty(exchange: Exchange, status: number, headers: readonly HeaderPair[]): Response {
    const all = [...inert, ...this.#varyOrigin, ...exchange.headers, ...headers]
    return this.#send(exchange, status, null, all, 0)
  }

  /** Adds the common headers to a response that the endpoint made and logged itself: a file or a page. */
  withCommonHeaders(exchange: Exchange, response: Response): Response {
    for (const [name, value] of this.#common(exchange)) response.headers.set(name, value)
    for (const [name, value] of this.#varyOrigin) response.headers.append(name, value)
    return response
  }

  withHeadersOf(exchange: Exchange, response: Response): Response {
    for (const [name, value] of exchange.headers) response.headers.set(name, value)
    return response
  }

  #common(exchange: Exchange): readonly HeaderPair[] {
    const cors = this.#options.origins.headers(exchange.origin, exchange.open)
    return exchange.headers.length === 0 ? cors : [...cors, ...exchange.headers]
  }

  #enveloped(exchange: Exchange, endpoint: Endpoint, text: string): string {
    if (endpoint.method === 'GET' && endpoint.isLicensed !== false) return this.opening(exchange) + rest(text)
    return exchange.enveloped ? `{"success":true${rest(text)}` : text
  }

  #variantFor(exchange: Exchange): CodedHere | '' {
    return this.#options.compress ? chosenVariant(exchange.request.headers.get('accept-encoding')) : ''
  }

  #turn({ request }: Exchange, work: HeavyWork): Promise<() => void> {
    const client = this.#options.origins.proxies.clientOf(request)
    return work.begin({
      client: client === undefined ? undefined : networkOf(client),
      signal: request.signal,
    })
  }

  async #stream(
    exchange: Exchange,
    status: number,
    stream: TextStream,
    headers: HeaderPair[],
    tag: string | undefined,
  ): Promise<Response> {
    const variant = this.#variantFor(exchange)
    if (tag !== undefined) headers.push(['etag', quoted(tag, variant)])
    if (variant !== '') headers.push(['content-encoding', encodingName[variant]])
    if (exchange.isHead) return this.#send(exchange, status, null, headers, 0)
    const { stallMilliseconds, slowestBytesPerSecond } = this.#options
    const endTurn = await this.#turn(exchange, this.#options.heavyWork)
    const pieces = await primed(stream.pieces).catch((error: unknown) => {
      endTurn()
      throw error
    })
    const body = streamBody(pieces, {
      variant,
      stallMilliseconds,
      slowestBytesPerSecond,
      onEnd: (bytes) => {
        pieces.end()
        endTurn()
        this.log(exchange, status, bytes)
      },
      onError: (error) => this.report(exchange, error),
    })
    return respond(status, body, headers)
  }

  #send(
    exchange: Exchange,
    status: number,
    body: Body,
    headers: readonly HeaderPair[],
    bytes: number,
  ): Response {
    this.log(exchange, status, bytes)
    return respond(status, body, headers)
  }

  fileOptions(exchange: Exchange): FileOptions {
    const { compress: isCompressed, stallMilliseconds } = this.#options
    return {
      compress: isCompressed,
      stallMilliseconds,
      onError: (error) => this.report(exchange, error),
      onEnd: (status, bytes) => this.log(exchange, status, bytes),
    }
  }

  report(exchange: Exchange, error: unknown): void {
    const { method } = exchange.request
    const failure = { requestId: exchange.id, method, route: exchange.route, error }
    ;(this.#options.onFailure ?? reportFailure)(failure)
  }

  log(exchange: Exchange, status: number, bytes: number): void {
    this.#options.metrics?.count(exchange, status)
    this.#options.accessLog?.(exchange.accessEntry(status, bytes))
  }
}

const isVersioned = (result: Result): result is Versioned =>
  typeof result === 'object' && 'text' in result && 'version' in result

const jsonContent: HeaderPair = ['content-type', jsonType]

const suffixOf = ({ enveloped, tagSuffix }: Exchange): string => (enveloped ? `.6${tagSuffix}` : tagSuffix)

/** The logged status for a client that disconnected before its response began, as in nginx. */
const clientClosedRequest = 499

/** The text of a JSON object after its opening brace, preceded by a comma unless it is empty. */
const rest = (text: string): string => (text === '{}' ? '}' : `,${text.slice(1)}`)
