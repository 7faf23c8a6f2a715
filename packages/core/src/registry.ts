/// <reference lib="esnext.disposable" preserve="true" />
import { randomUUID } from 'node:crypto'
import type { LogSigner } from '@openfountain/tlog'
import { Accounts } from './accounts/accounts.ts'
import { Sessions, PersonalTokens, Tokens } from './accounts/credentials.ts'
import { Areas } from './areas.ts'
import { Changes } from './changes.ts'
import type { Actor } from './decide/contributor.ts'
import { Erasures } from './erased.ts'
import { ErasureList, listed } from './erasures.ts'
import { invalid, invalidBecause, RegistryError } from './errors.ts'
import type { Properties } from './fields/field.ts'
import { follow, listen, type FollowOptions } from './following.ts'
import { Follows } from './follows.ts'
import { Harvests } from './harvests.ts'
import { HostTables } from './host-tables.ts'
import { Imports } from './imports.ts'
import type { Head, LoggedEntry } from './log/entry.ts'
import { labelling, labelsWith, type Language } from './places/labels.ts'
import { verifyLog } from './log/verification.ts'
import { Mirror } from './mirror.ts'
import { Moderation } from './moderation.ts'
import { Observations } from './observations.ts'
import { progressOf, type ProgressOptions } from './progress.ts'
import {
  DeclaredProperties,
  type PropertiesDeclaration,
  type PropertiesOf,
  type PropertiesSchema,
} from './properties-declared.ts'
import { Reports } from './reports.ts'
import { Requests } from './requests.ts'
import { Photos } from './photos.ts'
import type { PhotoKeeping } from './photo-files.ts'
import { Reviews } from './reviews.ts'
import { defaultRules, type Rules } from './rules.ts'
import { isObject, knownOptions, mustBeKnown, mustBeRules } from './schemas/parse.ts'
import type { PlaceLookup } from './schemas/place.ts'
import type { Statistics } from './schemas/statistics.ts'
import { AccessChanges, currentCircumstances, type SecurityEvent } from './security-events.ts'
import { serve } from './served.ts'
import { Part, type Shared } from './shared.ts'
import { Snapshot } from './snapshot.ts'
import { Sources } from './sources.ts'
import { isOnServer, mustBeFile, shownDatabase } from './store/address.ts'
import type { DataVersion, SnapshotNeeds } from './store/answers.ts'
import { type Random, systemClock } from './store/write-queue.ts'
import { openStore } from './store/opening.ts'
import type { SnapshotReads, Store } from './store/port.ts'
import { Users } from './users.ts'
import { Waypoints } from './waypoints.ts'
import { Webhooks } from './webhooks.ts'
import { type Write, writeAll, type Written } from './writes.ts'

