import type { Socket } from 'node:net'
import { Client, types as parsers, type ClientConfig } from 'pg'
import { RegistryError } from '@openfountain/core/engine'
import type { Planning, Queries, Value } from './statement.ts'
import { OnlyReads, sessionError, SessionLost } from './failure.ts'
import type { Host, Settings } from './settings.ts'

/** The purpose of a session, which decides its limits, and whether statements are pipelined. */
export type Purpose = 'read' | 'write' | 'long'

/** A cut network sends no signal: a statement without an answer for this long, in milliseconds, is lost. */
const usualTimeout = 15_000
/** The wait of a write for those of other processes, in milliseconds. */
const lockTimeout = 10_000
/** After this many milliseconds of silence the server undoes a transaction, whose lock keeps all others from writing. */
const silence = 10_000

interface OpeningOptions {
  readonly purpose: Purpose
  readonly durability?: 'full' | 'relaxed' | undefined
  readonly answerTimeout?: number | undefined
}

/** Many short reads share the processors: a parallel plan would take those of other reads. */
const alone = '; set max_parallel_workers_per_gather = 0'

const limits: Readonly<Record<Purpose, string>> = {
  read: alone,
  write: `; set lock_timeout = ${lockTimeout}; set idle_in_transaction_session_timeout = ${silence}`,
  long: '',
}

