import { AuthorizationResponseError, ResponseBodyError } from 'openid-client'

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
