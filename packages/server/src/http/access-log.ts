import { RegistryError, type ErrorCode } from '@openfountain/core'
import { Problem, type ProblemCode } from '../problem.ts'

/**
 * A line of the access log. It has the declared route but never the query, and the path only for a 404, since both may
 * contain an e-mail address or a secret typed into a URL.
 */
export interface AccessEntry {
  readonly time: string
  /** Also in the report of an unexpected error. */
  readonly requestId: string
  readonly method: string
  /** Such as `/api/waypoints/{id}`; `site` for files of the site; absent for paths that do not exist. */
  readonly route?: string
  /** The path of a 404 as it was sent, without the query, cut after 500 characters. Absent for other responses. */
  readonly path?: string
  readonly status: number
  /** Of the body as it was sent, compressed or not. */
  readonly bytes: number
  readonly milliseconds: number
  /** The address of the client, when the host of the app provides it. */
  readonly client?: string
  /**
   * The id of the authenticated user; the built-in user for a token without an owner. Absent for endpoints open to
   * anyone, which ignore credentials.
   */
  readonly user?: string
}

export type AccessLog = (entry: AccessEntry) => void

/** An unexpected error; the client gets only the id of the request. */
export interface Failure {
  readonly requestId: string
  readonly method: string
  readonly route: string | undefined
  readonly error: unknown
}

/** Transient errors of the database, which may hit all requests for seconds: the cause says more than the stack. */
const passing: ReadonlySet<ErrorCode> = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_BUSY'])

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!(error instanceof RegistryError && passing.has(error.code))) return error.stack ?? error.message
  const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return `${error.code}: ${error.message}${why}`
}

/** Writes an unexpected error to standard error, with its stack unless the database is away for a while. */
export function reportFailure(failure: Failure): void {
  const { requestId, method, route, error } = failure
  // A message may contain client input, which must not look like another entry of the log.
  const lines = textOf(error)
    .split('\n')
    .map((line, index) => escaped(index === 0 ? line : `    ${line.trimStart()}`))
  process.stderr.write(
    `request ${requestId} (${escaped(method)} ${route ?? 'unknown path'}) failed: ${lines.join('\n')}\n`,
  )
}

/** Characters that end a line, control a terminal or change the direction of text: control, format, line separators. */
const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const escaped = (text: string): string =>
  text.replaceAll(controls, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** Writes each entry as a line of JSON with control characters escaped, by default to standard output. */
export function jsonLines(
  write: (line: string) => unknown = (line) => process.stdout.write(line),
): (entry: object) => void {
  return (entry) => void write(`${escaped(JSON.stringify(entry))}\n`)
}

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