/** A commit is on disk when it is acknowledged, and on standbys as the server is set, or it need not be. */
const full = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`
const relaxed = 'set synchronous_commit = off'

/** How long ending a session politely may take, in milliseconds. */
const farewell = 2000

const arrayOf = (parse: (text: string) => unknown) => {
  const elements = parsers.getTypeParser(1009 as number as never) as (text: string) => (string | null)[]
  return (text: string) => elements(text).map((each) => (each === null ? null : parse(each)))
}

/** Parsers of values, by the ids of their types in pg_type: all numbers become JavaScript's, other types stay text. */
const parserOf = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  ...[20, 21, 23, 700, 701, 1700].map((type) => [type, Number] as const),
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[1005, 1007, 1016, 1022].map((type) => [type, arrayOf(Number)] as const),
  [1009, arrayOf(String)],
])
const asText = (text: string): string => text

/** Names of prepared statements, which all sessions share. */
const names = new Map<string, string>()

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `openfountain${names.size + 1}`
    names.set(text, name)
  }
  return name
}

/** No text of the registry has U+0000, which PostgreSQL refuses, but one may be looked for: as one that is nowhere. */
const nowhere = '\u{10FFFF}\u{10FFFF}'
const without = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', nowhere) : text)

function storable(value: Value): unknown {
  if (typeof value === 'string') return without(value)
  if (!Array.isArray(value)) return value
  return value.map((each: unknown) => (typeof each === 'string' ? without(each) : each))
}

const socketOf = (client: Client): Socket => client.connection.stream as Socket

/** One session on a server. Statements that are sent together are answered in their order. */
export class Session implements Queries {
  readonly #client: Client
  readonly #mayIdle: boolean
  #isOpen = true
  /** How many statements are not answered yet. */
  #running = 0

  private constructor(client: Client, { purpose }: OpeningOptions) {
    this.#client = client
    this.#mayIdle = purpose !== 'long'
    // Running statements get the error, too; without a listener the process would end.
    client.on('error', () => this.#lose())
    client.on('end', () => this.#lose())
  }

  /** Opens a session. @throws SessionLost when the server cannot be reached or is no server of the kind that is asked for */
  static async open(host: Host, settings: Settings, options: OpeningOptions): Promise<Session> {
    const session = new Session(await connected(host, settings, options), options)
    try {
      await session.#begin(options, settings.acceptsStandby)
      return session
    } catch (error) {
      session.destroy()
      throw error
    }
  }

  async #begin({ purpose, durability }: OpeningOptions, acceptsStandby: boolean): Promise<void> {
    const commits = durability === 'relaxed' ? relaxed : full
    await this.command(`set jit = off; set timezone = 'UTC'${limits[purpose]}; ${commits}`)
    if (acceptsStandby) return
    const [found] = await this.query<{ isStandby: boolean; readsOnly: string }>(
      `select pg_is_in_recovery() as "isStandby", current_setting('transaction_read_only') as "readsOnly"`,
    )
    if (found?.isStandby !== false || found.readsOnly !== 'off')
      throw new SessionLost('The server is a standby', { cause: new OnlyReads() })
  }

  /** Whether it can be used; a lost connection is noticed when it is next used at the latest. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** @throws SessionLost, DatabaseError */
  async query<Row>(text: string, values: readonly Value[] = [], planning: Planning = {}): Promise<Row[]> {
    const { forValues = false } = planning
    const name = forValues ? {} : { name: nameOf(text) }
    const given = values.map(storable)
    const { rows } = await this.#waiting(() =>
      this.#client.query<Row & object, unknown[]>({ ...name, text, values: given }),
    )
    return rows
  }

  async command(text: string): Promise<void> {
    await this.#waiting(() => this.#client.query(text))
  }

  /** Waits for the answer of a statement; a session that waits for nothing does not keep the process running. */
  async #waiting<Result>(statement: () => Promise<Result>): Promise<Result> {
    this.#running += 1
    if (this.#mayIdle && this.#running === 1) socketOf(this.#client).ref()
    try {
      return await statement()
    } catch (error) {
      throw this.#failed(error)
    } finally {
      this.#running -= 1
      if (this.#mayIdle && this.#running === 0) socketOf(this.#client).unref()
    }
  }

  get client(): Client {
    return this.#client
  }

  #failed(error: unknown): unknown {
    const failure = sessionError(error)
    if (failure instanceof SessionLost) this.destroy()
    return failure
  }

  #lose(): void {
    this.#isOpen = false
  }

  /** Ends the session at once, also with running statements. */
  destroy(): void {
    this.#lose()
    // A connection that nobody answers would not end otherwise.
    this.#client.connection.stream.destroy()
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return
    this.#lose()
    const timer = setTimeout(() => this.destroy(), farewell)
    try {
      await this.#client.end()
    } finally {
      clearTimeout(timer)
    }
  }
}

async function connected(host: Host, settings: Settings, options: OpeningOptions): Promise<Client> {
  const isSocket = host.host.startsWith('/')
  if (settings.tls === 'off' || isSocket) return connecting(host, settings, options, false)
  if (settings.tls !== 'prefer') return connecting(host, settings, options, settings.tls)
  try {
    return await connecting(host, settings, options, { rejectUnauthorized: false })
  } catch (error) {
    if (!hasNoTls(error)) throw error
    return connecting(host, settings, options, false)
  }
}

const hasNoTls = (error: unknown): boolean =>
  error instanceof SessionLost &&
  error.cause instanceof Error &&
  error.cause.message === 'The server does not support SSL connections'

async function connecting(
  host: Host,
  { database, user, password, applicationName, connectTimeout }: Settings,
  { purpose, answerTimeout = usualTimeout }: OpeningOptions,
  ssl: ClientConfig['ssl'],
): Promise<Client> {
  const client = new Client({
    ...host,
    ssl,
    user,
    database,
    password: () => password(host),
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeout,
    keepAlive: true,
    pipeline: purpose !== 'long',
    ...(purpose !== 'long' && { query_timeout: answerTimeout }),
    types: { getTypeParser: (type: number) => parserOf.get(type) ?? asText },
  } as ClientConfig)
  try {
    let version = ''
    client.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'server_version') version = parameterValue
    })
    client.on('error', () => undefined)
    await client.connect()
    mustBeSupported(version)
    return client
  } catch (error) {
    client.connection.stream.destroy()
    if (error instanceof RegistryError) throw error
    throw sessionError(error)
  }
}

interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

const oldestVersion = 15

/** @throws RegistryError STORAGE_UNAVAILABLE */
function mustBeSupported(version: string): void {
  if (Number.parseInt(version, 10) >= oldestVersion) return
  throw new RegistryError(
    'STORAGE_UNAVAILABLE',
    `The database server is PostgreSQL ${version}, which is too old: openfountain needs ${oldestVersion} or newer`,
    { version },
  )
}
