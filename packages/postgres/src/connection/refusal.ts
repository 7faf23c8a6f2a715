import { DatabaseError } from 'pg'
import { RegistryError } from '@openfountain/core/engine'
import { OnlyReads, SessionLost } from './failure.ts'
import type { Host, Settings } from './settings.ts'

/** A host, and why no session could be opened on it. */
export interface Refusal {
  readonly host: Host
  readonly error: unknown
}

/** A name in a sentence. */
const quoted = (name: string): string => JSON.stringify(name)

const addressOf = ({ host, port }: Host): string =>
  `${host.includes(':') ? `[${host}]` : host}:${String(port)}`

/** A word of a command line, or of SQL in one. */
const word = (text: string): string =>
  /^[\w./:-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`

const client = ({ host, port }: Host): string => `--host=${word(host)} --port=${port}`

/** The problem with a host, as a predicate. */
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

/** The DatabaseError that is behind an error, if one is. */
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
