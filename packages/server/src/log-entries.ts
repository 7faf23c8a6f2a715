import type { Exchange } from './exchange.ts'
import type { AccessEntry } from './http/access-log.ts'
import { addressPrefix, refusalEventOf, type RefusedRequest } from './http/security-log.ts'
import type { ProblemResponse } from './problem.ts'

export function accessEntry(exchange: Exchange, status: number, bytes: number): AccessEntry {
  const { id: requestId, request, route, client, user } = exchange
  return {
    time: new Date().toISOString(),
    requestId,
    method: request.method,
    route,
    ...(status === 404 ? { path: pathOf(request.url) } : {}),
    status,
    bytes,
    milliseconds: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
    client,
    user,
  }
}

/** The security log entry of an error, or undefined if it does not concern security. */
export function refusedRequest(
  exchange: Exchange,
  thrown: unknown,
  { status, code }: ProblemResponse,
): RefusedRequest | undefined {
  const event = refusalEventOf(thrown, exchange.isSigningIn)
  if (event === undefined) return undefined
  const { id: requestId, request, route, credential, user, client } = exchange
  return {
    time: new Date().toISOString(),
    event,
    requestId,
    method: request.method,
    route,
    status,
    code,
    credential,
    user,
    ...(client === undefined ? {} : { network: addressPrefix(client) }),
  }
}

/** Characters of a path in the access log; the rest is cut. */
const loggedPath = 500

/** The path of an absolute URL without the query. */
function pathOf(url: string): string {
  const query = url.indexOf('?')
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3), query < 0 ? undefined : query)
  return path.length > loggedPath ? `${path.slice(0, loggedPath)}…` : path
}