export interface RegistryOptions<Declared extends PropertiesDeclaration = PropertiesDeclaration> {
  /**
   * A file, created when absent, `:memory:`, or `postgres://user@host:5432,other:5432/name` for a database on a
   * PostgreSQL server, with `@openfountain/postgres`. Its password is best given as PGPASSWORD, or in the file that
   * PGPASSFILE names.
   */
  readonly database: string
  /** SPDX id or name of the licence under which the registry's own data is published. Default `ODbL-1.0`. */
  readonly license?: string | undefined
  /** The publisher. Default `openfountain contributors`. */
  readonly author?: string | undefined
  /** The name of the registry. Default `openfountain`. */
  readonly name?: string | undefined
  /** `full` (default): an acknowledged write survives a power cut. `relaxed`: it survives a crash of the process. */
  readonly durability?: 'full' | 'relaxed' | undefined
  /** Refuses all writes. Default false. */
  readonly readOnly?: boolean | undefined
  /** Whether to create a missing file. Default true. */
  readonly create?: boolean | undefined
  /**
   * Whether to bring the database of an earlier version to this one, after which the earlier one refuses it. Default false:
   * it is refused, so that `openfountain upgrade` or you make a backup first.
   */
  readonly migrate?: boolean | undefined
  /** The rules: XP of contributions, gates and limits. Default `defaultRules`. */
  readonly rules?: Rules | undefined
  /**
   * Custom fields of waypoints, under their member `properties`: a zod object (zod 4), or JSON Schema. Each is
   * optional: a text, a number, a flag, or a list of texts. Writes refuse undeclared members; stored ones are still
   * read. A zod object is the type of `properties` of waypoints. Default none.
   */
  readonly properties?: Declared | undefined
  /** The current time; pass a fixed one in tests. Default the system clock. */
  readonly clock?: (() => Date) | undefined
  /** Ids of new users. Default random UUIDs. */
  readonly ids?: (() => string) | undefined
  /** Random bytes for the seeds of the log; pass a seeded source only for data that must be reproducible. */
  readonly random?: Random | undefined
  /** Called after each change of rights and each redaction: an audit log. It must not throw. Default: nothing. */
  readonly onSecurityEvent?: ((event: SecurityEvent) => void) | undefined
  /**
   * Finds the place of a created or moved waypoint, such as its country, which is in no entry of the log;
   * `waypoints.assignPlaces` finds those of the others. Default: no places are known.
   */
  readonly places?: PlaceLookup | undefined
  /** The language of labels of fountains without a name. Default `en`. `waypoints.assignPlaces` labels stored ones. */
  readonly language?: Language | undefined
  /** Writes although the clock is more than a day behind the last write, at the time of that. Default false. */
  readonly acceptClock?: boolean | undefined
  /** Makes and keeps the files of photos, as `openPhotos` of `@openfountain/photos` does. Default: there are no photos. */
  readonly photos?: PhotoKeeping | undefined
  /** The keys that sign checkpoints of the log, asked for at each. Default: there are none. */
  readonly signer?: (() => Promise<LogSigner | undefined>) | undefined
}

/** An open registry of water fountains: waypoints, users, reviews and the rest are its members. */
export class Registry<Custom extends Properties = Properties> extends Part {
  readonly license: string
  readonly author: string
  readonly name: string
  readonly rules: Rules
  /** The custom fields that it takes, in JSON Schema. Absent when none are declared. */
  readonly properties: PropertiesSchema | undefined
  /** The database's file, `:memory:`, or the address of a database on a server, without the password. */
  readonly database: string
  readonly waypoints = new Waypoints<Custom>(this.shared)
  readonly users = new Users(this.shared)
  readonly reviews = new Reviews(this.shared)
  readonly photos = new Photos(this.shared)
  readonly observations = new Observations(this.shared)
  readonly requests = new Requests(this.shared)
  readonly changes = new Changes(this.shared)
  readonly areas = new Areas(this.shared)
  readonly sources = new Sources(this.shared)
  readonly imports = new Imports(this.shared)
  readonly harvests = new Harvests(this.shared)
  readonly webhooks = new Webhooks(this.shared)
  readonly follows = new Follows(this.shared)
  readonly mirror = new Mirror(this.shared)
  readonly sessions = new Sessions(this.shared)
  readonly tokens = new Tokens(this.shared)
  readonly personalTokens = new PersonalTokens(this.shared)
  readonly accounts = new Accounts(this.shared)
  readonly moderation = new Moderation(this.shared)
  readonly reports = new Reports(this.shared)
  readonly erasures = new Erasures(this.shared)
  readonly tables: HostTables

  /** @internal Use `openRegistry`. */
  constructor(shared: Shared, { database, name = 'openfountain' }: RegistryOptions) {
    super(shared)
    this.license = shared.license
    this.author = shared.author
    this.name = name
    this.rules = shared.rules
    this.database = shownDatabase(database)
    this.properties = shared.properties?.schema
    this.tables = new HostTables(shared.store, isOnServer(database) ? 'postgres' : 'sqlite')
    serve(this, shared)
  }

  /**
   * Several writes as one, decided in their order over what the earlier ones made: when one is refused, none is made.
   * They are one commit, and one act, which `moderation.undo` takes back. Each is the name of a method and what it takes,
   * without the actor: `waypoints.create`, `waypoints.update`, `waypoints.delete`, the same of `reviews`, `areas.create` and
   * `areas.delete`; at most 500.
   *
   * @returns what each method returns, in order
   * @throws RegistryError INVALID_INPUT, and as the methods, with the place of the refused one as `write` in its details
   * @example
   * const [well] = await registry.write(
   *   [
   *     ['waypoints.create', { name: 'Well', latitude: 55.7, longitude: 13.19 }],
   *     ['waypoints.update', 1, { name: 'Old well' }],
   *   ],
   *   token(),
   * )
   */
  async write<const All extends readonly Write<Custom>[]>(
    writes: All,
    actor: Actor,
  ): Promise<Written<Custom, All>> {
    return (await writeAll(this.shared, writes as readonly Write[], actor)) as Written<Custom, All>
  }

