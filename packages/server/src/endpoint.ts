import type { Actor, Registry } from '@openfountain/core'
import type { CurrentSession, KeptRequest } from '@openfountain/core/internal'
import type { z } from 'zod'
import type { ProblemCode } from './problem.ts'
import { none, type Parameters } from './parameters.ts'
import type { Versioned } from './http/entity-tag.ts'
import type { FileOptions } from './http/file.ts'
import type { HeaderPair } from './http/headers.ts'
import type { TextStream } from './http/text-stream.ts'

/**
 * Who may call an endpoint. `anyone` ignores credentials; `visitor` takes an optional session, no token; `contributor`
 * is a session, a personal token or an API token; `user` is a session or a personal token; `owner` is a session alone;
 * `steward` is an API token or a moderator's session; `moderator` is a moderator's session, `token` an API token alone;
 * `observer` is as `contributor`, `reporter` as `user`, or, where observations are open to all, a page of a permitted
 * origin. The registry decides which session may do what with which record.
 */
export type Who =
  | 'anyone'
  | 'visitor'
  | 'observer'
  | 'reporter'
  | 'contributor'
  | 'user'
  | 'owner'
  | 'steward'
  | 'moderator'
  | 'token'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** The arguments of an endpoint. Caller, path, query and the JSON syntax of the body are checked already. */
export interface Call<Path, Query> {
  readonly registry: Registry
  readonly request: Request
  readonly actor: Actor
  /** The path below which the app is mounted, empty for none; it precedes `/api` in links. */
  readonly basePath: string
  /** The actor's session in the registry, if the endpoint reads credentials and there is one. */
  readonly session: CurrentSession | undefined
  /**
   * The client's network: /24 of an IPv4 address, /64 of an IPv6 address, or its /56, which a provider assigns to a
   * household. Undefined when unknown.
   */
  network(bits?: 56 | 64): string | undefined
  /** Whether the request comes directly from this machine, through no proxy. */
  isFromThisMachine(): boolean
  /** Records the sender for the logs, when the endpoint itself authenticates. */
  identified(userId: string): void
  /** Logs an error as if it ended the request, which goes on. */
  report(error: unknown): void
  readonly path: Path
  readonly query: Query
  /** Options for a response that is a file. */
  files(): FileOptions
  /** The media type of the response: application/json, or one of `success.media`. */
  readonly media: string
  /** The start of a streamed JSON response: an open object with the members of the envelope. */
  readonly opening: string
  /** The parsed body, which the registry checks. */
  readonly body: unknown
}

/** A whole text that is not data of the API, such as a page, with its headers; `success.tagged` gives it an entity tag. */
export class Page {
  readonly text: string
  readonly mediaType: string
  readonly headers: readonly HeaderPair[]

  constructor(text: string, mediaType: string, headers: readonly HeaderPair[]) {
    this.text = text
    this.mediaType = mediaType
    this.headers = headers
  }
}

/** A result with extra headers. */
export class Reply {
  readonly result: Exclude<Result, Reply | Response>
  readonly headers: readonly HeaderPair[]

  /** @param result undefined for a response without a body */
  constructor(result: Reply['result'], headers: readonly HeaderPair[] = []) {
    this.result = result
    this.headers = headers
  }
}

/**
 * The result of an endpoint: an object, the text of a JSON object, a body made in pieces, a JSON text with its version
 * (`freshness: 'result'`), one of these with extra headers, a page or a file, or nothing.
 */
export type Result = object | string | TextStream | Versioned | Reply | Page | Response | void

/** The successful response in the OpenAPI document. */
export interface Success {
  readonly status: 200 | 201 | 202 | 204 | 303
  readonly description: string
  /** The JSON body; the members of the envelope are added to it. */
  readonly body?: z.ZodObject
  /** Other media types of the response, with what they contain. */
  readonly media?: Readonly<Record<string, string>>
  /** Whether Range is supported, so that 206 and 416 are possible too. */
  readonly ranges?: boolean
  /** Whether the endpoint sets an entity tag itself, so that 304 is possible too. */
  readonly tagged?: boolean
}

