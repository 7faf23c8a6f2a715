import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  copyForReading,
  copyToFile,
  EngineStore,
  nounReads,
  readsWith,
  type Leftover,
  type Maintenance,
  type Reads,
  type SnapshotNeeds,
  type SnapshotReads,
  type Store,
} from '@openfountain/core/engine'
import { mayRepeat, Sessions, type SessionOptions } from './connection/sessions.ts'
import { migrate, type MigratingOptions } from './connection/migrating.ts'
import { settingsOf } from './connection/settings.ts'
import { sourceOn } from './copying/source.ts'
import { madeTriggers } from './migrations/made.ts'
import { Statements } from './connection/statement.ts'
import { search } from './search/search.ts'
import { rewrite } from './scrubbing.ts'
import { areMissing, makeDeferredIndexes } from './writing/deferred-indexes.ts'
import { WritingEngine, type PostgresWritingOptions } from './writing/engine.ts'

export interface StoreOptions extends PostgresWritingOptions, SessionOptions, MigratingOptions {}

export class PostgresStore extends EngineStore implements Store {
  readonly read: Reads
  readonly #sessions: Sessions
  protected readonly engine: WritingEngine

  constructor(sessions: Sessions, options: StoreOptions) {
    super(options)
    this.#sessions = sessions
    this.engine = new WritingEngine(sessions, options)
    const statements = new Statements(sessions)
    this.read = readsWith(statements.read({ ...nounReads, search }), statements.rows)
  }

  /** The current registry as a SQLite registry, without data that exports do not need. */
  async snapshot({ records }: SnapshotNeeds = {}): Promise<SnapshotReads> {
    const source = await sourceOn(this.#sessions, { isPublic: true, records })
    try {
      return await copyForReading(source, records)
    } finally {
      await source.close()
    }
  }

  async schemaProblems(): Promise<string[]> {
    const found = await this.#sessions.during('read', (session) =>
      session.query<{ name: string }>(
        `select tgname as "name" from pg_trigger join pg_class on pg_class.oid = tgrelid
          where relnamespace = current_schema()::regnamespace and not tgisinternal and tgenabled in ('O', 'A')`,
      ),
    )
    const names = new Set(found.map(({ name }) => name))
    return madeTriggers().flatMap(({ name, table }) =>
      names.has(name) ? [] : [`lacks the trigger "${name}" of the table "${table}"`],
    )
  }

  async scrub(): Promise<readonly Leftover[]> {
    await this.drain()
    return rewrite(this.#sessions)
  }

  async maintain({ what, signal }: Maintenance = {}): Promise<void> {
    await this.drain()
    if (what === 'indexes' && !this.engine.isDeferring) return
    await this.#sessions.during('long', async (session) => {
      await makeDeferredIndexes(session)
      await this.alone(() => this.engine.endDeferring())
      if (what === 'indexes') return
      await session.command(
        `select gin_clean_pending_list(indexrelid) from pg_index
          where indexrelid = to_regclass('"waypointsBySearch"') and indisvalid`,
      )
      await yieldToEventLoop()
      if (signal?.aborted !== true) await session.command('analyze')
    })
  }

  async backup(
    file: string,
    check: (copy: SnapshotReads) => Promise<void>,
    onProgress: (done: number, total: number) => void,
  ): Promise<void> {
    const source = await sourceOn(this.#sessions)
    try {
      await copyToFile(source, file, check, onProgress)
    } finally {
      await source.close()
    }
  }

  async renewOrigin(origin: string): Promise<void> {
    await this.alone(() =>
      this.#sessions.patiently(async () => {
        const session = await this.#sessions.writer()
        await session.query(`update "state" set "origin" = $1, "revision" = "revision" + 1`, [origin])
      }),
    )
  }

  async close(): Promise<void> {
    await this.idle()
    await this.#sessions.close()
  }
}

async function mended(sessions: Sessions): Promise<void> {
  if (await areMissing(await sessions.writer())) await sessions.during('long', makeDeferredIndexes)
}

/**
 * Opens the engine on a database, whose tables are created when they are not there. Several servers may use one database.
 *
 * @param url `postgres://user@host:5432,other:5432/name?sslmode=verify-full`; the password is best given as PGPASSWORD or in
 * the file that PGPASSFILE names
 * @throws RegistryError INVALID_INPUT for the address, STORAGE_UNAVAILABLE, STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER,
 * STORAGE_OLDER, STORAGE_READ_ONLY
 */
export async function openPostgres(url: string, options: StoreOptions): Promise<PostgresStore> {
  const settings = settingsOf(url)
  const acceptsStandby = settings.acceptsStandby || options.readOnly === true
  const sessions = new Sessions({ ...settings, acceptsStandby }, options)
  try {
    await sessions.patiently(async () => migrate(await sessions.writer(), options), mayRepeat)
    if (options.readOnly !== true) await sessions.patiently(() => mended(sessions))
    return new PostgresStore(sessions, options)
  } catch (error) {
    await sessions.close()
    throw sessions.refusal(error)
  }
}
