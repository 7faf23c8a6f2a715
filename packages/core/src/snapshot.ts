import { loggedEntry, type Head, type LogEntry, type LoggedEntry } from './log/entry.ts'
import { emptyRoot, rootAt, type Tile } from '@openfountain/tlog'
import { Frontier } from '@openfountain/tlog/frontier'
import { logTile } from './log/tiles.ts'
import type { Rules } from './rules.ts'
import type { BoundingBox } from './schemas/area.ts'
import type { Review } from './schemas/review.ts'
import type { Source } from './schemas/source.ts'
import type { Statistics } from './schemas/statistics.ts'
import { publicUser, type PublicUser } from './schemas/user.ts'
import type { Box } from './schemas/waypoint.ts'
import { areaReads } from './store/nouns/areas.ts'
import { changeReads } from './store/nouns/changes.ts'
import { entryReads } from './store/nouns/entries.ts'
import { type NamedPhoto, photoReads } from './store/nouns/photos.ts'
import { reviewReads } from './store/nouns/reviews.ts'
import { sourceReads } from './store/nouns/sources.ts'
import { stateReads } from './store/counters.ts'
import { userReads } from './store/nouns/users.ts'
import type { Connection, Statements } from './store/sqlite/connection/connection.ts'
import { differenceReads } from './store/sqlite/nouns/difference.ts'
import type { RecordChoice, RecordFilter, WaypointRecord } from './store/record.ts'
import { recordReads } from './store/sqlite/records.ts'

export type { RecordFilter, WaypointRecord } from './store/record.ts'

/** A read-only view of the registry at one moment, on its own connection, which no write waits for. Close it. */
export class Snapshot {
  /** How far the log goes. */
  readonly head: Head
  /** Which line of history this is. Hexadecimal. */
  readonly origin: string
  /** The revision of the registry, which every write increments. */
  readonly revision: number
  /** Time of the last write, ISO 8601 in UTC. */
  readonly dataTime: string
  /** The time of statuses, ISO 8601 in UTC: they age by the day. */
  readonly asOf: string
  readonly #connection: Connection
  readonly #statements: Statements
  readonly #rules: Rules

  /** @internal Created by `registry.snapshot()`. */
  constructor(connection: Connection, rules: Rules, asOf: string) {
    this.#connection = connection
    this.#statements = connection.statements
    this.#rules = rules
    const state = this.#statements.read(stateReads)
    const entries = this.#statements.read(entryReads)
    this.head = entries.head()
    this.origin = entries.origin()
    this.revision = state.version().revision
    this.dataTime = state.changedAt()
    this.asOf = asOf
  }

  /** Live waypoints by id, with their reviews' figures and their sources. */
  records(filter: RecordFilter = {}): IterableIterator<WaypointRecord> {
    return recordReads(this.#statements).records(this.#choice(filter))
  }

  #choice(filter: RecordFilter): RecordChoice {
    return { ...filter, day: this.asOf.slice(0, 10) }
  }

  /** The box around the live waypoints that match: west, south, east, north. Undefined when there are none. */
  extent(filter: RecordFilter = {}): Box | undefined {
    return recordReads(this.#statements).extent(this.#choice(filter))
  }

  /** Live reviews of live waypoints by id. */
  *reviews(): IterableIterator<Review> {
    for (const some of this.#statements.read(reviewReads).each()) yield* some
  }

  /** Shown photos of live waypoints by id, with the present names of their authors. */
  *photos(): IterableIterator<NamedPhoto> {
    for (const some of this.#statements.read(photoReads).each(true)) yield* some
  }

  /** Reviews that changed after an entry of the log, also with their waypoint, by id; deleted ones have `deletedAt`. */
  reviewsAfter(id: number): Generator<Review & { readonly deletedAt?: string | undefined }> {
    return differenceReads(this.#statements).reviews(id)
  }

  /**
   * Ids of waypoints, ascending, whose reviews, sources, state or last listing may have changed after an entry of the
   * log, also by the date alone: an earlier snapshot is taken to be as of the day of that entry or a later one.
   */
  surroundingsChangedAfter(id: number): number[] {
    const from = this.#statements.read(entryReads).timeOf(id)?.slice(0, 10)
    const span = { size: id, from, day: this.asOf.slice(0, 10) }
    return differenceReads(this.#statements).waypointIds(span)
  }

  /** The head as it was with `size` entries, or undefined when there are fewer. */
  async headAt(size: number): Promise<Head | undefined> {
    if (size === this.head.id) return this.head
    if (!Number.isSafeInteger(size) || size < 0 || size > this.head.id) return undefined
    const reads = this.#statements.read(entryReads)
    const timestamp = reads.timeOf(size)
    const root = await rootAt(reads.tree, size)
    return {
      id: size,
      hash: root,
      timestamp,
    }
  }

  /** The head that had this hash, or undefined when there was none. Reads the leaves of the log up to it. */
  async headWith(hash: string): Promise<Head | undefined> {
    if (hash === this.head.hash) return this.head
    if (hash === emptyRoot) return this.headAt(0)
    const frontier = new Frontier()
    for (const leaves of this.#statements.read(entryReads).leaves())
      for (const leaf of leaves) {
        frontier.append(leaf)
        if (hash === frontier.root()) return this.headAt(frontier.size)
      }
    return undefined
  }

  /** The head as it was before a time, ISO 8601 in UTC with milliseconds. */
  async headBefore(time: string): Promise<Head | undefined> {
    return this.headAt(this.#statements.read(entryReads).idBefore(time))
  }

  /** All users except the built-in one, highest XP first. */
  *contributors(): Generator<PublicUser> {
    const everybody = { limit: Number.MAX_SAFE_INTEGER, offset: 0 }
    for (const user of this.#statements.read(userReads).byXp(everybody)) yield publicUser(user, this.#rules)
  }

  /** Sources of data by id. */
  sources(): Source[] {
    return this.#statements.read(sourceReads).list()
  }

  /** Active bounding boxes by id. */
  areas(): BoundingBox[] {
    return this.#statements.read(areaReads).active()
  }

  statistics(): Statistics {
    return this.#statements.read(stateReads).statistics()
  }

  /** A value that changes with each permanent erasure of text: how many redactions, and people who were renamed or left. */
  erasures(): { readonly redactions: number; readonly people: number; readonly latest: string | null } {
    const redactions = this.#statements.read(entryReads).redactions()
    return { redactions, ...this.#statements.read(userReads).changed() }
  }

  /** Entries of all kinds after an id with what proves them, oldest first. */
  *entries(after = 0): Generator<LoggedEntry> {
    const reads = this.#statements.read(entryReads)
    for (let from = after; ;) {
      const entries = reads.after(from, 1000)
      for (const entry of entries) yield loggedEntry(entry)
      const last = entries.at(-1)
      if (last === undefined) return
      from = last.id
    }
  }

  /** The bytes of a tile of the log (C2SP tlog-tiles). */
  tile(tile: Tile): Promise<Uint8Array> {
    return logTile(this.#statements.read(entryReads), tile)
  }

  /** Actions on waypoints after an id, oldest first. */
  *changes(after = 0): Generator<LogEntry> {
    const reads = this.#statements.read(changeReads)
    for (let from = after; ;) {
      const entries = reads.list({ order: 'asc', after: from, limit: 1000, offset: 0 })
      yield* entries
      const last = entries.at(-1)
      if (last === undefined) return
      from = last.id
    }
  }

  close(): void {
    this.#connection.close()
  }
}
