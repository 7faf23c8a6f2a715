import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

const code = /^[A-Za-z_\d]{1,64}$/u

/** The code in an error, or in what caused it; never a text, which may repeat a token. */
export function reasonOf(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
    return code.test(error.error) ? error.error : error.code
  if (error instanceof DOMException) return error.name
  for (let at = error, depth = 0; at instanceof Error && depth < 3; at = at.cause, depth++) {
    const given: unknown = 'code' in at ? at.code : undefined
    if (typeof given === 'string' && code.test(given)) return given
  }
  return 'UNKNOWN'
}

/** Whether it may work later, without anybody changing anything. */
export function isOutage(reason: string): boolean {
  return (
    /^(?:E[A-Z]+|UND_ERR_[A-Z_]+|STATUS_5\d\d|CERT_[A-Z_]+)$/u.test(reason) ||
    ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'TimeoutError', 'server_error', 'temporarily_unavailable'].includes(
      reason,
    )
  )
}
