import { FastResponse } from 'srvx'
import type { NodeResponse } from 'srvx/node'
import type { HeaderPair } from './headers.ts'

/** What a response can carry. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/** Responses made here whose body is known as a whole. */
const whole = new WeakSet<Response>()

/**
 * Makes a response from header pairs with names in lower case. On Node nothing of it becomes a web-standard object
 * unless somebody looks at it.
 */
export function respond(status: number, body: Body, headers: readonly HeaderPair[]): Response {
  const response = new FastResponse(body, { status, headers: headers as [string, string][] })
  if (!(body instanceof ReadableStream)) whole.add(response)
  return response
}

/** What node:http sends of a response; undefined when it is not whole, or not made by `respond`. It is used up. */
export function partsOf(
  response: Response,
): { status: number; headers: string[]; body: string | Uint8Array | null } | undefined {
  if (!whole.has(response)) return undefined
  const { status, headers, body } = (response as NodeResponse)._toNodeResponse()
  return { status, headers, body: typeof body === 'string' || body instanceof Uint8Array ? body : null }
}
