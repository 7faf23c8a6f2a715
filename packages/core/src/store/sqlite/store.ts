import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { EngineStore, type WritingOptions } from '../write-queue.ts'
import type { Leftover, Maintenance, Store } from '../port.ts'
import { nounReads, type Reads, readsWith } from '../reads.ts'
import { backup } from './connection/backup.ts'
import { Connection } from './connection/connection.ts'
import { openDatabase, type OpenOptions } from './connection/database.ts'
import { createDeferredIndexes } from './connection/deferred-indexes.ts'
import { schemaProblems } from './connection/foreign-file.ts'
import { search } from './search/search.ts'
import { WritingEngine } from './writing.ts'

/** A read in many steps yields to other work between them. */
const readsOf = ({ statements }: Connection): Reads =>
  readsWith(statements.read({ ...nounReads, search }), async (asked) => {
    await yieldToEventLoop()
    return statements.rows(asked)
  })

/** How often erasing tries to get the database for itself, in milliseconds. */
const tryEvery = 100
/** How long erasing waits for other connections that read, in milliseconds. */
const patience = 10_000

/** Tries until something is done, at least once. @param until the last time to try, as `performance.now` has it */
async function eventually(attempt: () => boolean, until: number): Promise<boolean> {
  while (!attempt()) {
    if (performance.now() >= until) return false
    await new Promise((resolve) => setTimeout(resolve, tryEvery))
  }
  return true
}

export class SqliteStore extends EngineStore implements Store {
  readonly read: Reads
  readonly #connection: Connection
  protected readonly engine: WritingEngine

  constructor(connection: Connection, options: WritingOptions) {
    super(options)
    this.#connection = connection
    this.engine = new WritingEngine(connection, options)
    this.read = readsOf(connection)
  }

  async snapshot(): Promise<Connection> {
    return this.#connection.snapshot()
  }

  async schemaProblems(): Promise<string[]> {
    return schemaProblems(this.#connection.database)
  }

  async scrub(): Promise<readonly Leftover[]> {
    await this.drain()
    const connection = this.#connection
    const until = performance.now() + patience
    this.engine.aside((extent) => this.engine.search.purge(extent))
    if (!(await eventually(() => connection.rewrite(), until)))
      return [{ place: 'the database, which another process is writing', remedy: 'end it, and erase again' }]
    // Later writes contain no trace of it.
    if (await eventually(() => connection.emptyLog(), until)) return []
    return [
      {
        place: 'the write-ahead log, which another process or connection is reading',
        remedy: 'end it or wait until it has read, and erase again',
      },
    ]
  }

  async maintain({ what, signal }: Maintenance = {}): Promise<void> {
    createDeferredIndexes(this.#connection.database)
    if (what === 'indexes') return
    await this.engine.search.merge((step) => this.engine.aside(step), signal)
  }

  async backup(
    file: string,
    check: (copy: Connection) => Promise<void>,
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    await backup(this.#connection.database, file, onProgress, (copy) => check(new Connection(copy)))
  }

  renewOrigin(origin: string): Promise<void> {
    const connection = this.#connection
    return this.alone(() =>
      connection.immediately(() => {
        // A revision that the log never had.
        connection.database.prepare('update state set origin = ?, revision = revision + 1').run(origin)
      }),
    )
  }

  async close(): Promise<void> {
    await this.idle()
    this.#connection.close()
  }
}

/**
 * Opens the embedded engine on a file, which is created when absent, or `:memory:`.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_OLDER, STORAGE_READ_ONLY, STORAGE_BUSY
 */
export async function openSqlite(file: string, options: OpenOptions & WritingOptions): Promise<SqliteStore> {
  return new SqliteStore(new Connection(await openDatabase(file, options)), options)
}
