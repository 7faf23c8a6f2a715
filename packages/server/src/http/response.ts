import { STATUS_CODES } from 'node:http'
import { FastResponse } from 'srvx'
import type { HeaderPair } from './headers.ts'

export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/** A response with a whole body. */
export class WholeResponse extends FastResponse {}

/**
 * Makes a response from header pairs with lower-case names. Node sends it without web-standard objects for headers and
 * body, unless they are read.
 */
export function respond(status: number, body: Body, headers: readonly HeaderPair[]): Response {
  const Made = body instanceof ReadableStream ? FastResponse : WholeResponse
  // Without a text, srvx leaves the reason phrase of the status line empty.
  const statusText = STATUS_CODES[status] ?? ''
  return new Made(body, { status, statusText, headers: headers as [string, string][] })
}
