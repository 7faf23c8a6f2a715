import type { Job } from '../../decide/deciding.ts'
import { yieldToEventLoop } from '../../event-loop.ts'
import type { Outcome } from '../../log/script.ts'
import type { BatchOptions, Leftover, Store } from '../port.ts'
import type { Credentials, Reads } from '../reads.ts'
import { openConnection, type Connection } from './connection/connection.ts'
import type { OpenOptions } from './connection/database.ts'
import { areaReads } from './nouns/areas.ts'
import { changeReads } from './nouns/changes.ts'
import { credentialRows } from './nouns/credentials.ts'
import { entryReads } from './nouns/entries.ts'
import { importReads } from './nouns/imports.ts'
import { reviewReads } from './nouns/reviews.ts'
import { sourceReads } from './nouns/sources.ts'
import { stateReads } from './nouns/state.ts'
import { userReads } from './nouns/users.ts'
import { waypointReads } from './nouns/waypoints.ts'
import { waypointBounds } from './search/bounds.ts'
import { mergedIndexes } from './search/index.ts'
import { nearest } from './search/nearest.ts'
import { search } from './search/search.ts'
import { WritingEngine, type WritingOptions } from './writing/engine.ts'
import { WriteQueue } from './writing/queue.ts'

function readsOf({ statements }: Connection): Reads {
  const waypoints = waypointReads(statements)
  const changes = changeReads(statements)
  const sources = sourceReads(statements)
  return {
    waypoints: {
      ...waypoints,
      near: nearest(statements, waypoints),
      isBounded: waypointBounds(statements),
      search: search(statements),
      sources: sources.ofWaypoint,
      history: changes.history,
      historyText: changes.historyText,
    },
    entries: entryReads(statements),
    changes,
    users: userReads(statements),
    reviews: reviewReads(statements),
    areas: areaReads(statements),
    sources,
    imports: importReads(statements),
    state: stateReads(statements),
  }
}

/** How often and how long erasing waits for other connections to let go of the write-ahead log, in milliseconds. */
const patience = { step: 250, most: 10_000 }

/** The embedded engine: one SQLite file through better-sqlite3. */
export class SqliteStore implements Store {
  readonly read: Reads
  readonly credentials: Credentials
  readonly #connection: Connection
  readonly #engine: WritingEngine
  readonly #queue: WriteQueue
  readonly #clock: () => Date

  constructor(connection: Connection, options: WritingOptions) {
    this.#connection = connection
    this.#clock = options.clock
    this.#engine = new WritingEngine(connection, options)
    this.read = readsOf(connection)
    this.credentials = credentialRows(connection.statements)
    this.#queue = new WriteQueue((jobs) => this.#engine.run(jobs, { isBulk: false }))
  }

  now(): Date {
    return this.#clock()
  }

  write<Answer>(job: Job<Answer>): Promise<Answer> {
    return this.#queue.add(job)
  }

  async writeBatch<Answer>(
    jobs: readonly Job<Answer>[],
    options: BatchOptions = {},
  ): Promise<Outcome<Answer>[]> {
    // What was asked for before comes first.
    this.#queue.drain()
    return this.#engine.run(jobs, { ...options, isBulk: true })
  }

  async snapshot(): Promise<Connection> {
    return this.#connection.snapshot()
  }

  async scrub(texts: readonly string[]): Promise<readonly Leftover[]> {
    this.#queue.drain()
    this.#engine.aside((extent) => this.#engine.search.purge(texts, extent))
    for (let waited = 0; this.#connection.rewrite(); waited += patience.step) {
      if (waited >= patience.most)
        return [
          {
            place: 'the write-ahead log, which another process or connection is reading',
            remedy: 'end what has the database open, and erase again',
          },
        ]
      await new Promise((resolve) => setTimeout(resolve, patience.step))
    }
    return []
  }

  async maintain({
    what,
    signal,
  }: {
    readonly what?: 'indexes' | undefined
    readonly signal?: AbortSignal | undefined
  } = {}): Promise<void> {
    this.#connection.createDeferredIndexes()
    if (what === 'indexes') return
    for (const index of mergedIndexes) {
      const step = (isFirst: boolean): boolean =>
        this.#engine.aside(() => this.#engine.search.merge(index, isFirst))
      for (let isFirst = true; step(isFirst); isFirst = false) {
        if (signal?.aborted === true) return
        await yieldToEventLoop()
      }
    }
  }

  async backup(
    file: string,
    check: (copy: Connection) => Promise<void>,
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    await this.#connection.backup(file, check, onProgress)
  }

  async close(): Promise<void> {
    this.#queue.drain()
    this.#connection.close()
  }
}

/**
 * Opens the embedded engine on a file, which is created when absent, or `:memory:`.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_OLDER, STORAGE_READ_ONLY, STORAGE_BUSY
 */
export async function openSqlite(file: string, options: OpenOptions & WritingOptions): Promise<SqliteStore> {
  return new SqliteStore(await openConnection(file, options), options)
}
