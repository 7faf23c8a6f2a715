import { Areas } from './areas.ts'
import { Changes } from './changes.ts'
import { openWriter, type Writer } from './writer.ts'
import { Sessions, Tokens } from './credentials.ts'
import { invalid, RegistryError } from './errors.ts'
import { Imports } from './imports.ts'
import { Mirror } from './mirror.ts'
import { Reviews } from './reviews.ts'
import { defaultRules, type Rules } from './rules.ts'
import { Snapshot } from './snapshot.ts'
import { Sources } from './sources.ts'
import type { Statistics } from './schemas/statistics.ts'
import { openConnection, type Connection } from './store/sqlite/connection/connection.ts'
import { stateReads } from './store/sqlite/nouns/state.ts'
import type { Random } from './store/sqlite/writing/salts.ts'
import { Users } from './users.ts'
import { verifyLog } from './log/verification.ts'
import { Waypoints } from './waypoints.ts'

export interface RegistryOptions {
  /** A file, created when absent, or `:memory:`. */
  readonly database: string
  /** SPDX id or name of the licence under which the registry's own data is published. Default `ODbL-1.0`. */
  readonly license?: string | undefined
  /** Who publishes it. Default `openfountain contributors`. */
  readonly author?: string | undefined
  /** What the registry is called. Default `openfountain`. */
  readonly name?: string | undefined
  /** `full` (default): an acknowledged write survives a power cut. `relaxed`: a crash of the process. */
  readonly durability?: 'full' | 'relaxed' | undefined
  /** Refuses every write, also to bring the schema up to date. Default false. */
  readonly readOnly?: boolean | undefined
  /** Whether a missing file is created. Default true. */
  readonly create?: boolean | undefined
  /** What contributions earn and need. Default `defaultRules`. */
  readonly rules?: Rules | undefined
  /** The time; give a fixed one in tests. Default the system's. */
  readonly clock?: (() => Date) | undefined
  /** Ids of new users. Default random UUIDs. */
  readonly ids?: (() => string) | undefined
  /** Random bytes for the salts of the log; give a seeded source only for data that may be reproduced. */
  readonly random?: Random | undefined
}

/** An open registry of water fountains: one object with the nouns as members. */
export class Registry {
  readonly license: string
  readonly author: string
  readonly name: string
  readonly rules: Rules
  /** The database's file, or `:memory:`. */
  readonly database: string
  readonly waypoints: Waypoints
  readonly users: Users
  readonly reviews: Reviews
  readonly changes: Changes
  readonly areas: Areas
  readonly sources: Sources
  readonly imports: Imports
  readonly mirror: Mirror
  readonly sessions: Sessions
  readonly tokens: Tokens
  readonly #writer: Writer
  readonly #state: ReturnType<typeof stateReads>

  /** @internal Use `openRegistry`. */
  constructor(writer: Writer, options: RegistryOptions) {
    this.#writer = writer
    this.license = options.license ?? 'ODbL-1.0'
    this.author = options.author ?? 'openfountain contributors'
    this.name = options.name ?? 'openfountain'
    this.rules = writer.rules
    this.database = options.database
    this.waypoints = new Waypoints(writer)
    this.users = new Users(writer, options.ids)
    this.reviews = new Reviews(writer)
    this.changes = new Changes(writer)
    this.areas = new Areas(writer)
    this.sources = new Sources(writer)
    this.imports = new Imports(writer)
    this.mirror = new Mirror(writer)
    this.sessions = new Sessions(writer)
    this.tokens = new Tokens(writer)
    this.#state = stateReads(writer.statements)
  }

  /** How much there is; counters kept by every write, so that nothing is counted. */
  async statistics(): Promise<Statistics> {
    return this.#state.statistics()
  }

  /** A number that every write raises, of any process: what an ETag or a cache depends on. */
  revision(): number {
    return this.#state.revision()
  }

  /** Time of the last write, ISO 8601 in UTC. */
  dataTime(): string {
    return this.#state.changedAt()
  }

  /** The registry as it is now, unmoved by later writes. Close it. */
  snapshot(): Snapshot {
    return new Snapshot(this.#writer.connection.snapshot(), this.rules)
  }

  /**
   * Writes a consistent copy of the database to a new file while others read and write, and verifies the copy's
   * log.
   *
   * @throws RegistryError INVALID_INPUT when the file exists, STORAGE_CORRUPT when the copy does not verify
   */
  async backup(file: string, onProgress: (done: number, total: number) => void = () => {}): Promise<void> {
    if (this.database !== ':memory:' && file === this.database)
      throw invalid('file', 'must not be the database itself')
    await this.#writer.connection.backup(file, mustVerify, onProgress)
  }

  /** Closes the database; nothing may be called afterwards. */
  async close(): Promise<void> {
    this.#writer.connection.close()
  }
}

async function mustVerify(copy: Connection): Promise<void> {
  const { ok, problems } = await verifyLog(copy)
  if (!ok) {
    throw new RegistryError('STORAGE_CORRUPT', `The copy does not verify: ${problems[0] ?? ''}`, { problems })
  }
}

/**
 * Opens a registry, and creates or updates its database as needed.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_READ_ONLY, STORAGE_BUSY
 * @example
 * const registry = await openRegistry({ database: 'fountains.db', license: 'ODbL-1.0', author: 'City of Lund' })
 */
export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const connection = await openConnection(options.database, options)
  const writer = openWriter({
    connection,
    rules: options.rules ?? defaultRules,
    clock: options.clock ?? (() => new Date()),
    random: options.random,
  })
  return new Registry(writer, options)
}
