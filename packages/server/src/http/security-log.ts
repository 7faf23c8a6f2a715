import { RegistryError } from '@openfountain/core'
import { Problem, type ProblemCode } from '../problem.ts'

/** Events of the security log, with their meanings. */
export const refusalEvents = {
  'authentication.failed': 'A session or a token was presented that is not valid',
  'signin.failed':
    'Somebody tried to sign in: a secret, a code or a passkey was wrong, used or expired, or the person may not',
  'permission.refused': 'A credential was missing or not enough: its kind, its rights or its XP',
  'origin.refused': 'The page of another site tried to write with the session of its visitor',
  'block.refused': 'A blocked user tried to write',
  'rate.limited': 'A client made more requests than the rate limit allows',
} as const

export type RefusalEventName = keyof typeof refusalEvents

/** A refused request: a line of the security log, with the same id as in the access log. */
export interface RefusedRequest {
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly event: RefusalEventName
  /** Also in the access log. */
  readonly requestId: string
  readonly method: string
  /** The declared route, as in the access log. */
  readonly route?: string
  readonly status: number
  readonly code: ProblemCode
  /** The kind of credential, when authentication failed. */
  readonly credential?: 'session' | 'token'
  /** The id of the authenticated user, if any. */
  readonly user?: string
  /** The /24 of an IPv4 address, the /64 of an IPv6 address. */
  readonly network?: string
}

const refusalCodes: ReadonlySet<ProblemCode> = new Set([
  'UNAUTHORIZED',
  'FORBIDDEN',
  'INSUFFICIENT_XP',
  'REAUTHENTICATION_REQUIRED',
])

/** The security event of a refusal, or undefined for other errors. */
export function refusalEventOf(thrown: unknown, isSigningIn = false): RefusalEventName | undefined {
  if (thrown instanceof Problem && thrown.event !== undefined) return thrown.event
  if (!(thrown instanceof Problem || thrown instanceof RegistryError)) return undefined
  if (thrown.code === 'RATE_LIMITED') return 'rate.limited'
  const isRefused = refusalCodes.has(thrown.code)
  if (isSigningIn && (isRefused || thrown.code === 'CONFLICT')) return 'signin.failed'
  // Among FORBIDDEN errors only blocks have a reason.
  if (thrown.code === 'FORBIDDEN' && 'reason' in thrown.details) return 'block.refused'
  return isRefused ? 'permission.refused' : undefined
}
