import { invalidBecause } from '@openfountain/core/engine'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import { passwordFor } from './password-file.ts'
import { variables, withService } from './service-file.ts'

/** One server of a cluster. */
export interface Host {
  /** A name, an address, or the folder of a socket, which begins with a slash. */
  readonly host: string
  readonly port: number
}

/** Where a database is, and how to get in. */
export interface Settings {
  /** The servers of the cluster, in the order in which they are tried. */
  readonly hosts: readonly Host[]
  readonly database: string
  readonly user: string
  /** Whether a server that only reads will do, such as a standby. Default only one that takes writes. */
  readonly acceptsStandby: boolean
  /** How TLS is spoken; `prefer` where a server that has none will do. */
  readonly tls: 'off' | 'prefer' | ConnectionOptions
  /** The name shown in the server's list of sessions. */
  readonly applicationName: string
  /** How long connecting to one server may take, in milliseconds. */
  readonly connectTimeout: number
  /**
   * Returns the password for a server, without storing it. @throws RegistryError STORAGE_UNAVAILABLE where none is
   * known
   */
  readonly password: (host: Host) => string
}

const form =
  /^postgres(?:ql)?:\/\/(?:(?<credentials>[^@/?#]*)@)?(?<hosts>[^/?#@]*)(?:\/(?<database>[^?#/@]*))?(?:\?(?<query>[^#]*))?$/

const known: readonly string[] = [...Object.keys(variables), 'service'].toSorted()

const wrong = (reason: string): Error => invalidBecause('database', reason)

function decoded(part: string | undefined): string | undefined {
  if (part === undefined || part === '') return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    throw wrong('a part of the address is not percent-encoded as it should be')
  }
}

/** The value of an option, from the address or a variable. */
type Setting = (name: string) => string | undefined

/** Names and ports of servers: `a:5432,b`, `[::1]:5433`, or as `host` and `port`, as libpq has them. */
function hostsOf(authority: string, names: string | undefined, setting: Setting): Host[] {
  const ports = (setting('port') ?? '5432').split(',')
  const given = names === undefined ? authority.split(',') : names.split(',')
  return given.map((each, index) => {
    const match = /^(?:\[(?<address>[^\]]+)\]|(?<name>(?:\/.*|[^:]*)))(?::(?<port>\d+))?$/.exec(
      decoded(each) ?? '',
    )
    if (match?.groups === undefined) throw wrong('the servers must be like a.example:5432,b.example')
    const { address, name, port } = match.groups
    const number = Number(port ?? ports[index] ?? ports[0])
    if (!Number.isInteger(number) || number < 1 || number > 65_535)
      throw wrong('the port of a server must be a number from 1 to 65535')
    return { host: address ?? (name === undefined || name === '' ? 'localhost' : name), port: number }
  })
}

/** TLS by libpq's names (https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION). */
function tlsOf(setting: Setting): Settings['tls'] {
  const mode = setting('sslmode') ?? 'prefer'
  const [root, certificate, key] = [setting('sslrootcert'), setting('sslcert'), setting('sslkey')]
  if (mode === 'disable') return 'off'
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const files = {
    ...(root !== undefined && root !== 'system' && { ca: readFileSync(root, 'utf8') }),
    ...(certificate !== undefined && { cert: readFileSync(certificate, 'utf8') }),
    ...(key !== undefined && { key: readFileSync(key, 'utf8') }),
  }
  if (mode === 'require' && root === undefined) return { ...files, rejectUnauthorized: false }
  // With a root certificate, libpq's `require` is its `verify-ca`.
  if (mode === 'require' || mode === 'verify-ca') return { ...files, checkServerIdentity: () => undefined }
  if (mode === 'verify-full') return files
  throw wrong('sslmode must be disable, allow, prefer, require, verify-ca or verify-full')
}

/** An empty variable counts as unset. */
const withoutBlanks = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))

/** The settings of the environment, with those of the service that the address or PGSERVICE names. */
function environmentFor(query: URLSearchParams, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const environment = withoutBlanks(given)
  const service = query.get('service') ?? environment['PGSERVICE']
  return service === undefined ? environment : withoutBlanks(withService(service, environment))
}

/**
 * Reads the address of a database: `postgres://user:password@a:5432,b:5432/name?sslmode=verify-full`. Missing parts are
 * taken from the service that PGSERVICE names, then from PGHOST, PGPORT, PGUSER, PGDATABASE, PGPASSWORD, PGPASSFILE,
 * PGSSLMODE, PGTARGETSESSIONATTRS and the like, as every program for PostgreSQL does.
 *
 * @throws RegistryError INVALID_INPUT, without the address, which may have a password
 */
export function settingsOf(url: string, given: NodeJS.ProcessEnv = process.env): Settings {
  const groups = form.exec(url)?.groups
  if (groups === undefined)
    throw wrong(
      'it must be like postgres://user@host:5432/name; characters such as @ and / in a password are percent-encoded',
    )
  const query = new URLSearchParams(groups['query'])
  for (const name of query.keys())
    if (!known.includes(name))
      throw wrong(`${name} is no option of an address here; the options are ${known.join(', ')}`)
  const environment = environmentFor(query, given)
  const setting: Setting = (name) => query.get(name) ?? environment[variables[name] ?? '']
  const [credential, secret] = (groups['credentials'] ?? '').split(/:(.*)/su)
  const user = decoded(credential) ?? setting('user') ?? userInfo().username
  const database = decoded(groups['database']) ?? setting('dbname') ?? user
  const attributes = setting('target_session_attrs') ?? 'read-write'
  if (!['read-write', 'primary', 'any'].includes(attributes))
    throw wrong('target_session_attrs must be read-write, primary or any')
  const seconds = Number(setting('connect_timeout') ?? 5)
  if (!(seconds > 0)) throw wrong('connect_timeout must be a number of seconds')
  const password = decoded(secret) ?? setting('password')
  const passwords = { ...environment, PGPASSFILE: setting('passfile') }
  const { hosts: authority = '' } = groups
  const names = authority === '' ? setting('host') : (query.get('host') ?? undefined)
  return {
    hosts: hostsOf(authority, names, setting),
    database,
    user,
    acceptsStandby: attributes === 'any',
    tls: tlsOf(setting),
    applicationName: setting('application_name') ?? 'openfountain',
    connectTimeout: seconds * 1000,
    password: (host) => password ?? passwordFor({ ...host, database, user }, passwords),
  }
}
