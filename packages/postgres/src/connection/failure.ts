import { DatabaseError } from 'pg'
import { codeOf, RegistryError, type ErrorCode } from '@openfountain/core/engine'
import type { Host, Settings } from './settings.ts'

/** The beginnings of PostgreSQL's SQLSTATEs (https://www.postgresql.org/docs/current/errcodes-appendix.html) by the error code. */
const codes: Partial<Record<ErrorCode, readonly string[]>> = {
  // serialization_failure, deadlock_detected, lock_not_available, query_canceled, too_many_connections
  STORAGE_BUSY: ['40001', '40P01', '55P03', '57014', '53300'],
  STORAGE_FULL: ['53', '58030'],
  STORAGE_READ_ONLY: ['25006', '42501'],
  STORAGE_CORRUPT: ['XX001', 'XX002'],
  STORAGE_MISSING: ['3D000'],
  // The connection, the server that starts or stops, and who is let in.
  STORAGE_UNAVAILABLE: ['08', '57P', '25P03', '28'],
}

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

/** The end of a session: its connection is lost, or its server stops or has become a standby. Another session may succeed. */
export class SessionLost extends Error {
  override readonly name = 'SessionLost'
}

/** SQLSTATEs that end the use of a session, or keep one from being opened; the last are plans of statements that a migration changed. */
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
  const code = codeOf(codes, sqlState)
  if (code === undefined) return error
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

export interface Refusal {
  readonly host: Host
  readonly error: unknown
}

const quoted = (name: string): string => JSON.stringify(name)

const addressOf = ({ host, port }: Host): string =>
  `${host.includes(':') ? `[${host}]` : host}:${String(port)}`

/** A word of a command line, or of SQL in one. */
const word = (text: string): string =>
  /^[\w./:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const client = ({ host, port }: Host): string => `--host=${word(host)} --port=${port}`

function reasonOf(error: unknown): string {
  const cause = error instanceof SessionLost ? error.cause : error
  if (cause instanceof OnlyReads) return 'takes no writes: it is a standby, or set to read only'
  if (cause instanceof DatabaseError) return `says: ${cause.message}`
  if (!(cause instanceof Error)) return 'cannot be reached'
  if (cause.message === 'The server does not support SSL connections')
    return 'does not speak TLS, which sslmode asks for'
  const code = 'code' in cause ? String(cause.code) : ''
  if (code === 'ECONNREFUSED') return 'refuses connections (ECONNREFUSED)'
  if (/^(?:CERT|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/u.test(code))
    return `has a certificate that is not trusted (${code}): sslrootcert names the file of who signs it`
  return `cannot be reached (${code === '' ? cause.message : code})`
}

function unreachable(refusals: readonly Refusal[], { database }: Settings): string {
  const reasons = refusals.map(({ host, error }) => `${addressOf(host)} ${reasonOf(error)}`)
  const isStandby = refusals.some(
    ({ error }) => error instanceof SessionLost && error.cause instanceof OnlyReads,
  )
  const remedy = isStandby
    ? `Name the server that takes writes in the address, too, such as postgres://${refusals.map(({ host }) => addressOf(host)).join(',')},OTHER/${encodeURIComponent(database)}, or promote the standby`
    : 'Check that it runs, and the host, the port and the options of the address'
  return `No database server can be used: ${reasons.join('; ')}. ${remedy}`
}

/** A refusal by the server, by its SQLSTATE, with the remedy. */
function refused(
  { code = '', message }: DatabaseError,
  { user, database, hosts: [host = { host: 'localhost', port: 5432 }] }: Settings,
): string | undefined {
  switch (code) {
    case '28P01':
      return `The database server refuses the password of user ${quoted(user)}, or there is no such user: check PGPASSWORD, or the file that PGPASSFILE names`
    case '28000':
      return `The database server does not let user ${quoted(user)} in: ${message}`
    case '3D000':
      return `There is no database ${quoted(database)} on the server: create it, as in createdb ${client(host)} --username=postgres --owner=${word(user)} ${word(database)}`
    case '42501':
      return `User ${quoted(user)} may not create or use the tables of a registry in database ${quoted(database)}: connect as their owner, or make the user the owner of the database, as in psql ${client(host)} --username=postgres --command=${word(`alter database ${identifier(database)} owner to ${identifier(user)}`)}`
    default:
      return undefined
  }
}

function fromServer(error: unknown): DatabaseError | undefined {
  if (error instanceof DatabaseError) return error
  return error instanceof Error ? fromServer(error.cause) : undefined
}

/**
 * The error for a database that cannot be opened, with problem and remedy, for the operator: it names servers, user and
 * database, and never a password.
 *
 * @param refusals the last refusal of each host
 */
export function openingError(error: unknown, settings: Settings, refusals: readonly Refusal[]): unknown {
  if (!(error instanceof RegistryError)) return error
  const { code, details, cause } = error
  const server = fromServer(cause)
  const message = server === undefined ? undefined : refused(server, settings)
  if (message !== undefined) return new RegistryError(code, message, details, { cause })
  if (code !== 'STORAGE_UNAVAILABLE' || refusals.length === 0 || cause === undefined) return error
  return new RegistryError(code, unreachable(refusals, settings), details, { cause })
}
