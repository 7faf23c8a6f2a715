import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'
import { isLoopback } from '@openfountain/core/internal'

const largest = 1024 * 1024
const timeoutMs = 10_000

export class ProviderFault extends Error {
  override readonly name = 'ProviderFault'
  readonly code: string

  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Fetches within 10 seconds and 1 MiB, without redirects, over https but for this machine's addresses. */
export async function boundedFetch(
  address: string,
  { signal, ...init }: Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'> = {},
): Promise<Response> {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:' && !isLoopback(hostname)) throw new ProviderFault('INSECURE_ADDRESS')
  const limit = AbortSignal.timeout(timeoutMs)
  const response = await fetch(address, {
    ...init,
    redirect: 'manual',
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
  })
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    // Leaving the loop closes the connection.
    if (size > largest) throw new ProviderFault('RESPONSE_TOO_LARGE')
    chunks.push(chunk)
  }
  const hasBody = ![101, 204, 205, 304].includes(response.status)
  return new Response(hasBody ? Buffer.concat(chunks) : null, {
    status: response.status,
    headers: response.headers,
  })
}

const code = /^[A-Za-z_\d]{1,64}$/u

/** An error and what caused it, at most three levels. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let at = error; at !== undefined && causes.length < 3; at = at instanceof Error ? at.cause : undefined)
    causes.push(at)
  return causes
}

/** The code in an error, or in what caused it; never a text, which may repeat a token. */
export function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return code.test(error.error) ? error.error : error.code
  if (error instanceof DOMException) return error.name
  for (const at of causesOf(error)) {
    const given: unknown = at instanceof Error && 'code' in at ? at.code : undefined
    if (typeof given === 'string' && code.test(given)) return given
  }
  return 'UNKNOWN'
}

/** Whether a retry may succeed later without any change. */
export function isOutage(error: unknown): boolean {
  const reason = reasonOf(error)
  return (
    causesOf(error).some((cause) => cause instanceof Response && cause.status >= 500) ||
    /^(?:E[A-Z]+|UND_ERR_[A-Z_]+|STATUS_5\d\d|CERT_[A-Z_]+)$/u.test(reason) ||
    ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'TimeoutError', 'server_error', 'temporarily_unavailable'].includes(
      reason,
    )
  )
}
