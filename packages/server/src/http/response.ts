import { STATUS_CODES } from 'node:http'
import { FastResponse } from 'srvx'
import type { HeaderPair } from './headers.ts'

/** What a response can carry. */
export type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

/**
 * Makes a response from header pairs with names in lower case. On Node it is sent without making web-standard objects
 * of its headers and body, unless they are read.
 */
export function respond(status: number, body: Body, headers: readonly HeaderPair[]): Response {
  // Without a text, srvx leaves the reason phrase of the status line empty.
  const statusText = STATUS_CODES[status] ?? ''
  return new FastResponse(body, { status, statusText, headers: headers as [string, string][] })
}
