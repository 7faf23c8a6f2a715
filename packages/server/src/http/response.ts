import { STATUS_CODES } from 'node:http'
import { FastResponse } from 'srvx'
import type { HeaderPair } from './headers.ts'

/** What a response can carry. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/** A response whose body was known when it was made. */
export class WholeResponse extends FastResponse {}

/**
 * Makes a response from header pairs with names in lower case. On Node it is sent without making web-standard objects
 * of its headers and body, unless they are read.
 */
export function respond(status: number, body: Body, headers: readonly HeaderPair[]): Response {
  const Made = body instanceof ReadableStream ? FastResponse : WholeResponse
  // Without a text, srvx leaves the reason phrase of the status line empty.
  const statusText = STATUS_CODES[status] ?? ''
  return new Made(body, { status, statusText, headers: headers as [string, string][] })
}
