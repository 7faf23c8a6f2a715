import type { Actor, KeptRequest, Registry } from '@openfountain/core'
import type { CurrentSession } from '@openfountain/core/internal'
import type { z } from 'zod'
import type { ProblemCode } from './problem.ts'
import { none, type Parameters } from './parameters.ts'
import type { Versioned } from './http/entity-tag.ts'
import type { FileOptions } from './http/file.ts'
import type { HeaderPair } from './http/headers.ts'
import type { TextStream } from './http/text-stream.ts'

/**
 * Who may call an endpoint. `anyone` ignores credentials; `visitor` may have a session, and no token; `contributor` is a
 * session, a personal token or an API token; `user` is a session or a personal token; `owner` is a session alone;
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

/** What an endpoint gets. Who asks, path, query, and that the body is JSON were checked. */
export interface Call<Path, Query> {
  readonly registry: Registry
  readonly request: Request
  readonly actor: Actor
  /** The path below which the app is mounted, empty for none: what stands before `/api` in links. */
  readonly basePath: string
  /** The session of the registry in which the actor acts, where the endpoint reads credentials and there is one. */
  readonly session: CurrentSession | undefined
  /**
   * The network of the client: the /24 of an IPv4 address, the /64 of an IPv6 address, or its /56, as a provider gives it to
   * a household; undefined where it is unknown.
   */
  readonly network: (bits?: 56 | 64) => string | undefined
  /** Whether the request does not come from the page of another site, for a GET that does more than read. */
  readonly isFromHere: () => boolean
  /** Whether a program on this machine sent the request itself. */
  readonly isFromThisMachine: () => boolean
  /** Notes for the logs who sent the request, where the endpoint itself found out. */
  readonly identified: (userId: string) => void
  /** Notes an error in the logs as if it ended the request, which goes on. */
  readonly report: (error: unknown) => void
  readonly path: Path
  readonly query: Query
  /** Options for a response that is a file. */
  readonly files: () => FileOptions
  /** The media type of the response: application/json, or one of `success.media`. */
  readonly media: string
  /** The beginning of a JSON response that is streamed: an open object with the members of the envelope. */
  readonly opening: string
  /** The parsed body, which the registry checks. */
  readonly body: unknown
}

/** A result with headers of its own, or without a body. */
export class Reply {
  readonly result: Exclude<Result, Reply | Response> | undefined
  readonly headers: readonly HeaderPair[]

  /** @param result undefined for a response without a body */
  constructor(result: Reply['result'], headers: readonly HeaderPair[] = []) {
    this.result = result
    this.headers = headers
  }
}

/**
 * What an endpoint returns: an object, the text of a JSON object, a text that is made on another thread, a body that is
 * made in pieces, the text of a JSON object with its version where `freshness` says so, one of these with headers of its
 * own, or a response for what is not JSON of the API.
 */
export type Result = object | string | TextStream | Versioned | Reply | Response

/** How a success is described in the OpenAPI document. */
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
 * How a request is answered that is repeated under its Idempotency-Key: from what is there now, without writing.
 * `ignored` says that the key is not looked at, because a secret is made or the caller's credential ends.
 */
type Repeated<Path, Query> = 'ignored' | Answering<Path, Query>['again']

interface Answering<Path, Query> {
  again(call: Call<Path, Query>, kept: KeptRequest): Result | Promise<Result>
}

/** What a write that needs a credential must declare. */
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
  /** The decision of core that a write asks, for the map of routes. */
  readonly decision?: string
  /** The request body, for the document; the registry checks it. */
  readonly body?: { readonly schema: z.ZodType; readonly optional?: boolean }
  readonly success: Success
  /** Whether somebody signs in by it, so that a refusal is a failed sign-in. Default false. */
  readonly isSignIn?: boolean
  /** Whether the session must have begun within the last ten minutes. Default false. */
  readonly isRecent?: boolean
  /** Whether the response has the licence of the data. Default not for `visitor` and `owner`: it is about the caller alone. */
  readonly isLicensed?: boolean
  /** Errors besides those that follow from the rest: malformed parameters, credentials, bodies, unexpected errors. */
  readonly errors?: readonly ProblemCode[]
  /**
   * How long a response is valid: `revision` until the next write of any process (the default of public reads), `result`
   * as long as `run` returns the same, which is `Versioned`, `never` for what is private, written, or changes without a
   * write.
   */
  readonly freshness?: Freshness
  /** Whether a response that is valid until the next write is also only valid for its day (UTC). Default not. */
  isOfDay?(query: z.output<Query>, media: string): boolean
  /** Whether it honours If-Match. Default false. */
  readonly isConditional?: boolean
  /** How a repetition is answered; of every write that needs a credential. */
  readonly repeated?: Repeated<z.output<Path>, z.output<Query>>
  /** Whether pages of other origins may read it as far as they may read others. Default true. */
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