/**
 * Answers a request repeated under its Idempotency-Key, from current data and without writing. `ignored`: the endpoint
 * takes no key, because it makes a secret or ends the caller's credential.
 */
type Repeated<Path, Query> = 'ignored' | Answering<Path, Query>['again']

interface Answering<Path, Query> {
  again(call: Call<Path, Query>, kept: KeptRequest): Result | Promise<Result>
}

/** Every write that needs a credential must declare `repeated`. */
type Repeatable<Path, Query> =
  | { readonly method: 'GET' }
  | { readonly who: 'anyone' | 'visitor' }
  | { readonly repeated: Repeated<Path, Query> }

/** Everything about an endpoint: routes, checks, the OpenAPI document and the docs come from it. */
export type Declaration<Path extends Parameters, Query extends Parameters> = Described<Path, Query> &
  Repeatable<z.output<Path>, z.output<Query>>

interface Described<Path extends Parameters, Query extends Parameters> {
  readonly method: Method
  /** With parameters in braces, as OpenAPI writes them. */
  readonly route: `/api${string}`
  readonly name: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  readonly who: Who
  readonly path?: Path
  readonly query?: Query
  /** The request body, for the document; the registry checks it. */
  readonly body?: { readonly schema: z.ZodType; readonly optional?: boolean }
  readonly success: Success
  /** Whether it is a sign-in, so that a refusal is logged as a failed one. Default false. */
  readonly isSignIn?: boolean
  /** Whether the session must have begun within the last ten minutes. Default false. */
  readonly isRecent?: boolean
  /**
   * Whether the response names the licence of the data. Default true, except for `visitor` and `owner`, whose responses
   * are about the caller alone.
   */
  readonly isLicensed?: boolean
  /** Errors besides the implied ones: malformed parameters, credentials, bodies, unexpected errors. */
  readonly errors?: readonly ProblemCode[]
  /**
   * Validity of a response. `revision`: until the next write of any process, the default of public reads. `result`:
   * while `run` returns the same `Versioned`. `never`: private, written, or changing without a write.
   */
  readonly freshness?: Freshness
  /** Whether a `revision` response is also valid for its day (UTC) only. Default false. */
  isOfDay?(query: z.output<Query>, media: string): boolean
  /** Whether it honours If-Match. Default false. */
  readonly isConditional?: boolean
  /** The answer to a repetition; required for every write that needs a credential. */
  readonly repeated?: Repeated<z.output<Path>, z.output<Query>>
  /** Whether pages of other origins may read it under the usual rules. Default true. */
  readonly isForPages?: boolean
  /** Whether it counts for the rate limit. Default true. */
  readonly limited?: boolean
  /** Whether it is in the OpenAPI document. Default true. */
  readonly documented?: boolean
  run(call: Call<z.output<Path>, z.output<Query>>): Result | Promise<Result>
}

type Freshness = 'revision' | 'result' | 'never'

/** A declaration without the types of its parameters. */
export interface Endpoint extends Omit<Described<Parameters, Parameters>, 'run' | 'repeated' | 'isOfDay'> {
  readonly path: Parameters
  readonly query: Parameters
  readonly freshness: Freshness
  readonly repeated?: Repeated<unknown, unknown>
  isOfDay?(query: unknown, media: string): boolean
  run(call: Call<unknown, unknown>): Result | Promise<Result>
}

/** Declares an endpoint; `run` sees path and query in the types of their schemas. */
export function endpoint<Path extends Parameters = typeof none, Query extends Parameters = typeof none>(
  declaration: Declaration<Path, Query>,
): Endpoint {
  return {
    path: none,
    query: none,
    isLicensed: declaration.who !== 'visitor' && declaration.who !== 'owner',
    freshness: declaration.method === 'GET' && declaration.who === 'anyone' ? 'revision' : 'never',
    ...declaration,
  }
}
