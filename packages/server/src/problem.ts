import { RegistryError, errorCatalogue, type ErrorCode } from '@openfountain/core'
import { sentence } from '@openfountain/core/internal'
import type { HeaderPair } from './http/headers.ts'

/** Additional codes of the HTTP server, with their default messages; UNAVAILABLE is mostly about the server itself. */
const serverCatalogue = {
  REAUTHENTICATION_REQUIRED: 'Sign in again: this needs a sign-in within the last 10 minutes',
  METHOD_NOT_ALLOWED: 'This path does not take this method; the Allow header lists those it takes',
  REQUEST_TIMEOUT: 'The request did not arrive whole in time',
  GONE: 'It was removed, and does not come back',
  PAYLOAD_TOO_LARGE: 'The request body is too large',
  UNSUPPORTED_MEDIA_TYPE: 'Send the body as application/json in UTF-8',
  RANGE_NOT_SATISFIABLE: 'The requested range lies outside the file',
  INTERNAL: 'Something went wrong here; the id in details finds it in the log of the server',
  UNAVAILABLE: 'The server is busy; try again after the seconds in the Retry-After header',
} as const

type ServerCode = keyof typeof serverCatalogue

export type ProblemCode = ErrorCode | ServerCode

/** The status of every code; does not compile when one is missing. */
export const statusOf = {
  INVALID_INPUT: 400,
  INVALID_COORDINATES: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_XP: 403,
  FORBIDDEN: 403,
  REAUTHENTICATION_REQUIRED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  DUPLICATE: 409,
  NOT_ACCEPTED: 409,
  GONE: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  IDEMPOTENCY_MISMATCH: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  CHAIN_BROKEN: 500,
  STORAGE_CORRUPT: 500,
  STORAGE_MISSING: 500,
  STORAGE_OLDER: 500,
  STORAGE_NOT_ERASED: 500,
  UNAVAILABLE: 503,
  REGISTRY_CLOSED: 503,
  CLOCK_BEHIND: 503,
  STORAGE_UNAVAILABLE: 503,
  STORAGE_BUSY: 503,
  STORAGE_FULL: 503,
  STORAGE_READ_ONLY: 503,
  // A newer server has migrated the database: that one, or this one once upgraded, takes the request.
  STORAGE_NEWER: 503,
} as const satisfies Record<ProblemCode, number>

export const messageOf = (code: ProblemCode): string =>
  code in serverCatalogue ? serverCatalogue[code as ServerCode] : errorCatalogue[code as ErrorCode]

type RefusalEvent = 'authentication.failed' | 'origin.refused'

/** The refusal of a request: its code decides the status, `details` and `headers` are sent to the client. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: readonly (readonly [string, string])[]
  readonly event: RefusalEvent | undefined

  constructor(
    code: ProblemCode,
    options: {
      message?: string
      details?: Readonly<Record<string, unknown>>
      headers?: readonly (readonly [string, string])[]
      event?: RefusalEvent
    } = {},
  ) {
    super(options.message ?? messageOf(code))
    this.code = code
    this.details = options.details ?? {}
    this.headers = options.headers ?? []
    this.event = options.event
  }
}

/** The client closed its connection before its response began; nothing is sent. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'

  constructor() {
    super('The client disconnected before its response began')
  }
}

/** A 400 for one named part of a request; the predicate follows its name, such as "must be given once". */
export function malformed(path: string, predicate: string): Problem {
  const issue = { path, message: predicate }
  return new Problem('INVALID_INPUT', { message: sentence(issue), details: { issues: [issue] } })
}

/** A 400 for a request as a whole, such as "The body is not JSON". */
export const malformedRequest = (message: string): Problem =>
  new Problem('INVALID_INPUT', { message, details: { issues: [{ path: '', message }] } })

/** A 404 that names the missing thing, with a hint for finding existing ones. */
export function notFound(thing: string, remedy?: string): Problem {
  const message = `${thing} not found${remedy === undefined ? '' : `; ${remedy}`}`
  return new Problem('NOT_FOUND', { message })
}

export const busy = (retryAfterSeconds: number, message?: string): Problem =>
  new Problem('UNAVAILABLE', {
    message,
    headers: [['retry-after', String(retryAfterSeconds)]],
  })

/** The response to an error: a refusal in full, an unexpected error as the request's id alone. */
export interface ProblemResponse {
  readonly status: number
  readonly code: ProblemCode
  readonly error: string
  readonly details: Readonly<Record<string, unknown>>
  readonly headers: readonly (readonly [string, string])[]
  readonly failure: boolean
}

/** Codes of server errors whose message and details are public. */
const publicCodes: ReadonlySet<ProblemCode> = new Set(['UNAVAILABLE', 'CLOCK_BEHIND'])

/** The one challenge of this API: RFC 9110, section 11.6.1, wants one on every 401. */
export const challenge = [['www-authenticate', 'Bearer']] as const

function usualHeaders({ code, details }: Problem | RegistryError): readonly HeaderPair[] {
  if (code === 'UNAUTHORIZED') return challenge
  const seconds =
    code === 'UNAVAILABLE' ? 60 : code === 'RATE_LIMITED' ? details['retryAfterSeconds'] : undefined
  return typeof seconds === 'number' ? [['retry-after', String(seconds)]] : []
}

/** Refusals keep their message; everything else, also a library's error with a `status`, becomes INTERNAL. */
export function problemResponse(thrown: unknown, requestId: string): ProblemResponse {
  if (thrown instanceof Problem || thrown instanceof RegistryError) {
    const { code, message: error, details } = thrown
    const status = statusOf[code]
    const own = thrown instanceof Problem ? thrown.headers : []
    const headers = own.length > 0 ? own : usualHeaders(thrown)
    if (status < 500 || publicCodes.has(code))
      return { status, code, error, details, headers, failure: code === 'CLOCK_BEHIND' }
    // Storage messages may contain a path of this machine: send the default one.
    if (status === 503) {
      return {
        status,
        code: 'UNAVAILABLE',
        error: messageOf('UNAVAILABLE'),
        details: { requestId },
        headers: [['retry-after', '1']],
        failure: true,
      }
    }
  }
  return {
    status: 500,
    code: 'INTERNAL',
    error: messageOf('INTERNAL'),
    details: { requestId },
    headers: [],
    failure: true,
  }
}
