import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client, type ClientConfig } from 'pg'
import { postgresFolder } from '../programs.ts'
import { freePort } from '../listening.ts'

const run = promisify(execFile)

/** The superuser of a cluster, and the role of registries, which owns their databases and nothing else. */
const admin = 'admin'
const owner = 'openfountain'

export interface ClusterAddress {
  readonly port: number
  readonly folder: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly postgres: ClusterAddress
  }
}

type Settings = Readonly<Record<string, string | number>>

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

/** PostgreSQL refuses to run as root: Debian's package has a user for it. */
async function unprivileged(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {}
  const ask = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout)
  return { uid: await ask('-u'), gid: await ask('-g') }
}

/** Roles with a password must send it; `admin` and `openfountain` have none. */
const hostsFile = `
local all ${admin},${owner} trust
host all ${admin},${owner} 127.0.0.1/32 trust
local replication ${admin} trust
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
`

const basic = {
  max_connections: 200,
  shared_buffers: '64MB',
  listen_addresses: '127.0.0.1',
  wal_retrieve_retry_interval: '200ms',
}
const quick = { fsync: 'off', full_page_writes: 'off' }

const running = new Set<ChildProcess>()
// An interrupted run leaves no server behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGINT')
})

export const adminOf = ({ port, folder }: ClusterAddress, database: string): ClientConfig => ({
  host: folder,
  port,
  user: admin,
  database,
})

export async function asAdmin<Row extends Record<string, unknown>>(
  cluster: ClusterAddress,
  statement: string,
  database = 'postgres',
): Promise<Row[]> {
  const client = new Client(adminOf(cluster, database))
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

let databases = 0

/** Creates an empty database, owned by the role in its URL. @returns the URL; the database ends with the cluster */
export async function createDatabase(cluster: ClusterAddress): Promise<string> {
  const name = `test_${process.pid}_${++databases}`
  await asAdmin(cluster, `create database ${name} owner ${owner}`)
  return `postgres://${owner}@127.0.0.1:${cluster.port}/${name}`
}

export async function dropDatabase(cluster: ClusterAddress, url: string): Promise<void> {
  await asAdmin(cluster, `drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
}

/** A private cluster in a temporary folder, run by an unprivileged user. The caller of `start` stops it. */
export class Cluster implements ClusterAddress {
  readonly port: number
  readonly folder: string
  readonly #programs: string
  readonly #owner: Owner
  readonly #settings: Settings
  #server: ChildProcess | undefined

  private constructor(
    place: ClusterAddress & { readonly programs: string; readonly owner: Owner },
    settings: Settings,
  ) {
    this.#settings = settings
    this.port = place.port
    this.folder = place.folder
    this.#programs = place.programs
    this.#owner = place.owner
  }

  /** @param options `isDurable`: whether writes are flushed, which only tests of crashes need */
  static async start(options: { isDurable?: boolean; settings?: Settings } = {}): Promise<Cluster> {
    const { isDurable = false, settings = {} } = options
    const cluster = await Cluster.#place({ ...basic, ...(isDurable ? {} : quick), ...settings })
    // The default collation is that of another language, so that a dependence on it fails here.
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
    await cluster.#run('initdb', ['-D', cluster.#data, '-U', admin, '-A', 'trust', '--no-sync', ...locale])
    await writeFile(path.join(cluster.#data, 'pg_hba.conf'), hostsFile)
    await cluster.#begin()
    await asAdmin(cluster, `create role ${owner} login`)
    return cluster
  }

  /** A cluster whose data are put into its new folder by the caller, such as a standby. */
  static async filled(fill: (data: string) => Promise<void>): Promise<Cluster> {
    const cluster = await Cluster.#place({ ...basic, ...quick })
    await fill(cluster.#data)
    await cluster.#begin()
    return cluster
  }

  static async #place(settings: Settings): Promise<Cluster> {
    const programs = await postgresFolder()
    if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
    const user = await unprivileged()
    const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-pg-'))
    if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid)
    return new Cluster({ port: await freePort(), folder, programs, owner: user }, settings)
  }

  get #data(): string {
    return path.join(this.folder, 'data')
  }

  async #run(program: string, options: readonly string[]): Promise<void> {
    await run(path.join(this.#programs, program), [...options], { ...this.#owner, cwd: this.folder })
  }

  async #begin(): Promise<void> {
    const all = { ...this.#settings, port: this.port, unix_socket_directories: this.folder }
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(path.join(this.#programs, 'postgres'), ['-D', this.#data, ...options], {
      ...this.#owner,
      cwd: this.folder,
      env: { ...process.env, HOME: this.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#server = server
    running.add(server)
    server.once('exit', () => running.delete(server))
    await new Promise<void>((resolve, reject) => {
      let log = ''
      server.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('ready to accept')) resolve()
      })
      server.once('error', reject)
      server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    })
  }

  /** A standby of this cluster that follows it. @param name its name on the primary */
  async standby(name: string): Promise<Cluster> {
    const standby = await Cluster.#place(this.#settings)
    const from = `host=${this.folder} port=${this.port} user=${admin} application_name=${name}`
    const copying = ['-D', standby.#data, '-d', from, '-R', '-c', 'fast', '-X', 'stream', '--no-sync']
    await standby.#run('pg_basebackup', copying)
    await standby.#begin()
    return standby
  }

  async promote(): Promise<void> {
    await this.#run('pg_ctl', ['promote', '-w', '-D', this.#data])
  }

  /** Kills the server like a crash of the machine. The data stay. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL')
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT')
    await rm(this.folder, { recursive: true, force: true })
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.removeAllListeners('exit')
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
    running.delete(server)
  }
}
