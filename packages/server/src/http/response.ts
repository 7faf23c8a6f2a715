import { FastResponse } from 'srvx'
import type { HeaderPair } from './headers.ts'

/** What a response can carry. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/**
 * Makes a response from header pairs with names in lower case. On Node nothing of it becomes a web-standard object
 * unless somebody reads it.
 */
export function respond(status: number, body: Body, headers: readonly HeaderPair[]): Response {
  return new FastResponse(body, { status, headers: headers as [string, string][] })
}
