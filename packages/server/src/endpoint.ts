import type { Actor, Registry } from '@openfountain/core'
import type { z } from 'zod'
import type { ProblemCode } from './problem.ts'
import { none, type Parameters } from './parameters.ts'
import type { FileOptions } from './http/file.ts'
import type { LaterText, TextStream } from './http/text-stream.ts'

/**
 * Who may call an endpoint. `anyone` ignores credentials; `contributor` is a session or an API token; `user` is a
 * session alone; `steward` is an API token or a moderator's session; `token` is an API token alone. Which session
 * may do what with which record is decided by the registry.
 */
export type Who = 'anyone' | 'contributor' | 'user' | 'steward' | 'token'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What an endpoint works with. Checked already: who asks, path, query, and that the body is JSON. */
export interface Call<Path, Query> {
  readonly registry: Registry
  readonly request: Request
  readonly actor: Actor
  readonly path: Path
  readonly query: Query
  /** What an answer that is a file needs. */
  readonly files: () => FileOptions
  /** The media type to answer: application/json, or one of `success.media`. */
  readonly media: string
  /** The beginning of a JSON answer that is streamed: an open object with the members of the envelope. */
  readonly opening: string
  /** The parsed body, whatever it is: the registry checks it. */
  readonly body: unknown
}

/**
 * What an endpoint answers: an object, the text of a JSON object, such a text that is made beside this thread, a body
 * made piece by piece, or a whole response when it is no JSON of the API.
 */
export type Answer = object | string | LaterText | TextStream | Response

/** How a success is told in the OpenAPI document. */
export interface Success {
  readonly status: 200 | 201
  readonly description: string
  /** The JSON body; the members of the envelope are added to it. */
  readonly body?: z.ZodObject
  /** Other media types that the same path answers, with what they hold. */
  readonly media?: Readonly<Record<string, string>>
  /** Whether Range is understood, so that 206 and 416 are answers too. */
  readonly ranges?: boolean
  /** Whether the answer carries an entity tag of its own making, so that 304 is an answer too. */
  readonly tagged?: boolean
}

/** Everything that is known of an endpoint: routes, checks, the OpenAPI document and the docs come from it. */
export interface Declaration<Path extends Parameters, Query extends Parameters> {
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
  /** What is sent, for the document; the registry does the checking. */
  readonly body?: { readonly schema: z.ZodType; readonly optional?: boolean }
  readonly success: Success
  /** Refusals beside those that follow from the rest: malformed parameters, credentials, bodies, failures. */
  readonly errors?: readonly ProblemCode[]
  /**
   * How long an answer is good: `revision` until the next write of any process (the default of public reads),
   * `never` for what is private, written, or changes without a write.
   */
  readonly freshness?: 'revision' | 'never'
  /** Whether it counts for the rate limit. Default true. */
  readonly limited?: boolean
  /** Whether it is told in the document. Default true. */
  readonly told?: boolean
  run(call: Call<z.output<Path>, z.output<Query>>): Answer | Promise<Answer>
}

/** A declaration whose parameter types are no longer of interest. */
export interface Endpoint extends Omit<Declaration<Parameters, Parameters>, 'run'> {
  readonly path: Parameters
  readonly query: Parameters
  readonly freshness: 'revision' | 'never'
  run(call: Call<unknown, unknown>): Answer | Promise<Answer>
}

/** Declares an endpoint; `run` sees path and query in the types of their schemas. */
export function endpoint<Path extends Parameters = typeof none, Query extends Parameters = typeof none>(
  declaration: Declaration<Path, Query>,
): Endpoint {
  return {
    path: none,
    query: none,
    freshness: declaration.method === 'GET' && declaration.who === 'anyone' ? 'revision' : 'never',
    ...declaration,
  }
}
