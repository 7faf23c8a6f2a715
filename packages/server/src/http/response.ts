import { FastResponse } from 'srvx'
import type { NodeResponse } from 'srvx/node'
import type { HeaderPair } from './headers.ts'

/** What a response can carry. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/** A response whose body is known as a whole. */
class WholeResponse extends FastResponse {}

/**
 * Makes a response from header pairs with names in lower case. On Node nothing of it becomes a web-standard object
 * unless somebody looks at it.
 */
export function respond(status: number, body: Body, headers: readonly HeaderPair[]): Response {
  const init = { status, headers: headers as [string, string][] }
  return body instanceof ReadableStream ? new FastResponse(body, init) : new WholeResponse(body, init)
}

/** What node:http sends of a response; undefined when it is not whole, or not made by `respond`. It is used up. */
export function partsOf(
  response: Response,
): { status: number; headers: string[]; body: string | Uint8Array | null } | undefined {
  if (response.constructor !== WholeResponse) return undefined
  const { status, headers, body } = (response as NodeResponse)._toNodeResponse()
  return { status, headers, body: typeof body === 'string' || body instanceof Uint8Array ? body : null }
}