  /** Totals. They are counters that every write updates, so that reading them is cheap. */
  async statistics(): Promise<Statistics> {
    return this.store.read.state.statistics()
  }

  /** How far the log goes. @param size an older number of entries. Default all. @throws RegistryError INVALID_INPUT */
  async head(size?: number): Promise<Head> {
    return this.changes.head(size)
  }

  /**
   * Entries of the log as they come, of all kinds and all processes, in order and each once: from this process at once,
   * from others within a second. Ends when the signal is aborted or the registry is closed.
   *
   * @throws RegistryError INVALID_INPUT when the log ends before `after`: it is another one, or an older backup was
   * restored; STORAGE_UNAVAILABLE, after which following may continue
   * @example
   * for await (const { id, subject, action } of registry.follow({ after: 0, signal: AbortSignal.timeout(100) }))
   *   console.log(id, subject, action)
   */
  follow(options: FollowOptions = {}): AsyncGenerator<LoggedEntry, void> {
    return follow(this.#followed, options)
  }

  /**
   * Calls a function with each entry of the log from now on, after it was committed: of this process at once, of others
   * within a second. It does not prevent the process from ending.
   *
   * @param listener its errors become uncaught exceptions
   * @param options `after` is the id of the last entry that was heard before; 0 for the whole log. Default the newest
   * @throws RegistryError REGISTRY_CLOSED; INVALID_INPUT for an `after` that is no id. Where the log ends before it, that is
   * an uncaught exception: `follow` throws it
   * @returns a function that ends it
   * @example
   * const end = registry.on('entry', ({ id, action }) => console.log(id, action), { after: 0 })
   */
  on(
    _event: 'entry',
    listener: (entry: LoggedEntry) => void,
    options: Pick<FollowOptions, 'after'> = {},
  ): () => void {
    if (this.store.commits.isClosed) throw new RegistryError('REGISTRY_CLOSED')
    return listen(this.#followed, listener, options)
  }

  get #followed() {
    return { entries: this.store.read.entries, commits: this.store.commits }
  }

  /** A number that every write increments, in any process. */
  async revision(): Promise<number> {
    return (await this.version()).revision
  }

  /** The version of the data, for entity tags and caches: after the restore of an older backup, revisions come again. */
  async version(): Promise<DataVersion> {
    return this.store.read.state.version()
  }

  /** Time of the last write, ISO 8601 in UTC. */
  async dataTime(): Promise<string> {
    return this.store.read.state.changedAt()
  }

  /**
   * A read-only view of the registry as it is now. Close it.
   *
   * @param needs the data to read: on a database server, a view is a copy. `asOf` is the time of statuses, ISO 8601 in
   * UTC with milliseconds; default now
   */
  async snapshot(options: SnapshotNeeds & { readonly asOf?: string | undefined } = {}): Promise<Snapshot> {
    const { asOf, ...needs } = knownOptions(options, ['records', 'asOf'])
    const connection = await this.store.snapshot(needs)
    return new Snapshot(connection, this.rules, asOf ?? (await this.time()))
  }

  /** The time as the registry has it, ISO 8601 in UTC: now, but never before the last write. */
  async time(): Promise<string> {
    return this.store.time()
  }

  /** Differences to this program's schema, in words. With any a backup is refused; `copyRegistry` makes a whole database. */
  async schemaProblems(): Promise<readonly string[]> {
    return this.store.schemaProblems()
  }

  /**
   * Writes a verified copy of the database to a new file, and the list of erasures to `FILE.erased`: keep both together.
   *
   * @param options `onProgress` counts pages of the database; when `signal` ends it, there is no file
   * @throws RegistryError INVALID_INPUT when the file exists, STORAGE_CORRUPT for a copy that cannot be restored
   */
  async backup(file: string, options: ProgressOptions = {}): Promise<void> {
    if (this.database !== ':memory:' && file === this.database)
      throw invalid('file', 'must not be the database itself')
    mustBeFile('file', file, 'a backup is a file; openfountain copy copies a registry to a server')
    const { signal } = options
    const problems = await this.schemaProblems()
    if (problems.length > 0)
      throw new RegistryError(
        'STORAGE_CORRUPT',
        `${this.database} ${problems[0]}: a copy of the registry is whole again`,
        {
          problems: [...problems],
        },
      )
    await this.store.backup(file, (copy) => mustVerify(copy, { signal }), progressOf(options))
    await new ErasureList(file).keep(listed(await this.erasures.list()))
  }

  /** Closes the database. The registry cannot be used afterwards. */
  async close(): Promise<void> {
    this.store.commits.close()
    await this.store.close()
  }

  /** Closes the database at the end of a block: `await using registry = await openRegistry({ database: 'fountains.db' })`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** All options; it does not compile when one is missing. */
const options = {
  database: true,
  license: true,
  author: true,
  name: true,
  durability: true,
  readOnly: true,
  create: true,
  migrate: true,
  rules: true,
  properties: true,
  clock: true,
  ids: true,
  random: true,
  onSecurityEvent: true,
  places: true,
  language: true,
  acceptClock: true,
  photos: true,
  signer: true,
} satisfies Record<keyof RegistryOptions, true>

async function mustVerify(copy: SnapshotReads, options: ProgressOptions): Promise<void> {
  const { ok, problems } = await verifyLog(copy, progressOf(options))
  if (!ok) {
    throw new RegistryError('STORAGE_CORRUPT', `The copy does not verify: ${problems[0] ?? ''}`, { problems })
  }
}

/** @throws RegistryError INVALID_INPUT, with the expected form, without an object that names the database */
function mustSay(given: unknown): void {
  if (isObject(given) && typeof given['database'] === 'string') return
  throw invalidBecause('database', "is required: openRegistry({ database: 'fountains.db' })")
}

/**
 * Opens a registry, whose database is made where there is none. That of an earlier version is refused without `migrate`.
 *
 * @throws RegistryError STORAGE_MISSING, STORAGE_CORRUPT, STORAGE_NEWER, STORAGE_OLDER, STORAGE_READ_ONLY, STORAGE_BUSY,
 * STORAGE_UNAVAILABLE; INVALID_INPUT for an address, an option or rules that are wrong
 * @example
 * const registry = await openRegistry({ database: 'fountains.db', license: 'ODbL-1.0', author: 'City of Lund' })
 */
export async function openRegistry<Declared extends PropertiesDeclaration = PropertiesSchema>(
  given: RegistryOptions<Declared>,
): Promise<Registry<PropertiesOf<Declared>>> {
  mustSay(given)
  mustBeKnown(given, Object.keys(options) as (keyof RegistryOptions)[])
  if (given.rules !== undefined) mustBeRules(given.rules)
  const properties = given.properties === undefined ? undefined : new DeclaredProperties(given.properties)
  const { clock = systemClock, random, acceptClock } = given
  const terms = { properties, labelling: labelling(given.language) }
  const store = await openStore(given.database, { ...given, ...terms, clock, random, acceptClock })
  return new Registry(sharedBy(store, given, terms), given)
}

function sharedBy(
  store: Store,
  { rules = defaultRules, database, onSecurityEvent, ...options }: RegistryOptions,
  { properties, labelling }: Pick<Shared, 'properties' | 'labelling'>,
): Shared {
  const isFile = database !== ':memory:' && !isOnServer(database)
  const labelOf = labelsWith(labelling, options.places)
  const terms = { rules, properties, labelOf }
  return {
    ...terms,
    store,
    license: options.license ?? 'ODbL-1.0',
    author: options.author ?? 'openfountain contributors',
    photos: options.photos,
    signer: options.signer,
    report: (event, about) =>
      onSecurityEvent?.({ time: store.now().toISOString(), event, ...about, ...currentCircumstances() }),
    access: new AccessChanges(),
    erasures: isFile ? new ErasureList(database) : undefined,
    newId: options.ids ?? randomUUID,
    labelling,
    contribute: (actor, decide, { dryRun = false } = {}) =>
      store.write({ decide: (at) => decide({ ...terms, actor, at }), dryRun }),
  }
}
