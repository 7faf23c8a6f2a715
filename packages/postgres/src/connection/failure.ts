import { DatabaseError } from 'pg'
import { RegistryError, type ErrorCode } from '@openfountain/core/engine'

/** The error code for PostgreSQL's SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html), by prefix. */
const codes: readonly (readonly [prefix: string, code: ErrorCode])[] = [
  // serialization_failure, deadlock_detected, lock_not_available, query_canceled, too_many_connections
  ['40001', 'STORAGE_BUSY'],
  ['40P01', 'STORAGE_BUSY'],
  ['55P03', 'STORAGE_BUSY'],
  ['57014', 'STORAGE_BUSY'],
  ['53300', 'STORAGE_BUSY'],
  ['53', 'STORAGE_FULL'],
  ['58030', 'STORAGE_FULL'],
  ['25006', 'STORAGE_READ_ONLY'],
  ['42501', 'STORAGE_READ_ONLY'],
  ['XX001', 'STORAGE_CORRUPT'],
  ['XX002', 'STORAGE_CORRUPT'],
  ['3D000', 'STORAGE_MISSING'],
  // The connection, the server that starts or stops, and who is let in.
  ['08', 'STORAGE_UNAVAILABLE'],
  ['57P', 'STORAGE_UNAVAILABLE'],
  ['25P03', 'STORAGE_UNAVAILABLE'],
  ['28', 'STORAGE_UNAVAILABLE'],
]

const messages: Partial<Record<ErrorCode, string>> = {
  STORAGE_BUSY: 'The database did not get to it in time; try again',
  STORAGE_FULL:
    'The database server has no room left, or its disk fails; the write was undone. Make room and try again',
  STORAGE_READ_ONLY: 'The database cannot be written: the server is a standby, or its user lacks the right',
  STORAGE_CORRUPT: 'The database is damaged; restore a backup',
  STORAGE_MISSING: 'There is no such database on the server: create it first',
}

const reasons: Readonly<Record<string, string>> = {
  '53300': 'The database server has no connection left: try again, or raise its max_connections',
  '28P01': 'The database server refuses the password',
  '28000': 'The database server does not let this user in',
}

/**
 * The end of a session: its connection is lost, or its server stops or has become a standby. Another session may
 * succeed.
 */
export class SessionLost extends Error {
  override readonly name = 'SessionLost'
}

/**
 * SQLSTATEs that end the use of a session, or keep one from being opened; the last are plans of statements that a migration
 * changed.
 */
const endings = /^(?:08|57P|53300|25P03|25006|0A000|26000)/

/** A server without writes, a standby or one set to read only, where writes are needed. */
export class OnlyReads extends Error {
  override readonly name = 'OnlyReads'

  constructor() {
    super('the server takes no writes: it is a standby, or set to read only')
  }
}

/** An error of the driver: the end of the session becomes a SessionLost, the refusal of a statement stays. */
export function sessionError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return new SessionLost('The connection was lost', { cause: error })
  // These have the texts of rows and statements.
  for (const name of ['detail', 'where', 'internalQuery'] as const) delete error[name]
  return endings.test(error.code ?? '') ? new SessionLost('The session ended', { cause: error }) : error
}

/** SQLSTATEs after which the same transaction may succeed at once. */
const transient: ReadonlySet<string> = new Set(['40001', '40P01'])

/** Whether the same transaction may succeed when it is run again. */
export function isTransient(error: unknown): boolean {
  return error instanceof DatabaseError && transient.has(error.code ?? '')
}

/** The RegistryError for an error of a session; any other error is returned unchanged. It has no host and no password. */
export function storageError(error: unknown): unknown {
  if (error instanceof SessionLost) {
    const known = storageError(error.cause)
    return known instanceof RegistryError ? known : unavailable(error.cause)
  }
  if (!(error instanceof DatabaseError)) return error
  const sqlState = error.code ?? ''
  const found = codes.find(([prefix]) => sqlState.startsWith(prefix))
  if (found === undefined) return error
  const [, code] = found
  return new RegistryError(
    code,
    reasons[sqlState] ?? messages[code],
    { postgres: sqlState },
    { cause: error },
  )
}

function unavailable(cause: unknown): RegistryError {
  const system = cause instanceof Error && 'code' in cause ? { system: String(cause.code) } : {}
  return new RegistryError('STORAGE_UNAVAILABLE', undefined, system, { cause })
}
