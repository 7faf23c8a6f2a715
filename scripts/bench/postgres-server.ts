import path from 'node:path'
import { copyRegistry } from '@openfountain/core'
import { asAdmin, Cluster, createDatabase, dropDatabase } from '@openfountain/testing/postgres/cluster'

/** Settings of a dedicated machine, with full durability. */
const settings = { shared_buffers: '1GB', max_wal_size: '4GB' }

/** A PostgreSQL server started for a benchmark, with databases that are filled once. */
export class PostgresServer {
  readonly #cluster: Cluster
  readonly #filled = new Map<string, Promise<string>>()

  private constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  static async start(): Promise<PostgresServer> {
    return new PostgresServer(await Cluster.start({ isDurable: true, settings }))
  }

  /** Such as `15.18`. */
  async version(): Promise<string> {
    const [row] = await asAdmin<{ server_version: string }>(this.#cluster, 'show server_version')
    return row?.server_version.split(' ', 1)[0] ?? ''
  }

  /** The URL of a read-only database with the registry of a file. */
  filled(file: string, report: (line: string) => void): Promise<string> {
    let url = this.#filled.get(file)
    if (url === undefined) {
      url = this.#fill(file, report)
      this.#filled.set(file, url)
    }
    return url
  }

  async #fill(file: string, report: (line: string) => void): Promise<string> {
    report(`  copying ${path.basename(file)} to the server`)
    const url = await this.emptyDatabase()
    await copyRegistry({ from: file, to: url })
    // A server's nightly maintenance.
    await asAdmin(this.#cluster, 'vacuum analyze', new URL(url).pathname.slice(1))
    await asAdmin(this.#cluster, 'checkpoint')
    return url
  }

  emptyDatabase(): Promise<string> {
    return createDatabase(this.#cluster)
  }

  dropDatabase(url: string): Promise<void> {
    return dropDatabase(this.#cluster, url)
  }

  /** Ends the server and removes its data. */
  async stop(): Promise<void> {
    await this.#cluster.stop()
  }
}
