import { invalidBecause, RegistryError } from '@openfountain/core/engine'
import { readFileSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import type { ConnectionOptions } from 'node:tls'
import path from 'node:path'

export interface Host {
  /** A name, an address, or the folder of a socket, which begins with a slash. */
  readonly host: string
  readonly port: number
}

export interface Settings {
  /** The servers of the cluster, in the order in which they are tried. */
  readonly hosts: readonly Host[]
  readonly database: string
  readonly user: string
  /** Whether a server that only reads will do, such as a standby. Default only one that takes writes. */
  readonly acceptsStandby: boolean
  readonly tls: 'off' | 'prefer' | ConnectionOptions
  /** The name shown in the server's list of sessions. */
  readonly applicationName: string
  readonly connectTimeout: number
  /** Returns the password for a server, without storing it. @throws RegistryError STORAGE_UNAVAILABLE where none is known */
  readonly password: (host: Host) => string
}

const form =
  /^postgres(?:ql)?:\/\/(?:(?<credentials>[^@/?#]*)@)?(?<hosts>[^/?#@]*)(?:\/(?<database>[^?#/@]*))?(?:\?(?<query>[^#]*))?$/

/** The options of an address and of a service, with the variables that say the same (https://www.postgresql.org/docs/current/libpq-pgservice.html). */
const variables: Readonly<Record<string, string>> = {
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  dbname: 'PGDATABASE',
  host: 'PGHOST',
  passfile: 'PGPASSFILE',
  password: 'PGPASSWORD',
  port: 'PGPORT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  user: 'PGUSER',
}

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

function filesOf(environment: NodeJS.ProcessEnv): string[] {
  const own = environment['PGSERVICEFILE'] ?? path.join(homedir(), '.pg_service.conf')
  const folder = environment['PGSYSCONFDIR']
  return folder === undefined ? [own] : [own, path.join(folder, 'pg_service.conf')]
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The lines of a service in a file, `name=value` each; undefined where the file does not have it. */
function linesOf(file: string, service: string): string[] | undefined {
  const lines = (textOf(file) ?? '').split(/\r?\n/).map((line) => line.trim())
  const at = lines.indexOf(`[${service}]`)
  if (at === -1) return undefined
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line.startsWith('['))
  return rest.slice(0, end === -1 ? undefined : end).filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * The environment with the settings of a service of the file that PGSERVICEFILE names, default `~/.pg_service.conf`, and then
 * of `pg_service.conf` in the folder that PGSYSCONFDIR names. As in every program for PostgreSQL they come before variables.
 *
 * @throws RegistryError INVALID_INPUT when there is no such service, or a setting is not known here
 */
function withService(service: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const files = filesOf(environment)
  for (const file of files) {
    const lines = linesOf(file, service)
    if (lines === undefined) continue
    const settings = lines.map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/su).map((part) => part.trim())
      const variable = variables[name]
      if (variable === undefined)
        throw invalidBecause('database', `${name} of service ${service} in ${file} is no setting of one here`)
      return [variable, value] as const
    })
    return { ...environment, ...Object.fromEntries(settings) }
  }
  throw invalidBecause('database', `service ${service} is not found in ${files.join(' and ')}`)
}

/** Splits a line of the file, where a backslash takes colons and backslashes literally. */
function fieldsOf(line: string): string[] {
  return (line.match(/(?:\\.|[^:\\])+|(?<=:|^)(?=:|$)/gsu) ?? []).map((field) =>
    field.replaceAll(/\\(.)/gsu, '$1'),
  )
}

const unknown = (user: string, reason = ''): RegistryError =>
  new RegistryError(
    'STORAGE_UNAVAILABLE',
    `The database server asks for the password of user ${JSON.stringify(user)}: give it as PGPASSWORD, or in the file that PGPASSFILE names${reason}`,
  )

/**
 * The password for a server from the file that PGPASSFILE names, default `~/.pgpass`: lines of
 * `host:port:database:user:password`, where `*` stands for anything. As in every program for PostgreSQL, a file that others
 * can read is not used.
 *
 * @throws RegistryError STORAGE_UNAVAILABLE, which says why there is none
 */
function passwordFor(
  {
    host,
    port,
    database,
    user,
  }: Readonly<Record<'host' | 'database' | 'user', string>> & { readonly port: number },
  { PGPASSFILE: named = '' }: NodeJS.ProcessEnv,
): string {
  const file = named === '' ? path.join(homedir(), '.pgpass') : named
  const text = textOf(file)
  if (text === undefined) throw unknown(user, named === '' ? '' : `; ${file} cannot be read`)
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw unknown(user, `; ${file} is not used, since others can read it; run chmod 600 ${file}`)
  const sought = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    const fields = line.startsWith('#') ? [] : fieldsOf(line)
    const [password] = fields.slice(4)
    if (password !== undefined && sought.every((each, at) => ['*', each].includes(fields[at] ?? '')))
      return password
  }
  throw unknown(user, `; ${file} has no line for ${sought.join(':')}`)
}
